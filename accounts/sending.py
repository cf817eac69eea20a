"""Sends what the outbox holds, so that crashes, retries and several runners at once neither lose nor multiply a mail.

`dispatch` claims rows under a lease, commits, composes and sends one mail at a time, and marks the rows, guarded by
the lease: a sender that was thought dead and wakes up can mark nothing. `expire_leases` takes back the rows of
senders that died. Whether their mail went out nobody knows, so what may be repeated is repeated once, the same to the
letter, and the rest ends as unknown. Both run at every tick; any number of runners may.

Several pieces of news that wait for one person travel in one mail.
"""

import logging
import time
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.urls import reverse

from accounts import addresses, bounces, breaker, delivery, failpoints, letters, news, notices, pacing, push
from accounts.letters import Letter, Message
from accounts.models import Notice, User
from accounts.queries import hears_by_mail

logger = logging.getLogger(__name__)

LEASE: Final = timedelta(minutes=10)
REPEATS: Final = 1
"""How often a mail is sent again because nobody knows what became of it."""
FAULTS: Final = 3
"""How often composing a notice may fail before it is given up."""
TOGETHER: Final = 10
"""At most so many notices travel in one mail."""
BUDGET_SECONDS: Final = 45
"""A dispatch claims nothing more after so long; the next one goes on."""

State = Notice.State


@dataclass(frozen=True, slots=True)
class _Claim:
    """Rows that travel in one mail, and the lease under which they do."""

    rows: Sequence[Notice]
    token: uuid.UUID

    def held(self, rows: Iterable[Notice] | None = None) -> QuerySet[Notice]:
        """These rows (default all) as far as the lease still stands; the only door to changing them."""
        keys = [row.pk for row in (self.rows if rows is None else rows)]
        return Notice.objects.filter(pk__in=keys, state=State.CLAIMED, lease_token=self.token)


def dispatch(now: datetime, limit: int = 20) -> int:
    """Send what is due, at most `limit` mails; return how many the server took. Call it outside any transaction."""
    began = time.monotonic()
    sent = 0
    for _turn in range(limit):
        passed = time.monotonic() - began
        instant = now + timedelta(seconds=passed)
        if passed > BUDGET_SECONDS:
            break
        claim = _claim(instant)
        if claim is None:
            break
        sent += _send(claim, instant)
    return sent


def expire_leases(now: datetime) -> int:
    """Take back the rows of senders that never came back; return how many there were.

    A lease for longer than any is given was given while the machine's clock stood in the future.
    """
    lost = Notice.objects.filter(~Q(leased_until__range=(now, now + LEASE)), state=State.CLAIMED)
    count = 0
    for token in filter(None, set(lost.values_list("lease_token", flat=True))):
        rows = list(Notice.objects.filter(state=State.CLAIMED, lease_token=token).select_related("user"))
        count += len(rows)
        _leave_open(_Claim(rows, token), now, "the sender did not come back")
    return count


# --- Claiming ------------------------------------------------------------------------------------------------------


def _claim(now: datetime) -> _Claim | None:
    """Lease the notice that has waited longest, with those that share its mail; None if nothing may go now."""
    while True:
        with transaction.atomic():
            due = Notice.objects.filter(state=State.PENDING, due_at__lte=now)
            lead = due.select_for_update(skip_locked=True).order_by("due_at", "id").first()
            if lead is None or not breaker.may_connect(now):
                return None
            later = _held_until(lead, now)
            rows = _companions(due, lead)
            chosen = Notice.objects.filter(pk__in=[row.pk for row in rows])
            if later is not None:
                chosen.update(due_at=later)
                continue
            token = uuid.uuid4()
            chosen.update(state=State.CLAIMED, lease_token=token, leased_until=now + LEASE)
        return _Claim(rows, token)


def _companions(due: QuerySet[Notice], lead: Notice) -> list[Notice]:
    """The lead and the due notices that may travel with it: the same person, the same promises; in a repeat the same
    mail.
    """
    if lead.kind == news.Kind.ACCOUNT:
        return [lead]
    if lead.message is not None:
        alike = Q(message_id=lead.message_id)
    else:
        promised = _promised(lead)
        kinds = [
            kind
            for kind, other in news.PROMISES.items()
            if (other.repeats, other.urgent, other.fixed) == (promised.repeats, promised.urgent, promised.fixed)
        ]
        alike = Q(user_id=lead.user_id, kind__in=kinds, message__isnull=True)
    others = due.filter(alike).exclude(pk=lead.pk).select_for_update(skip_locked=True).order_by("due_at", "id")
    return [lead, *others[: TOGETHER - 1]]


