"""What people are told about their events, when, and how often."""

from datetime import timedelta

import pytest

from accounts.models import Notice
from tests.conftest import person
from tests.tournaments.made import by_strength, end_match, event_of, fields, open_event, play_event, running_matches
from tournaments import directing, mail, running, ticking
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def told(user, what):
    return [n for n in Notice.objects.filter(user=user).order_by("pk") if n.context.get("what", "").startswith(what)]


def test_each_further_round_is_told_once_with_whom_one_plays(now):
    people = fields(5)
    event = event_of(now, people, format="swiss", shape={"rounds": 2})
    for match in list(running_matches(event)):
        end_match(match, now, by_strength(match.pairing.players))
    ticking.steps(now)
    texts = set()
    for one in people:
        (notice,) = told(one, "round")
        message = mail.event(notice)
        assert message.subject == "Round 2 of The event has begun"
        texts.add(message.preview.split(" ")[2] if "play with" in message.preview else message.preview)
    assert "You have a bye: it is worth a win." in texts
    play_event(event, now)
    assert len(told(people[0], "finished")) == 1


def test_who_entered_and_who_directs_hear_that_an_event_is_put_off_and_it_is_announced_again(now, staff):
    (user,) = people = fields(1)
    open_event(now, people, by=staff, format="swiss", starts="date", starts_at=now + 2 * DAY)
    for day in range(9):
        ticking.steps(now + day * DAY)
        ticking.steps(now + day * DAY)
    assert [n.context["what"] for n in told(user, "")] == ["3d", "1d", "put-off", "3d", "1d"]
    (notice,) = told(user, "put-off")
    message = mail.event(notice)
    assert message.subject == "The event is put off"
    assert f"entries stay open until {now + 9 * DAY:%Y-%m-%d}" in message.text
    assert "it is called off" in message.text
    assert [n.context["what"] for n in told(staff, "")] == ["put-off"]
    ticking.steps(now + 9 * DAY)
    assert mail.event(notice) is None, "called off meanwhile"
    assert len(told(user, "cancelled")) == len(told(staff, "cancelled")) == 1


def test_the_mail_about_an_event_that_is_put_off_says_until_when_one_may_enter(now):
    (user,) = people = fields(1)
    dates = {"closes_at": now + 2 * DAY, "starts_at": now + 20 * DAY}
    open_event(now, people, format="swiss", starts="date", most=8, **dates)
    ticking.steps(now + 2 * DAY)
    assert Tournament.objects.get().closes_at == now + 9 * DAY
    (notice,) = told(user, "put-off")
    assert f"entries stay open until {now + 9 * DAY:%Y-%m-%d}" in mail.event(notice).text


def test_an_event_that_is_stopped_is_not_announced_before_it_goes_on(now, staff):
    (user,) = people = fields(1)
    pk = open_event(now, people, format="swiss", starts="date", most=8, starts_at=now + 2 * DAY).pk
    directing.pause(tournament_id=pk, by=staff, now=now, is_paused=True)
    ticking.steps(now)
    assert told(user, "3d") == []
    directing.pause(tournament_id=pk, by=staff, now=now, is_paused=False)
    ticking.steps(now)
    assert len(told(user, "3d")) == 1


def test_who_calls_an_event_off_is_not_told_so(now, staff):
    (user,) = people = fields(1)
    helper = person("helper")
    pk = open_event(now, people, by=staff, format="swiss", most=8, directors=[helper.pk]).pk
    directing.cancel(tournament_id=pk, by=staff, now=now)
    assert [len(told(one, "cancelled")) for one in (user, helper, staff)] == [1, 1, 0]
    draft = open_event(now, by=staff, format="swiss", most=8, directors=[helper.pk], is_draft=True)
    directing.cancel(tournament_id=draft.pk, by=staff, now=now)
    assert len(told(helper, "cancelled")) == 1


def test_who_has_not_been_seen_is_warned_after_ten_days_and_dropped_after_fourteen(now):
    sleeper, awake, *others = fields(4)
    pk = open_event(now, [sleeper, awake], name="Slow to fill", most=4).pk
    for one in (sleeper, awake):
        one.last_seen_at = now
        one.save()
    ticking.steps(now + 9 * DAY)
    assert told(sleeper, "unseen") == []
    awake.last_seen_at = now + 9 * DAY
    awake.save()
    ticking.steps(now + 11 * DAY)
    ticking.steps(now + 12 * DAY)
    (notice,) = told(sleeper, "unseen")
    assert mail.event(notice).subject == "Slow to fill: are you still there?"
    assert told(awake, "unseen") == []
    for one in others:
        running.enter(tournament_id=pk, user_id=one.pk, now=now + 14 * DAY)
    event = Tournament.objects.get(pk=pk)
    assert event.is_open and set(event.entrants.filter(state="in").values_list("user", flat=True)) == {
        one.pk for one in (awake, *others)
    }
    assert mail.event(notice) is None
