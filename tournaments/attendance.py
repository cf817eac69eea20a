"""Who plays and who stays away, all over the site: rows for the entry bar, and accounts that fall asleep.

A miss is a match of an event or a ladder, or a rated one, lost on time or by not showing up. Three in a row without a
move of one's own make the account dormant: it leaves all events, ladders and games, until its owner says that he is
back. Those games are not rated.
"""

from datetime import datetime

from django.db import transaction

from oceans import play, queries
from oceans.queries import Ended
from tournaments import ladders, running
from tournaments.dropouts import MISSES_ALLOWED
from tournaments.endings import ABANDONED, reason_of
from tournaments.models import LATE, Attendance, Ending


def note_ending(ended: Ended, now: datetime) -> None:
    """Note, once, how a match ended for each of its players."""
    reason = reason_of(ended)
    asleep = []
    with transaction.atomic():
        for seat, user_id in enumerate(ended.users):
            if ended.bots[seat] or reason in ("cancelled", ABANDONED):
                continue
            kind = _kind(ended, seat)
            if kind is None:
                continue
            _row, is_new = Ending.objects.get_or_create(
                user_id=user_id, match_id=ended.id, defaults={"kind": kind, "at": now}
            )
            counts = bool(ended.event) or ended.was_to_count
            if is_new and counts and seat in ended.late and _miss(user_id, now):
                asleep.append(user_id)
    for user_id in asleep or _asleep_among(ended.users):
        running.withdraw_from_all(user_id, now)
        ladders.leave_all(user_id, now, kind="removed")
        play.withdraw_user(user_id, now, unrated_because=ABANDONED)


def wake(user_id: int) -> None:
    """The owner is back. Nothing that was lost is given back."""
    Attendance.objects.filter(user=user_id).update(dormant_at=None, in_a_row=0)


def _kind(ended: Ended, seat: int) -> str | None:
    """What the end of the match is for one seat; None for what counts as nothing."""
    if seat not in ended.late:
        return "finished" if ended.places is not None and ended.moved[seat] else None
    if not ended.moved[seat]:
        return "no_show"
    return "timeout" if running.is_counted(ended) else LATE


def _miss(user_id: int, now: datetime) -> bool:
    """Count a miss; whether the account falls asleep by it."""
    row, _is_new = Attendance.objects.select_for_update().get_or_create(user_id=user_id)
    moved_at = queries.last_move_at(user_id, now)
    has_moved = row.missed_at is not None and moved_at is not None and moved_at > row.missed_at
    row.in_a_row = 1 if has_moved else row.in_a_row + 1
    row.missed_at = now
    falls_asleep = row.in_a_row > MISSES_ALLOWED and row.dormant_at is None
    if falls_asleep:
        row.dormant_at = now
    row.save()
    return falls_asleep


def _asleep_among(users: tuple[int, ...]) -> list[int]:
    """Players of a match who sleep: should a worker have died before they left everything, they leave now."""
    return list(Attendance.objects.filter(user__in=users, dormant_at__isnull=False).values_list("user", flat=True))