def _held_until(lead: Notice, now: datetime) -> datetime | None:
    """When quiet hours and pauses let this notice go, or None if they do not hold it.

    Locks the person's row, so that two runners cannot both find the pause kept.
    """
    if lead.user_id is None or _promised(lead).urgent:
        return None
    reader = User.objects.select_for_update(no_key=True).get(pk=lead.user_id)
    waking = pacing.after_quiet(now, reader.zone, reader.quiet_from, reader.quiet_to)
    if waking > now:
        return waking
    tried = (
        Notice.objects.filter(user_id=reader.pk, tried_at__gt=now - timedelta(days=1))
        .exclude(kind=news.Kind.ACCOUNT)
        .filter(Q(state__in=(State.SENT, State.UNKNOWN, State.CLAIMED)) | Q(ambiguous__gt=0))
        .values_list("message_id", "tried_at")
    )
    times = sorted({at for _mail, at in tried if at is not None}, reverse=True)
    waits = [times[0] + pacing.PAUSE] if times else []
    if len(times) >= pacing.DAILY_MOST:
        waits.append(times[pacing.DAILY_MOST - 1] + timedelta(days=1))
    until = max(waits, default=now)
    return until if until > now else None


def _promised(notice: Notice) -> news.Promised:
    return news.PROMISES[news.Kind(notice.kind)]


# --- Writing and sending -------------------------------------------------------------------------------------------


def _send(claim: _Claim, now: datetime) -> int:
    """Write, send and mark one mail; return 1 if the server took it."""
    rows, letter = _written(claim, now)
    if letter is None:
        return 0
    lead = rows[0]
    identity = lead.message_id or letters.message_id(lead)
    begun = claim.held(rows).update(message=letter.to_json(), message_id=identity, tried_at=now)
    if begun != len(rows):
        return 0
    for row in rows:
        row.message_id = identity
    mail = letters.mail(letter, lead.recipient, identity, bounces.return_address(lead, lead.recipient, now))
    try:
        delivery.deliver(mail)
    except delivery.Unreachable as error:
        breaker.failed(now)
        _put_back(claim, rows, now, reason=str(error))
    except delivery.Deferred as error:
        breaker.answered()
        _defer(claim, rows, now, str(error))
    except delivery.Refused as error:
        breaker.answered()
        _finish(claim, rows, State.FAILED, str(error), now)
        if lead.user_id is not None:
            addresses.note_refusal(lead.user_id, lead.recipient, nobody_there=error.nobody_there, now=now)
    except delivery.Unanswered as error:
        breaker.answered()
        _leave_open(_Claim(rows, claim.token), now, str(error))
    else:
        failpoints.reach("mail.before_mark")
        breaker.answered()
        _finish(claim, rows, State.SENT, "", now)
        return 1
    return 0


def _written(claim: _Claim, now: datetime) -> tuple[list[Notice], Letter | None]:
    """The rows that are still worth sending, and their letter; the others are marked, and without any there is no
    letter.
    """
    parts: list[tuple[Notice, Message | None]] = []
    for row in claim.rows:
        reason = _pointless(row, now)
        if reason is not None:
            _finish(claim, [row], State.SKIPPED, reason, now)
            continue
        if row.message is not None:
            parts.append((row, None))
            continue
        try:
            message = _compose(row)
        except Exception as error:
            logger.exception("notice %s could not be written", row.pk)
            _note_fault(claim, row, now, type(error).__name__)
            continue
        if message is None:
            _finish(claim, [row], State.SKIPPED, "no longer true", now)
        else:
            parts.append((row, message))
    parts = _pushed(claim, parts, now)
    if not parts:
        return [], None
    rows = [row for row, _message in parts]
    if rows[0].message is not None:
        return rows, Letter.from_json(rows[0].message)
    try:
        return rows, _framed(parts)
    except Exception as error:
        logger.exception("the mail of notice %s could not be framed", rows[0].pk)
        for row in rows:
            _note_fault(claim, row, now, type(error).__name__)
        return [], None


def _pushed(
    claim: _Claim, parts: list[tuple[Notice, Message | None]], now: datetime
) -> list[tuple[Notice, Message | None]]:
    """Push news to browsers where that is wanted; return what is wanted as mail. The rest has ended with this."""
    for_browsers = [(row, message) for row, message in parts if message and not row.pushed_at and _goes_by_push(row)]
    taken = 0
    if for_browsers and claim.held([row for row, _message in for_browsers]).update(pushed_at=now) == len(for_browsers):
        row, first = for_browsers[0]
        assert row.user is not None
        taken = push.send(
            row.user,
            title=letters.subject([message for _row, message in for_browsers]),
            link=first.page or first.link or f"{settings.SITE_URL}{reverse('turn')}",
            tag=row.kind,
            urgent=_promised(row).urgent,
        )
    mailed = [(row, message) for row, message in parts if _goes_by_mail(row)]
    rest = [row for row, _message in parts if not _goes_by_mail(row)]
    if rest:
        claim.held(rest).update(tried_at=now)
        _finish(claim, rest, State.SENT, "pushed" if taken else "no browser took it", now)
    return mailed


