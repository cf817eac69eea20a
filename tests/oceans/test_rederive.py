"""`manage.py rederive` finds the first thing that differs."""

import io

import pytest
from django.core.management import CommandError, call_command

from oceans import effects
from oceans.models import Match, MoveLog, Totals
from tests.builders import answer, due_seat, opened, play_out


def rederive(*args):
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("rederive", *args, stdout=out, stderr=err)
    except CommandError as failure:
        return out.getvalue(), err.getvalue(), str(failure)
    return out.getvalue(), err.getvalue(), ""


@pytest.fixture
def matches(player, rival, now):
    """One match that is over, one that runs, one with a sealed answer."""
    over, running, sealed = (opened(now, player, rival, game=game) for game in ("oe-none", "oe-twos", "guts"))
    play_out(over, now)
    answer(running, "deal", now)
    answer(sealed, "in", now, seat=0)
    return over, running, sealed


def test_what_play_stored_agrees(matches):
    assert rederive() == ("3 of 3 matches agree.\nThe totals of players agree.\n", "", "")
    assert rederive("--live")[0] == "2 of 2 matches agree.\n"


def test_a_changed_move_is_named(matches):
    over, *_ = matches
    row = MoveLog.objects.filter(match=over, cause="seat", text="deal").order_by("number").first()
    MoveLog.objects.filter(pk=row.pk).update(text="concede")
    out, err, failure = rederive()
    assert out.startswith("2 of 3 matches agree.\n")
    assert err.startswith(f"m-{over.pk}, entry ") and failure


def test_a_forced_move_that_no_rule_forces_is_named(matches):
    over, *_ = matches
    row = MoveLog.objects.filter(match=over, cause="seat").order_by("number").first()
    MoveLog.objects.filter(pk=row.pk).update(cause="forced")
    assert f"m-{over.pk}, entry {row.number}" in rederive()[1]


def test_a_wrong_turn_number_is_named(matches):
    _, running, _ = matches
    row = MoveLog.objects.filter(match=running, cause="seat").get()
    MoveLog.objects.filter(pk=row.pk).update(turn=row.turn + 5)
    assert f"entry {row.number}: stored is" in rederive()[1]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"turn": 99}, "turn is stored as 99"),
        ({"status": "parked", "due_s": None}, "is_due of seat"),
        ({"rules_version": 99}, "version 99 of the rules"),
    ],
)
def test_a_wrong_column_is_named(matches, change, words):
    _, running, _ = matches
    Match.objects.filter(pk=running.pk).update(**change)
    assert words in rederive("--live")[1]


def test_a_seat_that_should_be_due_is_named(matches):
    _, running, _ = matches
    seat = due_seat(running)
    running.seats.filter(pk=seat.pk).update(is_due=False, deadline_s=None)
    assert f"is_due of seat {seat.number}" in rederive("--match", str(running.pk))[1]


def test_an_unknown_match_is_refused_with_a_sentence(db):
    assert rederive("--match", "12345")[2] == "There is no started match number 12345."


def test_wrong_totals_are_named_and_mended(matches, player, now):
    effects.apply_effects(now)
    Totals.objects.filter(user=player).update(late=3)
    _out, err, failure = rederive()
    assert err.startswith("totals of player: stored is won ") and "--recount" in failure
    assert rederive("--recount") == ("1 matches and totals were counted anew.\nThe totals of players agree.\n", "", "")
    assert rederive()[2] == ""


def test_a_match_in_nobodys_totals_is_named(matches, now):
    over, *_ = matches
    effects.apply_effects(now)
    Match.objects.filter(pk=over.pk).update(is_in_totals=False)
    assert f"m-{over.pk}: how it ended is in nobody's totals" in rederive()[1]
