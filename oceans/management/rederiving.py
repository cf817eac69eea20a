"""Whether what is stored of a match is what its log gives, under the rules as they are now."""

from collections.abc import Iterator
from dataclasses import dataclass

from oceans import ledger
from oceans.models import Match, SealedAnswer, Seat
from oceans.rules import engine
from oceans.rules.engine import Entry, MatchState
from oceans.rules.moves import IllegalMove
from oceans.rules.options import BadOptions
from oceans.stories import written_story


@dataclass(frozen=True, slots=True)
class Difference:
    """The first thing about a match that is not as it should be. `number` is the log entry, 0 where it is none."""

    match_id: int
    number: int
    what: str

    def __str__(self) -> str:
        where = f", entry {self.number}" if self.number else ""
        return f"m-{self.match_id}{where}: {self.what}"


def first_difference(match: Match) -> Difference | None:
    """Replay a started match from its keys, strictly, and compare; None if all is as stored."""
    try:
        state = engine.start(ledger.setup_of(match), ledger.keys_of(match))
    except (KeyError, LookupError, BadOptions) as failure:
        return Difference(match.pk, 0, str(failure.args[0]))
    if state.game.version != match.rules_version:
        return Difference(match.pk, 0, f"version {match.rules_version} of the rules of {match.game} is retired")
    try:
        entries = ledger.entries_of(match)
        for number, entry in entries:
            length = len(state.log)
            state = engine.replay_entry(state, number, entry)
            for at in range(length, len(state.log)):
                if entries[at] != (at + 1, state.log[at]):
                    stored, made = entries[at][1], state.log[at]
                    return Difference(
                        match.pk, at + 1, f"stored is {_words(stored)}, but the rules make {_words(made)}"
                    )
        if len(state.log) != len(entries):
            return Difference(match.pk, len(state.log) + 1, "the answers to this turn are not complete")
        state = ledger.with_waiting(match, state)
    except engine.ReplayError as failure:
        return Difference(match.pk, failure.number, str(failure))
    except IllegalMove as failure:
        return Difference(match.pk, len(state.log) + 1, f"a waiting answer does not fit: {failure}")
    return next(_wrong_columns(match, state), None)


def _words(entry: Entry) -> str:
    return f"“{entry.text}” by seat {entry.seat} ({entry.cause}) in deal {entry.deal_no}, turn {entry.turn}"


def _wrong_columns(match: Match, state: MatchState) -> Iterator[Difference]:
    stored = Match.objects.get(pk=match.pk)
    seats = {seat.number: seat for seat in Seat.objects.filter(match=match)}
    fresh_seats = [Seat(match=match, number=number) for number in sorted(seats)]
    fresh = Match(pk=match.pk)
    ledger.derive(fresh, fresh_seats, state)
    for column in ("deal_no", "turn", "log_length", "result"):
        yield from _unequal(match, column, getattr(stored, column), getattr(fresh, column))
    if (state.over is not None) != (stored.status == Match.Status.FINISHED):
        what = "over" if state.over else "not over"
        yield Difference(match.pk, 0, f"the status is {stored.status}, but by its log the match is {what}")
    if state.over is not None and stored.story != written_story(state.story):
        yield Difference(match.pk, 0, "the stored story is not the one that the log tells")
    for seat in fresh_seats:
        for column in ("score", "place", "is_due"):
            expected = getattr(seat, column)
            if column == "is_due" and not stored.is_running:
                expected = False
            where = f"{column} of seat {seat.number}"
            yield from _unequal(match, where, getattr(seats[seat.number], column), expected)
    stray = SealedAnswer.objects.filter(match=match).exclude(turn=state.turn).first()
    if stray is not None:
        yield Difference(match.pk, 0, f"seat {stray.seat} has an answer waiting for turn {stray.turn}, which is past")


def _unequal(match: Match, what: str, stored: object, expected: object) -> Iterator[Difference]:
    if stored != expected:
        yield Difference(match.pk, 0, f"{what} is stored as {stored}, but the log gives {expected}")
