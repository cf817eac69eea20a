"""A ladder between its rows and the value that the rules work on: read under the lock as far as a transition concerns
it, and what changed written back. Used by the verbs of ladders.py only."""

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext as _

from accounts.models import Leave, User
from accounts.news import Kind
from accounts.notices import notify
from accounts.queries import leaves_now
from oceans import queries
from oceans.refusals import Refusal
from tournaments import ladder as rules
from tournaments import order_keys, rungs
from tournaments.models import Challenge, Ladder, LadderStep, Rung
from tournaments.places import Places
from tournaments.players import Player

GOING: Final = frozenset({"leave", "removed", "idle_out", "struck_out"})
"""Kinds of steps that end a stay."""
OPEN: Final = (Challenge.State.PENDING, Challenge.State.RUNNING)


@dataclass(slots=True)
class Locked:
    """A ladder under its lock, as the rules see it and as it is stored; of its members those who are concerned."""

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
def locked(ladder_id: int, now: datetime, players: Collection[int] = ()) -> Iterator[Locked]:
    """The lock of a ladder, deadlines applied; what the body does to these players is stored. A refusal changes
    nothing, deadlines included: the tick applies those."""
    with transaction.atomic():
        ladder = Ladder.objects.select_for_update(no_key=True).get(pk=ladder_id)
        here = _read(ladder, now, players)
        here.value.advance(here.hour)
        yield here
        _write(here)


def hours_of(instant: datetime) -> float:
    """An instant in hours since 1970, the clock of the rules."""
    return instant.timestamp() / 3600


def instant_of(hours: float | None) -> datetime | None:
    """The instant of such an hour, to the millisecond."""
    return None if hours is None else datetime.fromtimestamp(round(hours * 3600, 3), UTC)


def _read(ladder: Ladder, now: datetime, players: Collection[int]) -> Locked:
    """A ladder as the rules see it, as far as it concerns these players and whoever is due, with leave and moves up to
    now. Nine queries however long the ladder is, one more for each player who would be called idle."""
    members = ladder.rungs.filter(left_at=None)
    ended_at = _leave_ends(members)
    concerned = {*players, *ended_at}
    due = Q(due_at__lte=now) | Q(_is_on_leave(), idle_since__isnull=False)
    concerned |= set(members.filter(due).values_list("user", flat=True))
    for by, to in ladder.challenges.filter(due_at__lte=now).values_list("by", "to"):
        concerned |= {by, to}
    since = min(now, ladder.applied_at) - timedelta(hours=max(rungs.PAIR_COOLDOWN, rungs.REJOIN_WAIT))
    own = Q(by__in=concerned) | Q(to__in=concerned)
    rows = ladder.challenges.filter(own, Q(state__in=OPEN) | Q(ended_at__gte=since)).order_by("pk")
    challenges = {row.pk: row for row in rows}
    known = concerned | {side for row in challenges.values() for side in (row.by_id, row.to_id)}
    loaded = {rung.user_id: rung for rung in members.placed_of(known)}
    places = Places({user: rung.position or 0 for user, rung in loaded.items()}, members.count())
    value = rules.Ladder((), now=hours_of(ladder.applied_at), places=places)
    by_rung = {}
    for user_id, rung in loaded.items():
        by_rung[rung.pk] = value.members[user_id] = _membership(rung)
        if rung.idle_since is None:
            value.away.add(user_id)
    for rung in ladder.rungs.filter(user__in=known, left_at__gte=since).order_by("left_at"):
        if rung.left_at is not None:
            value.left_at[rung.user_id] = hours_of(rung.left_at)
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
    here = Locked(ladder, value, now, loaded, challenges)
    here.known = {user_id: _columns(value, user_id) for user_id in loaded}
    here.before = dict(value.members)
    _note_signs(here, ended_at)
    return here


def _membership(rung: Rung) -> rules.Membership:
    return rules.Membership(
        list(rung.strikes),
        hours_of(rung.free_decline_at) if rung.free_decline_at else None,
        rung.idle_before,
        hours_of(rung.idle_since) if rung.idle_since else None,
        rung.drops,
    )


def _is_on_leave() -> Exists:
    """Of a rung: its player is on leave now."""
    return Exists(leaves_now().filter(user=OuterRef("user")))


def _leave_ends(members: QuerySet[Rung]) -> dict[int, datetime | None]:
    """Members whose clocks stand although they are back from leave, and when it ended, if that is known."""
    ended = Leave.objects.filter(user=OuterRef("user"), ended_at__isnull=False, is_automatic=False)
    last = Subquery(ended.order_by("-ended_at").values("ended_at")[:1])
    return dict(members.filter(~_is_on_leave(), idle_since=None).annotate(back=last).values_list("user", "back"))


