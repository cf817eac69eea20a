"""What the report of the night shows to staff, and what it leaves alone."""

from datetime import timedelta

import pytest

from accounts.models import User
from oceans import queries
from tests.conftest import person
from tests.tournaments.made import finished
from tournaments import fair_play, ratings
from tournaments.models import FairPlayReport, LinkedAccounts, Rating, RatingEvent
from tournaments.ticking import steps

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def rate(match, now):
    ratings.record_result(queries.ended(match.pk), now)


def meetings(scored, *, expected=0.5, change=5.0, others=1, count=8):
    return [fair_play.Meeting("oe-twos", 1, 2 + number % others, scored, expected, change) for number in range(count)]


@pytest.mark.parametrize(
    ("seen", "pairs", "gains"),
    [
        (meetings(1.0), 1, 0),
        (meetings(1.0, count=7), 0, 0),
        (meetings(0.5), 0, 0),
        (meetings(0.9, expected=0.95), 0, 0),
        (meetings(1.0, change=20), 1, 1),
        (meetings(1.0, change=20, others=3), 0, 1),
        (meetings(1.0, change=20, others=4), 0, 0),
        (meetings(1.0, change=18.75), 1, 0),
    ],
)
def test_what_stands_out(seen, pairs, gains):
    found = fair_play.findings(seen)
    assert (len(found[0]), len(found[1])) == (pairs, gains)


def test_staff_read_in_the_morning_who_won_everything_from_one_account(client, player, rival, stranger, now):
    for number in range(8):
        rate(finished(now, player, rival, winner=player), now + number * DAY)
        rate(finished(now, stranger, person(f"p{number}"), winner=stranger), now + number * DAY)
    morning = now + 8 * DAY
    steps(morning)
    steps(morning)
    report = FairPlayReport.objects.get()
    assert [(one["winner"], one["loser"], one["results"]) for one in report.pairs] == [(player.pk, rival.pk, 8)]
    assert [one["user"] for one in report.gains] == [player.pk]
    client.force_login(User.objects.create_superuser("keeper", "keeper@example.org", "a password for tests"))
    page = client.get(f"/admin/tournaments/fairplayreport/{report.pk}/change/").content.decode()
    assert "player" in page and "rival" in page and "stranger" not in page


def test_staff_rule_on_a_result_with_a_reason_and_link_accounts(client, player, rival, now):
    match = finished(now, player, rival, winner=player)
    rate(match, now)
    keeper = User.objects.create_superuser("keeper", "keeper@example.org", "a password for tests")
    client.force_login(keeper)
    chosen = {"_selected_action": RatingEvent.objects.get().pk, "why": "thrown"}
    client.post("/admin/tournaments/ratingevent/", {**chosen, "action": "void"})
    ruling = RatingEvent.objects.get(kind="void")
    assert (ruling.by, ruling.why) == (keeper, "thrown") and not Rating.objects.exists()
    client.post("/admin/tournaments/ratingevent/", {**chosen, "action": "unvoid"})
    client.post("/admin/tournaments/ratingevent/", {**chosen, "action": "re_rank", "ranks": "1 1"})
    assert Rating.objects.get(user=player, pool="oe-twos").draws == 1

    link = {"low": rival.pk, "high": player.pk, "since_0": "2020-01-01", "since_1": "00:00", "why": "brothers"}
    client.post("/admin/tournaments/linkedaccounts/add/", link)
    assert LinkedAccounts.objects.get().low == player and not Rating.objects.exists()
    page = client.post("/admin/tournaments/linkedaccounts/add/", {**link, "low": player.pk})
    assert "two different accounts" in page.content.decode()
    url = f"/admin/tournaments/linkedaccounts/{LinkedAccounts.objects.get().pk}/delete/"
    client.post(url, {"post": "yes"})
    assert Rating.objects.get(user=player, pool="oe-twos").draws == 1
