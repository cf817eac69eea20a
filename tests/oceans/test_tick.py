"""The tick: time-outs that nobody looks at, outages, leave, reminders, bots and matches that cannot be played on."""

import io
from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts import holidays, sending
from accounts.models import Leave, Notice, TurnMail, User
from oceans import play, service, tick
from oceans.clock import DAY, HOUR
from oceans.models import Effect, Match, Outage, Seat, ServiceClock, TimeOut
from oceans.rules.moves import Move
from tests.builders import answer, answer_until_turn_passes, bot, due_seat, give_notice, opened, other_seat
from tests.conftest import person

pytestmark = pytest.mark.django_db

HALF_MINUTE = timedelta(seconds=30)


class World:
    """Lets time pass by ticks, an hour at a time where nothing depends on the half minutes between."""

    def __init__(self, now, time_machine):
        self._machine = time_machine
        self.move_to(now)
        tick.tick()

    def move_to(self, now):
        self.now = now
        self._machine.move_to(now, tick=False)

    def pass_time(self, span, step=timedelta(hours=1)):
        until = self.now + span
        while self.now < until:
            self.move_to(min(until, self.now + step))
            with pytest.MonkeyPatch.context() as patched:
                patched.setattr(ServiceClock, "LONGEST_STEP", step)
                tick.tick()

    def stop(self, span):
        """The scheduler stands for so long, or the machine's clock jumps."""
        self.move_to(self.now + span)
        tick.tick()


@pytest.fixture
def world(now, time_machine, settings, monkeypatch, db):
    monkeypatch.setattr(service, "wall_clock", timezone.now)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    return World(now, time_machine)


def begun(world, *users, **terms):
    """A match of two in which both have moved."""
    match = opened(world.now, *users, **{"leave_allowed": "none", "pace": "days-1", **terms})
    answer_until_turn_passes(match, world.now)
    answer_until_turn_passes(match, world.now)
    return match


def test_a_match_that_nobody_opens_ends_by_itself(world, player, rival):
    match = begun(world, player, rival)
    late = due_seat(match)
    world.pass_time(timedelta(hours=24) - HALF_MINUTE)
    match.refresh_from_db()
    assert match.is_running
    world.pass_time(timedelta(minutes=1), step=HALF_MINUTE)
    match.refresh_from_db()
    assert (match.status, match.ended_by) == (Match.Status.FINISHED, Match.EndedBy.TIME)
    assert match.result["places"][late.number] == 2
    assert not Seat.objects.filter(ended_at=None).exists()
    assert Effect.objects.get().done_at is not None
    assert Notice.objects.filter(kind="result", state="sent").count() == 2
    assert not Notice.objects.filter(state__in=["pending", "claimed"]).exists()


def test_the_final_reminder_goes_out_once_before_the_end(world, player, rival):
    match = begun(world, player, rival)
    world.pass_time(timedelta(hours=23))
    (reminder,) = Notice.objects.filter(kind="running-out")
    assert reminder.state == "sent"
    assert reminder.user_id == due_seat(match).user_id
    seat = due_seat(match)
    assert seat.effective_s == seat.deadline_s and seat.notice_s < seat.deadline_s


def test_nobody_is_timed_out_while_mail_cannot_go_out_but_not_for_ever(world, player, rival, settings):
    settings.EMAIL_BACKEND = "accounts.delivery.WatchedBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    match = begun(world, player, rival)
    world.pass_time(timedelta(hours=90), step=timedelta(hours=3))
    world.pass_time(timedelta(hours=5))
    match.refresh_from_db()
    assert match.is_running
    world.pass_time(timedelta(hours=2))
    match.refresh_from_db()
    assert match.ended_by == Match.EndedBy.TIME
    assert not Notice.objects.filter(state="sent").exists()