def _note_signs(here: Locked, ended_at: Mapping[int, datetime | None]) -> None:
    """Let leave that has begun or ended since the last look stand clocks still or run them again, in the order in which
    it did; each applies deadlines, so moves up to then are noted before, and those of who goes with them."""
    value = here.value
    turns: list[tuple[float, int, Callable[[Player, float], None]]] = []
    away = leaves_now().filter(user__in=here.rungs)
    for user_id, began in away.values_list("user", "begun_at"):
        if user_id not in value.away and began is not None:
            turns.append((hours_of(began), user_id, value.go_away))
    for user_id, ended in ended_at.items():
        turns.append((hours_of(ended or here.now), user_id, value.come_back))
    for hour, user_id, turn in sorted(turns, key=itemgetter(0, 1)):
        within = min(max(hour, value.now), here.hour)
        _note_moves(here, within)
        _note_move(here, user_id, within)
        turn(user_id, within)
    _note_moves(here, here.hour)


def _note_moves(here: Locked, until: float) -> None:
    """Let moves anywhere on the site count as signs of life of those who would be called idle by then. Whoever truly is
    gets his step at once: a move may lie between it and his next one."""
    value = here.value
    while dues := [m.due_at for m in value.members.values() if m.due_at is not None and m.due_at <= until]:
        due = min(dues)
        idle = [int(user_id) for user_id, membership in value.members.items() if membership.due_at == due]
        if not any(_note_move(here, user_id, due) for user_id in idle):
            value.advance(max(due, value.now))


def _note_move(here: Locked, user_id: int, until: float) -> bool:
    """Let the last move of a member count, if it came after all that is known of him; whether it did."""
    membership, rung = here.value.members.get(user_id), here.rungs[user_id]
    moved_at = queries.last_move_at(user_id, instant_of(until) or here.now)
    if membership is None or moved_at is None or moved_at <= rung.active_at:
        return False
    rung.active_at = moved_at
    membership.wake(max(hours_of(moved_at), membership.idle_since or 0))
    return True


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
    changed = [user_id for user_id in here.rungs if _has_changed(here, user_id)]
    for player, old, new in value.places.moves:
        _move(here, int(player), old, new)
    for user_id in changed:
        _fill(here.rungs[user_id], value.members[user_id])
    names = ["strikes", "free_decline_at", "idle_before", "idle_since", "drops", "active_at", "due_at"]
    Rung.objects.bulk_update([here.rungs[user_id] for user_id in changed], names, batch_size=500)
    write_challenges(here)
    _write_history(here)
    ladder.applied_at = instant_of(value.now) or ladder.applied_at
    if value.places.moves:
        members = ladder.rungs.filter(left_at=None)
        top = members.order_by("order_key").values_list("user", flat=True).first()
        if top != ladder.top_id:
            ladder.top_id, ladder.top_since = top, ladder.applied_at if top else None
    ladder.save(update_fields=["seq", "applied_at", "top", "top_since"])


def _has_changed(here: Locked, user_id: int) -> bool:
    """Whether a stay that goes on differs from what is stored, except for its place."""
    goes_on = here.value.members.get(user_id) is here.before[user_id]
    return goes_on and _columns(here.value, user_id) != here.known[user_id]


def _move(here: Locked, user_id: int, old: int | None, new: int | None) -> None:
    """Store what a move means for the one who moves; no row of anybody else tells a position."""
    if old is None:
        _new_rung(here, user_id).save()
        return
    rung = here.rungs[user_id]
    if new is None:
        left_at = next(step.at for step in here.value.history if step.player == user_id and step.kind in GOING)
        rung.order_key, rung.due_at, rung.left_at = None, None, instant_of(left_at)
    else:
        rung.order_key, rung.best = order_keys.key_at(rung, old, new), min(rung.best, new)
    rung.save(update_fields=["order_key", "best", "due_at", "left_at"])


def _fill(rung: Rung, membership: rules.Membership) -> None:
    rung.strikes = list(membership.strikes)
    rung.free_decline_at = instant_of(membership.free_decline_at)
    rung.idle_before, rung.drops = membership.idle_before, membership.drops
    idle_since = instant_of(membership.idle_since)
    if idle_since is not None and membership.idle_before == 0 and membership.drops == 0:
        rung.active_at = max(rung.active_at, idle_since)
    rung.idle_since, rung.due_at = idle_since, instant_of(membership.due_at)


def _new_rung(here: Locked, user_id: int) -> Rung:
    rung = Rung(ladder=here.ladder, user_id=user_id, joined_at=here.now, active_at=here.now)
    rung.order_key, rung.best = order_keys.below_all(here.ladder.pk), here.value.places.of(user_id)
    _fill(rung, here.value.members[user_id])
    return rung


def write_challenges(here: Locked) -> None:
    """Store what became of challenges; a new one between the same two can be stored after that only."""
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
