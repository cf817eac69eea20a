"""Conditions of entry at their limits, and the bar after time-outs."""

from dataclasses import replace

import pytest

from tournaments.entry import Applicant, Bar, Conditions, Ending, entry_bar, refusals

ADA = Applicant(
    name="Ada", rating=1510, peak=1602, rd=62, games=25, age_days=90, timeouts=2, finished=40, has_mail=True
)


@pytest.mark.parametrize(
    ("conditions", "codes"),
    [
        ({"min_rating": 1510}, []),
        ({"min_rating": 1511}, ["min_rating"]),
        ({"max_rating": 1602}, []),
        ({"max_rating": 1601}, ["max_rating"]),
        ({"min_games": 25, "min_age_days": 90}, []),
        ({"min_games": 26, "min_age_days": 91}, ["min_games", "min_age"]),
        ({"most_timeouts": 5}, []),
        ({"most_timeouts": 4.9}, ["timeouts"]),
        ({"allowed": ["Bo"]}, ["allow_list"]),
        ({"allowed": []}, ["allow_list"]),
        ({"most_players": 9}, []),
        ({"most_players": 8}, ["full"]),
    ],
)
def test_conditions_hold_at_their_limits(conditions, codes):
    assert refusals(ADA, Conditions(**conditions), entered=8) == codes


def test_all_reasons_are_told_in_order():
    nobody = replace(
        ADA, is_barred=True, is_dormant=True, has_mail=False, games=3, age_days=1, timeouts=40, rating=1400, peak=1900
    )
    everything = Conditions(1500, 1800, True, 10, 7, 10, ["Bo"], 8)
    assert refusals(nobody, everything, entered=8, password_fits=False) == [
        "banned", "dormant", "email", "min_rating", "max_rating", "provisional",
        "min_games", "min_age", "timeouts", "allow_list", "password", "full",
    ]  # fmt: skip


def test_who_has_finished_nothing_has_no_share_of_time_outs():
    assert refusals(replace(ADA, timeouts=0, finished=0), Conditions(most_timeouts=0), 0) == []
    assert refusals(replace(ADA, timeouts=1, finished=1), Conditions(most_timeouts=50), 0) == ["timeouts"]


DAY = 24


@pytest.mark.parametrize(
    ("endings", "now", "bar"),
    [
        ([], 0, None),
        ([(0, "finished")], 0, None),
        # one time-out: 14 days, and two matches to outnumber it
        ([(0, "timeout")], 1, Bar(14 * DAY, 2)),
        ([(0, "timeout"), (5, "finished"), (9, "finished")], 10, Bar(14 * DAY, 0)),
        ([(0, "timeout"), (5, "finished")], 15 * DAY, Bar(15 * DAY, 1)),
        ([(0, "timeout"), (5, "finished"), (9, "finished")], 14 * DAY, None),
        # a second one before the first is cleared: counted together, 14 days from the newer
        ([(0, "timeout"), (5, "finished"), (10, "timeout")], 20, Bar(10 + 14 * DAY, 2)),
        # after clearing, a new one starts afresh
        ([(0, "timeout"), (1, "finished"), (2, "finished"), (400, "timeout")], 401, Bar(400 + 14 * DAY, 2)),
        # never having moved: a day, doubled, at most thirty, cleared by one match
        ([(0, "no_show")], 1, Bar(DAY, 0)),
        ([(0, "no_show")], DAY, None),
        ([(0, "no_show"), (30, "no_show"), (90, "no_show")], 91, Bar(90 + 4 * DAY, 0)),
        ([(0, "no_show")] * 9, 1, Bar(30 * DAY, 0)),
        ([(0, "no_show"), (3, "finished")], 4, None),
        ([(0, "no_show"), (30, "finished"), (40, "no_show")], 41, Bar(40 + DAY, 0)),
    ],
)
def test_the_bar_stands_until_it_is_worked_off(endings, now, bar):
    assert entry_bar([Ending(at, kind) for at, kind in endings], now) == bar


def test_other_endings_are_refused():
    with pytest.raises(ValueError, match="not draw"):
        entry_bar([Ending(0, "draw")], 1)