@pytest.mark.parametrize("moved_by", ["gift", "outage"])
def test_a_warning_held_up_while_its_deadline_moves_goes_out_about_the_new_one(
    world, player, rival, settings, moved_by
):
    match = begun(world, player, rival, pace="daily")
    seat = due_seat(match)
    letters, settings.EMAIL_BACKEND = settings.EMAIL_BACKEND, "accounts.delivery.WatchedBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    world.pass_time(timedelta(seconds=seat.remind_s + HOUR))
    if moved_by == "gift":
        play.give_time(match_id=match.pk, seat=1 - seat.number, to=seat.number, now=world.now)
    else:
        world.stop(timedelta(hours=1))
    settings.EMAIL_BACKEND = letters
    left_s = due_seat(match).deadline_s - ServiceClock.objects.get().service_s
    world.pass_time(timedelta(seconds=left_s - HOUR))
    seat.refresh_from_db()
    reminders = Notice.objects.filter(kind="running-out").order_by("id")
    assert [reminder.state for reminder in reminders] == ["skipped", "sent"]
    assert reminders.last().context["deadline_s"] == seat.deadline_s
    assert seat.effective_s == seat.deadline_s


def test_switching_the_warning_off_is_notice_too(world, player, rival):
    match = begun(world, player, rival)
    late = due_seat(match).user
    late.news = {"running-out": {"mail": False}}
    late.save()
    world.pass_time(timedelta(hours=24, minutes=5))
    match.refresh_from_db()
    assert match.ended_by == Match.EndedBy.TIME


def test_a_scheduler_that_stands_for_a_day_costs_nobody_a_match(world, player, rival, stranger):
    soon = begun(world, player, rival)
    world.pass_time(timedelta(hours=22))
    later = begun(world, player, stranger)
    before = ServiceClock.objects.get().service_s
    world.stop(timedelta(days=1))
    world.pass_time(timedelta(hours=12))
    assert ServiceClock.objects.get().service_s == before
    world.pass_time(timedelta(hours=23, minutes=50))
    assert not TimeOut.objects.exists()
    assert (due_seat(soon).deadline_s - ServiceClock.objects.get().service_s) == 600
    world.pass_time(timedelta(minutes=15))
    assert set(TimeOut.objects.values_list("match", flat=True)) == {soon.pk, later.pk}


def test_after_an_outage_clocks_that_ran_have_a_day_and_others_keep_theirs(world, player, rival):
    match = begun(world, player, rival, pace="classic")
    seat, other = due_seat(match), other_seat(match, due_seat(match))
    world.pass_time(timedelta(hours=230), step=timedelta(hours=5))
    world.stop(timedelta(hours=2))
    service_s = ServiceClock.objects.get().service_s
    assert due_seat(match).deadline_s == service_s + DAY
    assert Outage.objects.get().is_made_good
    tick.tick()
    assert due_seat(match).deadline_s == service_s + DAY
    other.refresh_from_db()
    assert other.deadline_s is None
    match.refresh_from_db()
    assert match.due_s == due_seat(match).effective_s
    assert seat.number == due_seat(match).number


def test_jumps_of_the_wall_clock_cost_nobody_a_match(world, player, rival):
    match = begun(world, player, rival)
    for jump in (timedelta(days=3650), -timedelta(days=3650), timedelta(days=2), -timedelta(hours=5)):
        world.stop(jump)
        world.pass_time(timedelta(minutes=30))
    match.refresh_from_db()
    assert match.is_running
    assert ServiceClock.objects.get().service_s < HOUR


def test_only_the_seat_on_turn_loses_and_three_play_on(world, player, rival, stranger):
    match = opened(world.now, player, rival, stranger, game="guts", pace="days-1", leave_allowed="none", options={})
    answer(match, "in", world.now, seat=0)
    answer(match, "in", world.now, seat=1)
    world.pass_time(timedelta(hours=24, minutes=5))
    match.refresh_from_db()
    assert match.is_running
    assert list(TimeOut.objects.values_list("seat", "outcome")) == [(2, "default-move")]


