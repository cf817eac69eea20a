"""Two at the same instant in competition, on PostgreSQL with real transactions: one effect each."""

from datetime import timedelta

import pytest
from django.core.management import call_command

from accounts.models import User
from oceans import queries
from oceans.refusals import Refusal
from tests.conftest import person
from tests.oceans.test_races import at_once, kinds
from tests.tournaments.made import (
    by_strength,
    end_match,
    event_of,
    fields,
    finish,
    finished,
    open_event,
    play_event,
    running_matches,
)
from tournaments import directing, ladders, ratings, rulings, running, ticking
from tournaments.models import (
    Challenge,
    Ending,
    Entrant,
    EventMatch,
    Ladder,
    LadderStep,
    Pairing,
    PasswordTry,
    Rating,
    RatingEvent,
    Round,
    Ticket,
    Tournament,
)

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def failures(results):
    return [one for one in results if isinstance(one, BaseException) and not isinstance(one, Refusal)]


def test_a_result_recorded_by_eight_is_rated_once(player, rival, now):
    match = finished(now, player, rival, winner=player)
    ended = queries.ended(match.pk)
    results = at_once(*[lambda: ratings.record_result(ended, now)] * 8)
    assert sorted(map(str, results)) == ["False"] * 7 + ["True"]
    assert RatingEvent.objects.count() == 1
    assert Rating.objects.get(user=player, pool="oe-twos").games == 1


def test_results_of_one_player_at_the_same_instant_all_count(player, now):
    ended = [queries.ended(finished(now, player, one, winner=player).pk) for one in fields(6)]
    results = at_once(*[lambda one=one: ratings.record_result(one, now) for one in ended])
    assert results == [True] * 6
    assert Rating.objects.get(user=player, pool="oe-twos").games == 6
    assert ratings.rebuild() == 0


def test_two_who_challenge_one_another_in_the_same_second_have_one_challenge(ladder, people, now):
    *_others, eli, fay = people
    both = [
        lambda: ladders.challenge(ladder_id=ladder.pk, by=fay.pk, to=eli.pk, now=now),
        lambda: ladders.challenge(ladder_id=ladder.pk, by=eli.pk, to=fay.pk, now=now),
    ] * 3
    results = at_once(*both)
    assert not failures(results)
    assert kinds(results)["int"] == 1
    assert Challenge.objects.count() == 1


def test_the_last_slot_is_taken_once(ladder, people, now):
    _ada, bo, cleo, dag, eli, fay = people
    ladders.challenge(ladder_id=ladder.pk, by=fay.pk, to=bo.pk, now=now)
    results = at_once(
        *[
            lambda target=target: ladders.challenge(ladder_id=ladder.pk, by=fay.pk, to=target.pk, now=now)
            for target in (cleo, dag, eli)
        ]
    )
    assert kinds(results) == {"int": 1, "Refusal": 2}
    assert Challenge.objects.filter(by=fay).count() == 2


def test_a_challenge_accepted_from_two_tabs_opens_one_game(ladder, people, now):
    _ada, bo, *_others, fay = people
    number = ladders.challenge(ladder_id=ladder.pk, by=fay.pk, to=bo.pk, now=now)
    results = at_once(*[lambda: ladders.accept(challenge_id=number, user_id=bo.pk, now=now)] * 4)
    assert len(set(results)) == 1 and isinstance(results[0], int)


def test_results_on_one_rung_at_once_leave_no_gaps(ladder, people, now):
    ada, bo, cleo, dag, eli, fay = people
    ended = []
    for by, to in ((fay, cleo), (eli, cleo), (dag, ada)):
        number = ladders.challenge(ladder_id=ladder.pk, by=by.pk, to=to.pk, now=now)
        ladders.accept(challenge_id=number, user_id=to.pk, now=now)
        match = Challenge.objects.get(pk=number).match
        finish(match, {by.pk: 1, to.pk: 2}, now)
        ended.append(queries.ended(match.pk))
    steps = [lambda one=one: ladders.record_result(one, now) for one in ended * 2]
    results = at_once(*steps, lambda: ladders.leave(ladder_id=ladder.pk, user_id=bo.pk, now=now))
    assert not failures(results)
    keys = list(ladder.rungs.filter(left_at=None).values_list("order_key", flat=True))
    assert len(set(keys)) == 5
    positions = ladder.rungs.filter(left_at=None).placed().order_by("order_key").values_list("position", flat=True)
    assert list(positions) == [1, 2, 3, 4, 5]
    seqs = list(LadderStep.objects.order_by("seq").values_list("seq", flat=True))
    assert seqs == list(range(1, len(seqs) + 1))


def test_the_last_seat_of_an_event_is_taken_by_one_and_starts_it_once(now):
    people = [*fields(4), person("last")]
    pk = open_event(now, people[:3], most=4).pk
    results = at_once(
        *[lambda one=one: running.enter(tournament_id=pk, user_id=one.pk, now=now) for one in people[3:] * 2]
    )
    assert not failures(results)
    assert kinds(results) == {"NoneType": 1, "Refusal": 3}
    assert Entrant.objects.count() == Tournament.objects.get().entered == 4
    assert EventMatch.objects.count() == Pairing.objects.count() == 6


