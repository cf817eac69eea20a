"""Verbs of play: moves, stale pages, repeated posts, clocks, the end."""

from datetime import timedelta

import pytest

from accounts.models import Notice
from oceans import play, queries
from oceans.models import Effect, Match, MoveLog, SealedAnswer, Seat
from oceans.rules.moves import IllegalMove, Move
from oceans.signals import match_finished
from tests.builders import (
    answer,
    answer_until_turn_passes,
    bot,
    due_seat,
    legal,
    log_of,
    opened,
    other_seat,
    pass_time,
    play_out,
    state_of,
)

HOUR = 3600


@pytest.fixture
def match(player, rival, now):
    return opened(now, player, rival)


def test_an_opened_match_asks_one_seat_and_runs_its_clock_alone(match):
    seat = due_seat(match)
    other = other_seat(match, seat)
    assert match.status == Match.Status.RUNNING
    assert seat.deadline_s - seat.started_s == 240 * HOUR
    assert (other.is_due, other.deadline_s, other.bank_s) == (False, None, 240 * HOUR)
    assert match.due_s == seat.effective_s


def test_dealing_turns_one_card(match, now):
    seat = due_seat(match).number
    before = len(state_of(match).state.table.packs[seat])
    answer(match, "deal", now)
    assert len(state_of(match).state.table.packs[seat]) == before - 1
    assert "deal" in MoveLog.objects.filter(match=match, seat=seat, cause="seat").get().text


def test_the_same_post_five_times_turns_one_card(match, now):
    seat, turn = due_seat(match).number, match.turn
    for _ in range(5):
        play.make_move(match_id=match.pk, seat=seat, turn=turn, move=Move("deal"), now=now)
    assert MoveLog.objects.filter(match=match, turn=turn).count() == 1


def test_another_answer_to_a_turn_that_is_past_is_refused(match, now):
    seat, turn = due_seat(match).number, match.turn
    play.make_move(match_id=match.pk, seat=seat, turn=turn, move=Move("deal"), now=now)
    length = MoveLog.objects.count()
    with pytest.raises(play.StaleTurn, match="moved on"):
        play.make_move(match_id=match.pk, seat=seat, turn=turn, move=Move("concede"), now=now)
    assert MoveLog.objects.count() == length


def test_who_is_not_due_is_refused(match, now):
    other = other_seat(match, due_seat(match)).number
    with pytest.raises(play.NotYourTurn):
        play.make_move(match_id=match.pk, seat=other, turn=match.turn, move=Move("deal"), now=now)
    assert not MoveLog.objects.filter(cause="seat").exists()


@pytest.mark.parametrize("text", ["raise 5", "deal 2", "nonsense", "dealt"])
def test_what_the_rules_do_not_offer_is_refused_with_a_sentence(match, now, text):
    with pytest.raises(IllegalMove, match="choose deal"):
        answer(match, text, now)
    assert not MoveLog.objects.filter(cause="seat").exists()


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_a_seat_that_does_not_exist_cannot_move(match, now, seat):
    with pytest.raises(play.NotRunning):
        play.make_move(match_id=match.pk, seat=seat, turn=match.turn, move=Move("deal"), now=now)


def test_a_match_that_does_not_exist_cannot_be_played(db, now):
    with pytest.raises(play.NotRunning):
        play.make_move(match_id=12345, seat=0, turn=0, move=Move("deal"), now=now)


def test_a_run_of_cards_is_one_visit_and_earns_one_increment(match, now):
    seat = due_seat(match)
    later = pass_time(timedelta(hours=100), now)
    answer_until_turn_passes(match, later)
    seat.refresh_from_db()
    assert seat.bank_s == (240 - 100 + 36) * HOUR
    assert due_seat(match).number != seat.number


def test_only_the_first_move_of_a_visit_counts_as_a_reply(match, now):
    seat = due_seat(match).number
    later = pass_time(timedelta(hours=5), now)
    answer_until_turn_passes(match, later)
    waits = MoveLog.objects.filter(match=match, seat=seat, cause="seat").order_by("number")
    assert list(waits.values_list("waited_s", flat=True)) == [5 * HOUR] + [None] * (len(waits) - 1)