def test_a_move_a_second_before_the_end_counts_whatever_the_sweep_does(world, player, rival):
    match = begun(world, player, rival)
    give_notice(match)
    seat = due_seat(match)
    left = timedelta(seconds=seat.deadline_s - ServiceClock.objects.get().service_s - 1)
    world.pass_time(left - timedelta(hours=1))
    world.pass_time(timedelta(hours=1), step=5 * HALF_MINUTE)
    answer_until_turn_passes(match, world.now)
    world.pass_time(timedelta(seconds=2), step=timedelta(seconds=1))
    assert not TimeOut.objects.exists()


# Leave


def take_leave(user, days, now):
    User.objects.filter(pk=user.pk).update(date_joined=now - timedelta(days=400), auto_leave=False)
    return holidays.book(user.pk, now, days, now)


def test_three_days_of_leave_stop_every_clock_for_72_hours_once(world, player, rival, stranger):
    matches = [begun(world, player, rival, leave_allowed="all"), begun(world, player, stranger, leave_allowed="all")]
    for match in matches:
        if due_seat(match).user_id != player.pk:
            answer_until_turn_passes(match, world.now)
    left = [due_seat(match).deadline_s for match in matches]
    take_leave(player, 3, world.now)
    assert [due_seat(match).deadline_s for match in matches] == [deadline + 3 * DAY for deadline in left]
    world.pass_time(timedelta(days=3, minutes=10))
    assert Leave.objects.get().ended_at is not None
    assert [due_seat(match).deadline_s for match in matches] == [deadline + 3 * DAY for deadline in left]
    world.pass_time(timedelta(hours=24))
    assert TimeOut.objects.count() == 2


def test_leave_ended_after_an_hour_lets_clocks_run_at_once(world, player, rival):
    match = begun(world, player, rival, leave_allowed="all", pace="days-5")
    if due_seat(match).user_id != player.pk:
        answer_until_turn_passes(match, world.now)
    before = due_seat(match).deadline_s
    take_leave(player, 3, world.now)
    world.pass_time(timedelta(hours=1))
    holidays.end(player.pk, world.now)
    assert due_seat(match).deadline_s == before + HOUR
    assert Leave.objects.get().days == 1


def test_a_match_without_leave_goes_on_while_its_player_is_away(world, player, rival):
    match = begun(world, player, rival)
    if due_seat(match).user_id != player.pk:
        answer_until_turn_passes(match, world.now)
    before = due_seat(match).deadline_s
    take_leave(player, 3, world.now)
    assert due_seat(match).deadline_s == before


def test_a_turn_that_begins_on_leave_starts_at_its_end(world, player, rival):
    match = begun(world, player, rival, leave_allowed="all")
    if due_seat(match).user_id == player.pk:
        answer_until_turn_passes(match, world.now)
    take_leave(player, 3, world.now)
    answer_until_turn_passes(match, world.now)
    seat = due_seat(match)
    assert seat.user_id == player.pk
    assert seat.deadline_s == ServiceClock.objects.get().at(world.now) + 3 * DAY + DAY


def test_an_event_allows_so_many_days_and_no_more(world, player, rival):
    match = begun(world, player, rival, leave_allowed="2", pace="days-5")
    if due_seat(match).user_id != player.pk:
        answer_until_turn_passes(match, world.now)
    before = due_seat(match).deadline_s
    take_leave(player, 3, world.now)
    assert due_seat(match).deadline_s == before + 2 * DAY
    world.pass_time(timedelta(days=2, hours=1), step=timedelta(hours=5))
    holidays.end(player.pk, world.now)
    assert due_seat(match).leave_days == 2
    assert due_seat(match).deadline_s == before + 2 * DAY
    take_leave(player, 1, world.now)
    assert due_seat(match).deadline_s == before + 2 * DAY


def test_leave_after_the_deadline_revives_nothing(world, player, rival, settings):
    settings.EMAIL_BACKEND = "accounts.delivery.WatchedBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    match = begun(world, player, rival, leave_allowed="all")
    late = due_seat(match).user
    User.objects.filter(pk=late.pk).update(auto_leave=False)
    world.pass_time(timedelta(hours=25))
    before = due_seat(match).effective_s
    take_leave(late, 3, world.now)
    assert due_seat(match).effective_s == before


