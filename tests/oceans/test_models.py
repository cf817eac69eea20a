"""What the database itself refuses, whatever the code above it does."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from oceans.models import Match, MoveLog, SealedAnswer, Seat, ServiceClock, Shuffle, TimeOut
from tests.builders import answer, due_seat, opened


@pytest.fixture
def match(player, rival, now):
    return opened(now, player, rival)


def refused(action):
    with pytest.raises(IntegrityError), transaction.atomic():
        action()


def test_an_entry_number_is_used_once(match, now):
    answer(match, "deal", now)
    row = MoveLog.objects.filter(match=match).first()
    row.pk = None
    row.turn += 100
    refused(row.save)


def test_a_seat_answers_a_turn_once_but_may_also_leave_in_it(match, now):
    answer(match, "deal", now)
    row = MoveLog.objects.get(match=match, cause="seat")
    row.pk, row.number = None, 500
    refused(row.save)
    row.cause = "retire"
    row.save()


def test_a_seat_has_one_sealed_answer(match, now):
    values = {"match": match, "seat": 0, "turn": 0, "text": "in", "cause": "seat", "made_at": now}
    SealedAnswer.objects.create(**values)
    refused(lambda: SealedAnswer.objects.create(**values))


def test_nobody_has_two_seats_and_no_seat_two_people(match, player, stranger):
    refused(lambda: Seat.objects.create(match=match, number=5, user=player, joined=5))
    refused(lambda: Seat.objects.create(match=match, number=0, user=stranger, joined=5))


def test_a_clock_runs_only_while_its_seat_is_due(match):
    refused(lambda: Seat.objects.filter(pk=due_seat(match).pk).update(is_due=False))


def test_only_running_matches_run_out_of_time(match):
    refused(lambda: Match.objects.filter(pk=match.pk).update(status="parked"))


def test_a_match_that_ended_has_an_end(match):
    refused(lambda: Match.objects.filter(pk=match.pk).update(status="finished", due_s=None))


def test_nonces_are_never_used_twice(match, player, rival, now):
    other = opened(now, player, rival)
    nonce = Shuffle.objects.get(match=match).nonce
    refused(lambda: Shuffle.objects.filter(match=other).update(nonce=nonce))


def test_no_time_out_is_judged_early_or_twice(match, player, now):
    values = {
        "match": match,
        "seat": 0,
        "user": player,
        "turn": 0,
        "started_s": 0,
        "deadline_s": 100,
        "effective_s": 120,
        "judged_at": now,
        "outcome": "lost",
    }
    refused(lambda: TimeOut.objects.create(**values, judged_s=119))
    TimeOut.objects.create(**values, judged_s=120)
    refused(lambda: TimeOut.objects.create(**values, judged_s=121))


def test_there_is_one_service_clock(db, now):
    ServiceClock.objects.create(last_wall=now)
    refused(lambda: ServiceClock.objects.create(pk=2, last_wall=now))


def test_between_ticks_service_time_goes_on_for_five_minutes_at_most(now):
    clock = ServiceClock(service_s=1000, last_wall=now)
    assert clock.at(now + timedelta(seconds=20)) == 1020
    assert clock.at(now + timedelta(days=1)) == 1300
    assert clock.at(now - timedelta(days=1)) == 1000


@pytest.mark.parametrize("stands", [{"paused": True}, {"hold_s": 60}])
def test_a_clock_that_stands_does_not_go_on_between_ticks(now, stands):
    clock = ServiceClock(service_s=1000, last_wall=now, **stands)
    assert clock.at(now + timedelta(seconds=20)) == 1000
