"""What other apps may ask about people."""

from datetime import datetime

from django.db.models import QuerySet

from accounts import news
from accounts.models import FormerName, Leave, TurnMail, User


def player_named(name: str) -> User | None:
    """The person of this name, now or formerly, without regard to case; None if there is none.

    Where `user.username` differs from the name asked for, a page should redirect to the present name. Closed accounts
    are not found.
    """
    if "\0" in name:
        # PostgreSQL refuses to look for it.
        return None
    found = User.objects.filter(username__iexact=name, closed_at=None).first()
    if found is not None:
        return found
    former = FormerName.objects.filter(name__iexact=name, user__closed_at=None).select_related("user").first()
    return former.user if former else None


def has_visited_since(user: User, instant: datetime) -> bool:
    """Whether the person has been on the site since this instant, as far as last_seen_at tells."""
    return user.last_seen_at is not None and user.last_seen_at >= instant


def hears_by_mail(user: User, kind: str) -> bool:
    """Whether news of a kind that can be switched off goes to this person by mail; the daily list stands for mail about
    each turn."""
    if not user.is_reachable or not news.wants(user, kind):
        return False
    if kind == news.Kind.DIGEST:
        return user.turn_mail == TurnMail.DAILY
    return kind != news.Kind.YOUR_TURN or user.turn_mail in (TurnMail.ABSENCE, TurnMail.EVERY)


def leaves_now() -> QuerySet[Leave]:
    """The leave that people are on: begun and not over. Days that the site took for somebody stop no clock."""
    return Leave.objects.filter(begun_at__isnull=False, ended_at=None, is_automatic=False)


def leave_now(user_id: int) -> Leave | None:
    """The leave a person is on, or None."""
    return leaves_now().filter(user=user_id).first()
