"""Moves, ticks, clock jumps, outages, leave and mail servers in any order keep the promises about time and news.

The invariants are numbered as in the design: what each says stands beside its check.
"""

import os
import smtplib
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import F, Q
from django.utils import timezone
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from accounts import delivery, holidays, sending
from accounts.models import Leave, MailBreaker, Notice, User
from accounts.news import Kind
from oceans import ledger, play, service, tick
from oceans.models import Effect, Match, MoveLog, Outage, Seat, ServiceClock, TimeOut
from oceans.rules import engine
from oceans.rules.moves import IllegalMove
from tests.builders import opened, state_of
from tests.conftest import person
from tournaments.models import RatingEvent

START = datetime(2026, 7, 1, 12, tzinfo=UTC)
LATEST_NOTICE_S = 72 * 3600

EXAMPLES = int(os.environ.get("OCEANS_MACHINE_EXAMPLES", "8"))
STEPS = 20


class Server(BaseEmailBackend):
    """A mail server with a mood; it remembers every mail that it took, whether it said so or not."""

    mood = "takes"
    taken: list[str] = []
    complaints: list[str] = []

    def open(self):
        if self.mood == "away":
            raise ConnectionRefusedError("nobody there")

    def send_messages(self, mails):
        (mail,) = mails
        if self.mood == "later":
            raise smtplib.SMTPResponseException(450, b"4.2.0 later")
        if self.mood == "refuses":
            raise smtplib.SMTPResponseException(554, b"5.7.1 not this one")
        identity = mail.extra_headers["Message-ID"]
        self.taken.append(identity)
        self.complaints += pointless(identity)
        if self.mood == "silent":
            raise delivery.Unanswered("no answer")
        return 1


def pointless(identity: str) -> list[str]:
    """I9: a first mail about a turn goes only while that turn waits."""
    first = Notice.objects.filter(message_id=identity, kind=Kind.YOUR_TURN, state="claimed", ambiguous=0)
    return [
        f"{notice} was sent though its turn has passed"
        for notice in first
        if not Seat.objects.filter(
            match=notice.context["match"],
            number=notice.context["seat"],
            is_due=True,
            match__turn=notice.context["turn"],
        ).exists()
    ]