def test_the_next_player_is_told_after_half_an_hour_and_the_mover_is_not(match, now):
    Notice.objects.all().delete()
    mover = due_seat(match)
    answer_until_turn_passes(match, now)
    notice = Notice.objects.get(kind="your-turn")
    assert notice.user_id == due_seat(match).user_id != mover.user_id
    assert notice.due_at == now + timedelta(minutes=30)
    assert notice.context["match"] == match.pk


def test_a_match_played_out_has_a_result_a_story_and_one_owed_effect(match, now):
    play_out(match, now)
    assert match.status == Match.Status.FINISHED
    assert match.ended_by == Match.EndedBy.PLAYED
    assert sorted(match.result["places"]) in ([1, 2], [1, 1])
    assert max(match.result["score"]) == 6
    assert match.story
    assert match.due_s is None
    assert not Seat.objects.filter(match=match, is_due=True).exists()
    assert Effect.objects.get().ref == str(match.pk)
    assert Notice.objects.filter(kind="result").count() == 2


def test_the_last_move_may_be_posted_again_but_no_other(match, now):
    play_out(match, now)
    last = MoveLog.objects.filter(match=match, cause="seat").order_by("number").last()
    play.make_move(match_id=match.pk, seat=last.seat, turn=last.turn, move=Move.parse(last.text), now=now)
    with pytest.raises(play.NotRunning):
        play.make_move(match_id=match.pk, seat=last.seat, turn=last.turn + 1, move=Move("deal"), now=now)


def test_news_of_the_end_is_sent_once_after_commit(match, now, django_capture_on_commit_callbacks):
    heard = []

    def listen(match_id, **_kwargs):
        heard.append(match_id)

    match_finished.connect(listen)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            play_out(match, now)
    finally:
        match_finished.disconnect(listen)
    assert heard == [match.pk]
    assert Effect.objects.get().done_at is not None


def test_resigning_loses(match, now):
    loser = due_seat(match)
    answer(match, "deal", now)
    play.resign(match_id=match.pk, seat=loser.number, now=now)
    match.refresh_from_db()
    assert (match.status, match.ended_by) == (Match.Status.FINISHED, Match.EndedBy.RESIGNED)
    assert match.result["places"][loser.number] == 2


def test_resigning_before_anybody_moved_cancels(match, now):
    play.resign(match_id=match.pk, seat=0, now=now)
    match.refresh_from_db()
    assert (match.status, match.result) == (Match.Status.CANCELLED, None)
    assert Notice.objects.filter(kind="cancelled").count() == 2


def test_resigning_twice_is_refused(match, now):
    answer(match, "deal", now)
    play.resign(match_id=match.pk, seat=0, now=now)
    with pytest.raises(play.NotRunning):
        play.resign(match_id=match.pk, seat=0, now=now)


def test_sealed_answers_wait_unseen_and_may_be_changed(player, rival, stranger, now):
    match = opened(now, player, rival, stranger, game="guts")
    turn = match.turn
    answer(match, "in", now, seat=0)
    answer(match, "out", now, seat=0)
    assert SealedAnswer.objects.get().text == "out"
    assert match.turn == turn and match.log_length == 0
    assert queries.view_of(match, 0, now=now).view.answer == Move("out")
    assert queries.view_of(match, 1, now=now).view.answer is None
    answer(match, "in", now, seat=1)
    answer(match, "out", now, seat=2)
    assert log_of(match)[:3] == ["0 out", "1 in", "2 out"]
    assert not SealedAnswer.objects.exists()


def test_increments_of_a_sealed_phase_come_when_it_closes(player, rival, now):
    match = opened(now, player, rival, game="guts")
    later = pass_time(timedelta(hours=10), now)
    answer(match, "in", later, seat=0)
    seat = match.seats.get(number=0)
    assert (seat.is_due, seat.deadline_s, seat.bank_s) == (False, None, 230 * HOUR)
    even_later = pass_time(timedelta(hours=80), later)
    answer(match, "out", even_later, seat=1)
    banks = list(match.seats.order_by("number").values_list("bank_s", flat=True))
    assert banks == [240 * HOUR, (240 - 90 + 36) * HOUR]


