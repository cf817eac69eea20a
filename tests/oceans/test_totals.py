"""Totals on a player's page: what each ending adds, once, and that they are what the matches give."""

import importlib
import random

import pytest
from django.apps import apps
from django.test import Client

from oceans import effects, play, queries, totals
from oceans.management.recounting import left_out, recount, wrong_totals
from oceans.models import Effect, Match, Totals
from oceans.signals import match_finished
from tests.builders import answer, answer_until_turn_passes, at_service_time, due_seat, give_notice, opened, play_out
from tests.conftest import person
from tests.oceans.test_races import at_once

FILLING = importlib.import_module("oceans.migrations.0007_fill_totals")


def run_out(match, now):
    """Let the time of whoever is due run out, after notice."""
    give_notice(match)
    at_service_time(max(seat.effective_s for seat in match.seats.filter(effective_s__isnull=False)), now)
    assert play.run_out_clock(match_id=match.pk, now=now)
    match.refresh_from_db()


def score(user, now):
    """What the page says after news of all ends has arrived: won, lost and drawn, and games played to an end."""
    effects.apply_effects(now)
    facts = queries.profile_of(user, now)
    page = Client().get(f"/player/{user.username}/").content.decode()
    assert f"{facts.won}–{facts.lost}–{facts.drawn}" in page
    assert facts.finished == facts.won + facts.lost + facts.drawn
    return facts.won, facts.lost, facts.drawn, facts.finished_percent


def resigned(now, loser, *others):
    """A match that one of these resigned after it had begun."""
    match = opened(now, loser, *others)
    answer(match, "deal", now)
    play.resign(match_id=match.pk, seat=match.seats.get(user=loser).number, now=now)
    return match


def test_a_win_and_a_loss(player, rival, now):
    resigned(now, rival, player)
    assert score(player, now) == (1, 0, 0, 100)
    assert score(rival, now) == (0, 1, 0, 100)
    resigned(now, player, rival)
    assert score(player, now) == score(rival, now) == (1, 1, 0, 100)


def test_both_out_of_time_share_the_first_place_and_are_late(player, rival, now):
    match = opened(now, player, rival, game="guts", leave_allowed="none")
    for seat in (0, 1):
        answer(match, "out", now, seat=seat)
    run_out(match, now)
    assert match.ended_by == Match.EndedBy.DRAWN_ON_TIME
    assert score(player, now) == score(rival, now) == (0, 0, 1, 0)


def test_a_loss_on_time_was_not_played_to_an_end(player, rival, now):
    match = opened(now, player, rival, leave_allowed="none")
    answer_until_turn_passes(match, now)
    answer_until_turn_passes(match, now)
    late = due_seat(match).user
    run_out(match, now)
    assert score(late, now) == (0, 1, 0, 0)
    assert score(rival if late == player else player, now) == (1, 0, 0, 100)


def test_a_first_move_never_made_counts_against_its_owner_alone(player, rival, now):
    match = opened(now, player, rival)
    late = due_seat(match).user
    run_out(match, now)
    assert match.status == Match.Status.CANCELLED
    assert score(late, now) == (0, 0, 0, 0)
    assert score(rival if late == player else player, now) == (0, 0, 0, None)


def test_what_was_called_off_or_left_before_a_move_counts_for_nobody(player, rival, now):
    play.resign(match_id=opened(now, player, rival).pk, seat=0, now=now)
    play.call_off(match_id=opened(now, player, rival).pk, now=now)
    assert score(player, now) == score(rival, now) == (0, 0, 0, None)


@pytest.fixture
def table(player, rival, stranger, now):
    """A table of three at which one was retired by the clock while the others go on, and the one who was."""
    match = opened(now, player, rival, stranger, game="guts", leave_allowed="none", patience=1)
    answer(match, "in", now, seat=0)
    answer(match, "in", now, seat=1)
    late = match.seats.get(number=2).user
    run_out(match, now)
    assert match.is_running
    return match, late


def test_at_a_table_who_was_retired_lost_once_it_is_over(table, player, now):
    match, late = table
    assert score(late, now) == (0, 0, 0, None)
    play.resign(match_id=match.pk, seat=0, now=now)
    first, second = (match.seats.get(number=number).user for number in (1, 0))
    assert score(late, now) == (0, 1, 0, 0)
    assert score(first, now) == (1, 0, 0, 100)
    assert score(second, now) == (0, 1, 0, 100)


def test_at_a_table_that_is_called_off_who_was_retired_did_not_play_to_the_end(table, now):
    match, late = table
    play.call_off(match_id=match.pk, now=now)
    assert score(late, now) == (0, 0, 0, 0)
    assert score(match.seats.get(number=0).user, now) == (0, 0, 0, None)


def test_closing_an_account_adds_what_it_ends(player, rival, now):
    match = opened(now, player, rival)
    answer(match, "deal", now)
    play.withdraw_user(player.pk, now)
    assert score(rival, now) == (1, 0, 0, 100)


def test_news_that_comes_again_counts_once(player, rival, now):
    match = resigned(now, rival, player)
    score(player, now)
    totals.count(match_id=match.pk)
    Effect.objects.update(done_at=None)
    assert effects.apply_effects(now) == 1
    assert score(player, now) == (1, 0, 0, 100)


def test_a_match_that_goes_on_is_not_counted(player, rival, now):
    match = opened(now, player, rival)
    totals.count(match_id=match.pk)
    play_out(match, now)
    won, lost, drawn, _percent = score(player, now)
    assert won + lost + drawn == 1


