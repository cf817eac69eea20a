"""What events pair next: so many games at a time, start numbers by lots, sections, final tables, seats by the rules."""

from collections import Counter
from datetime import timedelta

import pytest

from oceans import queries
from tests.tournaments.made import (
    by_strength,
    end_match,
    event_of,
    fields,
    open_event,
    places,
    play_event,
    running_matches,
)
from tournaments import plans, running, shapes, ticking
from tournaments.editions import layout
from tournaments.event_rows import value_of
from tournaments.lots import draw
from tournaments.models import EventMatch, Pairing, Rating, RatingDay, Tournament
from tournaments.plans import Bout, Competitor, Event
from tournaments.ratings import day_of

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def of(count, format, shape, **more):
    return Event(format, shape, tuple(Competitor(number, number) for number in range(1, count + 1)), **more)


def test_nobody_has_more_games_at_a_time_than_was_agreed(now):
    event = event_of(now, fields(6), shape={"at_a_time": 2})
    met = set()
    for _ in range(15):
        playing = Counter(player for match in running_matches(event) for player in match.pairing.players)
        assert max(playing.values()) <= 2
        match = running_matches(event).first()
        met.add(frozenset(match.pairing.players))
        end_match(match, now, by_strength(match.pairing.players))
    event.refresh_from_db()
    assert event.state == "finished" and len(met) == 15
    assert event.rounds.count() == 5


def test_a_round_to_which_games_are_added_has_its_full_time_again(now):
    event = event_of(now, fields(4), shape={"at_a_time": 1})
    later = now + 100 * DAY
    first = list(running_matches(event))
    end_match(first[0], later, by_strength(first[0].pairing.players))
    end_match(first[1], later, by_strength(first[1].pairing.players))
    assert event.rounds.get(number=2).late_at == later + 150 * DAY


def test_who_leaves_early_is_struck_out_at_once_also_where_rounds_follow_on_one_another(now):
    event = event_of(now, people := fields(4), shape={"serial": True})
    for match in list(running_matches(event)):
        if people[0].pk in match.pairing.players:
            end_match(match, now, by_strength(match.pairing.players))
    running.withdraw(tournament_id=event.pk, user_id=people[0].pk, now=now)
    assert plans.group_table(value_of(event)).annulled == [people[0].pk]


def test_first_seats_of_a_swiss_count_games_that_were_closed_as_overdue():
    late = (Bout(1, 1, (1, 2), (1, 1), "overdue"), Bout(1, 2, (4, 3), (1, 1), "overdue"))
    plan = plans.next_step(of(4, "swiss", {"rounds": 2}, bouts=late))
    assert [bout.players for bout in plan.bouts] == [(3, 1), (2, 4)]


def rated(user, day, r, games=10):
    card = {"user": user, "pool": "oe-twos", "day": day, "r": r, "rd": 60, "games": games}
    return RatingDay.objects.create(**card, wins=0, draws=0, losses=games)


def test_who_lost_lately_keeps_the_start_number_of_his_highest_settled_rating(now):
    newcomer, fallen, past, steady = people = fields(4)
    today = day_of(now)
    rated(newcomer, today - 9, 1900, games=9)
    rated(fallen, today - 180, 1700)
    rated(past, today - 181, 1800)
    for one, r in zip(people, (1480, 1550, 1490, 1600), strict=True):
        card = {"user": one, "pool": "oe-twos", "day": today - 1, "r": r, "rd": 60, "games": 12}
        Rating.objects.create(**card, wins=0, draws=0, losses=12)
    event = event_of(now, people)
    seeded = [one.user for one in event.entrants.order_by("seed").select_related("user")]
    assert seeded == [fallen, steady, past, newcomer]


def test_start_numbers_can_be_drawn_by_lots_that_anybody_can_check(now):
    event = event_of(now, fields(6), shape={"numbers": "lots"})
    numbers = list(event.entrants.order_by("seed").values_list("user", flat=True))
    assert numbers == draw(event.seed, "numbers", sorted(numbers))


def test_first_seats_are_those_of_the_pairing_and_are_balanced(now):
    event = event_of(now, fields(5))
    first = Counter(queries.ended(match.match_id).users[0] for match in running_matches(event))
    assert set(first.values()) == {2}


def test_first_seats_of_a_match_of_several_games_alternate_from_a_drawn_one(now):
    event = event_of(now, fields(2), format="knock-out", shape={"games": 3})
    (row,) = Pairing.objects.all()
    first = [queries.ended(match.match_id).users[0] for match in row.matches.order_by("number")]
    drawn = draw(event.seed, "first:1:1", row.players)
    assert first == [drawn[0], drawn[1], drawn[0]]


def test_games_of_a_match_can_follow_on_one_another(now):
    event = event_of(now, fields(2), format="knock-out", shape={"games": 3, "in_turn": True})
    assert EventMatch.objects.count() == 1
    assert event.rounds.get().late_at == now + 3 * 150 * DAY
    play_event(event, now)
    assert EventMatch.objects.count() == 2 and places(event) == {"p1": 1, "p2": 2}