class Site(RuleBasedStateMachine):
    """Two people, their matches, a scheduler that may stop, a wall clock that may jump, a mail server with moods."""

    def __init__(self) -> None:
        super().__init__()
        for model in (RatingEvent, Notice, MailBreaker, TimeOut, Effect, MoveLog, Outage, ServiceClock, Leave):
            model.objects.all().delete()
        Match.objects.all().delete()
        User.objects.update(address_refused_at=None, last_seen_at=None, date_joined=START - timedelta(days=100))
        Server.mood, Server.taken, Server.complaints = "takes", [], []
        self.people = list(User.objects.order_by("pk"))
        self.traveller = time_machine.travel(START, tick=False)
        self.travel = self.traveller.start()
        self.now = START
        self.ran_s = 0
        self.service_s = 0
        self.pages: list[tuple[int, int, int, object]] = []
        tick.tick()

    def teardown(self) -> None:
        try:
            self.come_to_rest()
        finally:
            self.traveller.stop()

    def move_to(self, now: datetime) -> None:
        self.ran_s += max(0, int((now - self.now).total_seconds()))
        self.now = now
        self.travel.move_to(now, tick=False)

    # What happens

    @rule(pace=st.sampled_from(["days-1", "daily", "live"]), leave=st.sampled_from(["all", "none"]))
    def open_match(self, pace: str, leave: str) -> None:
        if Match.objects.filter(status="running").count() < 3:
            opened(self.now, *self.people, pace=pace, leave_allowed=leave)

    @precondition(lambda self: Match.objects.filter(status="running").exists())
    @rule(data=st.data())
    def move(self, data) -> None:
        match = data.draw(st.sampled_from(list(Match.objects.filter(status="running").order_by("pk"))))
        state = state_of(match)
        ((seat, ask),) = engine.due(state).asks.items()
        move = ask.some(lambda count: data.draw(st.integers(0, count - 1)))
        self.pages.append((match.pk, seat, state.turn, move))
        self.post(*self.pages[-1])

    @precondition(lambda self: self.pages)
    @rule(data=st.data())
    def post_again(self, data) -> None:
        """I2: a double click, or a page of long ago, plays nothing."""
        self.post(*data.draw(st.sampled_from(self.pages)))
        answered = {(match_id, seat, turn) for match_id, seat, turn, _move in self.pages}
        assert MoveLog.objects.filter(cause="seat").count() <= len(answered)

    def post(self, match_id: int, seat: int, turn: int, move) -> None:
        with suppress(play.Refusal, IllegalMove):
            play.make_move(match_id=match_id, seat=seat, turn=turn, move=move, now=self.now)

    @precondition(lambda self: Match.objects.filter(status="running").exists())
    @rule(data=st.data())
    def resign(self, data) -> None:
        match = data.draw(st.sampled_from(list(Match.objects.filter(status="running").order_by("pk"))))
        play.resign(match_id=match.pk, seat=data.draw(st.integers(0, 1)), now=self.now)

    @rule(which=st.integers(0, 1), days=st.integers(1, 3))
    def go_on_leave(self, which: int, days: int) -> None:
        try:
            holidays.book(self.people[which].pk, self.now, days, self.now)
        except holidays.NoLeave:
            holidays.end(self.people[which].pk, self.now)

    @rule(which=st.integers(0, 1))
    def visit(self, which: int) -> None:
        User.objects.filter(pk=self.people[which].pk).update(last_seen_at=self.now)

    # What time and machines do

    @rule(steps=st.integers(1, 4))
    def tick(self, steps: int) -> None:
        for _ in range(steps):
            self.move_to(self.now + timedelta(seconds=30))
            tick.tick()

    @rule(hours=st.sampled_from([1, 5, 12, 20, 30, 80]))
    def pass_time(self, hours: int) -> None:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(ServiceClock, "LONGEST_STEP", timedelta(hours=5))
            while hours > 0:
                self.move_to(self.now + timedelta(hours=min(hours, 5)))
                hours -= 5
                tick.tick()
                self.service_s = ServiceClock.objects.get().service_s

    @rule(seconds=st.sampled_from([-(10**8), -3600, -10, 400, 3600, 86_400, 10**8]))
    def jump(self, seconds: int) -> None:
        """The scheduler stands, or somebody sets the machine's clock."""
        self.move_to(self.now + timedelta(seconds=seconds))

    @rule()
    def tick_twice(self) -> None:
        tick.tick()
        before = (TimeOut.objects.count(), MoveLog.objects.count(), len(Server.taken))
        tick.tick()
        assert (TimeOut.objects.count(), MoveLog.objects.count(), len(Server.taken)) == before

    @rule(mood=st.sampled_from(["takes", "takes", "later", "refuses", "silent", "away"]))
    def change_mood(self, mood: str) -> None:
        Server.mood = mood

    @rule()
    def sender_dies_after_claiming(self) -> None:
        sending._claim(self.now)

    # What always holds

    @invariant()
    def logs_have_no_gaps(self) -> None:
        """I1."""
        for match in Match.objects.all():
            numbers = list(MoveLog.objects.filter(match=match).order_by("number").values_list("number", flat=True))
            assert numbers == list(range(1, match.log_length + 1))

    @invariant()
    def nobody_is_timed_out_early_or_unwarned(self) -> None:
        """I3 and I4."""
        for row in TimeOut.objects.exclude(match__pace="live"):
            assert row.judged_s >= row.effective_s >= row.deadline_s
            if row.effective_s < row.deadline_s + LATEST_NOTICE_S:
                told = Notice.objects.filter(kind=Kind.RUNNING_OUT, user=row.user_id, context__match=row.match_id)
                this = told.filter(Q(context__turn=row.turn) | Q(context__deadline_s=row.deadline_s))
                assert this.filter(ended_at__isnull=False).exists()
                skipped = told.filter(context__deadline_s=row.deadline_s, state="skipped").exists()
                assert not skipped or User.objects.get(pk=row.user_id).address_refused_at

    @invariant()
    def clocks_run_exactly_while_their_seat_must_answer(self) -> None:
        """I5."""
        for match in Match.objects.all():
            running = set(match.seats.filter(deadline_s__isnull=False).values_list("number", flat=True))
            due = ledger.due_seats(ledger.load(match)) if match.is_running else frozenset()
            assert running == due
            earliest = [s for s in match.seats.values_list("effective_s", flat=True) if s is not None]
            assert match.due_s is None if not earliest else match.due_s <= min(earliest)

    @invariant()
    def everybody_is_owed_the_news(self) -> None:
        """I6."""
        for match in Match.objects.filter(status__in=["finished", "cancelled"]):
            kind = Kind.RESULT if match.status == "finished" else Kind.CANCELLED
            assert Notice.objects.filter(kind=kind, context__match=match.pk).count() == 2
        for seat in Seat.objects.filter(is_due=True, match__log_length=0):
            assert Notice.objects.filter(kind=Kind.YOUR_TURN, context__match=seat.match_id).exists()

    @invariant()
    def mails_are_neither_lost_nor_multiplied(self) -> None:
        """I7, I8 and I9."""
        taken = Counter(Server.taken)
        assert max(taken.values(), default=0) <= 2
        for notice in Notice.objects.all():
            if notice.state == "skipped":
                assert notice.message_id == "" or taken[notice.message_id] <= notice.ambiguous + 1
            if notice.state == "sent":
                assert 1 <= taken[notice.message_id] <= 1 + notice.ambiguous
        assert Server.complaints == []

    @invariant()
    def service_time_is_honest(self) -> None:
        """I10."""
        clock = ServiceClock.objects.get()
        assert self.service_s <= clock.service_s <= self.service_s + 300
        self.service_s = clock.service_s
        assert clock.service_s <= self.ran_s

    def come_to_rest(self) -> None:
        """I11: when faults have ended and time has passed, nothing is left undone."""
        Server.mood = "takes"
        self.pass_time(80)
        for _ in range(12):
            self.pass_time(1)
        self.mails_are_neither_lost_nor_multiplied()
        self.nobody_is_timed_out_early_or_unwarned()
        assert not Notice.objects.filter(state="claimed").exists()
        assert not Notice.objects.filter(state="pending", due_at__lt=self.now - timedelta(hours=13)).exists()
        assert not Effect.objects.filter(done_at=None).exists()
        service_s = ServiceClock.objects.get().service_s
        assert not Match.objects.filter(due_s__lte=service_s, seats__effective_s__lte=F("due_s")).exists()


@pytest.mark.django_db(transaction=True)
def test_promises_about_time_and_news_hold_in_any_order(settings, monkeypatch):
    settings.EMAIL_BACKEND = f"{__name__}.Server"
    monkeypatch.setattr(service, "wall_clock", timezone.now)
    for name in ("player", "rival"):
        person(name)
    run_state_machine_as_test(
        Site,
        settings=hypothesis_settings(max_examples=EXAMPLES, stateful_step_count=STEPS, deadline=None, print_blob=True),
    )
