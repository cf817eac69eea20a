"""Two at the same instant, on PostgreSQL with real transactions: one effect, and a sentence for whoever was second."""

from collections import Counter
from collections.abc import Callable
from threading import Barrier, Event, Thread

import pytest
from django.db import connection, transaction

from accounts import holidays
from accounts.models import User
from oceans import offers, play, queries
from oceans.management.rederiving import first_difference
from oceans.models import Effect, Match, MoveLog, Seat, TimeOut
from oceans.rules.moves import IllegalMove, Move
from tests.builders import answer, answer_until_turn_passes, at_service_time, due_seat, give_notice, opened
from tests.conftest import person

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def at_once(*actions: Callable[[], object]) -> list[object]:
    """Start all actions at the same instant, each on a connection of its own; their results, refusals among them."""
    barrier = Barrier(len(actions))
    results: list[object] = [None] * len(actions)

    def run(number: int) -> None:
        try:
            connection.ensure_connection()
            barrier.wait()
            results[number] = actions[number]()
        except (play.Refusal, IllegalMove) as refused:
            results[number] = refused
        except BaseException as failure:
            results[number] = failure
        finally:
            connection.close()

    threads = [Thread(target=run, args=(number,)) for number in range(len(actions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def kinds(results: list[object]) -> Counter[str]:
    """How often what came back; None is a success without a word."""
    return Counter(type(result).__name__ for result in results)


@pytest.fixture
def match(player, rival, now):
    match = opened(now, player, rival, leave_allowed="none")
    answer_until_turn_passes(match, now)
    answer_until_turn_passes(match, now)
    give_notice(match)
    return match


def test_ten_equal_posts_turn_one_card(match, now):
    seat, turn, length = due_seat(match).number, match.turn, match.log_length

    def deal():
        play.make_move(match_id=match.pk, seat=seat, turn=turn, move=Move("deal"), now=now)

    assert kinds(at_once(*[deal] * 10)) == {"NoneType": 10}
    assert MoveLog.objects.filter(match=match, number__gt=length, cause="seat").count() == 1
    assert first_difference(match) is None


def test_dealing_and_conceding_at_once_is_one_move_and_one_refusal(match, now):
    seat, turn = due_seat(match).number, match.turn

    def move(text):
        return lambda: play.make_move(match_id=match.pk, seat=seat, turn=turn, move=Move(text), now=now)

    assert kinds(at_once(move("deal"), move("concede"))) == {"NoneType": 1, "StaleTurn": 1}
    assert MoveLog.objects.filter(match=match, turn=turn).count() == 1
    assert first_difference(match) is None


def test_a_move_against_sweeps_ends_the_match_once(match, now):
    seat = due_seat(match)
    at_service_time(seat.effective_s, now)

    def move():
        play.make_move(match_id=match.pk, seat=seat.number, turn=match.turn, move=Move("deal"), now=now)

    def sweep():
        return play.run_out_clock(match_id=match.pk, now=now)

    results = at_once(move, sweep, sweep, sweep)
    assert isinstance(results[0], play.TimeIsUp | play.NotRunning)
    assert TimeOut.objects.count() == Effect.objects.count() == 1
    assert Match.objects.get().ended_by == "time"
    assert first_difference(match) is None


def test_a_move_in_the_last_second_is_never_both_made_and_missed(match, now):
    seat = due_seat(match)
    at_service_time(seat.effective_s - 1, now)

    def move():
        play.make_move(match_id=match.pk, seat=seat.number, turn=match.turn, move=Move("deal"), now=now)

    results = at_once(move, lambda: at_service_time(seat.effective_s, now), *[lambda: _sweep(match, now)] * 2)
    was_made = results[0] is None
    assert was_made != TimeOut.objects.filter(seat=seat.number).exists()
    assert first_difference(match) is None


def _sweep(match, now):
    play.run_out_clock(match_id=match.pk, now=now)


def test_of_ten_who_accept_at_once_one_plays_and_nine_are_told(player, now):
    (match_id,) = offers.post(user=player, game="oe-twos", now=now)
    people = [person(f"person{number}") for number in range(10)]
    results = at_once(
        *[lambda user=user: offers.accept(match_id=match_id, user=user, now=now) for user in people],
    )
    assert kinds(results) == {"bool": 1, "OfferGone": 9}
    assert Seat.objects.filter(match=match_id).count() == 2
    assert first_difference(Match.objects.get()) is None


def test_accepting_and_withdrawing_at_once_is_one_of_them(player, rival, now):
    (match_id,) = offers.post(user=player, game="oe-twos", now=now)
    results = at_once(
        lambda: offers.accept(match_id=match_id, user=rival, now=now),
        lambda: offers.withdraw(match_id=match_id, user=player, now=now),
    )
    assert kinds(results)["OfferGone"] == 1
    match = Match.objects.get()
    assert (match.status == "running") == (results[0] is True)
    assert match.seats.count() == (2 if results[0] is True else 0)


def test_one_person_posting_at_once_keeps_to_the_limit(player, now):
    results = at_once(*[lambda: offers.post(user=player, game="oe-twos", now=now, count=7)] * 5)
    assert kinds(results) == {"list": 2, "TooMany": 3}
    assert Match.objects.count() == 14


def test_resigning_and_moving_at_once_both_leave_a_log_that_holds(match, now):
    seat = due_seat(match).number
    results = at_once(
        lambda: play.make_move(match_id=match.pk, seat=seat, turn=match.turn, move=Move("deal"), now=now),
        lambda: play.resign(match_id=match.pk, seat=1 - seat, now=now),
        lambda: play.resign(match_id=match.pk, seat=1 - seat, now=now),
    )
    assert sum(result is None for result in results[1:]) == 1
    stored = Match.objects.get()
    assert stored.ended_by == "resigned" and stored.result["places"][1 - seat] == 2
    assert Effect.objects.count() == 1
    assert first_difference(stored) is None


def test_no_reveal_before_the_end_comes_with_a_resignation(match, now):
    for _ in range(5):
        results = at_once(
            lambda: play.resign(match_id=match.pk, seat=0, now=now), lambda: queries.fair_record(match.pk, None)
        )
        record = results[1]
        is_over = any(line.startswith("reveal:") for line in record["log"])
        assert (record["seed"] is not None) == is_over


def test_both_asking_for_a_rematch_get_the_same_one(match, player, rival, now):
    play.resign(match_id=match.pk, seat=0, now=now)
    results = at_once(
        *[lambda user=user: offers.rematch(match_id=match.pk, user=user, now=now) for user in (player, rival)] * 2
    )
    assert len(set(results)) == 1
    again = Match.objects.get(rematch_of=match)
    assert again.is_running and again.seats.count() == 2


def test_sealed_answers_that_come_at_once_are_opened_once(player, rival, stranger, now):
    match = opened(now, player, rival, stranger, game="guts")
    turn = match.turn
    results = at_once(
        *[
            lambda seat=seat: play.make_move(match_id=match.pk, seat=seat, turn=turn, move=Move("in"), now=now)
            for seat in range(3)
        ]
        * 2
    )
    assert kinds(results) == {"NoneType": 6}
    assert MoveLog.objects.filter(match=match, turn=turn).count() == 3
    assert first_difference(match) is None


def test_a_bot_is_not_doubled_by_the_tick(player, now):
    house = User.objects.create(username="Pebble", is_bot=True)
    match = opened(now, player, house)
    while due_seat(match).user_id == player.pk:
        answer(match, "deal", now)
        match.refresh_from_db()
        if not match.is_running:
            return
    at_once(*[lambda: play.play_bots(match_id=match.pk, now=now)] * 4)
    assert first_difference(Match.objects.get()) is None


def test_booking_leave_and_running_out_of_time_at_once_do_not_wait_for_each_other(player, rival, now):
    """One holds the person and waits for the match, the other holds the match: it lets the person be."""
    match = opened(now, player, rival, leave_allowed="all")
    answer_until_turn_passes(match, now)
    answer_until_turn_passes(match, now)
    give_notice(match)
    seat = due_seat(match)
    at_service_time(seat.effective_s, now)
    match_is_locked, person_is_locked = Event(), Event()

    def book():
        with transaction.atomic():
            User.objects.select_for_update(no_key=True).get(pk=seat.user_id)
            person_is_locked.set()
            match_is_locked.wait(5)
            holidays.book(seat.user_id, now, 3, now)

    def run_out():
        person_is_locked.wait(5)
        match_is_locked.set()
        return play.run_out_clock(match_id=match.pk, now=now)

    assert at_once(book, run_out) == [None, False]
    match.refresh_from_db()
    assert match.is_running
    assert play.run_out_clock(match_id=match.pk, now=now)
