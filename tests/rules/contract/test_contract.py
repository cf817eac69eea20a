"""What every game owes: it ends, conserves cards and chips, replays, keeps its secrets, and can be written down.

Every registered game at several seat counts; `--seeds N` (default 1) says how many random matches of each.
"""

import dataclasses
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from oceans.rules.chance import DealKeys
from oceans.rules.engine import Entry, MatchState, ReplayError, Setup, due, forced, replay, settle, start, submit
from oceans.rules.games import GAMES
from oceans.rules.games.guts import Guts, GutsState
from oceans.rules.look import look
from oceans.rules.moves import IllegalMove, Move
from oceans.rules.options import read_options, written_options
from oceans.rules.playing import picker, playout
from oceans.rules.small_hands import grouped_value
from oceans.rules.table import Held, Table
from oceans.rules.transcript import transcript
from tests.rules.contract.tables import TABLES
from tests.rules.contract.twins import twin

HERE = Path(__file__).parent.parent
TRIES = 4
"""How often a twin is looked for where what is asked depends on concealed cards."""


@pytest.fixture(params=TABLES, scope="module")
def table(request) -> tuple[Any, int, Any]:
    """One for the whole module, so that all tests of a table run together and share its matches."""
    game, seats, given = request.param
    return game, seats, read_options(game, given, seats)


@lru_cache(maxsize=4)
def played(game, seats: int, options, seed: int) -> list[MatchState]:
    """A random match, from its start to its end."""
    moments: list[MatchState] = []
    end = playout(game, options, seats, seed, picker(seed), moments.append)
    return moments if moments[-1] is end else [*moments, end]


def seeds(config) -> range:
    return range(1, config.getoption("--seeds") + 1)


def test_every_match_ends_with_cards_and_chips_conserved(table, pytestconfig):
    game, seats, options = table
    for seed in seeds(pytestconfig):
        match = played(game, seats, options, seed)[-1]
        assert sorted(match.over.places)[0] == 1
        assert len(match.over.places) == seats


def test_the_log_alone_gives_the_match_again(table, pytestconfig):
    game, seats, options = table
    for seed in seeds(pytestconfig):
        match = played(game, seats, options, seed)[-1]
        again = replay(match.setup, match.keys, match.log)
        assert again == match
        assert hash(again) == hash(match)


def test_a_log_without_one_of_its_forced_moves_is_refused(table, pytestconfig):
    game, seats, options = table
    match = played(game, seats, options, 1)[-1]
    at = next((number for number, entry in enumerate(match.log) if entry.cause == "forced"), None)
    if at is None:
        assert not game.is_one_deal or seats > 2
        return
    with pytest.raises(ReplayError):
        replay(match.setup, match.keys, match.log[:at] + match.log[at + 1 :])


