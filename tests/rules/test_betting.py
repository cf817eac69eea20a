"""docs/rules/common.md, 9, 10, 13 and 18: betting rounds, plans, pots. C8 to C12 are the examples of its section 17."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oceans.rules.asks import Amount, OneOf
from oceans.rules.betting import (
    CALL,
    CHECK,
    FOLD,
    Betting,
    Limits,
    Pot,
    active,
    awarded,
    chips_in,
    closed,
    passive,
    pots,
    with_chips,
)
from oceans.rules.moves import Move
from oceans.rules.plans import LevelPlan, TotalsPlan, totals_of
from oceans.rules.table import Place, Seat, Table

FIXED = Limits("fixed", 2, 2)
SPREAD = Limits("spread", 5, 2)
POT = Limits("pot", 5, 2)


def seated(*stacks: int, ante: int = 0, folded: tuple[Seat, ...] = (), button: Seat | None = None) -> Table:
    """A table of these stacks after antes; the last seat deals unless another button is named."""
    count = len(stacks)
    places = tuple(Place(stack=stack, is_in=seat not in folded) for seat, stack in enumerate(stacks))
    table = Table(places, (), count - 1 if button is None else button, frozenset(range(count)))
    for seat in range(count):
        table = table.ante(seat, ante)
    return table


class Round:
    """A betting round played by texts."""

    def __init__(self, table: Table, limits: Limits = FIXED, *, starter: Seat = 0, sealed: bool = False) -> None:
        self.table, self.betting = table, Betting.begun(table, starter, limits, sealed=sealed)
        self.said: list[str] = []

    @property
    def due(self) -> tuple[Seat, ...]:
        waiting = self.betting.due(self.table)
        return tuple(waiting.asks) if waiting else ()

    @property
    def words(self) -> tuple[str, ...]:
        """What the seat in turn may do."""
        ((_, ask),) = self.betting.due(self.table).asks.items()
        return ask.words()

    def play(self, *texts: str) -> "Round":
        for text in texts:
            seat, move = text.split(maxsplit=1)
            self.answer({int(seat): Move.parse(move)})
        return self

    def answer(self, moves: Mapping[Seat, Move]) -> "Round":
        waiting = self.betting.due(self.table)
        assert set(moves) == set(waiting.asks)
        for seat, move in moves.items():
            assert waiting.asks[seat].refuse(move) is None
        self.table, self.betting, said = self.betting.after(self.table, moves)
        self.said += [one.text.format(*(getattr(part, "seat", part) for part in one.parts)) for one in said]
        return self

    def close(self) -> Table:
        assert not self.due
        self.table, _ = closed(self.table)
        return self.table


def bets(table: Table) -> tuple[int, ...]:
    return tuple(place.bet for place in table.places)


def stacks(table: Table) -> tuple[int, ...]:
    return tuple(place.stack for place in table.places)


# Rounds in turn


def test_folding_is_not_offered_when_checking_is_free():
    assert Round(seated(100, 100)).words == ("check", "bet 2")


def test_a_fixed_round_costs_at_most_three_bets():
    match = Round(seated(100, 100, 100)).play("0 bet 2", "1 raise 4", "2 raise 6")
    assert match.words == ("fold", "call")
    match.play("0 call", "1 call")
    assert match.due == ()
    assert bets(match.table) == (6, 6, 6)


def test_one_who_has_acted_and_is_not_raised_does_not_act_again():
    match = Round(seated(100, 100, 100)).play("0 check", "1 bet 2", "2 call", "0 call")
    assert match.due == ()


def test_spread_bets_run_from_one_to_the_maximum_and_raises_at_least_match_the_last():
    match = Round(seated(100, 100), SPREAD)
    assert match.words == ("check", "bet 1-5")
    assert match.play("0 bet 3").words == ("fold", "call", "raise 6-8")
    assert match.play("1 raise 7").words == ("fold", "call", "raise 11-12")


def test_pot_bets_run_to_the_size_of_the_pot_and_raises_to_the_pot_after_calling():
    match = Round(seated(100, 100, ante=3), POT)
    assert match.words == ("check", "bet 1-6")
    assert match.play("0 bet 6").words == ("fold", "call", "raise 12-24")


def test_with_an_empty_pot_one_chip_may_be_bet():
    assert Round(seated(100, 100), POT).words == ("check", "bet 1")


def test_no_raises_where_none_are_allowed():
    assert Round(seated(9, 9), Limits("fixed", 2, 0)).play("0 bet 2").words == ("fold", "call")


def test_a_call_for_less_is_all_in_and_keeps_its_name():
    match = Round(seated(100, 3, 100)).play("0 bet 2", "1 call", "2 raise 4", "0 call")
    assert match.due == (1,)
    match.play("1 call")
    assert bets(match.table) == (4, 3, 4)


def test_raises_over_a_short_opening_bet_go_a_full_bet_higher():
    match = Round(seated(100, 1, 100)).play("0 check", "1 bet 1")
    assert match.words == ("fold", "call", "raise 3")
    assert match.play("2 call").words == ("fold", "call", "raise 3"), "one who checked may raise a short bet"


def test_a_short_raise_gives_no_raise_to_those_who_have_acted():
    match = Round(seated(100, 100, 3, 100)).play("0 bet 2", "1 call", "2 raise 3")
    assert match.words == ("fold", "call", "raise 5"), "seat 3 has not acted, and may raise"
    match.play("3 call")
    assert match.due == (0,)
    assert match.words == ("fold", "call")


def test_a_full_raise_over_a_short_one_opens_the_betting_again():
    match = Round(seated(100, 100, 3, 100)).play("0 bet 2", "1 call", "2 raise 3", "3 raise 5")
    assert match.words == ("fold", "call", "raise 7")
    assert match.betting.raises == 1, "the short raise does not count"


def test_short_raises_never_add_up_to_a_full_one():
    match = Round(seated(100, 3, 4, 100)).play("0 bet 2", "1 raise 3", "2 raise 4", "3 call")
    assert match.due == (0,)
    assert match.words == ("fold", "call")


def test_no_raise_is_offered_when_no_other_seat_has_chips():
    assert Round(seated(2, 100)).play("0 bet 2").words == ("fold", "call")


def test_no_raise_not_even_a_short_one_once_the_raises_are_used():
    match = Round(seated(100, 100, 5), Limits("fixed", 2, 1)).play("0 bet 2", "1 raise 4")
    assert match.words == ("fold", "call")


def test_the_next_seat_with_chips_starts_where_the_starter_has_none():
    assert Round(seated(100, 0, 100), starter=1).due == (2,)


def test_no_betting_with_one_seat_that_has_chips():
    assert Round(seated(0, 100, 0)).due == ()


def test_no_betting_within_a_round_for_one_who_owes_nothing():
    match = Round(seated(100, 100, 0))
    match.play("0 check")
    match.betting, match.table = match.betting.without(0), match.table.leave(0)
    assert match.due == ()


def test_the_turn_passes_clockwise_when_a_seat_retires():
    match = Round(seated(100, 100, 100)).play("0 bet 2")
    match.betting, match.table = match.betting.without(1), match.table.leave(1)
    assert match.due == (2,)


def test_out_of_time_checks_if_that_is_free_and_folds_otherwise():
    match = Round(seated(100, 100))
    assert passive(match.betting.due(match.table).asks[0]) == CHECK
    match.play("0 bet 2")
    assert passive(match.betting.due(match.table).asks[1]) == FOLD


# Pots


def test_c8_a_tie_gives_the_odd_chip_left_of_the_dealer():
    table, _ = awarded(replace(seated(0, 0, 0, folded=(2,)), pot=7), {0: 5, 1: 5})
    assert stacks(table) == (4, 3, 0)


def test_c9_high_and_low_halve_the_pot():
    table, won = awarded(replace(seated(0, 0, 0), pot=17), {0: 9, 1: 1, 2: 1}, {0: 1, 1: 9, 2: 9})
    assert stacks(table) == (9, 4, 4)
    assert [(one.amount, one.winners) for one in won] == [(9, (0,)), (8, (1, 2))]


def test_a_half_nobody_competes_for_goes_to_the_other():
    table, _ = awarded(replace(seated(0, 0), pot=5), {0: 1, 1: 2}, {})
    assert stacks(table) == (0, 5)


def test_c10_betting_and_a_side_pot():
    match = Round(seated(3, 100, 100, ante=1)).play("0 bet 2", "1 raise 4", "2 call")
    table = match.close()
    assert pots(table) == (Pot(9, (0, 1, 2)), Pot(4, (1, 2)))
    table = Round(table, starter=0).play("1 bet 2", "2 call").close()
    assert pots(table) == (Pot(9, (0, 1, 2)), Pot(8, (1, 2)))
    table, _ = awarded(table, {0: 3, 1: 2, 2: 1})
    assert stacks(table) == (3 + 6, 100 + 1, 100 - 7)


def test_c11_an_uncalled_bet_goes_back():
    match = Round(seated(100, 100, 100, ante=1)).play("0 check", "1 bet 2", "2 fold", "0 fold")
    table = match.close()
    assert active(table) == (1,)
    assert chips_in(table) == 3
    assert stacks(table) == (99, 99, 99)


def test_a_folded_seat_counts_as_matching():
    match = Round(seated(100, 100, 100)).play("0 bet 2", "1 call", "2 raise 4", "0 raise 6", "1 fold", "2 fold")
    assert bets(match.table) == (6, 2, 4)
    assert stacks(match.close()) == (96, 98, 96)


def test_antes_are_never_uncalled():
    assert chips_in(Round(seated(9, 2, 9, ante=3)).play("0 check", "2 check").close()) == 8


def test_a_short_ante_of_a_folded_seat_is_cut_by_level_like_all_others():
    table = seated(5, 1, 5, ante=3, folded=(2,))
    assert pots(table) == (Pot(3, (0, 1)), Pot(4, (0,)))


def test_dead_chips_belong_to_the_main_pot():
    assert pots(replace(seated(5, 1, ante=3), pot=10)) == (Pot(12, (0, 1)), Pot(2, (0,)))


def test_odd_chips_of_each_pot_start_again_from_the_dealers_left():
    table = seated(9, 9, 9, 1, ante=1)
    table = table.pay(0, 3).pay(1, 3).pay(2, 1).leave(2).close_round()
    table, won = awarded(table, {0: 5, 1: 5, 3: 5})
    assert [(one.amount, one.winners) for one in won] == [(4, (0, 1, 3)), (7, (0, 1))]
    assert stacks(table) == (5 + 2 + 4, 5 + 1 + 3, 7, 1)


def oracle(table: Table, hands: Mapping[Seat, int]) -> list[int]:
    """Who gets what, chip layer by chip layer: layer n has a chip of each seat that put in n or more. The best of the
    active seats in a layer take it; layers above all active seats go with the highest that has one."""
    paid = [place.paid for place in table.places]
    inside = [seat for seat in table.seats if table.places[seat].is_in]
    layers: dict[tuple[Seat, ...], int] = {}
    entitled: tuple[Seat, ...] = ()
    for layer in range(1, max(paid, default=0) + 1):
        entitled = tuple(seat for seat in inside if paid[seat] >= layer) or entitled
        layers[entitled] = layers.get(entitled, 0) + sum(one >= layer for one in paid)
    result = [place.stack for place in table.places]
    for seats, amount in layers.items():
        best = max(hands[seat] for seat in seats)
        around = [(table.button + step) % len(paid) for step in range(1, len(paid) + 1)]
        winners = [seat for seat in around if seat in seats and hands[seat] == best]
        for chip in range(amount):
            result[winners[chip % len(winners)]] += 1
    return result


TABLES = st.lists(st.integers(1, 40), min_size=2, max_size=6)
LIMITS = st.builds(Limits, st.sampled_from(["fixed", "spread", "pot"]), st.integers(1, 9), st.integers(0, 3))


@given(st.data(), TABLES, LIMITS, st.integers(0, 4))
def test_side_pots_pay_as_counting_chip_by_chip_does(data, chips, limits, ante):
    table = seated(*chips, ante=ante, button=data.draw(st.integers(0, len(chips) - 1)))
    for _ in range(3):
        match = Round(table, limits, starter=data.draw(st.integers(0, len(chips) - 1)))
        raises = 0
        while match.due:
            ((seat, ask),) = match.betting.due(match.table).asks.items()
            move = ask.some(lambda count: data.draw(st.integers(0, count - 1)))
            raises += move.verb == "raise" and move.amount >= match.betting.to_match + match.betting.step
            assert raises <= limits.raises
            match.answer({seat: move})
            assert match.table.total() == sum(chips)
        able = [seat for seat in with_chips(match.table) if match.table.places[seat].bet < match.betting.to_match]
        assert len(active(match.table)) == 1 or not able, "all have matched or are all in"
        table = match.close()
    assert table.total() == sum(chips)
    hands = {seat: data.draw(st.integers(0, 2)) for seat in active(table)}
    assert list(stacks(awarded(table, hands)[0])) == oracle(table, hands)


# Plans


def plans(*texts: str) -> dict[Seat, Move]:
    return {seat: Move.parse(f"plan {text}") for seat, text in enumerate(texts)}


def test_c12_a_sealed_round():
    match = Round(seated(100, 100, 100, ante=1), sealed=True)
    assert match.due == (0, 1, 2)
    match.answer(plans("check/call/fold/fold", "bet/call/call/call", "check/raise/call/call"))
    assert match.said == ["0 checks", "1 bets 2", "2 raises to 4", "0 folds", "1 calls 2"]
    assert chips_in(match.close()) == 11


def test_a_short_raise_makes_no_level_and_the_line_is_used_again():
    match = Round(seated(100, 3, 100), sealed=True)
    match.answer(plans("bet/call/fold/fold", "check/raise/call/call", "check/call/fold/fold"))
    assert match.said == ["0 bets 2", "1 raises to 3", "2 calls 3", "0 calls 1"]


def test_a_raise_that_is_not_possible_is_a_call():
    match = Round(seated(2, 100), sealed=True).answer(plans("bet/fold/fold/fold", "check/raise/raise/call"))
    assert match.said == ["0 bets 2", "1 calls 2"]


def test_a_plan_with_amounts_bets_calls_and_raises_once_by_totals_of_the_round():
    match = Round(seated(100, 100), SPREAD, sealed=True)
    match.answer(plans("bet 4, call 13, raise 12", "check, call 9, raise 8"))
    assert match.said == ["0 bets 4", "1 raises to 8", "0 raises to 12", "1 folds"]


def test_too_high_is_the_highest_legal_and_too_low_is_no_raise():
    match = Round(seated(100, 100), SPREAD, sealed=True)
    match.answer(plans("bet 50, call 8", "check, call 0, raise 90"))
    assert match.said == ["0 bets 5", "1 raises to 10", "0 folds"]
    match = Round(seated(100, 100), SPREAD, sealed=True).answer(plans("bet 5, call 0", "check, call 5, raise 7"))
    assert match.said == ["0 bets 5", "1 calls 5"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("check", "“check” is not possible now: file a plan such as “plan check/call/call/call”."),
        ("plan check/call", "A plan here has 4 lines, as in “plan check/call/call/call”: you gave 2."),
        ("plan fold/call/call/call", "Line 1 of the plan must be check or bet, not “fold”."),
        ("plan check/call/call/raise", "Line 4 of the plan must be fold or call, not “raise”."),
        ("plan 7", "“plan 7” is not possible now: file a plan such as “plan check/call/call/call”."),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused_with_a_reason(text, reason):
    assert LevelPlan("", 2).refuse(Move.parse(text)) == reason


@pytest.mark.parametrize(
    "text", ["plan bet 0, call 3", "plan bet 3", "plan check, call x", "plan 5", "plan check/fold"]
)
def test_a_plan_with_amounts_that_cannot_be_read_is_refused(text):
    assert TotalsPlan("", 40).refuse(Move.parse(text)).startswith("Write the plan as")


def test_a_plan_cannot_put_in_more_than_the_seat_has():
    assert TotalsPlan("", 40).refuse(Move.parse("plan check, call 41")) == "You can put in at most 40 in this round."


def test_a_plan_can_be_filled_in_field_by_field():
    ask = LevelPlan("", 1)
    assert list(ask.terms()) == ["level0", "level1", "level2"]
    assert str(ask.filled({"level0": "bet", "level1": "raise"})) == "plan bet/raise/fold"
    assert list(LevelPlan("", 1, is_opened=True).terms()) == ["level1", "level2"]
    filled = TotalsPlan("", 40).filled({"opening": "3", "most": "9", "raise_to": "0"})
    assert str(filled) == "plan bet 3, call 9"


def test_out_of_time_a_plan_checks_and_else_folds():
    assert str(passive(LevelPlan("", 2))) == "plan check/fold/fold/fold"
    assert str(passive(TotalsPlan("", 9))) == "plan check, call 0"


def intended(ask, betting: Betting, table: Table, seat: Seat, plan: Move, tried: set[Seat]) -> Move:
    """What a player who keeps to a plan answers when asked in turn: read from the words of the ask alone."""
    offered = {word.split()[0]: word.partition(" ")[2] for word in ask.words()}
    low, _, high = offered.get("raise", offered.get("bet", "")).partition("-")
    facing = "call" in offered
    if betting.limits.kind == "fixed":
        lines = plan.detail.split("/")
        line = lines[1 + betting.raises] if facing else lines[0]
        wish = line if line in offered else "call"
        return Move(wish, int(low)) if wish in ("bet", "raise") else Move(wish)
    totals = totals_of(plan)
    if not facing:
        return Move("bet", min(totals.opening, int(high or low))) if totals.opening else CHECK
    first = seat not in tried
    tried.add(seat)
    if first and totals.raise_to:
        if "raise" not in offered and totals.raise_to >= betting.to_match:
            return CALL
        if "raise" in offered and totals.raise_to >= int(low):
            return Move("raise", min(totals.raise_to, int(high or low)))
    total = min(betting.to_match, table.places[seat].bet + table.places[seat].stack)
    return CALL if total <= totals.most else FOLD


@given(st.data(), TABLES, LIMITS)
def test_a_sealed_round_is_the_round_that_is_played_in_turn_with_the_same_intentions(data, chips, limits):
    table = seated(*chips, ante=1)
    sealed = Round(table, limits, sealed=True)
    waiting = sealed.betting.due(table)
    if waiting is None:
        return
    filed = {seat: ask.some(lambda count: data.draw(st.integers(0, count - 1))) for seat, ask in waiting.asks.items()}
    in_turn, tried = Round(table, limits), set()
    while in_turn.due:
        ((seat, ask),) = in_turn.betting.due(in_turn.table).asks.items()
        in_turn.answer({seat: intended(ask, in_turn.betting, in_turn.table, seat, filed[seat], tried)})
    sealed.answer(filed)
    assert sealed.said == in_turn.said
    assert sealed.table == in_turn.table
    assert sealed.due == ()


def test_an_ask_with_amounts_offers_buttons_and_a_number():
    match = Round(seated(100, 100), SPREAD)
    ask = match.betting.due(match.table).asks[0]
    assert isinstance(ask, OneOf)
    assert [type(one) for one in ask.asks][1] is Amount
