"""Misses: third in an event, third in a row."""

import pytest

from tournaments.dropouts import Sign, effects


def miss(at, event=None, player="Ada"):
    return Sign(at, player, is_miss=True, event=event)


def move(at, player="Ada"):
    return Sign(at, player, is_miss=False)


def told(found):
    return [(effect.at, effect.kind, effect.event) for effect in found]


def test_three_in_a_row_anywhere_withdraw_from_everything_entered():
    signs = [miss(1, "cup"), miss(2), miss(3, "league"), miss(4, "league"), move(5), miss(6)]
    assert told(effects({"Ada": ["league", "cup"]}, signs)) == [
        (3, "dormant", None),
        (3, "withdrawn", "league"),
        (3, "withdrawn", "cup"),
    ]


def test_a_move_in_between_forgives_the_row_but_not_the_event():
    signs = [miss(1, "cup"), miss(2, "cup"), move(3), miss(4, "cup"), move(5), miss(6, "cup")]
    assert told(effects({"Ada": ["cup"]}, signs)) == [(4, "withdrawn", "cup")]


def test_the_third_miss_of_an_event_that_is_also_third_in_a_row_is_told_once():
    signs = [miss(1, "cup"), miss(2, "cup"), miss(3, "cup")]
    assert told(effects({"Ada": ["cup"]}, signs)) == [(3, "dormant", None), (3, "withdrawn", "cup")]


def test_players_are_counted_apart_and_without_entries_too():
    signs = [
        miss(1),
        miss(1, player="Bo"),
        miss(2),
        miss(2, player="Bo"),
        move(3, player="Bo"),
        miss(4),
        miss(4, player="Bo"),
    ]
    assert [(e.player, e.kind) for e in effects({}, signs)] == [("Ada", "dormant")]


def test_nobody_is_entered_twice():
    with pytest.raises(ValueError, match="event cup is named more than once"):
        effects({"Ada": ["cup", "cup"]}, [])
