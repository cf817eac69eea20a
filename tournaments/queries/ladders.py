"""What pages show of ladders."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q

from accounts.models import User
from oceans import queries
from tournaments import ladder_rows, rungs
from tournaments.models import Challenge, Ladder, LadderStep, Rating, Rung
from tournaments.queries.ratings import row_of
from tournaments.ratings import day_of

AROUND = 6
WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class LadderRow:
    """A ladder in the list; `position` is the reader's, None if he is not on it."""

    ladder: Ladder
    game: str
    members: int
    position: int | None
    top: User | None


def all_ladders(reader_id: int | None) -> list[LadderRow]:
    """Every ladder with the reader's place. Two queries."""
    found = Ladder.objects.select_related("top").annotate(members=Count("rungs", filter=Q(rungs__left_at=None)))
    own = dict(Rung.objects.filter(user=reader_id, left_at=None).values_list("ladder", "position"))
    return [
        LadderRow(one, queries.game_name(one.game), one.members, own.get(one.pk), one.top)
        for one in found.order_by("name")
    ]


@dataclass(frozen=True, slots=True)
class RungRow:
    """One rung as the reader sees it: how it moved this week, and a button or the reason why there is none."""

    position: int
    user: User
    rating: str
    moved: int
    is_new: bool
    is_own: bool
    may_challenge: bool
    why_not: str


@dataclass(frozen=True, slots=True)
class LadderPage:
    """A ladder for one reader: some rungs of it, and his own matters."""

    ladder: Ladder
    game: str
    members: int
    rows: list[RungRow]
    own: Rung | None
    reach: tuple[int, int] | None
    """The highest and lowest place he may challenge."""
    own_open: list[Challenge]
    to_answer: list[Challenge]


def ladder_page(ladder: Ladder, reader: User | None, now: datetime, *, whole: bool = False) -> LadderPage:
    """The rungs around the reader, or from the top for others; all of them if asked. Nine queries at most, however
    many stand on it."""
    here = ladder_rows.read(ladder, now)
    own = here.rungs.get(reader.pk) if reader else None
    members = len(here.value.order)
    first, last = (1, members) if whole else _window(own, members)
    shown = list(
        ladder.rungs.filter(left_at=None, position__range=(first, last)).select_related("user").order_by("position")
    )
    players = [rung.user_id for rung in shown]
    ratings = {
        card.user_id: row_of(card, day_of(now)).shown
        for card in Rating.objects.filter(pool=ladder.game, user__in=players).select_related("user")
    }
    moved = _moved_lately(ladder, now)
    open_ones = list(ladder.challenges.filter(state__in=ladder_rows.OPEN).select_related("by", "to"))
    reader_id = reader.pk if reader else 0
    return LadderPage(
        ladder=ladder,
        game=queries.game_name(ladder.game),
        members=members,
        rows=[_rung_row(rung, here, reader_id, ratings.get(rung.user_id, ""), moved) for rung in shown],
        own=own,
        reach=_reach(own),
        own_open=[one for one in open_ones if one.by_id == reader_id],
        to_answer=[one for one in open_ones if one.to_id == reader_id and one.state == Challenge.State.PENDING],
    )


def _window(own: Rung | None, members: int) -> tuple[int, int]:
    if own is None or own.position is None:
        return 1, 2 * AROUND + 1
    up = max(AROUND, rungs.reach(own.position))
    return max(1, own.position - up), min(members, own.position + AROUND)


def _reach(own: Rung | None) -> tuple[int, int] | None:
    if own is None or own.position is None or own.position == 1:
        return None
    return max(1, own.position - rungs.reach(own.position)), own.position - 1


def _moved_lately(ladder: Ladder, now: datetime) -> dict[int, int]:
    """Rungs gained or lost by own games within a week, by player; 0 for those who joined then."""
    moved: dict[int, int] = {}
    for step in LadderStep.objects.filter(ladder=ladder, at__gte=now - WEEK).order_by("seq"):
        if step.kind == "join":
            moved[step.player_id] = 0
        elif step.from_rung is not None and step.to_rung is not None and step.from_rung != step.to_rung:
            moved[step.player_id] = moved.get(step.player_id, 0) + step.from_rung - step.to_rung
    return moved


def _rung_row(
    rung: Rung,
    here: ladder_rows.Locked,
    reader_id: int,
    rating: str,
    moved: dict[int, int],
) -> RungRow:
    is_own = rung.user_id == reader_id
    code = None if is_own or reader_id not in here.rungs else here.value.why_not(reader_id, rung.user_id, here.hour)
    return RungRow(
        position=rung.position or 0,
        user=rung.user,
        rating=rating,
        moved=moved.get(rung.user_id, 0),
        is_new=moved.get(rung.user_id) == 0,
        is_own=is_own,
        may_challenge=reader_id in here.rungs and not is_own and code is None,
        why_not=_why_not(code, here, reader_id, rung.user_id),
    )


def _why_not(code: str | None, here: ladder_rows.Locked, reader_id: int, user_id: int) -> str:
    """A reason worth showing: not that somebody stands below, which the table shows."""
    if code is None or code in ("not_above", "out_of_range"):
        return ""
    return ladder_rows.sentence_of(code, here, reader_id, user_id)


def steps_of(ladder: Ladder, before: int | None, limit: int = 50) -> list[LadderStep]:
    """The history, newest first, from below a number. One query."""
    steps = LadderStep.objects.filter(ladder=ladder).select_related("player", "other", "challenge")
    if before is not None:
        steps = steps.filter(seq__lt=before)
    return list(steps.order_by("-seq")[:limit])


def challenges_to(user_id: int) -> list[Challenge]:
    """Challenges that wait for the user's answer. One query."""
    waiting = Challenge.objects.filter(to=user_id, state=Challenge.State.PENDING)
    return list(waiting.select_related("by", "ladder").order_by("due_at"))


def ladder_of_match(match_id: int) -> str | None:
    """The address of the ladder a match was played for. One query."""
    return Challenge.objects.filter(match=match_id).values_list("ladder__slug", flat=True).first()