def test_somebody_leaving_keeps_the_answers_of_the_others(player, rival, stranger, now):
    match = opened(now, player, rival, stranger, game="guts")
    answer(match, "in", now, seat=0)
    play.resign(match_id=match.pk, seat=1, now=now)
    assert SealedAnswer.objects.get().seat == 0
    answer(match, "out", now, seat=2)
    assert log_of(match)[:3] == ["1 retire", "0 in", "2 out"]


def test_bots_answer_after_the_commit(player, now, django_capture_on_commit_callbacks):
    house = bot()
    with django_capture_on_commit_callbacks(execute=True):
        match = opened(now, player, house)
    for _ in range(200):
        match.refresh_from_db()
        if not match.is_running:
            break
        seat = due_seat(match)
        assert seat.user_id == player.pk
        with django_capture_on_commit_callbacks(execute=True):
            answer(match, legal(match, seat.number)[0], now)
    assert not Notice.objects.filter(user=house).exists()


def test_bots_that_ran_out_of_their_second_are_found_by_the_tick(player, now):
    match = opened(now, player, bot())
    while due_seat(match).user_id == player.pk:
        answer(match, legal(match, due_seat(match).number)[0], now)
    assert play.play_bots(match_id=match.pk, now=now, budget_s=0) == 0
    assert play.waiting_for_bots(now) == [match.pk]
    play.play_bots(match_id=match.pk, now=now)
    assert due_seat(match).user_id == player.pk
    assert play.waiting_for_bots(now) == []


def test_bots_among_themselves_take_their_time(now, db):
    match = opened(now, bot("Pebble"), bot("Ferry"))
    length = match.log_length
    assert play.play_bots(match_id=match.pk, now=now) == 0
    assert play.waiting_for_bots(now) == []
    later = now + timedelta(minutes=2)
    assert play.waiting_for_bots(later) == [match.pk]
    assert play.play_bots(match_id=match.pk, now=later) == 1
    match.refresh_from_db()
    assert match.log_length > length


def test_an_opponent_may_give_a_day_until_the_clock_is_full(match, now):
    seat = due_seat(match)
    other = other_seat(match, seat)
    play.give_time(match_id=match.pk, seat=other.number, to=seat.number, now=now)
    before = seat.deadline_s
    seat.refresh_from_db()
    match.refresh_from_db()
    assert seat.deadline_s == before + 24 * HOUR
    assert match.due_s == seat.effective_s
    for _ in range(9):
        play.give_time(match_id=match.pk, seat=other.number, to=seat.number, now=now)
    with pytest.raises(play.Refusal, match="full"):
        play.give_time(match_id=match.pk, seat=other.number, to=seat.number, now=now)


def test_time_is_no_gift_to_oneself_nor_in_events(match, now):
    with pytest.raises(play.BadRequest):
        play.give_time(match_id=match.pk, seat=0, to=0, now=now)
    Match.objects.update(event="tournament:1")
    with pytest.raises(play.Refusal, match="event"):
        play.give_time(match_id=match.pk, seat=0, to=1, now=now)


@pytest.mark.parametrize(
    ("terms", "sentence"),
    [
        ({"game": "no-such"}, "no game called"),
        ({"pace": "hurry"}, "no pace of that name"),
        ({"options": {"stack": 5}}, "has no option"),
        ({"leave_allowed": "some"}, "Leave must be"),
        ({"patience": 9}, "Patience"),
    ],
)
def test_impossible_terms_are_refused_with_a_sentence(player, rival, now, terms, sentence):
    with pytest.raises(play.BadRequest, match=sentence):
        opened(now, player, rival, **terms)
    assert not Match.objects.exists()


def test_nobody_sits_twice(player, now):
    with pytest.raises(play.BadRequest, match="two seats"):
        opened(now, player, player)


def test_closing_an_account_resigns_its_matches(match, player, now):
    answer(match, "deal", now)
    play.withdraw_user(player.pk, now)
    match.refresh_from_db()
    assert match.ended_by == Match.EndedBy.RESIGNED
    assert match.result["places"][match.seats.get(user=player).number] == 2