def test_entries_opened_by_four_workers_and_a_director_at_once_open_once(now, staff):
    opens_at = now + timedelta(hours=1)
    terms = {"format": "round-robin", "game": "oe-twos", "pace": "classic", "most": 3, "opens_at": opens_at}
    pk = running.create(by=staff, name="x", now=now, **terms)
    people = fields(3)
    results = at_once(
        *[lambda: running.sweep(opens_at)] * 4,
        *[lambda: directing.open_entries(tournament_id=pk, by=staff, now=opens_at)] * 2,
        *[lambda one=one: running.enter(tournament_id=pk, user_id=one.pk, now=opens_at) for one in people],
    )
    assert failures(results) == [] and kinds(results)["Refusal"] == 0
    event = Tournament.objects.get()
    assert event.is_running and event.entered == 3 and event.opens_at == opens_at
    assert running_matches(event).count() == 3


def test_a_form_that_arrives_twice_at_once_makes_one_event(now, staff):
    terms = {"format": "round-robin", "game": "oe-twos", "pace": "classic", "most": 3, "is_draft": True}
    results = at_once(*[lambda: running.create(by=staff, name="x", now=now, **terms)] * 4)
    assert len(set(results)) == 1
    assert Tournament.objects.count() == 1


def test_a_ruling_while_the_ticket_it_takes_is_used_leaves_one_that_counts(now, staff):
    call_command("seed_events", "--levels", "oe-twos", "2", verbosity=0)
    people = fields(4)
    low, high = Tournament.objects.order_by("pk")
    for one in people:
        running.enter(tournament_id=low.pk, user_id=one.pk, now=now)
    low = play_event(Tournament.objects.get(pk=low.pk), now)
    results = at_once(
        lambda: running.enter(tournament_id=high.pk, user_id=people[0].pk, now=now),
        lambda: rulings.exclude(tournament_id=low.pk, user_id=people[0].pk, by=staff, now=now),
    )
    assert failures(results) == []
    assert Ticket.objects.filter(user=people[1], used_in=None).count() == 1
    first = Ticket.objects.filter(user=people[0])
    assert set(first.values_list("used_in", "is_revoked")) <= {(high.pk, True)}
    assert first.count() == Tournament.objects.get(pk=high.pk).entered == 2 - kinds(results)["Refusal"] - 1


def test_a_round_opened_by_four_workers_has_each_pairing_once(now):
    event = event_of(now, fields(8), format="swiss")
    matches = list(running_matches(event))
    for match in matches[:-1]:
        end_match(match, now, by_strength(match.pairing.players))
    finish(matches[-1].match, by_strength(matches[-1].pairing.players), now)
    ended = queries.ended(matches[-1].match_id)
    results = at_once(
        *[lambda: running.record_result(ended, now)] * 4,
        *[lambda: running.sweep(now)] * 2,
        *[lambda: ticking.steps(now)] * 2,
    )
    assert not failures(results)
    assert Round.objects.count() == 2
    assert Pairing.objects.filter(round__number=2).count() == 4
    assert EventMatch.objects.filter(pairing__round__number=2).count() == 4


def test_a_member_who_makes_four_events_at_once_has_one_open(player, now):
    User.objects.filter(pk=player.pk).update(date_joined=now - timedelta(days=40))
    player.refresh_from_db()
    for one in fields(20):
        Ending.objects.create(user=player, match=finished(now, player, one), kind="finished", at=now)
    results = at_once(
        *[lambda most=most: open_event(now, by=player, format="swiss", most=most) for most in (6, 7, 8, 9)]
    )
    assert kinds(results) == {"Tournament": 1, "Refusal": 3}
    assert Tournament.objects.count() == 1


def test_no_more_passwords_are_tried_at_once_than_one_after_the_other(player, now):
    event = open_event(now, format="swiss", most=8, access="password", password="sesame")
    tries = [lambda: running.enter(tournament_id=event.pk, user_id=player.pk, now=now, password="guess")] * 14
    assert kinds(at_once(*tries)) == {"Refusal": 10, "TooMany": 4}
    assert PasswordTry.objects.count() == 10


def test_the_last_two_who_ask_at_once_open_a_ladder_together(now):
    askers = fields(ladders.ASKING)
    for one in askers[:-2]:
        ladders.ask_for(game="oe-jokers", user_id=one.pk, now=now)
    results = at_once(
        *[lambda one=one: ladders.ask_for(game="oe-jokers", user_id=one.pk, now=now) for one in askers[-2:]]
    )
    assert not failures(results)
    assert Ladder.objects.filter(game="oe-jokers").count() == 1


def test_withdrawing_while_a_result_arrives_leaves_every_pairing_decided_once(now):
    people = fields(4)
    event = event_of(now, people)
    matches = [match for match in running_matches(event) if people[0].pk in match.pairing.players]
    finish(matches[0].match, by_strength(matches[0].pairing.players), now)
    ended = queries.ended(matches[0].match_id)
    results = at_once(
        lambda: running.withdraw(tournament_id=event.pk, user_id=people[0].pk, now=now),
        lambda: running.record_result(ended, now),
        lambda: running.record_result(ended, now),
    )
    assert not failures(results)
    own = [row for row in Pairing.objects.all() if people[0].pk in row.players]
    assert not any(row.is_open for row in own)
    assert matches[0].pairing.matches.count() == 1