def test_a_day_of_leave_is_spent_by_itself_in_every_match(world, player, rival, stranger):
    matches = [begun(world, player, rival, leave_allowed="all"), begun(world, player, stranger, leave_allowed="all")]
    for match in matches:
        if due_seat(match).user_id != player.pk:
            answer_until_turn_passes(match, world.now)
    User.objects.filter(pk__in=[rival.pk, stranger.pk]).update(auto_leave=False)
    world.pass_time(timedelta(hours=24, minutes=1))
    (leave,) = Leave.objects.all()
    assert (leave.user_id, leave.is_automatic, leave.days) == (player.pk, True, 1)
    (told,) = Notice.objects.filter(kind="leave-spent")
    assert sorted(told.context["matches"]) == sorted(match.pk for match in matches)
    world.pass_time(timedelta(hours=23))
    assert all(Match.objects.get(pk=match.pk).is_running for match in matches)


# Weekends


def test_a_weekend_stops_the_clock_in_the_tick_as_well(world, player, rival):
    ServiceClock.objects.all().delete()
    world.move_to(datetime(2026, 7, 3, 20, 0, tzinfo=UTC))
    tick.tick()
    match = begun(world, player, rival, weekend=True)
    world.pass_time(timedelta(hours=70))
    match.refresh_from_db()
    assert match.is_running
    world.pass_time(timedelta(hours=3))
    match.refresh_from_db()
    assert match.ended_by == Match.EndedBy.TIME


# Bots, offers, digests, failures


def test_bots_move_in_the_tick(world, player):
    match = opened(world.now, player, bot())
    world.pass_time(timedelta(minutes=1))
    assert due_seat(match).user_id == player.pk


def broken(patched, match):
    """Let the rules fail for one match."""
    load = play.transition.ledger.load

    def load_or_fail(row):
        if row.pk == match.pk:
            raise RuntimeError("these rules are broken")
        return load(row)

    patched.setattr(play.transition.ledger, "load", load_or_fail)


def test_a_match_whose_rules_fail_is_parked_and_delays_no_other(world, player, rival, stranger):
    bad, good = begun(world, player, rival), begun(world, player, stranger)
    for match in (bad, good):
        give_notice(match)
    with pytest.MonkeyPatch.context() as patched:
        broken(patched, bad)
        world.pass_time(timedelta(hours=24, minutes=1))
        good.refresh_from_db()
        assert good.ended_by == Match.EndedBy.TIME
        world.pass_time(timedelta(hours=3))
    bad.refresh_from_db()
    assert (bad.status, bad.attempts) == (Match.Status.PARKED, 5)
    assert not Seat.objects.filter(match=bad, deadline_s__isnull=False).exists()
    play.unpark(match_id=bad.pk, now=world.now)
    assert due_seat(bad).deadline_s is not None


def test_a_step_that_fails_stops_no_other(world, player, rival, monkeypatch):
    match = begun(world, player, rival)
    give_notice(match)

    def fail(_now):
        raise RuntimeError("no leases today")

    monkeypatch.setattr(sending, "expire_leases", fail)
    world.pass_time(timedelta(hours=24, minutes=1))
    match.refresh_from_db()
    assert match.ended_by == Match.EndedBy.TIME
    assert ServiceClock.objects.get().figures["leases"] == -1


def test_an_unlikely_number_of_time_outs_waits_for_somebody_to_look(world, player, rival, monkeypatch):
    monkeypatch.setattr(tick, "MASS_LEAST", 2)
    people = [person(f"player-{number}") for number in range(4)]
    matches = [begun(world, player, other, pace="days-7") for other in people]
    unwarned = Seat.objects.filter(is_due=True)
    # Reminders of long ago: as if a fault had let them through while nobody could play.
    unwarned.update(notice_s=0, remind_s=None, effective_s=5 * DAY, deadline_s=5 * DAY)
    Match.objects.update(due_s=5 * DAY)
    world.pass_time(timedelta(days=5, minutes=10), step=timedelta(hours=6))
    assert not TimeOut.objects.exists()
    assert ServiceClock.objects.get().mass_held_since_s is not None
    said = io.StringIO()
    call_command("tick", confirm=True, stdout=said)
    assert "will be judged" in said.getvalue()
    world.pass_time(timedelta(minutes=1))
    assert TimeOut.objects.count() == len(matches)
    world.pass_time(timedelta(minutes=1))
    assert ServiceClock.objects.get().mass_held_since_s is None


