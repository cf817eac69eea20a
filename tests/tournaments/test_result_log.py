"""Which results count, and that the log alone gives every card in any order of its rows."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.rate import day_result, rate_day
from tournaments.result_log import OVERALL, LoggedResult, LoggedSeat, code_of, counted, replay


def logged(number=1, day=1, ranks=(1, 2), reason="normal", pool="ocean", moved=None, names="ABCDE", **marks):
    seats = tuple(
        LoggedSeat(name, rank, has_moved)
        for name, rank, has_moved in zip(names, ranks, moved or [True] * len(ranks), strict=False)
    )
    return LoggedResult(number, pool, day, seats, marks.pop("rated", True), reason, **marks)


@st.composite
def logs(draw):
    """Up to twelve results on few days; ids grow with the days, as the applier gives them."""
    rows = []
    for number, day in enumerate(sorted(draw(st.lists(st.integers(1, 40), max_size=12))), start=1):
        names = draw(st.permutations("ABCDE"))
        ranks = draw(st.lists(st.integers(1, 4), min_size=2, max_size=4))
        moved = draw(st.lists(st.booleans(), min_size=len(ranks), max_size=len(ranks)))
        pool = draw(st.sampled_from(["ocean", "poker"]))
        reason = draw(st.sampled_from(["normal", "timeout", "aborted"]))
        rows.append(logged(number, day, ranks, reason, pool, moved, names))
    return rows


@pytest.mark.parametrize(
    ("row", "code"),
    [
        (logged(), "ok"),
        (logged(reason="resign"), "ok"),
        (logged(reason="adjudicated"), "ok"),
        (logged(void=True, rated=False), "void"),
        (logged(rated=False, reason="aborted"), "casual"),
        (logged(reason="no_show", related=True), "no_show"),
        (logged(reason="overdue", streak=True), "overdue"),
        (logged(related=True, streak=True), "related"),
        (logged(streak=True, moved=[True, False]), "streak"),
        (logged(moved=[True, False]), "unplayed"),
        (logged(ranks=(1, 2, 3), moved=[True, False, True]), "ok"),
    ],
)
def test_the_first_reason_that_applies_is_the_code(row, code):
    assert code_of(row) == code


def test_a_bot_at_the_table_comes_before_linked_accounts():
    seats = (LoggedSeat("Ada", 1, True), LoggedSeat("robot", 2, True, bot=True))
    assert code_of(LoggedResult(1, "ocean", 1, seats, True, "normal", related=True)) == "bot"


def test_seats_that_never_moved_are_left_out_and_ranks_close_up():
    row = logged(ranks=(4, 1, 2, 2), moved=[True, False, True, True])
    assert counted(row).ranks == {"A": 3, "C": 1, "D": 1}


def test_a_loser_who_never_moved_does_not_dilute_the_table():
    """Three of four moved, so each pair weighs 2/3, as at a table of three."""
    cards = replay([logged(ranks=(1, 2, 3, 4), moved=[True, True, True, False])])["ocean"]
    of_three = rate_day({}, 1, [day_result(1, "ABC", [1, 2, 3])])
    assert {player: card.rating for player, card in cards.items()} == {p: o.rating for p, o in of_three.items()}


@given(logs(), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_any_order_of_rows_gives_the_same_cards(rows, random):
    assert replay(random.sample(rows, len(rows))) == replay(rows)


@given(logs())
@settings(max_examples=40, deadline=None)
def test_stored_cards_carried_on_equal_a_replay_from_the_start(rows):
    """What the applier does: keep the cards of yesterday, rate one more day."""
    for pool in ("ocean", "poker"):
        stored = {}
        counting = [row for row in rows if row.pool == pool and code_of(row) == "ok"]
        for day in sorted({row.day for row in counting}):
            outcomes = rate_day(stored, day, [counted(row) for row in counting if row.day == day])
            stored |= {player: outcome.rating for player, outcome in outcomes.items()}
        assert {player: card.rating for player, card in replay(rows).get(pool, {}).items()} == stored


@given(logs())
@settings(max_examples=40, deadline=None)
def test_overall_counts_every_counted_seat_of_every_pool(rows):
    cards = replay(rows)
    games = {
        player: sum(cards[pool][player].games for pool in cards if pool != OVERALL and player in cards[pool])
        for player in cards.get(OVERALL, {})
    }
    assert {player: card.games for player, card in cards.get(OVERALL, {}).items()} == games
    assert all(card.games == card.wins + card.draws + card.losses for own in cards.values() for card in own.values())


def test_voiding_equals_never_having_played():
    rows = [logged(1, 1), logged(2, 2, ranks=(2, 1)), logged(3, 5)]
    voided = [rows[0], logged(2, 2, ranks=(2, 1), void=True), rows[2]]
    assert replay(voided) == replay([rows[0], rows[2]])


def test_tables_are_won_alone_drawn_together_or_lost():
    cards = replay([logged(1, ranks=(1, 1, 3)), logged(2, ranks=(2, 1, 3))])["ocean"]
    assert [(cards[p].wins, cards[p].draws, cards[p].losses) for p in "ABC"] == [(0, 1, 1), (1, 1, 0), (0, 0, 2)]


def test_the_peak_counts_only_days_with_a_settled_rating():
    """Nine wins are still provisional; the losses that follow settle the card below what it once showed."""
    rows = [logged(day, day) for day in range(1, 10)] + [logged(day, day, ranks=(2, 1)) for day in range(10, 30)]
    card = replay(rows)["ocean"]["A"]
    after_nine = replay(rows[:9])["ocean"]["A"]
    assert after_nine.peak is None
    assert card.rating.r < card.peak < after_nine.rating.r


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"reason": "boredom"}, "unknown reason: boredom"),
        ({"pool": "overall"}, "must name the pool"),
        ({"ranks": (1,)}, "at least two seats"),
        ({"names": "AA"}, "A is named more than once"),
    ],
)
def test_impossible_rows_are_refused(change, sentence):
    with pytest.raises(ValueError, match=sentence):
        logged(**change)


def test_a_log_cannot_hold_a_number_twice():
    with pytest.raises(ValueError, match="result 1 is named more than once"):
        replay([logged(1), logged(1)])
