"""Ladders kept in rows: what players do, what time does, and that both come to what the rules say."""

import random
from datetime import timedelta

import pytest

from accounts import closing
from accounts.models import Leave, Notice, User
from oceans import play, queries
from oceans.models import Match, MoveLog, Seat
from oceans.refusals import Refusal
from tests.builders import give_notice, opened, pass_time
from tests.tournaments.made import finished
from tournaments import ladder as rules
from tournaments import ladders
from tournaments.ladder_rows import locked
from tournaments.models import Award, Challenge, Ladder, LadderStep, Rung
from tournaments.order_keys import STEP
from tournaments.receivers import record

pytestmark = pytest.mark.django_db

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def order(ladder):
    rungs = list(ladder.rungs.filter(left_at=None).placed().select_related("user").order_by("order_key"))
    assert [rung.position for rung in rungs] == list(range(1, len(rungs) + 1))
    return " ".join(rung.user.username for rung in rungs)


def accepted(ladder, by, to, now):
    number = ladders.challenge(ladder_id=ladder.pk, by=by.pk, to=to.pk, now=now)
    ladders.accept(challenge_id=number, user_id=to.pk, now=now)
    return Challenge.objects.get(pk=number)


def end(challenge, winner, now, ended_by="played", how="finished"):
    """End the game of a challenge as told, and spread the news twice."""
    match = challenge.match
    places = [1 if winner is None or seat.user_id == winner.pk else 2 for seat in match.seats.order_by("number")]
    match.seats.update(has_moved=True, ended_at=now, is_due=False, deadline_s=None)
    result = {"places": places, "score": [6, 5]} if how == "finished" else None
    Match.objects.filter(pk=match.pk).update(status=how, finished_at=now, ended_by=ended_by, due_s=None, result=result)
    for _ in range(2):
        ladders.record_result(queries.ended(match.pk), now)


def test_the_winner_stands_above_the_loser(ladder, people, now):
    ada, bo, _cleo, _dag, _eli, fay = people
    end(accepted(ladder, fay, bo, now), fay, now + HOUR)
    assert order(ladder) == "ada fay bo cleo dag eli"
    end(accepted(ladder, fay, ada, now + HOUR), ada, now + 2 * HOUR)
    assert order(ladder) == "ada fay bo cleo dag eli"
    assert list(LadderStep.objects.order_by("seq").values_list("seq", flat=True)) == list(range(1, 9))


def test_two_meet_again_though_nobody_has_looked_since_their_challenge_ran_out(ladder, people, now):
    _ada, bo, *_others, fay = people
    first = ladders.challenge(ladder_id=ladder.pk, by=fay.pk, to=bo.pk, now=now)
    second = ladders.challenge(ladder_id=ladder.pk, by=bo.pk, to=fay.pk, now=now + 15 * DAY)
    assert [Challenge.objects.get(pk=pk).state for pk in (first, second)] == ["ignored", "pending"]
    assert order(ladder) == "ada fay bo cleo dag eli"


def test_a_game_played_on_the_site_moves_the_ladder(ladder, people, now, django_capture_on_commit_callbacks):
    _ada, _bo, cleo, _dag, _eli, fay = people
    challenge = accepted(ladder, fay, cleo, now)
    loser = Seat.objects.get(match=challenge.match, user=cleo)
    Seat.objects.filter(match=challenge.match).update(has_moved=True)
    with django_capture_on_commit_callbacks(execute=True):
        play.resign(match_id=challenge.match_id, seat=loser.number, now=now + HOUR)
    assert order(ladder) == "ada bo fay cleo dag eli"
    assert challenge.match.event == "ladder:twos" and challenge.match.rated


def test_a_first_move_never_made_costs_the_place_and_a_strike(ladder, people, now, django_capture_on_commit_callbacks):
    _ada, _bo, cleo, _dag, _eli, fay = people
    challenge = accepted(ladder, fay, cleo, now)
    late = challenge.match.seats.get(is_due=True)
    give_notice(challenge.match)
    later = pass_time(timedelta(days=20), now)
    with django_capture_on_commit_callbacks(execute=True):
        assert play.run_out_clock(match_id=challenge.match_id, now=later)
    record(match_id=challenge.match_id)
    expected = "ada bo fay cleo dag eli" if late.user == cleo else "ada bo cleo dag eli fay"
    assert order(ladder) == expected
    assert len(Rung.objects.get(user=late.user).strikes) == 1


