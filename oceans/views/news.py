"""The notes above a table: what just happened, whom the game waits for, what to do next."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.news import Kind
from accounts.queries import hears_by_mail
from oceans.models import Match
from oceans.rules.look import View


@dataclass(frozen=True, slots=True)
class NoteButton:
    """A way on from a note: a link, or a form that posts. `key` is the letter it has for those who use keys."""

    label: str
    url: str
    is_main: bool = False
    posts: bool = False
    key: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """One note. `kind` is empty, "soon" or "bad" and only repeats what the words say."""

    strong: str
    text: str = ""
    icon: str = "info"
    kind: str = ""
    buttons: tuple[NoteButton, ...] = ()


def refused(sentence: str) -> Note:
    """What could not be done, and why."""
    return Note(sentence, icon="warn", kind="soon")


def next_button(after: int | None, waiting: int) -> NoteButton:
    """The way to the next game that waits, or to the list when none does."""
    if not waiting:
        return NoteButton(_("Your turn: nothing waits"), reverse("turn"), key="n")
    url = reverse("turn_next") + (f"?after={after}" if after else "")
    return NoteButton(_("Next game (%(count)d)") % {"count": waiting}, url, is_main=True, key="n")


def notes(
    match: Match, view: View, names: Sequence[str], verdict: str, waiting: int, reader: User | AnonymousUser
) -> list[Note]:
    """The notes for a table as `view` shows it. `waiting` counts the games in which the reader must answer."""
    if match.status == Match.Status.CANCELLED:
        return [Note(_("This game was cancelled."), match.get_ended_by_display().capitalize() + ".", icon="x")]
    if match.status == Match.Status.PARKED:
        text = _("Its clocks stand still until that is done. You need not do anything.")
        return [Note(_("This game is stopped for repair."), text, icon="warn", kind="soon")]
    if match.is_over or view.is_over:
        return [_over(match, view, verdict, waiting)]
    if view.viewer is None:
        replay = NoteButton(_("From the start"), reverse("replay", args=[match.pk]) + "?move=0")
        return [Note(_("You are watching."), _("Moves appear as they are made."), icon="eye", buttons=(replay,))]
    if view.seats[view.viewer].is_due:
        return []
    return [_waiting(match, view, names, waiting, reader)]


def _over(match: Match, view: View, verdict: str, waiting: int) -> Note:
    how = (
        "" if match.ended_by in ("", Match.EndedBy.PLAYED) else _("By %(how)s.") % {"how": match.get_ended_by_display()}
    )
    buttons = [NoteButton(_("Replay"), reverse("replay", args=[match.pk]) + "?move=0")]
    if view.viewer is not None:
        if not match.event:
            buttons.insert(0, NoteButton(_("Rematch"), reverse("rematch", args=[match.pk]), posts=True))
        buttons.append(next_button(match.pk, waiting))
    return Note(_outcome(view) or verdict, how, icon="cup", buttons=tuple(buttons))


def _outcome(view: View) -> str:
    """How a duel ended, from the reader's side; empty where the game's own words say it better."""
    if view.result is None or view.viewer is None or len(view.seats) != 2:
        return ""
    own, other = view.viewer, 1 - view.viewer
    score = f"{view.result.score[own]}–{view.result.score[other]}"
    places = view.result.places
    if places[own] == places[other]:
        return _("Drawn, %(score)s.") % {"score": score}
    return (_("You won, %(score)s.") if places[own] == 1 else _("You lost, %(score)s.")) % {"score": score}


def _waiting(match: Match, view: View, names: Sequence[str], waiting: int, reader: User | AnonymousUser) -> Note:
    if view.answer is not None:
        return Note(_("Your choice is sealed."), icon="seal", buttons=(next_button(match.pk, waiting),))
    others = [names[seat] for seat in view.waits_for]
    strong = _("Waiting for %(names)s.") % {"names": ", ".join(others)} if others else _("Waiting for others.")
    return Note(strong, _how_told(reader), icon="clock", buttons=(next_button(match.pk, waiting),))


def _how_told(reader: User | AnonymousUser) -> str:
    """How a player will learn that it is his turn; nothing where no mail will say so."""
    if isinstance(reader, User) and hears_by_mail(reader, Kind.YOUR_TURN):
        return _("You will get a mail when it is your turn.")
    if isinstance(reader, User) and hears_by_mail(reader, Kind.DIGEST):
        return _("Your daily list will name it when it is your turn.")
    return ""
