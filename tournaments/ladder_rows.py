"""A ladder between its rows and the value that the rules work on: read under the lock, and what changed written back.

Used by the verbs of ladders.py only, but for `read`, which pages use without the lock.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Case, F, PositiveIntegerField, Q, When
from django.db.models.functions import Least
from django.utils.translation import gettext as _

from accounts.models import Leave, User
from accounts.news import Kind
from accounts.notices import notify
from oceans import queries
from oceans.refusals import Refusal
from tournaments import ladder as rules
from tournaments import rungs
from tournaments.models import Challenge, Ladder, LadderStep, Rung
from tournaments.players import Player

GOING: Final = frozenset({"leave", "removed", "idle_out", "struck_out"})
"""Kinds of steps that end a stay."""
OPEN: Final = (Challenge.State.PENDING, Challenge.State.RUNNING)


@dataclass(slots=True)
class Locked:
    """A ladder under its lock, as the rules see it and as it is stored."""

    ladder: Ladder
    value: rules.Ladder
    now: datetime
    rungs: dict[int, Rung]
    challenges: dict[int, Challenge]
    known: dict[int, tuple[object, ...]] = field(default_factory=dict)
    before: dict[Player, rules.Membership] = field(default_factory=dict)

    @property
    def hour(self) -> float:
        """Now, in hours; never before what has been applied."""
        return max(hours_of(self.now), self.value.now)

    def refuse(self, code: str | None, by: int, to: int | None = None) -> None:
        """Raise what a code of refusal means in words; None is no refusal."""
        if code is not None:
            raise Refusal(sentence_of(code, self, by, to))


@contextmanager
def locked(ladder_id: int, now: datetime) -> Iterator[Locked]:
    """The lock of a ladder, deadlines applied; what the body changes in the value is stored. A refusal changes
    nothing, deadlines included: the tick applies those."""
    with transaction.atomic():
        ladder = Ladder.objects.select_for_update(no_key=True).get(pk=ladder_id)
        here = read(ladder, now)
        here.value.advance(here.hour)
        yield here
        _write(here)


def hours_of(instant: datetime) -> float:
    """An instant in hours since 1970, the clock of the rules."""
    return instant.timestamp() / 3600


def instant_of(hours: float | None) -> datetime | None:
    """The instant of such an hour, to the millisecond."""
    return None if hours is None else datetime.fromtimestamp(round(hours * 3600, 3), UTC)


def read(ladder: Ladder, now: datetime) -> Locked:
    """A ladder as the rules see it, with leave and moves up to now but not its deadlines. Four queries, one more for
    each player who would be called idle or has come back from leave."""
    members = list(ladder.rungs.filter(left_at=None).order_by("position"))
    value = rules.Ladder([rung.user_id for rung in members], now=hours_of(ladder.applied_at))
    by_rung = {}
    for rung in members:
        by_rung[rung.pk] = value.members[rung.user_id] = _membership(rung)
        if rung.idle_since is None:
            value.away.add(rung.user_id)
    since = min(now, ladder.applied_at) - timedelta(hours=max(rungs.PAIR_COOLDOWN, rungs.REJOIN_WAIT))
    for rung in ladder.rungs.filter(left_at__gte=since).order_by("left_at"):
        if rung.left_at is not None:
            value.left_at[rung.user_id] = hours_of(rung.left_at)
    rows = ladder.challenges.filter(Q(state__in=OPEN) | Q(ended_at__gte=since)).order_by("pk")
    challenges = {row.pk: row for row in rows}
    for row in challenges.values():
        sides = (by_rung.get(row.by_rung_id), by_rung.get(row.to_rung_id))
        value.challenges[row.pk] = rules.Challenge(
            row.pk,
            row.by_id,
            row.to_id,
            (sides[0] or rules.Membership(), sides[1] or rules.Membership()),
            hours_of(row.due_at) if row.due_at else None,
            row.state,
            hours_of(row.ended_at) if row.ended_at else None,
            row.hours_left,
        )
    here = Locked(ladder, value, now, {rung.user_id: rung for rung in members}, challenges)
    here.known = {rung.user_id: _columns(value, rung.user_id) for rung in members}
    here.before = dict(value.members)
    _note_leave(here)
    _note_moves(here)
    return here


def _membership(rung: Rung) -> rules.Membership:
    return rules.Membership(
        list(rung.strikes),
        hours_of(rung.free_decline_at) if rung.free_decline_at else None,
        rung.idle_before,
        hours_of(rung.idle_since) if rung.idle_since else None,
        rung.drops,
    )


def _note_leave(here: Locked) -> None:
    """Let leave that has begun or ended since the last look stand clocks still or run them again."""
    value = here.value
    away = Leave.objects.filter(user__in=here.rungs, begun_at__isnull=False, ended_at=None, is_automatic=False)
    begun = {leave.user_id: leave.begun_at for leave in away}
    for user_id in sorted(begun.keys() - value.away):
        began = begun[user_id]
        assert began is not None
        value.go_away(user_id, _within(here, began))
    for user_id in sorted(int(player) for player in value.away - begun.keys()):
        ended = Leave.objects.filter(user=user_id, ended_at__isnull=False, is_automatic=False).order_by("ended_at")
        last = ended.values_list("ended_at", flat=True).last() or here.now
        value.come_back(user_id, _within(here, last))


def _within(here: Locked, instant: datetime) -> float:
    """The hour of an instant, not before what has been applied and not after now."""
    return min(max(hours_of(instant), here.value.now), here.hour)


def _note_moves(here: Locked) -> None:
    """Let moves anywhere on the site count as signs of life of those who would be called idle now."""
    for user_id, membership in here.value.members.items():
        if membership.due_at is None or membership.due_at > here.hour:
            continue
        rung = here.rungs[int(user_id)]
        moved_at = queries.last_move_at(int(user_id))
        if moved_at is None or moved_at <= rung.active_at:
            continue
        rung.active_at = moved_at
        membership.wake(max(hours_of(moved_at), membership.idle_since or 0))


def _columns(value: rules.Ladder, player: int) -> tuple[object, ...]:
    """All that is stored of a member, for comparing."""
    one = value.members[player]
    return (
        tuple(one.strikes),
        one.free_decline_at,
        one.idle_before,
        one.idle_since,
        one.drops,
    )


def _write(here: Locked) -> None:
    """Store what has changed."""
    value, ladder = here.value, here.ladder
    positions = {player: number for number, player in enumerate(value.order, start=1)}
    gone_at = {step.player: step.at for step in value.history if step.kind in GOING}
    gone, changed, moved = [], [], []
    for user_id, rung in here.rungs.items():
        if value.members.get(user_id) is not here.before[user_id]:
            rung.position, rung.due_at, rung.left_at = None, None, instant_of(gone_at.get(user_id, value.now))
            gone.append(rung)
            continue
        if rung.position is not None and rung.position != positions[user_id]:
            moved.append((rung.position, positions[user_id]))
        if _columns(value, user_id) != here.known[user_id]:
            _fill(rung, value.members[user_id], positions[user_id])
            changed.append(rung)
    Rung.objects.bulk_update(gone, ["position", "left_at", "due_at"])
    _move(ladder, moved)
    names = ["strikes", "free_decline_at", "idle_before", "idle_since", "drops", "active_at", "due_at"]
    Rung.objects.bulk_update(changed, names, batch_size=500)
    new = [player for player in value.order if value.members[player] is not here.before.get(player)]
    Rung.objects.bulk_create(_new_rung(here, int(player), positions[player]) for player in new)
    _write_challenges(here)
    _write_history(here)
    ladder.applied_at = instant_of(value.now) or ladder.applied_at
    top = int(value.order[0]) if value.order else None
    if top != ladder.top_id:
        ladder.top_id, ladder.top_since = top, ladder.applied_at if top else None
    ladder.save(update_fields=["seq", "applied_at", "top", "top_since"])


def _move(ladder: Ladder, moved: list[tuple[int, int]]) -> None:
    """Give rungs new places, in one statement however many they are: neighbours that move by as much are one case."""
    if not moved:
        return
    runs: list[tuple[int, int, int]] = []
    for old, new in sorted(moved):
        if runs and runs[-1][1] == old - 1 and runs[-1][2] == new - old:
            runs[-1] = (runs[-1][0], old, new - old)
        else:
            runs.append((old, old, new - old))
    place = Case(
        *(When(position__range=(first, last), then=F("position") + by) for first, last, by in runs),
        default=F("position"),
        output_field=PositiveIntegerField(),
    )
    standing = ladder.rungs.filter(left_at=None, position__range=(runs[0][0], runs[-1][1]))
    standing.update(position=place, best=Least(F("best"), place))


def _fill(rung: Rung, membership: rules.Membership, position: int) -> None:
    rung.position, rung.best = position, min(rung.best, position)
    rung.strikes = list(membership.strikes)
    rung.free_decline_at = instant_of(membership.free_decline_at)
    rung.idle_before, rung.drops = membership.idle_before, membership.drops
    idle_since = instant_of(membership.idle_since)
    if idle_since is not None and membership.idle_before == 0 and membership.drops == 0:
        rung.active_at = max(rung.active_at, idle_since)
    rung.idle_since, rung.due_at = idle_since, instant_of(membership.due_at)


def _new_rung(here: Locked, user_id: int, position: int) -> Rung:
    rung = Rung(ladder=here.ladder, user_id=user_id, best=position, joined_at=here.now, active_at=here.now)
    _fill(rung, here.value.members[user_id], position)
    return rung


def _write_challenges(here: Locked) -> None:
    changed = []
    for number, one in here.value.challenges.items():
        row = here.challenges[number]
        if (row.state, row.due_at is None, row.hours_left) == (one.state, one.due_at is None, one.hours_left):
            continue
        if row.state == Challenge.State.PENDING and one.state == Challenge.State.IGNORED:
            tell(row.by_id, row, "ignored", here.now)
        row.state, row.due_at, row.hours_left = one.state, instant_of(one.due_at), one.hours_left
        row.ended_at = instant_of(one.ended_at)
        changed.append(row)
    Challenge.objects.bulk_update(changed, ["state", "due_at", "hours_left", "ended_at"])


def _write_history(here: Locked) -> None:
    steps = []
    for step in here.value.history:
        here.ladder.seq += 1
        steps.append(
            LadderStep(
                ladder=here.ladder,
                seq=here.ladder.seq,
                at=instant_of(step.at) or here.now,
                kind=step.kind,
                player_id=step.player,
                other_id=step.other,
                challenge_id=step.challenge,
                from_rung=step.from_rung,
                to_rung=step.to_rung,
            )
        )
    LadderStep.objects.bulk_create(steps)


def sentence_of(code: str, here: Locked, by: int, to: int | None) -> str:
    """A refusal in words, with the time from which it would be possible where that is known."""
    if code == "pair_cooldown":
        ends = Challenge.objects.filter(
            ladder=here.ladder, low=min(by, to or by), high=max(by, to or by), ended_at__isnull=False
        )
        last = ends.exclude(state=Challenge.State.VOID).order_by("-ended_at").values_list("ended_at", flat=True).first()
        return _("You two may meet again from %(when)s.") % {"when": _after(last, rungs.PAIR_COOLDOWN)}
    if code == "rejoin_wait":
        left_at = here.value.left_at.get(by)
        return _("You may come back from %(when)s.") % {"when": _after(instant_of(left_at), rungs.REJOIN_WAIT)}
    return why(code)


def why(code: str) -> str:
    """A code of refusal in words."""
    words = {
        "already_member": _("You are on this ladder already."),
        "not_member": _("You are not on this ladder: join it first."),
        "target_not_member": _("This player is not on the ladder any more."),
        "self": _("You cannot challenge yourself."),
        "own_vacation": _("You are on leave: end it to challenge."),
        "target_vacation": _("This player is on leave."),
        "not_above": _("You may only challenge players above you."),
        "out_of_range": _("This player stands too far above you."),
        "pair_open": _("There is an open challenge between you two."),
        "pair_cooldown": _("You two met within the last week."),
        "out_limit": _("You have two open challenges of your own: finish one first."),
        "in_limit": _("Two challenges against this player are open already."),
        "not_pending": _("This challenge has been answered already."),
    }
    return words.get(code, code)


def _after(instant: datetime | None, hours: int) -> str:
    return day_text(instant + timedelta(hours=hours)) if instant else ""


def day_text(instant: datetime) -> str:
    """An instant to the minute, for sentences."""
    return f"{instant:%Y-%m-%d %H:%M} UTC"


def tell(user_id: int, row: Challenge, what: str, now: datetime) -> None:
    """Owe somebody news of a challenge; bots and people without mail get none."""
    if User.objects.filter(pk=user_id, is_bot=False).exclude(email="").exists():
        context = {"challenge": row.pk, "what": what}
        notify(user_id=user_id, kind=Kind.CHALLENGE, key=f"c{row.pk}:{what}", context=context, now=now)
