"""The rules of a ladder, one by one."""

from dataclasses import replace

import pytest

from tournaments import rungs
from tournaments.rungs import Claim


@pytest.mark.parametrize(("position", "up"), [(1, 4), (5, 4), (24, 4), (25, 5), (40, 8), (1000, 200)])
def test_reach_is_four_or_a_fifth(position, up):
    assert rungs.reach(position) == up


ALLOWED = Claim(position=9, target=5)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({}, None),
        ({"position": None, "target": None}, "not_member"),
        ({"target": None}, "target_not_member"),
        ({"target": 9, "own_leave": True}, "self"),
        ({"own_leave": True, "target_leave": True}, "own_vacation"),
        ({"target_leave": True, "target": 10}, "target_vacation"),
        ({"target": 10}, "not_above"),
        ({"target": 4, "pair_open": True}, "out_of_range"),
        ({"pair_open": True, "pair_ended_at": 99}, "pair_open"),
        ({"pair_ended_at": 33, "own_open": 2}, "pair_cooldown"),
        ({"pair_ended_at": 32}, None),
        ({"own_open": 2, "against_target": 2}, "out_limit"),
        ({"against_target": 2}, "in_limit"),
        ({"own_open": 1, "against_target": 1}, None),
    ],
)
def test_the_first_refusal_that_applies_at_hour_200(change, code):
    assert rungs.refusal(replace(ALLOWED, **change), now=200) == code


def test_the_winner_stands_above_the_loser():
    assert rungs.climb(winner=7, loser=3) == 3
    assert rungs.climb(winner=3, loser=7) == 3


def test_spans_end_on_the_hour():
    assert not rungs.may_rejoin(left_at=0, now=167)
    assert rungs.may_rejoin(left_at=0, now=168)
    assert not rungs.is_free_decline(last_free_at=0, now=719)
    assert rungs.is_free_decline(last_free_at=0, now=720)
    assert rungs.standing_strikes([0, 1], now=2160) == [1]


def test_idle_steps_follow_the_calendar():
    assert rungs.IDLE_DROPS == (720, 1056, 1392, 1728, 2064)
    assert [rungs.idle_drop(members) for members in (1, 39, 40, 400)] == [1, 1, 2, 20]


def test_a_king_holds_the_first_rung_for_a_month_in_company():
    assert rungs.is_king(top_since=0, now=720, members=5, crowned_at=None)
    assert not rungs.is_king(top_since=0, now=719, members=5, crowned_at=None)
    assert not rungs.is_king(top_since=0, now=720, members=4, crowned_at=None)
    assert not rungs.is_king(top_since=0, now=5000, members=9, crowned_at=700)
    assert rungs.is_king(top_since=0, now=5020, members=9, crowned_at=700)