def test_a_cancelled_game_has_no_effect_and_frees_the_slot(ladder, people, now):
    _ada, _bo, cleo, dag, eli, fay = people
    challenge = accepted(ladder, fay, cleo, now)
    ladders.challenge(ladder_id=ladder.pk, by=fay.pk, to=dag.pk, now=now)
    with pytest.raises(Refusal, match="two open challenges"):
        ladders.challenge(ladder_id=ladder.pk, by=fay.pk, to=eli.pk, now=now)
    end(challenge, None, now, ended_by="by-staff", how="cancelled")
    ladders.challenge(ladder_id=ladder.pk, by=fay.pk, to=eli.pk, now=now)
    assert order(ladder) == "ada bo cleo dag eli fay"


def test_slots_equal_open_challenges_whatever_ends_them(ladder, people, now):
    _ada, bo, cleo, dag, eli, fay = people

    def open_of(user):
        return Challenge.objects.filter(by=user, state__in=["pending", "running"]).count()

    first = accepted(ladder, fay, bo, now)
    second = ladders.challenge(ladder_id=ladder.pk, by=fay.pk, to=cleo.pk, now=now)
    assert open_of(fay) == 2
    end(first, fay, now + HOUR, ended_by="time")
    assert open_of(fay) == 1
    ladders.decline(challenge_id=second, user_id=cleo.pk, now=now + HOUR)
    assert open_of(fay) == 0
    third = ladders.challenge(ladder_id=ladder.pk, by=eli.pk, to=dag.pk, now=now + HOUR)
    for _post in range(2):
        ladders.cancel(challenge_id=third, user_id=eli.pk, now=now + HOUR)
    fourth = ladders.challenge(ladder_id=ladder.pk, by=eli.pk, to=cleo.pk, now=now + HOUR)
    ladders.leave(ladder_id=ladder.pk, user_id=cleo.pk, now=now + HOUR)
    assert open_of(eli) == 0
    assert Challenge.objects.get(pk=fourth).state == "void"
    assert order(ladder) == "ada fay bo dag eli"


def test_one_decline_is_free_and_the_next_hands_over_the_place(ladder, people, now):
    _ada, bo, _cleo, dag, eli, _fay = people
    one = ladders.challenge(ladder_id=ladder.pk, by=dag.pk, to=bo.pk, now=now)
    ladders.decline(challenge_id=one, user_id=bo.pk, now=now)
    assert order(ladder) == "ada bo cleo dag eli fay"
    two = ladders.challenge(ladder_id=ladder.pk, by=eli.pk, to=bo.pk, now=now)
    for _post in range(2):
        ladders.decline(challenge_id=two, user_id=bo.pk, now=now)
        assert order(ladder) == "ada eli bo cleo dag fay"
    with pytest.raises(Refusal, match="answered already"):
        ladders.cancel(challenge_id=two, user_id=eli.pk, now=now)
    with pytest.raises(Refusal, match="not yours"):
        ladders.accept(challenge_id=two, user_id=dag.pk, now=now)


def test_no_answer_hands_over_the_place_by_the_tick(ladder, people, now):
    _ada, _bo, cleo, _dag, _eli, fay = people
    ladders.challenge(ladder_id=ladder.pk, by=fay.pk, to=cleo.pk, now=now)
    assert ladders.sweep(now + 119 * HOUR) == 0
    assert ladders.sweep(now + 120 * HOUR) == 1
    assert ladders.sweep(now + 120 * HOUR) == 0
    assert order(ladder) == "ada bo fay cleo dag eli"
    assert len(Rung.objects.get(user=cleo).strikes) == 1
    assert Notice.objects.filter(kind="challenge").count() == 2


