"""Events in rows: entered, started, paired, played, left, and finished by themselves."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import closing
from accounts.models import Notice, User
from oceans import play, queries
from oceans.models import Match
from oceans.refusals import BadRequest, Refusal
from tests.conftest import person
from tests.tournaments.made import (
    by_strength,
    end_match,
    event_of,
    fields,
    finish,
    open_event,
    places,
    play_event,
    running_matches,
)
from tournaments import attendance, endless, event_matches, infinity, plans, rulings, running, ticking
from tournaments import event_steps as steps
from tournaments.event_rows import locked, value_of
from tournaments.models import Attendance, Award, Entrant, EventMatch, Pairing, Tournament
from tournaments.queries.events import event_page

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def test_a_full_round_robin_starts_and_ends_by_itself(now):
    event = event_of(now, fields(5))
    assert event.state == "running" and len(event.seed) == 32
    assert running_matches(event).count() == 10
    play_event(event, now)
    assert event.state == "finished"
    assert places(event) == {"p1": 1, "p2": 2, "p3": 3, "p4": 4, "p5": 5}
    assert [award.user.username for award in Award.objects.order_by("kind")] == ["p1", "p2", "p3"]
    told = Notice.objects.filter(kind="title").count(), Notice.objects.filter(kind="round-opens").count()
    assert told == (5, 5)


def test_a_double_round_robin_in_rounds_pairs_one_round_after_the_other(now):
    event = event_of(now, fields(4), shape={"cycles": 2, "serial": True})
    assert running_matches(event).count() == 2
    play_event(event, now)
    assert event.rounds.count() == 6
    assert EventMatch.objects.count() == 12
    assert event.rounds.filter(closed_at=None).count() == 0


def test_a_cup_of_one_group_has_the_places_of_its_table_and_one_winner(now):
    event = play_event(event_of(now, fields(5), format="cup", shape={"limit": 6}), now)
    assert places(event) == {"p1": 1, "p2": 2, "p3": 3, "p4": 4, "p5": 5}
    assert set(Award.objects.values_list("kind", "user__username")) == {
        ("first", "p1"),
        ("second", "p2"),
        ("third", "p3"),
    }
    equals = [one.user for one in event.entrants.order_by("seed")][:4]
    event = play_event(
        event_of(now, equals, format="cup", shape={"limit": 6}), now, lambda users: dict.fromkeys(users, 1)
    )
    assert places(event) == {"p1": 1, "p2": 2, "p3": 2, "p4": 2}


def test_equals_share_a_place_and_small_events_give_no_badges(now):
    event = play_event(event_of(now, fields(3)), now, lambda users: dict.fromkeys(users, 1))
    assert set(places(event).values()) == {1}
    assert all(event.entrants.values_list("is_shared", flat=True))
    assert not Award.objects.exists()


@pytest.mark.parametrize("count", [2, 5, 8])
def test_a_knock_out_runs_match_by_match_to_its_winner(now, count):
    event = play_event(event_of(now, fields(count), format="knock-out"), now)
    assert places(event)["p1"] == 1 and places(event)["p2"] == 2
    assert Pairing.objects.count() == count - 1


def test_a_best_of_three_has_extra_games_and_then_the_better_seed(now):
    event = event_of(now, fields(2), format="knock-out", shape={"games": 3})
    assert running_matches(event).count() == 3
    play_event(event, now, lambda users: dict.fromkeys(users, 1))
    assert EventMatch.objects.count() == 5
    first = event.entrants.get(seed=1)
    assert first.place == 1


def test_a_game_left_over_after_the_others_is_called_off_once_both_have_said_so(
    now, django_capture_on_commit_callbacks
):
    people = fields(4)
    event = event_of(now, people, format="knock-out", shape={"games": 3})
    pairing = Pairing.objects.get(round__number=1, players__0=people[0].pk)
    first, second, third = pairing.matches.order_by("number")
    verb = {"tournament_id": event.pk, "match_id": third.match_id, "now": now}
    with pytest.raises(Refusal, match="still counts"):
        running.call_off(user_id=people[0].pk, **verb)
    for match in (first, second):
        end_match(match, now, by_strength(pairing.players))
    other = User.objects.get(pk=next(player for player in pairing.players if player != people[0].pk))
    reader, page = Client(), f"/tournaments/{event.pk}/"
    reader.force_login(people[0])
    assert "decides nothing here any more" in reader.get(page).content.decode()
    for _twice in range(2):
        answer = reader.post(f"{page}call-off/", {"game": third.match_id}, follow=True).content.decode()
    assert "your opponent not yet" in answer and "Your opponent has." not in answer
    assert Match.objects.get(pk=third.match_id).status == "running"
    with pytest.raises(Refusal, match="no game of yours"):
        running.call_off(user_id=next(one.pk for one in people if one.pk not in pairing.players), **verb)
    reader.force_login(other)
    assert "Your opponent has." in reader.get(page).content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        reader.post(f"{page}call-off/", {"game": third.match_id})
    ended = Match.objects.get(pk=third.match_id)
    assert (ended.status, ended.get_ended_by_display()) == ("cancelled", "called off by agreement")
    pairing.refresh_from_db()
    assert pairing.winner_id == people[0].pk and pairing.matches.count() == 3
    with pytest.raises(Refusal, match="is over"):
        running.call_off(user_id=other.pk, **verb)


def test_a_swiss_with_a_withdrawal_and_a_late_entry(now):
    people = fields(7)
    event = event_of(now, people, format="swiss")
    late = person("zoe")
    event.most = 8
    event.save()
    running.enter(tournament_id=event.pk, user_id=late.pk, now=now)
    running.withdraw(tournament_id=event.pk, user_id=people[2].pk, now=now)
    play_event(event, now)
    found = places(event)
    assert event.state == "finished" and found["p1"] == 1
    assert found["p3"] is not None
    met = [frozenset(row.players) for row in Pairing.objects.all() if len(row.players) == 2]
    assert len(met) == len(set(met))
    byes = [row.players[0] for row in Pairing.objects.filter(how="bye")]
    assert len(byes) == len(set(byes))
    later = Pairing.objects.filter(round__number__gt=1)
    assert not any(people[2].pk in row.players for row in later)
    assert any(late.pk in row.players for row in later)


def test_a_swiss_whose_players_all_withdraw_ends_with_standings(now):
    people = fields(6)
    event = event_of(now, people, format="swiss")
    for match in list(running_matches(event)):
        end_match(match, now, by_strength(match.pairing.players))
    for one in people[1:]:
        running.withdraw(tournament_id=event.pk, user_id=one.pk, now=now)
    event.refresh_from_db()
    assert event.state == "finished"
    assert None not in places(event).values()


def test_who_never_moves_gives_one_forfeit_and_is_paired_again_only_on_his_word(now):
    people = fields(6)
    event = event_of(now, people, format="swiss")
    absent = people[5].pk
    for match in list(running_matches(event)):
        players = match.pairing.players
        if absent in players:
            other = next(player for player in players if player != absent)
            end_match(
                match, now, {other: 1, absent: 2}, ended_by="time", moved={other: True, absent: False}, late=[absent]
            )
        else:
            end_match(match, now, by_strength(players))
    assert event.rounds.count() == 2
    second = Pairing.objects.filter(round__number=2)
    assert not any(absent in row.players for row in second)
    assert Pairing.objects.get(how="forfeit").round.number == 1
    running.come_back(tournament_id=event.pk, user_id=absent, now=now)
    for match in list(running_matches(event)):
        end_match(match, now, by_strength(match.pairing.players))
    assert any(absent in row.players for row in Pairing.objects.filter(round__number=3))


def test_who_says_that_he_is_still_here_is_paired_at_once_in_the_endless_event(now):
    people = fields(2)
    event = open_event(now, people, format="infinity")
    end_match(
        running_matches(event).get(),
        now,
        {people[0].pk: 1, people[1].pk: 2},
        ended_by="time",
        moved={people[0].pk: True, people[1].pk: False},
        late=[people[1].pk],
    )
    newcomer = person("newcomer")
    running.withdraw(tournament_id=event.pk, user_id=people[0].pk, now=now)
    running.enter(tournament_id=event.pk, user_id=newcomer.pk, now=now)
    assert not running_matches(event).exists()
    running.come_back(tournament_id=event.pk, user_id=people[1].pk, now=now)
    assert set(running_matches(event).get().pairing.players) == {newcomer.pk, people[1].pk}


def test_table_events_seat_everybody_each_round_and_share_points(now):
    event = event_of(now, fields(7), format="tables", game="duel-it", shape={"target": 4, "rounds": 2})
    assert sorted(len(row.players) for row in Pairing.objects.all()) == [3, 4]
    play_event(event, now)
    assert event.state == "finished" and event.rounds.count() == 2
    assert places(event)["p1"] == 1


def test_a_cup_plays_groups_and_then_a_bracket(now):
    event = event_of(now, fields(9), format="cup", shape={"limit": 5})
    assert set(event.entrants.values_list("group", flat=True)) == {1, 2}
    play_event(event, now)
    assert event.state == "finished"
    assert (places(event)["p1"], places(event)["p2"]) == (1, 2)
    final = Pairing.objects.order_by("-round__number").first()
    assert final.games == 3 and final.matches.count() == 3


def test_a_mini_cup_starts_full_and_opens_the_next(now):
    event = event_of(now, fields(4), format="mini-cup", series="mini-oe-twos")
    following = Tournament.objects.get(series="mini-oe-twos", edition=2)
    assert following.is_open and following.entered == 0
    running.enter(tournament_id=following.pk, user_id=event.entrants.first().user_id, now=now)
    play_event(event, now)
    assert [award.user.username for award in Award.objects.all()] == ["p1"]


def test_the_next_edition_has_the_same_directors(now, stranger):
    event_of(now, fields(3), format="mini-cup", series="mini", directors=[stranger.pk])
    assert list(Tournament.objects.get(series="mini", edition=2).directors.all()) == [stranger]


def test_a_mini_cup_for_more_than_two_is_one_table(now):
    event = event_of(now, fields(5), format="mini-cup", game="oe-table")
    assert Pairing.objects.get().matches.count() == 1
    play_event(event, now)
    assert places(event) == {"p1": 1, "p2": 2, "p3": 3, "p4": 4, "p5": 5}


def test_the_endless_event_gives_new_opponents_and_scores(now):
    people = fields(4)
    event = open_event(now, people, format="infinity")
    for number in range(3):
        for match in list(running_matches(event)):
            end_match(match, now + number * DAY, by_strength(match.pairing.players))
    met = [frozenset(row.players) for row in Pairing.objects.all()]
    assert len(met) == len(set(met)) == 6
    scores = dict(event.entrants.values_list("user__username", "score"))
    assert scores["p1"] == 1.578125 and scores["p4"] == 0.421875
    running.withdraw(tournament_id=event.pk, user_id=people[0].pk, now=now)
    running.enter(tournament_id=event.pk, user_id=people[0].pk, now=now)
    assert event.entrants.get(user=people[0]).score == 1.578125


def test_results_of_the_endless_event_heard_out_of_order_count_in_the_order_of_the_games(now):
    people = fields(4)
    event = open_event(now, people, format="infinity")
    first, second = running_matches(event)
    for match, at in ((first, now + DAY), (second, now)):
        end_match(match, at, by_strength(match.pairing.players))
    early, late = running_matches(event)
    end_match(early, now + 3 * DAY, by_strength(early.pairing.players))
    end_match(late, now + 2 * DAY, by_strength(late.pairing.players))
    history = endless.results_by_player(event)
    assert {len(results) for results in history.values()} == {2}
    for one in event.entrants.all():
        assert one.score == infinity.score_history(history[one.user_id])[-1].new


def test_the_endless_event_costs_the_same_however_long_it_has_run(now):
    people = fields(6)
    event = open_event(now, people, format="infinity")
    asked = []
    for day in range(0, 400, 20):
        at = now + day * DAY
        ticking.steps(at)
        for match in list(running_matches(event)):
            finish(match.match, by_strength(match.pairing.players), at)
            with CaptureQueriesContext(connection) as captured:
                assert running.record_result(queries.ended(match.match_id), at)
        page = event_page(event, None, at)
        asked.append((len(captured), len(page.rounds)))
    assert event.rounds.count() > 12
    assert asked[-1][0] <= asked[0][0]
    assert asked[-1][1] <= 5, "the games of the last weeks only"
    assert page.rounds[-1].title == f"{event.rounds.latest('number').opened_at:%-d %B %Y}"


def test_how_many_games_at_a_time_can_be_changed_in_the_endless_event(now):
    people = fields(4)
    event = open_event(now, people, format="infinity")
    assert running_matches(event).count() == 2
    reader, page = Client(), f"/tournaments/{event.pk}/"
    for one in (people[0], people[2]):
        reader.force_login(one)
        for _twice in range(2):
            assert reader.post(f"{page}wish/", {"wanted": "2"}).status_code == 303
    assert running_matches(event).count() == 3
    assert 'name="wanted" value="2"' in reader.get(page).content.decode()
    reader.post(f"{page}wish/", {"wanted": "7"})
    assert "Choose 1 to 6 games at a time." in reader.get(page).content.decode()
    reader.post(f"{page}wish/", {"wanted": "1"})
    assert running_matches(event).count() == 3
    reader.force_login(person("newcomer"))
    reader.post(f"{page}wish/", {"wanted": "2"})
    assert "You are not in this event." in reader.get(page).content.decode()


def test_leaving_is_free_before_the_start_and_forfeits_what_is_open_afterwards(now):
    people = fields(4)
    pk = open_event(now, most=4).pk
    running.enter(tournament_id=pk, user_id=people[0].pk, now=now)
    running.withdraw(tournament_id=pk, user_id=people[0].pk, now=now)
    for one in people:
        running.enter(tournament_id=pk, user_id=one.pk, now=now)
    event = Tournament.objects.get(pk=pk)
    running.withdraw(tournament_id=pk, user_id=people[3].pk, now=now)
    assert Pairing.objects.filter(how="forfeit").count() == 3
    assert Match.objects.filter(status="running").count() == 3
    for match in EventMatch.objects.filter(match__status="finished"):
        running.record_result(queries.ended(match.match_id), now)
    assert set(EventMatch.objects.exclude(reason="").values_list("reason", flat=True)) == {"abandoned"}
    play_event(event, now)
    assert places(event) == {"p4": None, "p1": 1, "p2": 2, "p3": 3}
    with pytest.raises(Refusal, match="over"):
        running.withdraw(tournament_id=pk, user_id=people[1].pk, now=now)


def test_the_third_miss_in_an_event_is_the_last(now):
    people = fields(5)
    event = event_of(now, people)
    for number, match in enumerate(list(running_matches(event))):
        players = match.pairing.players
        if people[0].pk in players and number < 100:
            match.refresh_from_db()
            if match.pairing.is_open:
                other = next(player for player in players if player != people[0].pk)
                end_match(match, now, {other: 1, people[0].pk: 2}, ended_by="time", late=[people[0].pk])
        if Entrant.objects.get(user=people[0]).state == "withdrawn":
            break
    entrant = Entrant.objects.get(user=people[0])
    assert (entrant.misses, entrant.state) == (3, "withdrawn")
    assert Pairing.objects.filter(how="forfeit").count() == 1


def test_three_misses_in_a_row_put_an_account_to_sleep(now, ladder):
    people = fields(4)
    event = event_of(now, people)
    other_event = open_event(now, people[:1], format="swiss", most=9).pk
    for match in [m for m in running_matches(event) if people[0].pk in m.pairing.players]:
        other = next(player for player in match.pairing.players if player != people[0].pk)
        end_match(match, now, {other: 1, people[0].pk: 2}, ended_by="time", late=[people[0].pk])
        attendance.note_ending(queries.ended(match.match_id), now)
        attendance.note_ending(queries.ended(match.match_id), now)
    assert Attendance.objects.get(user=people[0]).dormant_at == now
    assert not Tournament.objects.get(pk=other_event).entrants.filter(state="in").exists()
    with pytest.raises(Refusal, match="sleeps"):
        running.enter(tournament_id=other_event, user_id=people[0].pk, now=now)
    attendance.wake(people[0].pk)
    with pytest.raises(Refusal, match="time-out"):
        running.enter(tournament_id=other_event, user_id=people[0].pk, now=now)


def test_a_round_that_takes_too_long_is_marked_and_then_closed(now):
    event = event_of(now, fields(3))
    ticking.steps(now + 149 * DAY)
    assert not event.rounds.get().is_late
    ticking.steps(now + 150 * DAY)
    assert event.rounds.get().is_late
    running.sweep(now + 225 * DAY)
    event.refresh_from_db()
    assert event.state == "finished"
    assert set(Pairing.objects.values_list("how", flat=True)) == {"forfeit"}
    assert set(Match.objects.values_list("status", flat=True)) == {"cancelled"}


def test_a_match_called_off_by_staff_is_played_again(now):
    event = event_of(now, fields(3))
    match = running_matches(event).first()
    play.call_off(match_id=match.match_id, now=now)
    running.record_result(queries.ended(match.match_id), now)
    assert match.pairing.matches.count() == 2
    play_event(event, now)
    assert event.state == "finished"


def test_entries_are_refused_with_every_reason(now):
    people = fields(4)
    terms = {"access": "password", "password": "sesame", "conditions": {"min_rating": 1600, "min_games": 5}}
    pk = open_event(now, most=3, **terms).pk
    with pytest.raises(Refusal) as refused:
        running.enter(tournament_id=pk, user_id=people[0].pk, now=now, password="abc")
    assert "1600" in str(refused.value) and "5 rated games" in str(refused.value) and "password" in str(refused.value)
    assert not Entrant.objects.exists()
    event = event_of(now, people[:3])
    with pytest.raises(Refusal, match="has begun"):
        running.enter(tournament_id=event.pk, user_id=people[3].pk, now=now)


def test_an_open_event_that_does_not_fill_is_put_off_once_and_then_called_off(now):
    pk = open_event(now, fields(1), format="swiss", starts="date", starts_at=now + 5 * DAY).pk
    ticking.steps(now + 3 * DAY)
    ticking.steps(now + 4 * DAY)
    ticking.steps(now + 5 * DAY)
    event = Tournament.objects.get(pk=pk)
    assert event.is_open and event.starts_at == now + 12 * DAY
    ticking.steps(now + 12 * DAY)
    event.refresh_from_db()
    assert event.state == "cancelled"
    keys = Notice.objects.filter(kind="event-starts").order_by("pk").values_list("dedup", flat=True)
    assert [key.split(":")[2] for key in keys] == ["3d", "1d", "put-off", "cancelled"]


def test_members_may_make_events_when_they_know_the_site(player, now):
    terms = {"name": "x", "format": "swiss", "game": "oe-twos", "pace": "classic", "now": now, "most": 8}
    player.date_joined = now - 29 * DAY
    player.save()
    with pytest.raises(Refusal, match="30 days"):
        running.create(by=player, **terms)
    player.date_joined = now - 30 * DAY
    player.save()
    with pytest.raises(Refusal, match="20 more games"):
        running.create(by=player, **terms)


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ({"game": "chess"}, "Choose one of the games"),
        ({"most": 2}, "3 to 16"),
        ({"most": None}, "how many players"),
        ({"starts": "date", "starts_at": None}, "date in the future"),
        ({"game": "oe-table"}, "choose tables"),
        ({"format": "tables"}, "not for tables"),
        ({"format": "knock-out", "shape": {"games": 2}}, "1, 3 or 5"),
        ({"shape": {"cycles": 3}}, "from 1 to 2"),
        ({"access": "password"}, "password"),
    ],
)
def test_impossible_settings_are_refused_in_a_sentence(now, terms, words):
    usual = {"name": "x", "format": "round-robin", "game": "oe-twos", "pace": "classic", "now": now, "most": 8}
    with pytest.raises(BadRequest, match=words):
        running.create(by=None, **{**usual, **terms})
    assert not Tournament.objects.exists()


def test_a_start_killed_half_way_is_completed_once(now, monkeypatch):
    """docs/behaviours: round start."""
    monkeypatch.setattr(running, "BATCH", 3)
    monkeypatch.setattr(event_matches, "BATCH", 3)
    whole = play.open_match

    def killed(**terms):
        if EventMatch.objects.count() == 4:
            raise KeyboardInterrupt
        return whole(**terms)

    monkeypatch.setattr(play, "open_match", killed)
    with pytest.raises(KeyboardInterrupt):
        event_of(now, fields(5))
    assert EventMatch.objects.count() == 3, "what was committed before"
    monkeypatch.setattr(play, "open_match", whole)
    ticking.steps(now)
    ticking.steps(now)
    assert EventMatch.objects.count() == 10
    assert len({row.pk for row in Pairing.objects.all()}) == 10
    assert plans.next_step(value_of(Tournament.objects.get())).bouts == ()


@pytest.mark.parametrize(
    "terms",
    [
        {"format": "swiss", "shape": {"rounds": 3}},
        {"format": "round-robin"},
        {"format": "tables", "game": "duel-it", "shape": {"target": 3, "rounds": 2}},
        {"format": "cup"},
    ],
    ids=lambda terms: terms["format"],
)
def test_a_result_costs_the_same_however_many_play(now, terms):
    """As long as others still play: whether a round is over is counted, not looked up."""
    people, asked = fields(14), []
    for count in (7, 14):
        event = event_of(now, people[:count], **terms)
        match = running_matches(event).first()
        finish(match.match, by_strength(match.pairing.players), now)
        ended = queries.ended(match.match_id)
        with CaptureQueriesContext(connection) as captured:
            assert running.record_result(ended, now)
        asked.append(len(captured))
    assert asked[0] == asked[1] < 20


@pytest.mark.parametrize("format", ["swiss", "cup"])
def test_a_start_costs_the_same_however_many_entered(now, format):
    people, asked = fields(40), []
    for count in (4, 40):
        event = open_event(now, people[:count], format=format, most=64, starts="hand")
        with locked(event.pk, now) as here, CaptureQueriesContext(connection) as captured:
            steps.start(here)
        asked.append(len(captured))
        assert event.entrants.filter(seed__isnull=False).count() == count
        assert Notice.objects.filter(dedup__startswith=f"round-opens:t{event.pk}:started:").count() == count
    assert asked[1] <= asked[0] + 2


def test_rulings_name_nobody_who_has_closed_his_account(now):
    director = person("director")
    director.is_staff = True
    director.save()
    people = [person(name) for name in ("bo", "bob", "cleo", "dag")]
    event = event_of(now, people, format="swiss")
    for one in people[:2]:
        rulings.withdraw(tournament_id=event.pk, user_id=one.pk, by=director, now=now, why="asked for it")
    closing.close(people[0].pk, now)
    assert [row.about for row in event.rulings.order_by("pk")] == ["deleted player", "bob"]


def test_a_closed_account_leaves_its_line_and_its_points(now):
    people = fields(4)
    event = event_of(now, people, format="swiss")
    closing.close(people[3].pk, now)
    assert Entrant.objects.get(user=people[3]).state == "withdrawn"
    play_event(event, now)
    assert event.state == "finished" and event.entrants.exclude(place=None).count() == 4
