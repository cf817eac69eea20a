"""The outbox: what the site owes people to tell, one row per event and reader.

`notify` writes a row inside the transaction of the event; accounts/sending.py sends it. What a mail says is known by
the app whose news it is: it registers a composer for each kind.
"""

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.dispatch import Signal

from accounts import letters, news
from accounts.letters import Message
from accounts.models import Notice

__all__ = ["Message", "forget_digest", "notify", "notify_address", "notify_all", "register", "registered", "waiting"]

waiting = Signal()
"""Sent, without arguments, after the commit of a notice that may go at once. A hint for runners; losing it costs one
tick.
"""


@dataclass(frozen=True, slots=True)
class Registered:
    """What an app registered for a kind of news; see `register`."""

    compose: Callable[[Notice], Message | None]
    still_true: Callable[[Notice], bool] | None
    on_terminal: Callable[[Notice], None] | None


_kinds: dict[str, Registered] = {}


def register(
    kind: str,
    *,
    compose: Callable[[Notice], Message | None],
    still_true: Callable[[Notice], bool] | None = None,
    on_terminal: Callable[[Notice], None] | None = None,
) -> None:
    """Say how notices of a kind are written; once for each kind, from AppConfig.ready.

    compose: what the mail says now, or None if the news is no longer true. Called while no transaction is open.
    still_true: asked before a repeat, whose text is fixed; without it, a repeat always goes.
    on_terminal: told, inside the transaction that marks it, that a notice has ended, in whatever state.
    """
    _kinds[news.Kind(kind)] = Registered(compose, still_true, on_terminal)


def registered(kind: str) -> Registered | None:
    """What was registered for a kind, or None."""
    return _kinds.get(kind)


def notify(
    *,
    user_id: int,
    kind: str,
    key: str,
    context: Mapping[str, Any],
    now: datetime,
    due_at: datetime | None = None,
) -> None:
    """Owe one person one piece of news; a second call with the same kind, key and person changes nothing.

    Call it inside the transaction of the event. `context` becomes JSON: ids and public facts only, never a card that
    anybody may not see. `due_at` (default now) is the earliest moment of sending; quiet hours and pauses are seen to
    later.
    """
    notify_all(user_ids=[user_id], kind=kind, key=key, context=context, now=now, due_at=due_at)


def notify_all(
    *,
    user_ids: Iterable[int],
    kind: str,
    key: str,
    context: Mapping[str, Any],
    now: datetime,
    due_at: datetime | None = None,
) -> None:
    """Owe each of many people the same piece of news, as `notify` does for one. One query.

    They are owed it in the order of their ids, so that two who do the same at once do not wait for one another.
    """
    owed = [
        Notice(
            dedup=f"{news.Kind(kind)}:{key}:{user_id}",
            user_id=user_id,
            kind=kind,
            context=dict(context),
            created_at=now,
            due_at=due_at or now,
        )
        for user_id in sorted(user_ids)
    ]
    _add(owed, at_once=due_at is None or due_at <= now)


def forget_digest(user_id: int) -> None:
    """Forget a daily list that waits for its hour, as the reader has chosen another hour or zone; the tick owes it
    anew."""
    waiting_lists = Notice.objects.filter(user=user_id, kind=news.Kind.DIGEST, state=Notice.State.PENDING)
    waiting_lists.filter(message__isnull=True).delete()


def notify_address(
    *,
    address: str,
    message: Message,
    now: datetime,
    user_id: int | None = None,
    key: str = "",
    good_until: datetime | None = None,
) -> None:
    """Owe an address one mail about an account, at most once; after `good_until` it is not worth sending.

    With a `key`, a second call with the same one changes nothing.
    """
    owed = Notice(
        dedup=f"{news.Kind.ACCOUNT}:{key or uuid.uuid4()}",
        user_id=user_id,
        address=address,
        kind=news.Kind.ACCOUNT,
        context={"good_until": good_until.isoformat() if good_until else None},
        message=letters.plain(message).to_json(),
        created_at=now,
        due_at=now,
    )
    _add([owed], at_once=True)


def _add(owed: Sequence[Notice], *, at_once: bool) -> None:
    Notice.objects.bulk_create(owed, ignore_conflicts=True)
    if owed and at_once:
        transaction.on_commit(partial(waiting.send_robust, sender=Notice), robust=True)
