"""Settings pages, and the page behind "stop this mail"."""

from allauth.account.decorators import reauthentication_required
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import HASH_SESSION_KEY, logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from accounts import addresses, closing, feeds, holidays, leave, letters, news, notices, push, renaming
from accounts.answers import posted_by_member
from accounts.forms import PUSHED, CloseForm, HolidayForm, LookForm, MailForm, PlayingForm, PushForm, RenameForm
from accounts.letters import Message
from accounts.models import AddressChange, Feed, User
from accounts.news import Channel


class PersonRequest(HttpRequest):
    """A request of somebody who is signed in, guests included."""

    user: User


LOOK_COOKIE_AGE = 365 * 24 * 3600


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def playing(request: PersonRequest) -> HttpResponse:
    """Time zone, look, and what happens after a move."""
    form = PlayingForm(request.POST or None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        form.save()
        if "time_zone" in form.changed_data:
            notices.forget_digest(request.user.pk)
        return _saved(request, "settings")
    return render(request, "accounts/playing.html", {"form": form, "at": "playing"}, status=_status(form))


@require_POST
def look(request: HttpRequest) -> HttpResponse:
    """Colours and suits from the foot of a page: kept with the person, or in this browser where nobody is signed in."""
    form = LookForm(request.POST)
    chosen = {name: value for name, value in form.cleaned_data.items() if value} if form.is_valid() else {}
    response = HttpResponse(status=204) if request.headers.get("HX-Request") else _back(request)
    if request.user.is_authenticated:
        if chosen:
            User.objects.filter(pk=request.user.pk).update(**chosen)
    else:
        for name, value in chosen.items():
            response.set_cookie(
                name,
                value,
                max_age=LOOK_COOKIE_AGE,
                samesite="Lax",
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
            )
    return response


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def mail(request: PersonRequest) -> HttpResponse:
    """When the site writes, and about what."""
    form = MailForm(request.POST or None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        form.save()
        if "digest_hour" in form.changed_data:
            notices.forget_digest(request.user.pk)
        return _saved(request, "settings_mail")
    mine = {feed.kind: feed for feed in request.user.feeds.all()}
    context = {
        "form": form,
        "at": "mail",
        "push_key": push.public_key(),
        "browsers": request.user.push_addresses.count(),
        "push_form": PushForm(
            initial={"kinds": [kind for kind in PUSHED if news.wants(request.user, kind, Channel.PUSH)]}
        ),
        "feeds": [(kind, feeds.address_of(mine[kind]) if kind in mine else "", mine.get(kind)) for kind in Feed.Kind],
    }
    return render(request, "accounts/mail.html", context, status=_status(form))


@posted_by_member
def push_on(request: PersonRequest) -> HttpResponse:
    """Note the browser that asks as one that takes notifications; its script posts what the browser gave it. The first
    one switches on what mail would tell of."""
    posted = [request.POST.get(name, "") for name in ("endpoint", "p256dh", "auth")]
    user = request.user
    is_first = not user.push_addresses.exists()
    try:
        push.add(user, *posted, now=timezone.now())
    except push.BadAddress as refusal:
        return HttpResponse(str(refusal), status=422, content_type="text/plain; charset=utf-8")
    if is_first and not any(news.wants(user, kind, Channel.PUSH) for kind in PUSHED):
        for kind in PUSHED:
            news.switch(user, kind, Channel.PUSH, True)
        user.save(update_fields=["news"])
    messages.success(request, _("Notifications are on in this browser."))
    return HttpResponse(status=204)


@posted_by_member
def push_off(request: PersonRequest) -> HttpResponse:
    """Send no more notifications to any browser of the reader."""
    request.user.push_addresses.all().delete()
    return _saved(request, "settings_mail")


@posted_by_member
def push_kinds(request: PersonRequest) -> HttpResponse:
    """What notifications are about."""
    form = PushForm(request.POST)
    if not form.is_valid():
        return HttpResponse(_("Use the boxes on the settings page."), status=400)
    form.save(request.user)
    return _saved(request, "settings_mail")


@posted_by_member
def feed(request: PersonRequest, kind: str) -> HttpResponse:
    """Make the secret address of a feed, change it, or let it lead nowhere."""
    if kind not in Feed.Kind.values:
        raise Http404
    user, now = request.user, timezone.now()
    wish = request.POST.get("do")
    if wish == "make":
        feeds.open_feed(user, kind, now)
        messages.success(request, _("The address is made. Whoever knows it can read the feed."))
    elif wish == "renew":
        feeds.renew(user, kind, request.POST.get("serial", ""), now)
        messages.success(request, _("The feed has another address. The former one leads nowhere."))
    elif wish == "off":
        feeds.switch_off(user, kind)
        messages.success(request, _("The feed is switched off. Its address leads nowhere."))
    else:
        return HttpResponse(_("Use the buttons on the settings page."), status=400)
    return redirect("settings_mail")


@posted_by_member
def test_mail(request: PersonRequest) -> HttpResponse:
    """Send one mail to the reader's own address, at most one an hour, to see that it arrives."""
    user, now = request.user, timezone.now()
    if not user.email or user.is_guest:
        messages.warning(request, _("There is no address to write to. Sign up first."))
    else:
        # Writing to an address that was given up is a fresh start for it.
        User.objects.filter(pk=user.pk).update(address_refused_at=None)
        notices.notify_address(
            address=user.email,
            user_id=user.pk,
            key=f"test-mail:{user.pk}:{now:%Y-%m-%dT%H}",
            message=Message(
                subject=_("A test mail from %(site)s") % {"site": settings.SITE_NAME},
                text=_("You asked for this mail on the settings page. Mail from us reaches you."),
            ),
            now=now,
        )
        messages.success(request, _("A test mail is on its way to %(address)s.") % {"address": user.email})
    return redirect("settings_mail")


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def mail_off(request: HttpRequest) -> HttpResponse:
    """Turn kinds of mail off by the token in a mail, and on again; only a POST changes anything.

    Mail programs post `List-Unsubscribe=One-Click` (RFC 8058), without cookies; the token is all the proof there is
    and all that is needed. The buttons of the page post `do=off` and `do=on`.
    """
    asked = letters.read_off_token(request.GET.get("token", ""))
    reader = User.objects.filter(pk=asked[0], closed_at=None).first() if asked else None
    if asked is None or reader is None:
        return render(request, "accounts/mail_off.html", {"is_broken": True}, status=400)
    kinds = asked[1]
    if request.method == "POST":
        wish = {"off": False, "on": True}.get(_posted_wish(request))
        if wish is None:
            return HttpResponse(_("Post List-Unsubscribe=One-Click to stop this mail."), status=400)
        for kind in kinds:
            news.switch(reader, kind, Channel.MAIL, wish)
        reader.save(update_fields=["news"])
    every = [kind for kind in news.SWITCHABLE if news.ALL in kinds or kind in kinds]
    context = {
        "labels": [kind.label for kind in every],
        "is_all": news.ALL in kinds,
        "is_off": not any(news.wants(reader, kind) for kind in every),
        "token": request.GET["token"],
    }
    return render(request, "accounts/mail_off.html", context)


def _posted_wish(request: HttpRequest) -> str:
    """`off`, `on`, or nothing, out of the only bodies that count."""
    posted = dict(request.POST.lists())
    if posted == {"List-Unsubscribe": ["One-Click"]}:
        return "off"
    return request.POST["do"] if set(posted) == {"do"} else ""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def holiday(request: PersonRequest) -> HttpResponse:
    """Leave: what is left, what is booked, and taking some."""
    user, now = request.user, timezone.now()
    form = HolidayForm(request.POST if "first" in request.POST else None)
    if request.method == "POST" and "auto" in request.POST:
        User.objects.filter(pk=user.pk).update(auto_leave=request.POST["auto"] == "on")
        return _saved(request, "settings_holiday")
    if request.method == "POST" and form.is_valid():
        begins, days = form.stretch(user.zone, now)
        try:
            holidays.book(user.pk, begins, days, now)
        except holidays.NoLeave as refusal:
            form.add_error(None, str(refusal))
        else:
            return _saved(request, "settings_holiday")
    booked = holidays.open_leave(user)
    context = {
        "form": form,
        "at": "holiday",
        "left": holidays.days_left(user, now),
        "most": leave.MOST,
        "next_day_at": leave.next_day_at(user.date_joined, now),
        "booked": booked,
        "zone": user.zone,
    }
    return render(request, "accounts/holiday.html", context, status=_status(form))


@posted_by_member
def holiday_end(request: PersonRequest) -> HttpResponse:
    """End leave, or undo its booking."""
    holidays.end(request.user.pk, timezone.now())
    return _saved(request, "settings_holiday")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: PersonRequest) -> HttpResponse:
    """Name, address, keys, sessions; and the way out."""
    form = RenameForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            renaming.rename(request.user.pk, form.cleaned_data["name"], timezone.now())
        except renaming.NotRenamed as refusal:
            form.add_error("name", str(refusal))
        else:
            return _saved(request, "settings_account")
    context = {"form": form, "at": "account", "former_names": request.user.former_names.order_by("given_up_at")}
    return render(request, "accounts/account.html", context, status=_status(form))


@require_http_methods(["GET", "HEAD", "POST"])
def address_undo(request: HttpRequest) -> HttpResponse:
    """Take back a change of address by the token in the mail to the old one; whether anybody is signed in does not
    matter, and only a POST changes anything."""
    number = addresses.change_of(request.GET.get("token", ""))
    if number is None:
        return render(request, "accounts/address_undo.html", {"is_broken": True}, status=400)
    change, now = AddressChange.objects.filter(pk=number).first(), timezone.now()
    if change is None or (change.undone_at is None and now >= addresses.undo_until(change)):
        return render(request, "accounts/address_undo.html", {"is_over": True}, status=410)
    context = {"address": change.old, "token": request.GET["token"], "is_done": change.undone_at is not None}
    if request.method == "POST":
        # Looked up before all sessions end, this one included.
        visitor = request.user.pk
        try:
            user = addresses.undo(number, now)
        except addresses.NotUndone as refusal:
            return render(request, "accounts/address_undo.html", {"refusal": str(refusal)}, status=409)
        if visitor == user.pk:
            request.session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        context["is_done"] = True
    return render(request, "accounts/address_undo.html", context)


@login_required
@reauthentication_required(allow_get=True, enabled=lambda request: not request.user.is_guest)
@require_http_methods(["GET", "HEAD", "POST"])
def close(request: PersonRequest) -> HttpResponse:
    """Close the reader's account, after its name was typed again."""
    form = CloseForm(request.POST or None, user=request.user)
    if request.method == "POST" and form.is_valid():
        closing.close(request.user.pk, timezone.now())
        logout(request)
        messages.success(request, _("Your account is closed. Nothing will be sent to you any more."))
        return redirect("/")
    return render(request, "accounts/close.html", {"form": form, "at": "account"}, status=_status(form))


def _status(form: LookForm | PlayingForm | MailForm | HolidayForm | RenameForm | CloseForm) -> int:
    return 422 if form.is_bound and form.errors else 200


def _saved(request: HttpRequest, page: str) -> HttpResponse:
    messages.success(request, _("Saved."))
    return redirect(page)


def _back(request: HttpRequest) -> HttpResponseRedirect:
    """To the page that the form was on, if that is a page of this site."""
    target = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(target, allowed_hosts=None) and target.startswith("/")
    return HttpResponseRedirect(target if is_ours else "/")
