"""Running out of time (docs/correspondence.md, 4): each line of the table, the very second, and exactly once."""

from datetime import timedelta

import pytest

from accounts.models import Leave, Notice
from oceans import play
from oceans.models import Match, MoveLog, Order, SealedAnswer, Seat, TimeOut
from oceans.rules.moves import Move
from tests.builders import (
    answer,
    answer_until_turn_passes,
    at_service_time,
    due_seat,
    give_notice,
    log_of,
    opened,
    other_seat,
    pass_time,
    play_out,
)

DAY = timedelta(days=1)


@pytest.fixture
def match(player, rival, now):
    """A match of two without leave in which both have moved."""
    match = opened(now, player, rival, leave_allowed="none")
    answer_until_turn_passes(match, now)
    answer_until_turn_passes(match, now)
    give_notice(match)
    return match


def outcomes(match):
    return list(TimeOut.objects.filter(match=match).order_by("id").values_list("seat", "outcome"))


def test_nothing_happens_before_the_last_second(match, now):
    at_service_time(due_seat(match).effective_s - 1, now)
    assert not play.run_out_clock(match_id=match.pk, now=now)
    answer(match, "deal", now)
    assert match.is_running


def test_at_the_very_second_the_seat_on_turn_loses(match, now):
    seat = due_seat(match)
    at_service_time(seat.effective_s, now)
    assert play.run_out_clock(match_id=match.pk, now=now)
    match.refresh_from_db()
    assert (match.status, match.ended_by) == (Match.Status.FINISHED, Match.EndedBy.TIME)
    assert match.result["places"][seat.number] == 2
    row = TimeOut.objects.get()
    assert (row.user_id, row.deadline_s, row.judged_s) == (seat.user_id, seat.deadline_s, seat.effective_s)
    assert Notice.objects.filter(kind="result").count() == 2


def test_sweeping_twice_changes_nothing(match, now):
    at_service_time(due_seat(match).effective_s, now)
    play.run_out_clock(match_id=match.pk, now=now)
    length = MoveLog.objects.count()
    assert not play.run_out_clock(match_id=match.pk, now=now)
    assert (MoveLog.objects.count(), TimeOut.objects.count()) == (length, 1)


def test_a_move_that_comes_too_late_is_told_and_the_ending_stored(match, now):
    seat = due_seat(match)
    at_service_time(seat.effective_s, now)
    with pytest.raises(play.TimeIsUp, match="had run out"):
        play.make_move(match_id=match.pk, seat=seat.number, turn=match.turn, move=Move("deal"), now=now)
    match.refresh_from_db()
    assert match.ended_by == Match.EndedBy.TIME
    assert outcomes(match) == [(seat.number, "lost")]


def test_an_order_filed_too_late_plays_nothing(match, now):
    seat = due_seat(match)
    at_service_time(seat.effective_s, now)
    with pytest.raises(play.TimeIsUp):
        play.place_order(match_id=match.pk, seat=seat.number, turn=match.turn, kind="hand", body={"cards": 3}, now=now)
    assert outcomes(match) == [(seat.number, "lost")]
    assert not Order.objects.exists()


def test_resigning_after_the_opponent_ran_out_of_time_loses_nothing(match, now):
    seat = due_seat(match)
    at_service_time(seat.effective_s, now)
    play.resign(match_id=match.pk, seat=1 - seat.number, now=now)
    match.refresh_from_db()
    assert match.ended_by == Match.EndedBy.TIME
    assert match.result["places"][seat.number] == 2


def test_nobody_is_timed_out_before_notice_could_be_given(player, rival, now):
    match = opened(now, player, rival, leave_allowed="none")
    seat = due_seat(match)
    at_service_time(seat.deadline_s + 1, now)
    assert not play.run_out_clock(match_id=match.pk, now=now)
    at_service_time(seat.deadline_s + 72 * 3600, now)
    assert play.run_out_clock(match_id=match.pk, now=now)


def test_a_first_move_never_made_cancels(player, rival, now):
    match = opened(now, player, rival, rated=True)
    give_notice(match)
    at_service_time(due_seat(match).effective_s, now)
    play.run_out_clock(match_id=match.pk, now=now)
    match.refresh_from_db()
    assert (match.status, match.ended_by, match.result) == (Match.Status.CANCELLED, "never-moved", None)
    assert Notice.objects.filter(kind="cancelled").count() == 2
    assert not Seat.objects.filter(is_due=True).exists()