def lists_sent(user) -> list[str]:
    """When the daily lists of a person went, by day and hour in UTC."""
    sent = Notice.objects.filter(user=user, kind="digest", state="sent").order_by("id")
    return [notice.tried_at.astimezone(UTC).strftime("%d %H:%M") for notice in sent]


def test_those_who_want_it_get_one_list_a_day_at_their_hour(world, player, rival):
    User.objects.filter(pk=player.pk).update(turn_mail=TurnMail.DAILY, digest_hour=7, time_zone="Asia/Tokyo")
    match = begun(world, player, rival, pace="days-7")
    if due_seat(match).user_id != player.pk:
        answer_until_turn_passes(match, world.now)
    world.pass_time(timedelta(days=2))
    assert lists_sent(player) == ["01 22:00", "02 22:00"]
    assert not Notice.objects.filter(user=player, kind="your-turn", state="sent").exists()


def waiting_reader(world, player, rival, **facts):
    """Somebody for whom a game waits for a long time."""
    match = begun(world, player, rival, pace="days-7")
    User.objects.update(turn_mail=TurnMail.DAILY, **facts)
    return due_seat(match).user


def test_a_list_that_came_late_is_not_followed_by_the_next_one_at_once(world, player, rival, settings):
    reader = waiting_reader(world, player, rival, digest_hour=14)
    letters, settings.EMAIL_BACKEND = settings.EMAIL_BACKEND, "accounts.delivery.WatchedBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    world.pass_time(timedelta(hours=24))
    settings.EMAIL_BACKEND = letters
    world.pass_time(timedelta(hours=27), step=timedelta(minutes=15))
    assert lists_sent(reader) == ["02 12:15", "03 14:00"]


@pytest.mark.parametrize(
    ("address", "posted", "at"),
    [
        ("/settings/mail/", {"turn_mail": "daily", "digest_hour": "15"}, "01 15:00"),
        (
            "/settings/",
            {"time_zone": "Asia/Tokyo", "after_move": "stay", "theme": "auto", "suits": "2"},
            "02 11:00",
        ),
    ],
)
def test_a_list_that_waits_for_its_hour_goes_at_the_one_chosen_since(world, player, rival, address, posted, at):
    reader = waiting_reader(world, player, rival, digest_hour=20)
    world.pass_time(timedelta(hours=1))
    client = Client()
    client.force_login(reader)
    assert client.post(address, posted).status_code == 302
    world.pass_time(timedelta(hours=23))
    assert lists_sent(reader) == [at]


def test_the_tick_notes_what_it_did(world):
    world.pass_time(timedelta(minutes=1))
    clock = ServiceClock.objects.get()
    assert clock.last_tick_at == world.now
    assert clock.figures["judged"] == 0


def test_an_idle_tick_asks_little(world, django_assert_max_num_queries, player, rival):
    begun(world, player, rival)
    world.pass_time(timedelta(minutes=1))
    with django_assert_max_num_queries(45):
        tick.tick()


def test_service_time_is_not_started_twice(world):
    assert ServiceClock.objects.count() == 1
    assert service.advance(world.now).service_s == ServiceClock.objects.get().service_s


def test_the_late_answer_gets_the_sentence_and_the_ending(world, player, rival):
    match = begun(world, player, rival)
    give_notice(match)
    seat = due_seat(match)
    world.pass_time(timedelta(seconds=seat.deadline_s - ServiceClock.objects.get().service_s - 1))
    ServiceClock.objects.update(service_s=seat.deadline_s)
    with pytest.raises(play.TimeIsUp):
        play.make_move(match_id=match.pk, seat=seat.number, turn=match.turn, move=Move("deal"), now=world.now)
    tick.tick()
    assert TimeOut.objects.count() == 1
