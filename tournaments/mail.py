"""What mails about competition say; each is composed when it is sent, from what is true then. Links open pages."""

from datetime import datetime
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import notices
from accounts.letters import Message, one_line
from accounts.models import Notice, User
from accounts.news import Kind
from oceans.site import absolute
from tournaments.models import Challenge, Entrant, Pairing, Tournament


def register() -> None:
    """Say how each kind of news about competition is written; once, from AppConfig.ready."""
    notices.register(Kind.CHALLENGE, compose=challenge)
    for kind in (Kind.EVENT_STARTS, Kind.ROUND_OPENS, Kind.TITLE):
        notices.register(kind, compose=event)


def challenge(notice: Notice) -> Message | None:
    """Somebody challenges the reader, or a challenge of his was declined or not answered."""
    one = Challenge.objects.filter(pk=notice.context["challenge"]).select_related("by", "to", "ladder").first()
    what = notice.context["what"]
    if one is None or notice.user is None or (what == "made" and one.state != Challenge.State.PENDING):
        return None
    names = {"by": one.by.shown_name, "to": one.to.shown_name, "ladder": one.ladder.name}
    if what == "made":
        subject = _("%(by)s challenges you (%(ladder)s)") % names
        text = _("The time for your answer runs when your leave ends.")
        if one.due_at:
            until = _in_zone(one.due_at, notice.user)
            text = _("Answer by %(until)s. No answer hands over your place.") % {"until": until}
    elif what == "declined":
        subject = _("%(to)s declined your challenge (%(ladder)s)") % names
        text = _("The first decline in 30 days costs nothing; a second one hands over the place.")
    else:
        subject = _("%(to)s did not answer your challenge (%(ladder)s)") % names
        text = _("You stand above %(to)s now.") % names
    return letter(subject, text, absolute(reverse("ladder", args=[one.ladder.slug])), _("Look at the ladder"))


def event(notice: Notice) -> Message | None:
    """An event of the reader begins soon, has begun, is late, has ended, was put off or called off."""
    one = Tournament.objects.filter(pk=notice.context["tournament"]).first()
    if one is None or notice.user is None:
        return None
    what = notice.context["what"]
    names = {"event": one.name}
    more: tuple[str, ...] = ()
    if what in ("1d", "3d"):
        if not one.is_open or one.starts_at is None:
            return None
        begins = _in_zone(one.starts_at, notice.user)
        subject, text = _("%(event)s begins soon") % names, _("It begins on %(when)s.") % {"when": begins}
    elif what == "put-off":
        until = one.closes_at or one.starts_at
        if not one.is_open or until is None:
            return None
        subject = _("%(event)s is put off") % names
        text = _("Too few players have entered so far, so entries stay open until %(when)s.") % {
            "when": _in_zone(until, notice.user)
        }
        more = (_("If there are too few then as well it is called off."),)
    elif what == "unseen":
        if not one.is_open or not one.entrants.filter(user=notice.user, state=Entrant.State.IN).exists():
            return None
        subject = _("%(event)s: are you still there?") % names
        text = _("You have not been here for ten days. After two weeks your entry is taken out; a visit keeps it.")
    elif what.startswith("round"):
        subject, text = _round(one, notice.user.pk, int(what.removeprefix("round")))
    elif what == "started":
        subject, text = _("%(event)s has begun") % names, _("Your games are open.")
    elif what == "finished":
        subject, text = _("%(event)s is over") % names, _place(one, notice.user.pk)
        more = (_ticket(),) if _has_ticket(one, notice.user.pk) else ()
    elif what == "ticket":
        if not _has_ticket(one, notice.user.pk):
            return None
        subject, text = _("%(event)s: the win is yours after a ruling") % names, _ticket()
    elif what == "cancelled":
        subject, text = _("%(event)s was called off") % names, _("It will not be played to an end.")
    else:
        subject = _("A round of %(event)s takes long") % names
        text = _("Games that are still open will be closed in the end; the slower side may lose them.")
    return letter(subject, text, absolute(reverse("tournament", args=[one.pk])), _("Look at the tournament"), more)


def _in_zone(instant: datetime, reader: User) -> str:
    """An instant on the reader's clock."""
    with timezone.override(reader.zone):
        return timezone.localtime(instant).strftime("%Y-%m-%d %H:%M %Z")


def _has_ticket(one: Tournament, user_id: int) -> bool:
    return one.tickets.filter(user=user_id, used_in=None).exists()


def _ticket() -> str:
    return _("You have won a ticket to the mini cup of the next level. It waits for you on the page of tournaments.")


def _round(one: Tournament, user_id: int, number: int) -> tuple[str, str]:
    """A further round has begun: with whom the reader plays."""
    subject = _("Round %(number)d of %(event)s has begun") % {"number": number, "event": one.name}
    rows = Pairing.objects.filter(round__tournament=one, round__number=number)
    players = next((row.players for row in rows if user_id in row.players), [user_id])
    others = [user.shown_name for user in User.objects.filter(pk__in=players).exclude(pk=user_id).order_by("username")]
    if not others:
        return subject, _("You have a bye: it is worth a win.")
    return subject, _("You play with %(names)s.") % {"names": ", ".join(others)}


def _place(one: Tournament, user_id: int) -> str:
    place = Entrant.objects.filter(tournament=one, user=user_id).values_list("place", flat=True).first()
    if place is None:
        return _("The final standings are on its page.")
    return _("You came in at place %(place)d of %(all)d.") % {
        "place": place,
        "all": one.entrants.exclude(seed=None).count(),
    }


def letter(subject: str, text: str, link: str, label: str, more: tuple[str, ...] = ()) -> Message:
    """A short mail: what happened, a sentence or more about it, one link."""
    context: dict[str, Any] = {"text": text, "more": more, "link": link, "link_label": label}
    return Message(
        subject=one_line(subject),
        text=render_to_string("mail/competition.txt", context).strip("\n"),
        html=render_to_string("mail/competition.html", {**context, "subject": subject}),
        reason=_("You get this because you take part in ladders or tournaments here."),
        preview=text,
        page=link,
    )