def test_in_an_event_a_first_move_never_made_is_a_forfeit(player, rival, now):
    match = opened(now, player, rival, event="tournament:1", leave_allowed="none")
    give_notice(match)
    seat = due_seat(match)
    at_service_time(seat.effective_s, now)
    play.run_out_clock(match_id=match.pk, now=now)
    match.refresh_from_db()
    assert match.ended_by == Match.EndedBy.TIME
    assert outcomes(match) == [(seat.number, "forfeited")]


def test_both_out_of_time_together_is_a_draw(player, rival, now):
    match = opened(now, player, rival, game="guts", leave_allowed="none")
    for seat in (0, 1):
        answer(match, "out", now, seat=seat)
    give_notice(match)
    at_service_time(match.due_s, now)
    play.run_out_clock(match_id=match.pk, now=now)
    match.refresh_from_db()
    assert (match.ended_by, match.result["places"]) == ("drawn-on-time", [1, 1])


def test_at_a_larger_table_the_game_answers_and_the_second_time_the_seat_leaves(player, rival, stranger, now):
    match = opened(now, player, rival, stranger, game="guts", pace="days-3", leave_allowed="none")
    for misses in (1, 2):
        for seat in (0, 1):
            answer(match, "out", now, seat=seat)
        give_notice(match)
        now = pass_time(3 * DAY, now)
        assert play.run_out_clock(match_id=match.pk, now=now)
        match.refresh_from_db()
        assert match.seats.get(number=2).misses == misses
    assert outcomes(match) == [(2, "default-move"), (2, "retired")]
    assert "2 retire" in log_of(match)
    assert match.is_running
    assert Notice.objects.filter(kind="timed-out", user=match.seats.get(number=2).user).exists()


def test_an_own_move_forgives_earlier_misses(player, rival, stranger, now):
    match = opened(now, player, rival, stranger, game="guts", pace="days-1", leave_allowed="none")
    answer(match, "out", now, seat=0)
    answer(match, "out", now, seat=1)
    give_notice(match)
    now = pass_time(DAY, now)
    play.run_out_clock(match_id=match.pk, now=now)
    answer(match, "out", now, seat=2)
    assert match.seats.get(number=2).misses == 0


def test_answers_in_hand_count_when_another_seat_is_late(player, rival, stranger, now):
    match = opened(now, player, rival, stranger, game="guts", pace="days-1", leave_allowed="none")
    answer(match, "in", now, seat=0)
    answer(match, "in", now, seat=1)
    give_notice(match)
    now = pass_time(DAY, now)
    play.run_out_clock(match_id=match.pk, now=now)
    assert log_of(match)[:3] == ["0 in", "1 in", "2 out"]
    assert not SealedAnswer.objects.exists()


def test_a_day_of_leave_is_spent_first_and_serves_every_match(player, rival, now):
    first = opened(now, player, rival)
    second = opened(now, player, rival)
    for match in (first, second):
        answer_until_turn_passes(match, now)
        answer_until_turn_passes(match, now)
        give_notice(match)
    seat = due_seat(first)
    elsewhere = due_seat(second)
    if elsewhere.user_id != seat.user_id:
        answer_until_turn_passes(second, now)
        give_notice(second)
        elsewhere = due_seat(second)
    at_service_time(max(seat.effective_s, elsewhere.started_s), now)
    assert play.run_out_clock(match_id=first.pk, now=now)
    first.refresh_from_db()
    assert first.is_running
    assert due_seat(first).deadline_s == seat.effective_s + 24 * 3600
    assert due_seat(second).deadline_s >= elsewhere.deadline_s + 24 * 3600
    assert Leave.objects.get().user_id == seat.user_id
    (notice,) = Notice.objects.filter(kind="leave-spent")
    assert notice.context["matches"] == [first.pk, second.pk]
    assert outcomes(first) == [(seat.number, "leave-spent")]


def test_at_a_larger_table_leave_is_spent_for_a_first_move_too_once_others_play(player, rival, stranger, now):
    match = opened(now, player, rival, stranger, game="five-draw", pace="days-1")
    answer(match, "check", now)
    late = due_seat(match)
    give_notice(match)
    later = pass_time(DAY, now)
    play.run_out_clock(match_id=match.pk, now=later)
    assert outcomes(match) == [(late.number, "leave-spent")]
    assert due_seat(match).number == late.number
    assert Leave.objects.get().user_id == late.user_id


def test_at_a_larger_table_where_nobody_has_moved_no_leave_is_spent(player, rival, stranger, now):
    match = opened(now, player, rival, stranger, game="five-draw", pace="days-1")
    give_notice(match)
    play.run_out_clock(match_id=match.pk, now=pass_time(DAY, now))
    match.refresh_from_db()
    assert match.ended_by == Match.EndedBy.NEVER_MOVED
    assert not Leave.objects.exists()