def test_a_ladder_that_fails_holds_up_no_other(ladder, people, now, caplog):
    ada, bo, *_others = people
    sound = Ladder.objects.create(slug="jokers", name="Jokers", game="oe-jokers", applied_at=now)
    finished(now, ada, bo, game="oe-jokers")
    for one in (ada, bo):
        ladders.join(ladder_id=sound.pk, user_id=one.pk, now=now)
    broken, other = (ladders.challenge(ladder_id=one.pk, by=bo.pk, to=ada.pk, now=now) for one in (ladder, sound))
    Rung.objects.filter(ladder=ladder).update(strikes=5)
    ladders.sweep(now + timedelta(days=6))
    assert [Challenge.objects.get(pk=pk).state for pk in (broken, other)] == ["pending", "ignored"]
    assert len([record for record in caplog.records if "ladder_failed" in record.getMessage()]) == 1


def test_leave_stops_the_clock_of_an_answer(ladder, people, now):
    _ada, _bo, cleo, _dag, _eli, fay = people
    ladders.challenge(ladder_id=ladder.pk, by=fay.pk, to=cleo.pk, now=now)
    away = Leave.objects.create(user=cleo, starts_at=now + 20 * HOUR, days=3, begun_at=now + 20 * HOUR)
    ladders.sweep(now + 30 * HOUR)
    ladders.sweep(now + 200 * HOUR)
    assert order(ladder) == "ada bo cleo dag eli fay"
    Leave.objects.filter(pk=away.pk).update(ended_at=now + 200 * HOUR)
    ladders.sweep(now + 250 * HOUR)
    assert order(ladder) == "ada bo cleo dag eli fay"
    ladders.sweep(now + 301 * HOUR)
    assert order(ladder) == "ada bo fay cleo dag eli"


def test_idle_players_slide_and_leave_while_a_move_anywhere_keeps_the_place(ladder, people, now):
    for one in people[1:]:
        Rung.objects.filter(user=one).update(due_at=None, idle_since=now + 89 * DAY)
    ladders.sweep(now + 30 * DAY)
    assert order(ladder) == "bo ada cleo dag eli fay"
    ladders.sweep(now + 90 * DAY)
    assert "ada" not in order(ladder)


def move(one, other, at):
    """Somebody moves in a game off the ladder."""
    match = opened(at, one, other)
    entry = {"seat": match.seats.get(user=one).number, "text": "x", "cause": "seat", "made_at": at}
    MoveLog.objects.create(match=match, number=1, deal_no=1, turn=1, **entry)


def test_a_late_sweep_notes_moves_before_the_leave_of_others(ladder, people, now):
    for one in people:
        move(one, people[0] if one != people[0] else people[1], now + 20 * DAY)
    Leave.objects.create(user=people[5], starts_at=now + 31 * DAY, days=3, begun_at=now + 31 * DAY)
    ladders.sweep(now + 32 * DAY)
    assert order(ladder) == "ada bo cleo dag eli fay"


def test_a_move_after_the_hour_of_a_drop_comes_too_late_for_it_also_where_the_sweep_is_late(ladder, people, now):
    for one in people[1:]:
        move(one, people[0], now + 29 * DAY)
    move(people[0], people[1], now + 30 * DAY + HOUR)
    ladders.sweep(now + 30 * DAY + 2 * HOUR)
    assert order(ladder) == "bo ada cleo dag eli fay"
    ladders.sweep(now + 58 * DAY)
    assert order(ladder) == "bo ada cleo dag eli fay"


def test_a_move_between_two_steps_keeps_from_the_second_where_the_sweep_is_late(ladder, people, now):
    move(people[0], people[1], now + 800 * HOUR)
    for one in people[1:]:
        move(one, people[0], now + 700 * HOUR)
    ladders.sweep(now + 1060 * HOUR)
    assert order(ladder) == "bo ada cleo dag eli fay"


def test_idle_hours_before_a_leave_run_from_the_last_move(ladder, people, now):
    cleo = people[2]
    move(cleo, people[0], now + 42 * HOUR)
    for one in people:
        if one != cleo:
            move(one, cleo, now + 600 * HOUR)
    Leave.objects.create(user=cleo, starts_at=now + 284 * HOUR, days=9, begun_at=now + 284 * HOUR)
    ladders.sweep(now + 285 * HOUR)
    Leave.objects.filter(user=cleo).update(ended_at=now + 386 * HOUR)
    for hours, standing in ((387, "cleo dag"), (863, "cleo dag"), (865, "dag cleo")):
        ladders.sweep(now + hours * HOUR)
        assert order(ladder) == f"ada bo {standing} eli fay"


