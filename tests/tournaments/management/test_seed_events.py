"""What runs for ever: set up once, started and followed by the tick."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from tests.tournaments.made import fields, play_event
from tournaments import running, ticking
from tournaments.editions import first_of_next_month
from tournaments.models import Ladder, Tournament

pytestmark = pytest.mark.django_db


def test_seeding_twice_adds_nothing(capsys):
    call_command("seed_events")
    call_command("seed_events")
    assert capsys.readouterr().out.splitlines() == ["11 set up.", "0 set up."]
    assert Ladder.objects.count() == 2
    assert set(Tournament.objects.values_list("series", flat=True)) >= {"league-oe-twos", "cup-oe-jokers"}


def test_a_cup_of_each_month_is_followed_by_the_next(capsys):
    call_command("seed_events")
    cup = Tournament.objects.get(series="cup-oe-twos")
    begins = first_of_next_month(timezone.now())
    assert cup.starts_at == begins
    for one in fields(7):
        running.enter(tournament_id=cup.pk, user_id=one.pk, now=begins - timedelta(days=1))
    ticking.steps(begins)
    cup.refresh_from_db()
    assert cup.is_running
    following = Tournament.objects.get(series="cup-oe-twos", edition=2)
    assert following.is_open and following.starts_at == first_of_next_month(begins)
    play_event(cup, begins)
    assert cup.awards.get(kind="cup").user.username == "p1"