def test_a_match_without_leave_spends_none(match, now):
    at_service_time(due_seat(match).effective_s, now)
    play.run_out_clock(match_id=match.pk, now=now)
    assert not Leave.objects.exists()


def test_who_lost_on_time_before_does_not_lose_rating_again(player, rival, now):
    ended = []
    for _ in range(2):
        match = opened(now, player, rival, rated=True, leave_allowed="none")
        answer_until_turn_passes(match, now)
        answer_until_turn_passes(match, now)
        if due_seat(match).user_id != player.pk:
            answer_until_turn_passes(match, now)
        give_notice(match)
        at_service_time(due_seat(match).effective_s, now)
        play.run_out_clock(match_id=match.pk, now=now)
        match.refresh_from_db()
        ended.append(match.unrated_because)
        now += timedelta(hours=1)
    assert ended == ["", "streak"]


def test_both_out_of_time_a_second_time_is_not_rated_again(player, rival, now):
    ended = []
    for _ in range(2):
        match = opened(now, player, rival, game="guts", rated=True, leave_allowed="none")
        for seat in (0, 1):
            answer(match, "out", now, seat=seat)
        give_notice(match)
        at_service_time(match.due_s, now)
        play.run_out_clock(match_id=match.pk, now=now)
        match.refresh_from_db()
        ended.append((match.ended_by, match.unrated_because))
        now += timedelta(hours=1)
    assert ended == [("drawn-on-time", ""), ("drawn-on-time", "streak")]


def test_a_table_that_others_played_to_its_end_does_not_end_the_streak_of_who_was_retired_there(
    player, rival, stranger, now
):
    table = opened(now, player, rival, stranger, game="guts", pace="days-1", leave_allowed="none", patience=1)
    late = table.seats.get(user=player).number
    for seat in {0, 1, 2} - {late}:
        answer(table, "out", now, seat=seat)
    give_notice(table)
    now = pass_time(DAY, now)
    play.run_out_clock(match_id=table.pk, now=now)
    assert outcomes(table) == [(late, "retired")]
    now = pass_time(timedelta(hours=1), now)
    play_out(table, now)
    assert table.ended_by == Match.EndedBy.PLAYED
    match = opened(now, player, rival, rated=True, leave_allowed="none")
    answer_until_turn_passes(match, now)
    answer_until_turn_passes(match, now)
    if due_seat(match).user_id != player.pk:
        answer_until_turn_passes(match, now)
    give_notice(match)
    at_service_time(due_seat(match).effective_s, now)
    play.run_out_clock(match_id=match.pk, now=now)
    match.refresh_from_db()
    assert match.unrated_because == "streak"


def test_untimed_matches_end_when_everybody_has_been_away_for_a_month(player, rival, now):
    match = opened(now, player, rival, pace="untimed")
    assert match.due_s is None
    assert play.end_abandoned(now + 29 * DAY) == 0
    rival.last_seen_at = now + 20 * DAY
    rival.save()
    assert play.end_abandoned(now + 31 * DAY) == 0
    assert play.end_abandoned(now + 51 * DAY) == 1
    match.refresh_from_db()
    assert (match.status, match.ended_by) == (Match.Status.CANCELLED, Match.EndedBy.ABANDONED)


def test_after_five_failures_a_match_is_parked_and_nothing_runs(match, now):
    parked = [play.note_failure(match_id=match.pk, now=now) for _ in range(5)]
    assert parked == [False] * 4 + [True]
    match.refresh_from_db()
    assert (match.status, match.due_s) == (Match.Status.PARKED, None)
    assert not Seat.objects.filter(deadline_s__isnull=False).exists()
    with pytest.raises(play.NotRunning):
        play.make_move(match_id=match.pk, seat=0, turn=match.turn, move=Move("deal"), now=now)


def test_a_parked_match_goes_on_with_the_time_it_had(match, now):
    seat = due_seat(match)
    left = seat.deadline_s - seat.started_s
    for _ in range(5):
        play.note_failure(match_id=match.pk, now=now)
    later = pass_time(10 * DAY, now)
    play.unpark(match_id=match.pk, now=later)
    seat = due_seat(match)
    assert seat.deadline_s - seat.started_s == left
    answer(match, "deal", later)


def test_only_the_seat_on_turn_loses_when_the_other_moved_last(match, now):
    seat = due_seat(match)
    other = other_seat(match, seat)
    answer_until_turn_passes(match, now)
    give_notice(match)
    at_service_time(due_seat(match).effective_s, now)
    play.run_out_clock(match_id=match.pk, now=now)
    match.refresh_from_db()
    assert match.result["places"][other.number] == 2
    assert match.result["places"][seat.number] == 1