def compare_twins(game, seats: int, options, seed: int) -> int:
    """Permute what a viewer has not seen, replay the log, and demand an equal view. Returns how many were compared."""
    moments = played(game, seats, options, seed)
    pick = picker(f"twins {seed}")
    running = [moment for moment in moments if moment.over is None]
    last_of = {moment.deal_no: moment for moment in moments}
    compared = 0
    for moment in running[:: max(1, len(running) // 6)]:
        for viewer in (None, 0, seats - 1):
            for deal_no in {moment.deal_no, max(1, moment.deal_no - 1)}:
                tries = (twin(moment, viewer, deal_no, pick, last_of.get(deal_no - 1)) for _ in range(TRIES))
                other = next((one for one in tries if one is not None), None)
                if other is None:
                    continue
                compared += 1
                assert look(other, viewer) == look(moment, viewer)
                if viewer is None:
                    assert forced(other) == forced(moment)
    return compared


def test_no_view_changes_with_cards_its_viewer_has_not_seen(table, pytestconfig):
    game, seats, options = table
    for seed in seeds(pytestconfig):
        assert compare_twins(game, seats, options, seed)


class LeakyGuts(Guts):
    """Guts that keeps the best hand at the table in a public field."""

    def open(self, table, options, carry):
        state = super().open(table, options, carry)
        best = max(grouped_value([held.card for held in place.hole]) for place in state.table.places if place.hole)
        return LeakyState(**{one.name: getattr(state, one.name) for one in dataclasses.fields(state)}, best=best)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class LeakyState(GutsState):
    best: tuple[int, ...]


def test_a_game_that_betrays_a_hidden_card_is_caught():
    game = LeakyGuts("guts", "Leaky Guts")
    with pytest.raises(AssertionError):
        compare_twins(game, 4, read_options(game, {}, 4), 1)


def test_a_seat_that_is_not_due_and_a_move_not_offered_are_refused(table, pytestconfig):
    game, seats, options = table
    for match in played(game, seats, options, 1):
        waiting = due(match)
        if waiting is None:
            continue
        for seat in set(range(seats)) - set(waiting.asks):
            with pytest.raises(IllegalMove):
                submit(match, seat, Move("deal"))
        for seat in waiting.asks:
            with pytest.raises(IllegalMove):
                submit(match, seat, Move("nonsense", 7))


def test_sealed_answers_may_come_in_any_order_and_change_nothing_but_that_they_are_there(table, pytestconfig):
    game, seats, options = table
    pick = picker("sealed")
    for match in played(game, seats, options, 1):
        waiting = due(match)
        if waiting is None or not waiting.sealed or match.sealed:
            continue
        assert game.has_unnamed_waits or not waiting.unnamed
        answers = {seat: ask.some(pick) for seat, ask in waiting.asks.items()}
        one = other = match
        first = next(iter(answers))
        for seat in answers:
            one = submit(one, seat, answers[seat])
            if seat == first and len(answers) > 1:
                assert _without_answered(look(one, None)) == _without_answered(look(match, None))
                assert look(one, None).seats[seat].has_answered is not waiting.unnamed
        for seat in reversed(answers):
            other = submit(other, seat, answers[seat])
        assert one == other


def _without_answered(view):
    seats = tuple(dataclasses.replace(one, has_answered=False, is_due=False) for one in view.seats)
    return dataclasses.replace(view, seats=seats, waits_for=())


def test_a_sealed_answer_may_be_changed_until_the_last_is_in(table):
    game, seats, options = table
    match = settle(start(Setup(game, options, seats), DealKeys.of_seed(1)))[0]
    waiting = due(match)
    if waiting is None or not waiting.sealed:
        assert waiting is None or len(waiting.asks) == 1
        return
    free = [(seat, ask) for seat, ask in waiting.asks.items() if ask.only() is None]
    if len(free) == 1:
        assert waiting.unnamed
        return
    seat, ask = free[0]
    first, second = some_two(ask)
    changed = submit(submit(match, seat, first), seat, second)
    assert changed == submit(match, seat, second)
    assert changed.log == match.log


def some_two(ask) -> tuple[Move, Move]:
    """Two different answers to an ask."""
    pick = picker("two")
    first = ask.some(pick)
    return first, next(move for move in iter(lambda: ask.some(pick), None) if move != first)


def test_moves_and_options_survive_being_written(table, pytestconfig):
    game, seats, options = table
    assert read_options(game, written_options(options), seats) == options
    match = played(game, seats, options, 1)[-1]
    assert [Move.parse(entry.text) for entry in match.log] == [entry.move for entry in match.log]


def test_a_view_holds_no_state(table):
    game, seats, options = table
    moments = played(game, seats, options, 1)
    for match in (moments[0], moments[len(moments) // 2], moments[-1]):
        for viewer in (None, 0):
            for value in _reachable(look(match, viewer)):
                assert not isinstance(value, Table | Held | MatchState | DealKeys | Entry), type(value)


def _reachable(value: Any) -> Iterator[Any]:
    yield value
    if dataclasses.is_dataclass(value):
        for one in dataclasses.fields(value):
            yield from _reachable(getattr(value, one.name))
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _reachable(one)
    elif isinstance(value, tuple | list | set | frozenset):
        for one in value:
            yield from _reachable(one)
    elif hasattr(value, "__dict__"):
        yield from _reachable(vars(value))


def test_every_view_can_be_put_into_words(table):
    game, seats, options = table
    moments = played(game, seats, options, 1)
    for match in moments:
        for viewer in (None, match.turn % seats):
            reading = game.reading(look(match, viewer))
            assert len(reading.hands) == seats
            for said in filter(None, [reading.verdict, reading.reason, *reading.warnings.values()]):
                assert said.text.count("{}") == len(said.parts)
    for line in moments[-1].story:
        for said in line.said:
            assert said.text.count("{}") == len(said.parts)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_the_transcript_still_tells_the_same_game(game):
    """`manage.py playout GAME --write` makes it; a changed line is a changed rule."""
    kept = (HERE / "transcripts" / f"{game.slug}.txt").read_text(encoding="utf-8")
    head = kept.split("\n", 1)[0].split(", ")
    seats, seed = int(head[-2].split()[0]), int(head[-1].split()[1])
    assert transcript(game, read_options(game, {}, seats), seats, seed) == kept


@pytest.mark.parametrize("family", sorted({game.family for game in GAMES}))
def test_the_family_has_tests_of_its_own(family):
    assert (HERE / "games" / f"test_{family.replace('-', '_')}.py").exists()