def test_who_came_back_first_has_his_clock_run_first_where_the_sweep_is_late(ladder, people, now):
    _ada, bo, cleo, _dag, _eli, fay = people
    ladders.challenge(ladder_id=ladder.pk, by=fay.pk, to=cleo.pk, now=now)
    for one in (bo, cleo):
        Leave.objects.create(user=one, starts_at=now + HOUR, days=9, begun_at=now + HOUR)
    ladders.sweep(now + 2 * HOUR)
    for one, hours in ((bo, 150), (cleo, 10)):
        Leave.objects.filter(user=one).update(ended_at=now + hours * HOUR)
    ladders.sweep(now + 151 * HOUR)
    assert order(ladder) == "ada bo fay cleo dag eli"


def test_members_see_why_they_cannot_and_until_when(ladder, people, now):
    ada, bo, _cleo, _dag, _eli, fay = people
    for by, to, words in ((ada, bo, "above you"), (fay, ada, "too far"), (bo, bo, "yourself")):
        with pytest.raises(Refusal, match=words):
            ladders.challenge(ladder_id=ladder.pk, by=by.pk, to=to.pk, now=now)
    end(accepted(ladder, fay, bo, now), None, now)
    with pytest.raises(Refusal, match=r"again from 2026-07-08 12:00 UTC"):
        ladders.challenge(ladder_id=ladder.pk, by=fay.pk, to=bo.pk, now=now + DAY)
    with pytest.raises(Refusal, match="already"):
        ladders.join(ladder_id=ladder.pk, user_id=fay.pk, now=now)
    ladders.leave(ladder_id=ladder.pk, user_id=fay.pk, now=now)
    with pytest.raises(Refusal, match=r"back from 2026-07-08 12:00 UTC"):
        ladders.join(ladder_id=ladder.pk, user_id=fay.pk, now=now + DAY)
    ladders.join(ladder_id=ladder.pk, user_id=fay.pk, now=now + 8 * DAY)
    assert order(ladder) == "ada bo cleo dag eli fay"


def test_a_game_begun_before_leaving_has_no_effect_after_coming_back(ladder, people, now):
    _ada, _bo, cleo, _dag, eli, _fay = people
    challenge = accepted(ladder, eli, cleo, now)
    ladders.leave(ladder_id=ladder.pk, user_id=cleo.pk, now=now + HOUR)
    ladders.join(ladder_id=ladder.pk, user_id=cleo.pk, now=now + 8 * DAY)
    end(challenge, eli, now + 9 * DAY)
    assert order(ladder) == "ada bo dag eli fay cleo"


def test_newcomers_need_a_finished_game_and_an_account(ladder, stranger, now):
    with pytest.raises(Refusal, match="Finish one game"):
        ladders.join(ladder_id=ladder.pk, user_id=stranger.pk, now=now)
    stranger.is_guest = True
    stranger.save()
    with pytest.raises(Refusal, match="sign up"):
        ladders.join(ladder_id=ladder.pk, user_id=stranger.pk, now=now)


def test_closing_an_account_closes_the_gap(ladder, people, now):
    closing.close(people[2].pk, now)
    assert order(ladder) == "ada bo dag eli fay"


def test_a_month_on_top_makes_a_king_once(ladder, people, now):
    assert ladders.crown(now + 29 * DAY) == 0
    assert ladders.crown(now + 30 * DAY) == 1
    assert ladders.crown(now + 31 * DAY) == 0
    assert Award.objects.get().user == people[0]


def keys_of(ladder):
    return dict(ladder.rungs.filter(left_at=None).values_list("user", "order_key"))


def squeeze(ladder):
    """Leave no room between any two rungs."""
    for key, rung in enumerate(ladder.rungs.filter(left_at=None).order_by("order_key")):
        Rung.objects.filter(pk=rung.pk).update(order_key=key)


