"""Every write of leave. What leave does to clocks is the business of whoever registered for it."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import leave
from accounts.models import Leave, User

logger = logging.getLogger(__name__)

BOOK_AHEAD_DAYS: Final = 365


class NoLeave(Exception):
    """Leave cannot be taken like that; `str()` is a sentence for the person."""


class Busy(Exception):
    """Somebody else is changing this person's leave or account at this moment: try again a little later."""


@dataclass(frozen=True, slots=True)
class _Listener:
    on_begin: Callable[[int, datetime, datetime], None]
    on_end: Callable[[int, datetime], None]


_listeners: list[_Listener] = []


def register(*, on_begin: Callable[[int, datetime, datetime], None], on_end: Callable[[int, datetime], None]) -> None:
    """Be told, in the transaction that does it, that leave begins (user_id, begun at, until) or ends (user_id, ended
    at).

    `on_end` gets the instant from which clocks run again, which for leave that ran its course is its planned end,
    even if the tick that notices comes later; the leave is still open while it is called. Once, from AppConfig.ready.
    """
    _listeners.append(_Listener(on_begin, on_end))


def days_left(user: User, now: datetime) -> int:
    """Days of leave this person has in hand, booked ones taken off."""
    spent = [leave.Spent(at, days) for at, days in user.leaves.values_list("starts_at", "days")]
    return leave.days_left(user.date_joined, spent, now)


def open_leave(user: User) -> Leave | None:
    """The leave that this person is on or has booked, or None."""
    return user.leaves.filter(ended_at=None, is_automatic=False).first()


def book(user_id: int, starts_at: datetime, days: int, now: datetime) -> Leave:
    """Book leave of whole days from an instant on; one that is not in the future begins now. Raise NoLeave if it
    cannot be.
    """
    with transaction.atomic():
        user = _locked(user_id)
        if open_leave(user) is not None:
            raise NoLeave(_("You already have leave. End it before you take more."))
        if days < 1:
            raise NoLeave(_("This leave would be over already. Choose a later last day."))
        left = days_left(user, now)
        if days > left:
            raise NoLeave(_("You have %(left)d days of leave left. Choose 1 to that many.") % {"left": left})
        if starts_at - now > BOOK_AHEAD_DAYS * leave.DAY:
            raise NoLeave(_("Choose a first day within a year from now."))
        booked = Leave.objects.create(user=user, starts_at=max(starts_at, now), days=days)
        if starts_at <= now:
            _begin(booked, now)
        return booked


def end(user_id: int, now: datetime) -> None:
    """End leave by hand; whole unused days come back, and leave that is only booked is as if it had never been."""
    with transaction.atomic():
        user = _locked(user_id)
        current = open_leave(user)
        if current is None:
            return
        if current.begun_at is None:
            current.delete()
            return
        _end(current, min(now, current.until))


def turn_pages(now: datetime) -> int:
    """Begin booked leave whose time has come and end leave that has run its course; return how many. For the tick.

    What goes wrong with one person's leave is logged and tried again at the next tick; the others' is not held up.
    """
    changed = 0
    for waiting in Leave.objects.filter(ended_at=None, is_automatic=False, starts_at__lte=now):
        try:
            changed += _turn_page(waiting, now)
        except Exception:
            logger.exception("leave %s could neither begin nor end", waiting.pk)
    return changed


def _turn_page(seen: Leave, now: datetime) -> bool:
    """Begin or end one stretch of leave if it is time; return whether it was."""
    if seen.begun_at and seen.until > now:
        return False
    with transaction.atomic():
        _locked(seen.user_id)
        fresh = Leave.objects.filter(pk=seen.pk, ended_at=None).first()
        if fresh is None or (fresh.begun_at and fresh.until > now):
            return False
        if fresh.begun_at is None:
            # A late tick must not shorten what was promised, so the days count from when it truly begins.
            _begin(fresh, now)
        else:
            _end(fresh, fresh.until)
        return True


def spend_day(user_id: int, now: datetime) -> bool:
    """Spend one day for a person whose clock ran out, if they allow it and have one; return whether it was spent.

    Call it inside the transaction that gives the clocks their 24 hours. Raises Busy rather than wait for the person:
    that transaction holds the lock of a match, and who holds the person's may be waiting for that.
    """
    user = User.objects.select_for_update(no_key=True, skip_locked=True).filter(pk=user_id).first()
    if user is None:
        raise Busy
    if not user.auto_leave or user.closed_at or days_left(user, now) < 1:
        return False
    Leave.objects.create(user=user, starts_at=now, days=1, is_automatic=True, begun_at=now, ended_at=now)
    return True


def _locked(user_id: int) -> User:
    """The person, locked so that days cannot be spent twice; those who only point at the row need not wait."""
    return User.objects.select_for_update(no_key=True).get(pk=user_id)


def _begin(booked: Leave, now: datetime) -> None:
    booked.starts_at = booked.begun_at = now
    booked.save(update_fields=["starts_at", "begun_at"])
    for listener in _listeners:
        listener.on_begin(booked.user_id, now, booked.until)


def _end(running: Leave, at: datetime) -> None:
    for listener in _listeners:
        listener.on_end(running.user_id, at)
    running.days = min(running.days, leave.days_used(running.begun_at or running.starts_at, at))
    running.ended_at = at
    running.save(update_fields=["days", "ended_at"])
