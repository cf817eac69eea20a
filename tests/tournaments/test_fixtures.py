"""What a match is worth in an event, and when a round is overdue."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.fixtures import Fixture, SideTime, at_hard_limit, from_match, round_days

sides = st.builds(SideTime, st.integers(0, 500), st.booleans())


@pytest.mark.parametrize(
    ("reason", "winner", "moved", "outcome"),
    [
        ("normal", 0, (True, True), ((2, 0), "played")),
        ("normal", None, (True, True), ((1, 1), "played")),
        ("agreed_draw", None, (True, True), ((1, 1), "played")),
        ("adjudicated", 1, (True, False), ((0, 2), "played")),
        ("resign", 1, (True, True), ((0, 2), "played")),
        ("timeout", 1, (False, True), ((0, 2), "forfeit")),
        ("timeout", 0, (True, True), ((2, 0), "played")),
        ("no_show", 0, (True, False), ((2, 0), "forfeit")),
        ("no_show", None, (False, False), ((0, 0), "forfeit")),
        ("abandoned", 0, (True, True), ((2, 0), "forfeit")),
        ("abandoned", None, (True, True), ((0, 0), "forfeit")),
        ("aborted", None, (True, False), None),
        ("cancelled", None, (False, False), None),
    ],
)
def test_every_end_of_a_match_has_its_worth(reason, winner, moved, outcome):
    assert from_match(reason, winner, moved) == outcome


def test_a_match_of_an_event_cannot_end_by_anything_else():
    with pytest.raises(ValueError, match="cannot end by boredom"):
        from_match("boredom", 0, (True, True))


@given(sides, sides)
def test_both_sides_are_judged_alike(a, b):
    (for_a, for_b), how = at_hard_limit(a, b)
    assert at_hard_limit(b, a) == ((for_b, for_a), how)
    assert for_a + for_b == (2 if a.moved or b.moved else 0)


@given(sides, sides)
def test_who_thought_no_longer_never_loses_by_time(a, b):
    (for_a, for_b), how = at_hard_limit(a, b)
    if how == "overdue" and a.hours <= b.hours:
        assert for_a >= for_b


def test_rounds_last_by_pace_and_by_games_in_turn():
    assert [round_days(pace) for pace in ("classic", "steady", "brisk", "daily")] == [150, 90, 60, 21]
    assert [round_days(days) for days in (1, 2, 7)] == [30, 50, 175]
    assert round_days("brisk", games_in_turn=3) == 180


@pytest.mark.parametrize(
    ("arguments", "sentence"), [(("hasty",), "no pace"), ((0,), "one day"), (("brisk", 0), "one game")]
)
def test_impossible_paces_are_refused(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        round_days(*arguments)


@pytest.mark.parametrize(
    ("fixture", "sentence"),
    [
        (("Ada", "Ada", (2, 0), "played"), "cannot meet himself"),
        (("Ada", "Bo", (2, 1), "played"), "not 2-1"),
        (("Ada", "Bo", (2, 0), "guessed"), "not guessed"),
    ],
)
def test_impossible_fixtures_are_refused(fixture, sentence):
    with pytest.raises(ValueError, match=sentence):
        Fixture(*fixture)


def test_hours_are_not_negative():
    with pytest.raises(ValueError, match="negative"):
        SideTime(-1, True)
