"""What directors decide, what follows from it, and that everybody can read it."""

from datetime import timedelta

import pytest
from django.test import Client

from oceans import queries
from oceans.models import Match
from oceans.refusals import Refusal
from tests.conftest import person
from tests.tournaments.made import by_strength, end_match, event_of, fields, places, play_event, running_matches
from tournaments import directing, running
from tournaments.models import Entrant, Pairing, Ruling, Tournament

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def staff(db):
    found = person("staff")
    found.is_staff = True
    found.save()
    return found


def test_directors_stop_pairing_start_by_hand_and_exclude(now, staff, stranger):
    people = fields(4)
    pk = running.create(
        by=staff, name="x", format="swiss", game="oe-twos", pace="classic", now=now, most=9, starts="hand"
    )
    for one in people[:3]:
        running.enter(tournament_id=pk, user_id=one.pk, now=now)
    with pytest.raises(Refusal, match="at least 4"):
        directing.start(tournament_id=pk, by=staff, now=now)
    running.enter(tournament_id=pk, user_id=people[3].pk, now=now)
    with pytest.raises(Refusal, match="director"):
        directing.start(tournament_id=pk, by=stranger, now=now)
    directing.start(tournament_id=pk, by=staff, now=now)
    event = Tournament.objects.get(pk=pk)
    directing.pause(tournament_id=pk, by=staff, now=now, is_paused=True)
    for match in list(running_matches(event)):
        end_match(match, now, by_strength(match.pairing.players))
    assert event.rounds.count() == 1
    directing.pause(tournament_id=pk, by=staff, now=now, is_paused=False)
    assert event.rounds.count() == 2
    directing.extend(tournament_id=pk, number=2, by=staff, now=now)
    with pytest.raises(Refusal, match="extended before"):
        directing.extend(tournament_id=pk, number=2, by=staff, now=now)
    directing.exclude(tournament_id=pk, user_id=people[0].pk, by=staff, now=now)
    play_event(event, now)
    assert places(event)["p1"] is None
    running_one = event_of(now, people[1:])
    directing.cancel(tournament_id=running_one.pk, by=staff, now=now)
    assert Tournament.objects.get(pk=running_one.pk).state == "cancelled"


def test_a_result_is_set_by_a_ruling_that_everybody_can_read(now, staff):
    event = event_of(now, fields(3))
    pairing = Pairing.objects.get(board=1)
    _first, second = pairing.players
    terms = {"tournament_id": event.pk, "number": 1, "board": 1, "by": staff, "now": now}
    directing.set_result(**terms, points=(0, 2), why="neither answered <me>")
    pairing.refresh_from_db()
    assert (pairing.points, pairing.how, pairing.winner_id) == ([0, 2], "played", second)
    match = pairing.matches.get()
    assert Match.objects.get(pk=match.match_id).status == "cancelled"
    running.record_result(queries.ended(match.match_id), now)
    assert pairing.matches.count() == 1
    page = Client().get(f"/tournaments/{event.pk}/").content.decode()
    assert "result set" in page and "neither answered &lt;me&gt;" in page and "before: open" in page
    directing.set_result(**terms, points=(1, 1), why="agreed")
    assert Ruling.objects.count() == 2
    play_event(event, now)
    assert event.state == "finished"


@pytest.mark.parametrize(
    ("change", "words"),
    [({"board": 9}, "no such game"), ({"points": (2, 2)}, "ends 1–0")],
)
def test_rulings_that_make_no_sense_change_nothing(now, staff, change, words):
    event = event_of(now, fields(3))
    terms = {"tournament_id": event.pk, "number": 1, "board": 1, "points": (2, 0), "by": staff, "now": now, "why": ""}
    with pytest.raises(Refusal, match=words):
        directing.set_result(**{**terms, **change})
    assert not Ruling.objects.exists()
    assert set(Pairing.objects.values_list("how", flat=True)) == {"open"}


def test_a_director_does_not_rule_on_games_of_his_own(now):
    people = fields(3)
    event = event_of(now, people)
    Tournament.objects.update(made_by=people[0])
    own = next(row for row in Pairing.objects.all() if people[0].pk in row.players)
    with pytest.raises(Refusal, match="ask the staff"):
        directing.set_result(
            tournament_id=event.pk, number=1, board=own.board, points=(2, 0), by=people[0], now=now, why=""
        )


def test_in_a_bracket_a_ruling_comes_before_the_next_round_or_never(now, staff):
    event = event_of(now, fields(4), format="knock-out")
    terms = {"tournament_id": event.pk, "number": 1, "board": 1, "by": staff, "now": now, "why": ""}
    with pytest.raises(Refusal, match="must go on"):
        directing.set_result(**terms, points=(1, 1))
    directing.set_result(**terms, points=(0, 2))
    for match in list(running_matches(event)):
        end_match(match, now, by_strength(match.pairing.players))
    with pytest.raises(Refusal, match="next round has begun"):
        directing.set_result(**terms, points=(2, 0))


def test_who_left_a_swiss_by_mistake_is_paired_again(now, staff):
    people = fields(6)
    event = event_of(now, people, format="swiss")
    running.withdraw(tournament_id=event.pk, user_id=people[5].pk, now=now)
    directing.reinstate(tournament_id=event.pk, user_id=people[5].pk, by=staff, now=now, why="slip of the finger")
    assert Entrant.objects.get(user=people[5]).state == "in"
    for match in list(running_matches(event)):
        end_match(match, now, by_strength(match.pairing.players))
    assert any(people[5].pk in row.players for row in Pairing.objects.filter(round__number=2))
    with pytest.raises(Refusal, match="Only who has left"):
        directing.reinstate(tournament_id=event.pk, user_id=people[5].pk, by=staff, now=now)