def test_what_fails_elsewhere_is_told_again_and_counted_once(player, rival, now):
    def fail(**_news):
        raise RuntimeError("a listener that fails")

    match_finished.connect(fail)
    try:
        resigned(now, rival, player)
        assert effects.apply_effects(now) == 0
    finally:
        match_finished.disconnect(fail)
    assert score(player, now) == (1, 0, 0, 100)
    assert Effect.objects.get().done_at is not None


def played_in_many_ways(now, seed, *users):
    """Matches of two and of three by chance: played to their ends, resigned, called off, late, and not over."""
    pick = random.Random(seed)

    def some(count):
        return pick.sample(users, count)

    for game, count in (("oe-twos", 2), ("guts-pass", 2), ("guts", 3), ("guts", 3)):
        play_out(opened(now, *some(count), game=game), now, seed)
    resigned(now, *some(2))
    play.call_off(match_id=opened(now, *some(2)).pk, now=now)
    for visits in (0, 2):
        match = opened(now, *some(2), leave_allowed="none")
        for _visit in range(visits):
            answer_until_turn_passes(match, now)
        run_out(match, now)
    for is_called_off in (False, True):
        match = opened(now, *some(3), game="guts", leave_allowed="none", patience=1)
        answer(match, "in", now, seat=0)
        answer(match, "in", now, seat=1)
        run_out(match, now)
        if is_called_off:
            play.call_off(match_id=match.pk, now=now)
        else:
            play_out(match, now, seed)
    opened(now, *some(2))


def stored():
    return list(Totals.objects.order_by("user_id").values())


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_totals_are_what_the_matches_give(player, rival, stranger, now, seed):
    played_in_many_ways(now, seed, player, rival, stranger, person("fourth"))
    assert effects.apply_effects(now) == 10
    kept = stored()
    assert all(sum(row[figure] for row in kept) for figure in ("won", "lost", "late", "cancelled"))
    assert (left_out(), list(wrong_totals()), recount()) == ([], [], 0)
    FILLING.empty(apps, None)
    assert stored() == [] and not Match.objects.filter(is_in_totals=True).exists()
    FILLING.fill(apps, None)
    assert [row for row in stored() if any(row[figure] for figure in Totals.FIGURES)] == kept
    assert (left_out(), list(wrong_totals())) == ([], [])


def test_an_upgrade_counts_once_what_is_still_owed(player, rival, now):
    resigned(now, rival, player)
    FILLING.fill(apps, None)
    assert score(player, now) == (1, 0, 0, 100)


def test_an_upgrade_that_stopped_half_way_counts_what_was_counted_meanwhile_once(player, rival, now):
    """The tables were there, a game ended and was counted, and only then was the past filled in."""
    resigned(now, rival, player)
    Effect.objects.update(done_at=now)
    resigned(now, rival, player)
    assert score(player, now) == (1, 0, 0, 100)
    FILLING.fill(apps, None)
    assert score(player, now) == (2, 0, 0, 100)
    assert (left_out(), list(wrong_totals())) == ([], [])


def test_what_differs_is_named_and_mended(player, rival, stranger, now):
    resigned(now, rival, player)
    resigned(now, stranger, player)
    effects.apply_effects(now)
    Totals.objects.filter(user=rival).update(lost=7)
    Totals.objects.filter(user=stranger).delete()
    assert [one.username for one in wrong_totals()] == ["rival", "stranger"]
    assert recount() == 2 and score(rival, now) == score(stranger, now) == (0, 1, 0, 100)
    # As if a program of an older release had heard the news.
    late = resigned(now, rival, player)
    Effect.objects.filter(ref=str(late.pk)).update(done_at=now)
    assert left_out() == [late.pk]
    assert recount() == 1 and left_out() == []
    assert score(player, now) == (3, 0, 0, 100)


def test_a_page_costs_the_same_however_much_was_played(player, rival, now, django_assert_num_queries):
    resigned(now, rival, player)
    effects.apply_effects(now)
    with django_assert_num_queries(4):
        queries.profile_of(player, now)
    for _match in range(5):
        resigned(now, rival, player)
    effects.apply_effects(now)
    with django_assert_num_queries(4) as asked:
        assert queries.profile_of(player, now).won == 6
    (of_totals,) = (one["sql"] for one in asked.captured_queries if "oceans_totals" in one["sql"])
    assert "oceans_seat" not in of_totals


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_news_that_two_hear_at_once_counts_once(player, rival, now):
    match = resigned(now, rival, player)
    Totals.objects.all().delete()
    Match.objects.update(is_in_totals=False)
    assert at_once(*[lambda: totals.count(match_id=match.pk)] * 6) == [None] * 6
    assert score(player, now) == (1, 0, 0, 100)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_matches_of_the_same_people_that_end_together_all_count(player, rival, now):
    people = [player, rival, *(person(f"other{number}") for number in range(3))]
    ended = [resigned(now, people[one], people[other]) for one in range(5) for other in range(5) if one != other]
    Totals.objects.all().delete()
    Match.objects.update(is_in_totals=False)
    jobs = [lambda pk=match.pk: totals.count(match_id=pk) for match in ended]
    *counted, recounted = at_once(*jobs, recount)
    assert counted == [None] * 20 and isinstance(recounted, int)
    assert (left_out(), list(wrong_totals())) == ([], [])
    assert {(row["won"], row["lost"]) for row in stored()} == {(4, 4)}
