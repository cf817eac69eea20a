"""Who does not want to meet whom: a block hides offers, invitations and talk in both directions, and never says so to
the one who is blocked. Events and ladders pair as if there were none."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import Exists, OuterRef, Q

from accounts.models import Block, User


def block(user_id: int, other_id: int, now: datetime) -> None:
    """Block somebody; again changes nothing, and nobody blocks himself."""
    if user_id != other_id:
        Block.objects.get_or_create(blocker_id=user_id, blocked_id=other_id, defaults={"made_at": now})


def unblock(user_id: int, other_id: int) -> None:
    """Take a block back; again changes nothing."""
    Block.objects.filter(blocker=user_id, blocked=other_id).delete()


def has_blocked(user_id: int, other_id: int) -> bool:
    """Whether the first one has blocked the other. One query."""
    return Block.objects.filter(blocker=user_id, blocked=other_id).exists()


def blocked_by(user_id: int) -> list[User]:
    """Whom somebody has blocked, by name. One query."""
    blocked = Block.objects.filter(blocker=user_id).values("blocked")
    return list(User.objects.filter(pk__in=blocked, closed_at=None).order_by("username"))


def is_between(user_id: int, others: Collection[int]) -> bool:
    """Whether somebody and any of the others have blocked one another, whoever did. One query."""
    return Block.objects.filter(
        Q(blocker=user_id, blocked__in=others) | Q(blocker__in=others, blocked=user_id)
    ).exists()


def between(user_id: int, other: str) -> Exists:
    """The same as a condition of a query, with the other one in its column `other`."""
    one = OuterRef(other)
    return Exists(Block.objects.filter(Q(blocker=user_id, blocked=one) | Q(blocker=one, blocked=user_id)))