def test_hundreds_of_moves_keep_the_order_though_the_room_is_used_up_again_and_again(ladder, people, now):
    chance = random.Random(5)
    expected, renumbered = list(people), 0
    best = {one.pk: place for place, one in enumerate(people, start=1)}
    for _ in range(300):
        moving = chance.sample(people, chance.choice([1, 1, 2, 3]))
        before = keys_of(ladder)
        with locked(ladder.pk, now, [one.pk for one in moving]) as here:
            for one in moving:
                new = chance.choice([2] * 20 + [1, 3, 4, 5, 6])
                here.value.places.move(one.pk, new)
                expected.remove(one)
                expected.insert(new - 1, one)
                best[one.pk] = min(best[one.pk], new)
        assert order(ladder) == " ".join(one.username for one in expected)
        after = keys_of(ladder)
        renumbered += any(after[one.pk] != before[one.pk] for one in people if one not in moving)
    assert renumbered > 2
    assert dict(ladder.rungs.values_list("user", "best")) == best
    ladder.refresh_from_db()
    assert ladder.top == expected[0]


def test_a_move_or_a_leave_on_a_long_ladder_writes_no_other_rung(ladder, people, now):
    def rows():
        return {row["user_id"]: row for row in ladder.rungs.values()}

    def written(before):
        return {user_id for user_id, row in rows().items() if row != before[user_id]}

    crowd = User.objects.bulk_create(User(username=f"c{number}", email="x@example.org") for number in range(300))
    since = {"joined_at": now, "active_at": now, "idle_since": now}
    Rung.objects.bulk_create(
        Rung(ladder=ladder, user=user, order_key=STEP * place, best=place, **since)
        for place, user in enumerate(crowd, start=7)
    )
    low, high, top = crowd[-1], crowd[-50], people[0]
    names = order(ladder).split()
    challenge = accepted(ladder, low, high, now)
    before = rows()
    end(challenge, low, now + HOUR)
    names.insert(names.index(high.username), names.pop())
    assert order(ladder).split() == names
    assert written(before) == {low.pk, high.pk}  # the loser gave a sign of life
    assert rows()[high.pk]["order_key"] == before[high.pk]["order_key"]
    before = rows()
    ladders.leave(ladder_id=ladder.pk, user_id=top.pk, now=now + HOUR)
    assert order(ladder).split() == names[1:]
    assert written(before) == {top.pk}


@pytest.mark.parametrize("roomy", [True, False])
def test_random_months_in_rows_equal_the_rules_in_memory(ladder, people, now, roomy):
    """Random verbs and time, tried on both; every position and refusal must agree."""
    chance = random.Random(7)
    by_id = {one.pk: one for one in people}
    start = now.timestamp() / 3600
    value = rules.Ladder(by_id, start)
    numbers = {}
    for _ in range(120):
        if not roomy:
            squeeze(ladder)
        now += chance.choice([HOUR, 20 * HOUR, 60 * HOUR])
        hour = now.timestamp() / 3600
        verb = chance.choice(["challenge"] * 3 + ["accept", "accept", "end", "end", "decline", "leave", "join", "tick"])
        rows = list(Challenge.objects.filter(state="running" if verb == "end" else "pending"))
        user = chance.choice(people)
        if verb == "challenge":
            other = chance.choice(people)
            expected = value.challenge(len(numbers) + 1, user.pk, other.pk, hour)
            try:
                pk = ladders.challenge(ladder_id=ladder.pk, by=user.pk, to=other.pk, now=now)
                numbers[pk] = len(numbers) + 1
                assert expected is None
            except Refusal:
                assert expected is not None
        elif verb in ("accept", "decline") and rows:
            row = chance.choice(rows)
            expected = getattr(value, verb)(numbers[row.pk], hour)
            try:
                getattr(ladders, verb)(challenge_id=row.pk, user_id=row.to_id, now=now)
                assert expected is None
            except Refusal:
                assert expected is not None
        elif verb == "end" and rows:
            row = chance.choice(rows)
            winner = chance.choice([by_id[row.by_id], by_id[row.to_id], None])
            value.finish(numbers[row.pk], winner.pk if winner else None, "normal", hour)
            end(row, winner, now)
        elif verb in ("leave", "join"):
            expected = getattr(value, verb)(user.pk, hour)
            try:
                getattr(ladders, verb)(ladder_id=ladder.pk, user_id=user.pk, now=now)
                assert expected is None
            except Refusal:
                assert expected is not None
        value.advance(hour)
        ladders.sweep(now)
        assert order(ladder) == " ".join(by_id[pk].username for pk in value.order)
    assert LadderStep.objects.count() - len(people) == len(value.history)