def test_a_large_swiss_is_played_in_sections_of_equal_size():
    competitors = tuple(Competitor(number, number, group=1 + number % 3) for number in range(1, 13))
    event = Event("swiss", {"rounds": 2}, competitors)
    bouts = plans.next_step(event).bouts
    assert [bout.board for bout in bouts] == [1, 2, 3, 4, 5, 6]
    assert all(len({1 + player % 3 for player in bout.players} | {bout.group}) == 1 for bout in bouts)
    done = tuple(Bout(b.round, b.board, b.players, (2, 0), "played", group=b.group) for b in bouts)
    after = Event("swiss", {"rounds": 1}, competitors, done)
    assert plans.next_step(after).is_over
    assert Counter(place.place for place in plans.places_of(after).values())[1] >= 3


@pytest.mark.parametrize(("entrants", "sections", "rounds"), [(200, 1, 9), (201, 2, 8), (405, 3, 9)])
def test_sections_are_made_above_two_hundred(entrants, sections, rounds):
    event = Tournament(format="swiss", shape={"rounds": None}, seed="0" * 32)
    sizes = Counter(group for _user, _level, group in layout(event, dict.fromkeys(range(1, entrants + 1), 1500.0)))
    assert len(sizes) == sections and max(sizes.values()) - min(sizes.values()) <= 1
    assert shapes.settled(event, entrants)["rounds"] == rounds


def test_the_best_play_a_final_table_for_the_first_places(now):
    people = fields(8)
    event = event_of(
        now, people, format="tables", game="duel-it", shape={"target": 4, "rounds": 2, "final_table": True}
    )
    for _ in range(2):
        for match in list(running_matches(event)):
            end_match(match, now, by_strength(match.pairing.players))
    (final,) = running_matches(event)
    best = [line.player for line in plans.tables_table(value_of(event)) if line.strict <= 4]
    assert final.pairing.players == best
    assert set(queries.ended(final.match_id).users) == set(final.pairing.players)
    end_match(final, now, {player: 4 - best.index(player) for player in best})
    event.refresh_from_db()
    assert event.state == "finished"
    ranked = event.entrants.filter(place__lte=4).order_by("place")
    assert list(ranked.values_list("user", flat=True)) == best[::-1]
    assert sorted(event.entrants.values_list("place", flat=True)) == list(range(1, 9))


def test_directors_may_choose_points_by_place_for_tables_of_one_size(now):
    event = event_of(now, fields(8), format="tables", game="duel-it", shape={"scale": [6, 3, 1, 0], "rounds": 2})
    assert (event.shape["smallest"], event.shape["largest"]) == (4, 4)
    play_event(event, now)
    assert plans.tables_table(value_of(event))[0].values["points"] == 12


def test_a_table_event_that_cannot_be_divided_waits_and_is_called_off(now):
    terms = {"game": "duel-it", "starts": "date", "starts_at": now + DAY, "shape": {"scale": [6, 3, 1, 0]}}
    event = open_event(now, fields(6), format="tables", **terms)
    ticking.steps(now + DAY)
    event.refresh_from_db()
    assert event.is_open and event.starts_at == now + 8 * DAY
    ticking.steps(now + 8 * DAY)
    event.refresh_from_db()
    assert event.state == "cancelled"


def test_a_mini_cup_waits_for_another_player_when_one_sleeps(now):
    people = fields(5)
    event = open_event(now, format="mini-cup", most=4, series="mini")
    for hours, one in zip((0, 20, 300, 336, 340), people, strict=True):
        running.enter(tournament_id=event.pk, user_id=one.pk, now=now + timedelta(hours=hours))
    event.refresh_from_db()
    assert event.is_running
    assert not event.entrants.filter(user=people[0], state="in").exists()
    assert event.entrants.exclude(seed=None).count() == 4


def test_conditions_are_looked_at_again_at_the_start(now):
    people = fields(5)
    event = open_event(now, people, format="swiss", starts="date", starts_at=now + 9 * DAY)
    Tournament.objects.update(conditions={"min_age_days": 8})
    people[0].date_joined = now + 8 * DAY
    people[0].save()
    for one in people[1:]:
        one.date_joined = now - DAY
        one.save()
    ticking.steps(now + 9 * DAY)
    event.refresh_from_db()
    assert event.is_running and event.entrants.get(user=people[0]).state == "withdrawn"
    assert event.entered == 4


def test_an_event_that_fails_is_reported_once_stays_as_it_is_and_holds_up_nobody(now, caplog):
    people = fields(4)
    terms = {"format": "swiss", "starts": "date", "starts_at": now + DAY}
    broken, sound = (open_event(now, people, **terms).pk for _ in range(2))
    Tournament.objects.filter(pk=broken).update(shape={"rounds": "many"})
    for hours in range(24, 30):
        ticking.steps(now + timedelta(hours=hours))
    assert Tournament.objects.get(pk=sound).is_running
    event = Tournament.objects.get(pk=broken)
    assert event.is_open and event.entered == 4 and event.failed_at is not None
    assert len([record for record in caplog.records if "event_failed" in record.getMessage()]) == 1
    Tournament.objects.filter(pk=broken).update(shape={"rounds": None})
    ticking.steps(now + timedelta(hours=31))
    event.refresh_from_db()
    assert event.is_running and event.failed_at is None
