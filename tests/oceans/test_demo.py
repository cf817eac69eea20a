"""`manage.py demo`: something to watch, once, and only where nobody has played."""

import io

from django.core.management import call_command

from accounts.models import User
from oceans import queries
from oceans.models import Match
from tests.builders import opened


def demo():
    out = io.StringIO()
    call_command("demo", stdout=out)
    return out.getvalue()


def test_a_new_site_has_bots_and_games_in_progress(db):
    assert "games between house bots" in demo()
    assert set(User.objects.filter(is_bot=True).values_list("username", flat=True)) == {"Pebble", "Ferry", "Beacon"}
    shown = queries.running_now()
    assert len(shown) == 4
    assert all(row.match.log_length > 0 for row in shown)


def test_a_second_time_changes_nothing(db):
    demo()
    before = list(Match.objects.order_by("pk").values_list("pk", "log_length"))
    assert "already" in demo()
    assert list(Match.objects.order_by("pk").values_list("pk", "log_length")) == before


def test_a_site_in_use_is_left_alone(player, rival, now):
    match = opened(now, player, rival)
    demo()
    assert Match.objects.get() == match