def _goes_by_mail(row: Notice) -> bool:
    """Whether this news is wanted as mail."""
    return row.kind == news.Kind.ACCOUNT or (row.user is not None and hears_by_mail(row.user, row.kind))


def _goes_by_push(row: Notice) -> bool:
    reader = row.user
    is_wanted = reader is not None and reader.is_active and news.wants(reader, row.kind, news.Channel.PUSH)
    return is_wanted and reader is not None and reader.push_addresses.exists()


def _framed(parts: Sequence[tuple[Notice, Message | None]]) -> Letter:
    reader = parts[0][0].user
    if reader is None:
        raise LookupError("news to nobody")
    return letters.framed(reader, [(row.kind, message) for row, message in parts if message])


def _pointless(row: Notice, now: datetime) -> str | None:
    """Why nothing should go to this reader any more, or None."""
    if row.kind == news.Kind.ACCOUNT:
        good_until = row.context.get("good_until")
        return "too late" if good_until and datetime.fromisoformat(good_until) < now else None
    reader = row.user
    if not _goes_by_push(row):
        if reader is None or not reader.is_reachable:
            return "no address"
        if not _goes_by_mail(row):
            return "switched off"
    registered = notices.registered(row.kind)
    if row.message is not None and registered and registered.still_true and not registered.still_true(row):
        return "no longer true"
    return None


def _compose(row: Notice) -> Message | None:
    registered = notices.registered(row.kind)
    if registered is None:
        raise LookupError(row.kind)
    return registered.compose(row)


# --- Marking -------------------------------------------------------------------------------------------------------

_FREE = {"lease_token": None, "leased_until": None}


def _finish(claim: _Claim, rows: Iterable[Notice], state: str, reason: str, now: datetime) -> None:
    """End rows and tell who asked to be told, in one transaction. What may have been sent already never ends as
    skipped.
    """
    with transaction.atomic():
        for row in rows:
            final = State.UNKNOWN if state == State.SKIPPED and row.ambiguous else state
            ended = claim.held([row]).update(state=final, reason=reason[:200], ended_at=now, message=None, **_FREE)
            if not ended:
                continue
            row.state, row.ended_at, row.reason = final, now, reason
            registered = notices.registered(row.kind)
            if registered and registered.on_terminal:
                try:
                    with transaction.atomic():
                        registered.on_terminal(row)
                except Exception:
                    logger.exception("nobody could be told that notice %s ended", row.pk)


def _put_back(claim: _Claim, rows: Sequence[Notice], due_at: datetime, reason: str, **changes: object) -> None:
    """Let rows wait again. They are written afresh next time, unless an earlier sending may have reached its reader."""
    held = claim.held(rows)
    keep = rows[0].kind == news.Kind.ACCOUNT or rows[0].ambiguous > 0
    fresh = {} if keep else {"message": None, "message_id": "", "tried_at": None}
    held.update(state=State.PENDING, due_at=due_at, reason=reason[:200], **_FREE, **fresh, **changes)


def _defer(claim: _Claim, rows: Sequence[Notice], now: datetime, reason: str) -> None:
    """After a refusal for now: wait longer each time, and give up in the end."""
    attempts = max(row.attempts for row in rows) + 1
    wait = pacing.backoff(attempts, salt=rows[0].pk)
    if wait is None:
        _finish(claim, rows, State.FAILED, f"given up: {reason}", now)
    else:
        _put_back(claim, rows, now + wait, reason, attempts=attempts)


def _note_fault(claim: _Claim, row: Notice, now: datetime, reason: str) -> None:
    """After a fault of ours in writing: try again a little later, and give up in the end."""
    if row.faults + 1 >= FAULTS:
        _finish(claim, [row], State.FAILED, f"could not be written: {reason}", now)
    else:
        _put_back(claim, [row], now + pacing.BACKOFF[row.faults], reason, faults=F("faults") + 1)


def _leave_open(claim: _Claim, now: datetime, reason: str) -> None:
    """After a sending whose outcome nobody knows: repeat it once where that is promised, else end as unknown.

    A row without a Message-ID never got as far as sending.
    """
    for row in claim.rows:
        if not row.message_id:
            _note_fault(claim, row, now, reason)
        elif _promised(row).repeats and row.ambiguous < REPEATS:
            claim.held([row]).update(
                state=State.PENDING, due_at=now, reason=reason[:200], ambiguous=F("ambiguous") + 1, **_FREE
            )
        else:
            _finish(claim, [row], State.UNKNOWN, reason, now)
