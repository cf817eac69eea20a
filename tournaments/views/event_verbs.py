"""What players and directors do on the page of an event: one address for each verb."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.answers import SeeOther, posted_by_member
from accounts.models import User
from accounts.numbers import whole
from accounts.queries import player_named
from oceans.play.talk import plain_line
from oceans.refusals import Refusal
from tournaments import attendance, directing, rulings, running, talking
from tournaments.views.answers import done, event_for, member_of

Action = Callable[[HttpRequest, int, User, datetime], None]
PLACES: Final = {"say": "#talk", "strike": "#talk", "uninvite": "#invited"}
"""Where on its page a verb leads back to."""


@posted_by_member
def act(request: HttpRequest, pk: int, verb: str) -> HttpResponse:
    """What a player or a director does to an event."""
    found = event_for(member_of(request), pk)
    action = ACTIONS.get(verb)
    if action is None:
        raise Http404
    do, said = action
    to = f"{reverse('tournament_edit' if verb == 'uninvite' else 'tournament', args=[pk])}{PLACES.get(verb, '')}"
    return done(request, lambda: do(request, found.pk, member_of(request), timezone.now()), to, str(said))


@posted_by_member
def wake(request: HttpRequest) -> HttpResponse:
    """The owner of an account that sleeps is back."""
    attendance.wake(member_of(request).pk)
    messages.success(request, _("Welcome back. You may enter again."))
    return SeeOther(reverse("tournaments"))


def _enter(request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    running.enter(
        tournament_id=pk,
        user_id=user.pk,
        now=now,
        password=request.POST.get("password", "")[:100],
        wanted=_number(request, "wanted"),
    )


def _withdraw(_request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    running.withdraw(tournament_id=pk, user_id=user.pk, now=now)


def _come_back(_request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    running.come_back(tournament_id=pk, user_id=user.pk, now=now)


def _wish(request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    running.wish(tournament_id=pk, user_id=user.pk, wanted=_number(request, "wanted"), now=now)


def _call_off(request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    running.call_off(tournament_id=pk, match_id=_number(request, "game"), user_id=user.pk, now=now)


def _say(request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    talking.say(tournament_id=pk, by=user, text=request.POST.get("text", "")[:2000], now=now)


def _strike(request: HttpRequest, pk: int, user: User, _now: datetime) -> None:
    talking.strike(tournament_id=pk, line_id=_number(request, "line"), by=user)


def _open(_request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    directing.open_entries(tournament_id=pk, by=user, now=now)


def _announce(_request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    directing.announce(tournament_id=pk, by=user, now=now)


def _uninvite(request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    directing.uninvite(tournament_id=pk, user_id=_named(request).pk, by=user, now=now)


def _start(_request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    directing.start(tournament_id=pk, by=user, now=now)


def _cancel(request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    directing.cancel(tournament_id=pk, by=user, now=now, why=_why(request))


def _pause(request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    directing.pause(tournament_id=pk, by=user, now=now, is_paused=True, why=_why(request))


def _resume(request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    directing.pause(tournament_id=pk, by=user, now=now, is_paused=False, why=_why(request))


def _extend(request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    rulings.extend(tournament_id=pk, number=_number(request, "round"), by=user, now=now, why=_why(request))


def _repair_round(request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    rulings.repair_round(tournament_id=pk, round_id=_number(request, "round"), by=user, now=now, why=_why(request))


def _withdraw_player(request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    rulings.withdraw(tournament_id=pk, user_id=_named(request).pk, by=user, now=now, why=_why(request))


def _exclude(request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    rulings.exclude(tournament_id=pk, user_id=_named(request).pk, by=user, now=now, why=_why(request))


def _reinstate(request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    rulings.reinstate(tournament_id=pk, user_id=_named(request).pk, by=user, now=now, why=_why(request))


def _replace(request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    old, new = _named(request), _named(request, "with")
    rulings.replace(tournament_id=pk, user_id=old.pk, with_id=new.pk, by=user, now=now, why=_why(request))


def _set_result(request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    points = {"1-0": (2, 0), "draw": (1, 1), "0-1": (0, 2), "0-0": (0, 0)}.get(request.POST.get("result", ""))
    if points is None:
        raise Refusal(_("Choose how the game ended."))
    number, board = _number(request, "round"), _number(request, "board")
    rulings.set_result(tournament_id=pk, number=number, board=board, points=points, by=user, now=now, why=_why(request))


def _reopen(request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    number, board = _number(request, "round"), _number(request, "board")
    rulings.reopen(tournament_id=pk, number=number, board=board, by=user, now=now, why=_why(request))


def _void_rating(request: HttpRequest, pk: int, user: User, now: datetime) -> None:
    number, board = _number(request, "round"), _number(request, "board")
    rulings.void_rating(tournament_id=pk, number=number, board=board, by=user, now=now, why=_why(request))


def _named(request: HttpRequest, field: str = "name") -> User:
    name = request.POST.get(field, "")[:40].strip()
    target = player_named(name)
    if target is None:
        raise Refusal(_("There is no player called %(name)s.") % {"name": name or "–"})
    return target


def _number(request: HttpRequest, name: str) -> int:
    return whole(request.POST.get(name, ""), 9) or 0


def _why(request: HttpRequest) -> str:
    return plain_line(request.POST.get("why", ""))


ACTIONS: dict[str, tuple[Action, Promise]] = {
    "enter": (_enter, gettext_lazy("You are in.")),
    "withdraw": (_withdraw, gettext_lazy("You have left the tournament.")),
    "come-back": (_come_back, gettext_lazy("You will be paired again.")),
    "wish": (_wish, gettext_lazy("So many games you will have at a time, if there are opponents.")),
    "call-off": (_call_off, gettext_lazy("Noted: the game is called off once all who play it have said so.")),
    "say": (_say, gettext_lazy("Said.")),
    "strike": (_strike, gettext_lazy("The line is gone.")),
    "open": (_open, gettext_lazy("It is open for entries.")),
    "announce": (_announce, gettext_lazy("Everybody can see now when entries open.")),
    "uninvite": (_uninvite, gettext_lazy("The invitation is taken back.")),
    "start": (_start, gettext_lazy("It has begun.")),
    "cancel": (_cancel, gettext_lazy("Called off.")),
    "pause": (_pause, gettext_lazy("No further round is paired for now.")),
    "resume": (_resume, gettext_lazy("It goes on.")),
    "extend": (_extend, gettext_lazy("The round has as much time again.")),
    "repair-round": (_repair_round, gettext_lazy("The round is paired anew.")),
    "withdraw-player": (_withdraw_player, gettext_lazy("Withdrawn.")),
    "exclude": (_exclude, gettext_lazy("Put out.")),
    "reinstate": (_reinstate, gettext_lazy("Taken back in.")),
    "replace": (_replace, gettext_lazy("Replaced.")),
    "set-result": (_set_result, gettext_lazy("The result is set.")),
    "reopen": (_reopen, gettext_lazy("It is played again.")),
    "void-rating": (_void_rating, gettext_lazy("It does not count for ratings.")),
}
