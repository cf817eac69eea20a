"""Every write of ladders, one function per verb (docs/competition.md, 3).

    join, leave, challenge, accept, decline, cancel     what players do
    ask_for                                             a ladder of a game that has none
    record_result                                       what a finished ladder game does
    sweep                                               deadlines: answers that did not come, idle players, kings

The rules are those of ladder.py: each verb locks the ladder's row, reads whom it concerns into that value, lets it
decide, and writes what has changed. Deadlines due up to then are applied first, so a late sweep gives the same order as
a punctual one. The ladder is locked before the match that an accepted challenge opens.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Final

import structlog
from django.db import transaction
from django.db.models import F, Window
from django.db.models.functions import RowNumber
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.queries import leaves_now
from oceans import play, queries
from oceans.queries import Ended
from oceans.refusals import Refusal
from tournaments import entering, rungs
from tournaments.endings import ABANDONED, reason_of, winner_of
from tournaments.ladder_rows import Locked, hours_of, instant_of, locked, tell, write_challenges
from tournaments.locks import alone
from tournaments.models import Attendance, Award, Challenge, Ladder, LadderDay, LadderWish, Rung

log = structlog.get_logger("tournaments.ladders")

EVENT: Final = "ladder:"
"""How the event key of ladder games begins; play cancels those whose first move was never made."""
ASKING: Final = 8
"""So many players who ask open a ladder."""
WISHES_LOCK: Final = 0x776973686573
"""The advisory lock of PostgreSQL under which those who ask are counted."""


def join(*, ladder_id: int, user_id: int, now: datetime) -> None:
    """Step on at the bottom. Raises Refusal with the reason, and until when it holds."""
    user = User.objects.get(pk=user_id)
    with locked(ladder_id, now, [user_id]) as here:
        if reason := why_not_join(here.ladder, user, now):
            raise Refusal(reason)
        here.refuse(here.value.join(user_id, here.hour), user_id)


def leave(*, ladder_id: int, user_id: int, now: datetime, kind: str = "leave") -> None:
    """Step off. Challenges that wait are void; a game that runs goes on without effect here."""
    with locked(ladder_id, now, [user_id]) as here:
        here.refuse(here.value.leave(user_id, here.hour, kind), user_id)


def challenge(*, ladder_id: int, by: int, to: int, now: datetime) -> int:
    """Ask somebody above for a game; return the challenge. Raises Refusal with the first reason against it."""
    with locked(ladder_id, now, [by, to]) as here:
        here.refuse(here.value.challenge(0, by, to, here.hour), by, to)
        made = here.value.challenges.pop(0)
        write_challenges(here)
        row = Challenge.objects.create(
            ladder=here.ladder,
            by_id=by,
            to_id=to,
            by_rung=here.rungs[by],
            to_rung=here.rungs[to],
            low=min(by, to),
            high=max(by, to),
            made_at=here.now,
            due_at=instant_of(made.due_at),
        )
        tell(to, row, "made", here.now)
        return row.pk


def accept(*, challenge_id: int, user_id: int, now: datetime) -> int:
    """Take up a challenge; return the match that begins. Accepting again returns the same match."""
    with _of_challenge(challenge_id, user_id, "to", now) as (here, row):
        if row.match_id is not None:
            return row.match_id
        here.refuse(here.value.accept(row.pk, here.hour), row.by_id, row.to_id)
        row.match_id = play.open_match(
            game=here.ladder.game,
            users=[row.by_id, row.to_id],
            pace=here.ladder.pace,
            label=here.ladder.name,
            event=f"{EVENT}{here.ladder.slug}",
            rated=True,
            now=now,
        )
        Challenge.objects.filter(pk=row.pk).update(match=row.match_id)
        return row.match_id


def decline(*, challenge_id: int, user_id: int, now: datetime) -> None:
    """Say no; again changes nothing. The first in 30 days is free; another one hands over the rung."""
    with _of_challenge(challenge_id, user_id, "to", now) as (here, row):
        if row.state in (Challenge.State.DECLINED, Challenge.State.DECLINED_FREE):
            return
        here.refuse(here.value.decline(row.pk, here.hour), row.by_id, row.to_id)
        tell(row.by_id, row, "declined", here.now)


def cancel(*, challenge_id: int, user_id: int, now: datetime) -> None:
    """Take an own challenge back before it is answered; again changes nothing."""
    with _of_challenge(challenge_id, user_id, "by", now) as (here, row):
        if row.state == Challenge.State.CANCELLED:
            return
        here.refuse(here.value.cancel(row.pk, here.hour), row.by_id, row.to_id)


def record_result(ended: Ended, now: datetime) -> bool:
    """Apply the end of a ladder game, once; False if it is none or that has been done."""
    if not ended.event.startswith(EVENT):
        return False
    row = Challenge.objects.filter(match=ended.id).first()
    if row is None:
        return False
    with locked(row.ladder_id, now, [row.by_id, row.to_id]) as here:
        how = reason_of(ended)
        # Who fell asleep has left the ladder before, so this game has no effect there.
        return here.value.finish(row.pk, winner_of(ended), "resign" if how == ABANDONED else how, here.hour) is None


def sweep(now: datetime) -> int:
    """Apply deadlines that are due, and leave that has begun or ended; return on how many ladders. One that fails is
    logged, stays as it is, and holds up no other."""
    due = set(Rung.objects.filter(due_at__lte=now).values_list("ladder", flat=True))
    due |= set(Challenge.objects.filter(due_at__lte=now).values_list("ladder", flat=True))
    due |= _touched_by_leave()
    for ladder_id in sorted(due):
        try:
            with locked(ladder_id, now):
                pass
        except Exception:
            log.exception("ladder_failed", ladder=ladder_id)
    return len(due)


def crown(now: datetime) -> int:
    """Make kings of those who have held a first rung for a month; return how many."""
    crowned = 0
    for ladder_id in list(Ladder.objects.filter(top_since__lte=now - timedelta(days=30)).values_list("pk", flat=True)):
        with transaction.atomic():
            ladder = Ladder.objects.select_for_update(no_key=True).get(pk=ladder_id)
            if ladder.top_id is None or ladder.top_since is None:
                continue
            last = Award.objects.filter(ladder=ladder, user=ladder.top_id).order_by("-won_at").first()
            members = ladder.rungs.filter(left_at=None).count()
            crowned_at = hours_of(last.won_at) if last else None
            if rungs.is_king(hours_of(ladder.top_since), hours_of(now), members, crowned_at):
                Award.objects.create(user_id=ladder.top_id, kind=Award.Kind.KING, ladder=ladder, won_at=now)
                crowned += 1
    return crowned


def note_places(now: datetime) -> int:
    """Note where everybody stands at the end of yesterday, if that has changed since it was noted last; return how
    many places were noted. Those who have left are noted as being nowhere."""
    day = int(now.timestamp() // 86_400) - 1
    age = Window(RowNumber(), partition_by=[F("ladder"), F("user")], order_by=F("day").desc())
    newest = LadderDay.objects.filter(day__lt=day).annotate(age=age).filter(age=1)
    known = {(row.ladder_id, row.user_id): row.position for row in newest}
    order = Rung.objects.filter(left_at=None).order_by("ladder", "order_key").values_list("ladder", "user")
    standing = {
        member: position
        for _ladder, members in groupby(order, key=itemgetter(0))
        for position, member in enumerate(members, start=1)
    }
    changed = [
        LadderDay(ladder_id=ladder, user_id=user, day=day, position=standing.get((ladder, user)))
        for ladder, user in sorted(standing.keys() | known.keys())
        if standing.get((ladder, user)) != known.get((ladder, user))
    ]
    LadderDay.objects.bulk_create(changed, batch_size=500, ignore_conflicts=True)
    return len(changed)


def leave_all(user_id: int, now: datetime, kind: str = "leave") -> None:
    """Step off every ladder: the account is closed, or has become dormant."""
    for ladder_id in list(Rung.objects.filter(user=user_id, left_at=None).values_list("ladder", flat=True)):
        leave(ladder_id=ladder_id, user_id=user_id, now=now, kind=kind)


def ask_for(*, game: str, user_id: int, now: datetime) -> Ladder | None:
    """Ask for a ladder of a two-player game; asking again changes nothing. With enough who ask it opens, and they are
    the first on it, in the order they asked. Return it if it is there. Raises Refusal with the reason."""
    named = next((one for one in queries.games() if one.slug == game and 2 in one.seats), None)
    if named is None:
        raise Refusal(_("Ladders are for games of two: choose one from the list."))
    user = User.objects.get(pk=user_id)
    if reason := _why_not_member(user, now):
        raise Refusal(reason)
    with alone(WISHES_LOCK):
        LadderWish.objects.get_or_create(game=game, user=user, defaults={"made_at": now})
        asking = list(
            LadderWish.objects.filter(game=game, user__closed_at=None).order_by("made_at", "pk").select_related("user")
        )
        ladder = Ladder.objects.filter(game=game).first()
        if ladder is not None or len(asking) < ASKING:
            return ladder
        ladder, is_new = Ladder.objects.get_or_create(
            game=game, defaults={"slug": game, "name": named.name, "applied_at": now}
        )
        if is_new:
            for wish in asking:
                if not why_not_join(ladder, wish.user, now):
                    join(ladder_id=ladder.pk, user_id=wish.user_id, now=now)
        return ladder


def why_not_join(ladder: Ladder, user: User, now: datetime) -> str:
    """What keeps somebody off a ladder whoever is on it, and until when; blank if nothing."""
    if reason := _why_not_member(user, now):
        return reason
    if not user.is_bot and not queries.has_finished(user.pk, ladder.game):
        return _("Finish one game of this kind first; any opponent will do, a bot too.")
    return ""


def _why_not_member(user: User, now: datetime) -> str:
    """What keeps somebody off every ladder."""
    if user.closed_at or user.is_guest or not (user.email or user.is_bot):
        return _("Ladders are for players with an account and a proved address: sign up first.")
    if Attendance.objects.filter(user=user.pk, dormant_at__isnull=False).exists():
        return _("Your account sleeps after three missed games: say on your tournaments page that you are back.")
    bar = entering.bar_of(user.pk, now)
    return entering.bar_sentence(bar) if bar is not None else ""


@contextmanager
def _of_challenge(challenge_id: int, user_id: int, side: str, now: datetime) -> Iterator[tuple[Locked, Challenge]]:
    """The lock of a challenge's ladder, for one of its sides. Raises Refusal for anybody else."""
    one = Challenge.objects.filter(pk=challenge_id, **{side: user_id}).first()
    if one is None:
        raise Refusal(_("This challenge is not yours to answer."))
    with locked(one.ladder_id, now, [one.by_id, one.to_id]) as here:
        yield here, Challenge.objects.get(pk=challenge_id)


def _touched_by_leave() -> set[int]:
    """Ladders with a member whose leave has begun or ended since the ladder was looked at."""
    away = leaves_now().values("user")
    members = Rung.objects.filter(left_at=None)
    gone = members.filter(user__in=away, idle_since__isnull=False)
    back = members.filter(idle_since=None).exclude(user__in=away)
    return set(gone.values_list("ladder", flat=True)) | set(back.values_list("ladder", flat=True))
