"""Any order of news, sendings, faults and crashes keeps the promises of the outbox."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from accounts import breaker, notices, sending
from accounts.models import MailBreaker, Notice, User
from accounts.news import PROMISES, Kind

ADDRESS = "reader@example.org"
KINDS = [Kind.YOUR_TURN, Kind.RUNNING_OUT, Kind.INVITATION]


class Outbox(RuleBasedStateMachine):
    """One reader, a mail server with moods, and senders that may die between any two steps."""

    sink = None
    room = None

    def __init__(self) -> None:
        super().__init__()
        self.now = datetime(2026, 7, 1, 12, tzinfo=UTC)
        self.told: dict[str, Kind] = {}
        self.sent_at: list[tuple[datetime, bool]] = []
        Notice.objects.all().delete()
        MailBreaker.objects.all().delete()
        User.objects.update(address_refused_at=None)
        self.sink.mails.clear()
        self.room.untrue.clear()
        self.room.ended.clear()
        self.calm()
        self.user = User.objects.get()

    def calm(self) -> None:
        self.sink.refuse_at_rcpt.clear()
        self.sink.drop_after_data.clear()

    @rule(kind=st.sampled_from(KINDS), number=st.integers(0, 5))
    def tell(self, kind: Kind, number: int) -> None:
        says = f"{kind.value} {number}"
        self.told[says] = kind
        notices.notify(user_id=self.user.pk, kind=kind, key=str(number), context={"says": says}, now=self.now)

    @rule(minutes=st.sampled_from([1, 7, 12, 31, 300]))
    def wait(self, minutes: int) -> None:
        self.now += timedelta(minutes=minutes)

    @rule(mood=st.sampled_from(["calm", "later", "drops"]))
    def change_mood(self, mood: str) -> None:
        self.calm()
        if mood == "later":
            self.sink.refuse_at_rcpt[ADDRESS] = "450 later"
        if mood == "drops":
            self.sink.drop_after_data.add(ADDRESS)

    @rule()
    def dispatch(self) -> None:
        before = len(self.sink.mails)
        sending.dispatch(self.now, limit=3)
        for mail in self.sink.mails[before:]:
            self.sent_at.append((self.now, mail["Subject"].startswith(Kind.RUNNING_OUT.value)))

    @rule()
    def die_after_claiming(self) -> None:
        sending._claim(self.now)

    @rule()
    def expire(self) -> None:
        sending.expire_leases(self.now)

    @precondition(lambda self: self.told)
    @rule(data=st.data())
    def become_untrue(self, data) -> None:
        self.room.untrue.add(data.draw(st.sampled_from(sorted(self.told))))

    def deliveries(self, says: str) -> int:
        return sum(f"{says}." in mail.get_body(("plain",)).get_content() for mail in self.sink.mails)

    @invariant()
    def one_row_for_each_piece_of_news(self) -> None:
        assert Notice.objects.count() == len(self.told)

    @invariant()
    def nothing_is_sent_too_often_or_marked_wrongly(self) -> None:
        for notice in Notice.objects.all():
            says = notice.context["says"]
            count = self.deliveries(says)
            assert count <= 1 + notice.ambiguous <= 2
            if not PROMISES[Kind(notice.kind)].repeats:
                assert count <= 1
            if notice.state == Notice.State.SENT:
                assert count >= 1
            if notice.state == Notice.State.SKIPPED:
                assert count == 0

    @invariant()
    def listeners_hear_of_each_end_once(self) -> None:
        ended = Notice.objects.filter(state__in=Notice.TERMINAL).values_list("context__says", flat=True)
        assert sorted(says for says, _state in self.room.ended) == sorted(ended)

    @invariant()
    def mails_keep_their_distance(self) -> None:
        for (earlier, _), (later, is_urgent) in zip(self.sent_at, self.sent_at[1:], strict=False):
            assert is_urgent or later - earlier >= timedelta(minutes=30)

    def teardown(self) -> None:
        """Once faults end, everything ends."""
        self.calm()
        for _ in range(40):
            self.now += timedelta(hours=13)
            sending.expire_leases(self.now)
            self.dispatch()
        assert not Notice.objects.exclude(state__in=Notice.TERMINAL).exists()
        assert not breaker.is_open()
        self.nothing_is_sent_too_often_or_marked_wrongly()


@pytest.mark.django_db(transaction=True)
def test_the_outbox_keeps_its_promises_in_any_order(sink, newsroom, reader):
    Outbox.sink, Outbox.room = sink, newsroom
    run_state_machine_as_test(
        Outbox, settings=hypothesis_settings(max_examples=15, stateful_step_count=25, deadline=None)
    )
