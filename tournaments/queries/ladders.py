"""What pages show of ladders."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import Leave, User
from accounts.queries import leaves_now
from oceans import queries
from tournaments import rungs
from tournaments.charts import Chart, chart
from tournaments.ladder_rows import OPEN, day_text, hours_of, why
from tournaments.models import Challenge, Ladder, LadderDay, LadderStep, LadderWish, Rating, Rung
from tournaments.queries.ratings import date_of, ranks_of, row_of
from tournaments.ranks import Rank
from tournaments.ratings import day_of

AROUND = 6
MOST_ABOVE = 20
PAGE = 100
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
    own = {rung.ladder_id: rung.position for rung in Rung.objects.filter(user=reader_id, left_at=None).placed()}
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
    rank: Rank | None
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
    above: int | None
    """Where the page above these rungs begins; None at the top."""
    below: int | None


def ladder_page(ladder: Ladder, reader: User | None, now: datetime, *, first: int | None = None) -> LadderPage:
    """The rungs around the reader, or from the top for others; or those from a place on. Nine queries at most, however
    many stand on it."""
    standing = ladder.rungs.filter(left_at=None)
    members = standing.count()
    own = standing.filter(user=reader).placed().first() if reader else None
    begin, end = _window(own, members, first)
    shown = _between(standing, begin, end)
    players = [rung.user_id for rung in shown]
    day = day_of(now)
    ratings = {
        card.user_id: row_of(card, day).shown
        for card in Rating.objects.filter(pool=ladder.game, user__in=players).select_related("user")
    }
    ranks = ranks_of(players, ladder.game)
    moved = _moved_lately(ladder, players, now)
    facts = _facts(ladder, own, players, now) if own else None
    return LadderPage(
        ladder=ladder,
        game=queries.game_name(ladder.game),
        members=members,
        rows=[
            RungRow(
                position=position,
                user=rung.user,
                rating=ratings.get(rung.user_id, ""),
                rank=ranks.get(rung.user_id),
                moved=moved.get(rung.user_id, 0),
                is_new=moved.get(rung.user_id) == 0,
                is_own=facts is not None and rung.user_id == facts.own.user_id,
                may_challenge=facts is not None and facts.refusal(rung.user_id, position) is None,
                why_not=facts.why_not(rung.user_id, position) if facts else "",
            )
            for position, rung in enumerate(shown, start=begin)
        ],
        own=own,
        reach=_reach(own),
        own_open=[one for one in facts.open if one.by_id == facts.own.user_id] if facts else [],
        to_answer=[one for one in facts.open if one.to_id == facts.own.user_id and one.is_pending] if facts else [],
        above=max(1, begin - PAGE) if begin > 1 else None,
        below=end + 1 if end < members else None,
    )


def _between(standing: QuerySet[Rung], first: int, last: int) -> list[Rung]:
    """The members from one position to another. Those above are counted by the index alone, hence the inner query."""
    here = standing.order_by("order_key").values("pk")[first - 1 : last]
    return list(Rung.objects.filter(pk__in=here).select_related("user").order_by("order_key"))


def _window(own: Rung | None, members: int, first: int | None) -> tuple[int, int]:
    if first is not None:
        begin = max(1, min(first, members))
        return begin, min(members, begin + PAGE - 1)
    if own is None or own.position is None:
        return 1, min(members, 2 * AROUND + 1)
    up = min(MOST_ABOVE, max(AROUND, rungs.reach(own.position)))
    return max(1, own.position - up), min(members, own.position + AROUND)


def _reach(own: Rung | None) -> tuple[int, int] | None:
    if own is None or own.position is None or own.position == 1:
        return None
    return max(1, own.position - rungs.reach(own.position)), own.position - 1


def _moved_lately(ladder: Ladder, players: list[int], now: datetime) -> dict[int, int]:
    """Rungs gained or lost by own games within a week, by player; 0 for those who joined then."""
    moved: dict[int, int] = {}
    for step in LadderStep.objects.filter(ladder=ladder, player__in=players, at__gte=now - WEEK).order_by("seq"):
        if step.kind == "join":
            moved[step.player_id] = 0
        elif step.from_rung is not None and step.to_rung is not None and step.from_rung != step.to_rung:
            moved[step.player_id] = moved.get(step.player_id, 0) + step.from_rung - step.to_rung
    return moved


@dataclass(frozen=True, slots=True)
class _Facts:
    """All that decides whom a member may challenge, for some others at once."""

    own: Rung
    now: float
    leaves: dict[int, Leave]
    open: list[Challenge]
    met: dict[int, datetime]
    """When the last challenge between him and each other one ended, if that was lately."""

    def refusal(self, other: int, position: int) -> str | None:
        """The code of the refusal that a challenge to somebody at a position would meet."""
        own = self.own.user_id
        ended = self.met.get(other)
        claim = rungs.Claim(
            position=self.own.position,
            target=position,
            own_leave=own in self.leaves,
            target_leave=other in self.leaves,
            pair_open=any({one.by_id, one.to_id} == {own, other} for one in self.open),
            pair_ended_at=hours_of(ended) if ended else None,
            own_open=sum(one.by_id == own and one.to_id not in self.leaves for one in self.open),
            against_target=sum(one.to_id == other and one.by_id not in self.leaves for one in self.open),
        )
        return rungs.refusal(claim, self.now)

    def why_not(self, other: int, position: int) -> str:
        """A reason worth showing, and until when it holds: not that somebody stands below, which the table shows."""
        code = self.refusal(other, position)
        if code is None or code in ("self", "not_above", "out_of_range"):
            return ""
        if code == "pair_cooldown":
            return _("You two may meet again from %(when)s.") % {
                "when": day_text(self.met[other] + timedelta(hours=rungs.PAIR_COOLDOWN))
            }
        if code == "target_vacation":
            return _("On leave until %(when)s at most.") % {"when": day_text(self.leaves[other].until)}
        return why(code)


def _facts(ladder: Ladder, own: Rung, players: list[int], now: datetime) -> _Facts:
    """Three queries."""
    me, others = own.user_id, [*players, own.user_id]
    concerned = ladder.challenges.filter(Q(by=me) | Q(to__in=others))
    opened = list(concerned.filter(state__in=OPEN).select_related("by", "to", "ladder"))
    sides = {*others, *(one.by_id for one in opened), *(one.to_id for one in opened)}
    away = leaves_now().filter(user__in=sides)
    since = now - timedelta(hours=rungs.PAIR_COOLDOWN)
    ended = ladder.challenges.filter(Q(by=me, to__in=players) | Q(to=me, by__in=players), ended_at__gt=since)
    met: dict[int, datetime] = {}
    rows = ended.exclude(state=Challenge.State.VOID).order_by("ended_at").values_list("by", "to", "ended_at")
    for by, to, at in rows:
        if at is not None:
            met[to if by == me else by] = at
    return _Facts(own, hours_of(now), {leave.user_id: leave for leave in away}, opened, met)


@dataclass(frozen=True, slots=True)
class Career:
    """What a player has reached on a ladder over all his stays there."""

    ladder: Ladder
    position: int | None
    """None once he has left."""
    best: int
    days_on_top: int
    chart: Chart | None


def careers(user: User, now: datetime, ladder: Ladder | None = None) -> list[Career]:
    """All ladders the user has been on, or one of them. Two queries, one for who has been on none."""
    stays = Rung.objects.filter(user=user).placed().select_related("ladder").order_by("ladder__name", "joined_at")
    by_ladder: dict[Ladder, list[Rung]] = {}
    for stay in stays if ladder is None else stays.filter(ladder=ladder):
        by_ladder.setdefault(stay.ladder, []).append(stay)
    days: dict[int, list[tuple[int, int | None]]] = {}
    noted = LadderDay.objects.filter(user=user, ladder__in=[one.pk for one in by_ladder]).order_by("day")
    for ladder_id, day, position in noted.values_list("ladder", "day", "position"):
        days.setdefault(ladder_id, []).append((day, position))
    today = day_of(now)
    return [
        Career(
            ladder=one,
            position=rungs_of[-1].position,
            best=_best(rungs_of, days.get(one.pk, [])),
            days_on_top=_days_on_top(days.get(one.pk, []), today),
            chart=_places_chart(days.get(one.pk, []), today),
        )
        for one, rungs_of in by_ladder.items()
    ]


def _best(stays: list[Rung], noted: list[tuple[int, int | None]]) -> int:
    """The best place of all stays: reached by own steps, noted at the end of a day, or held now."""
    places = [*(stay.best for stay in stays), *(place for _day, place in noted), stays[-1].position]
    return min(place for place in places if place is not None)


def _days_on_top(noted: list[tuple[int, int | None]], today: int) -> int:
    return sum(end - day for (day, place), (end, _place) in pairwise([*noted, (today, None)]) if place == 1)


def _places_chart(noted: list[tuple[int, int | None]], today: int) -> Chart | None:
    """The places of the present stay, or of the last one; a place lasts until the next that was noted."""
    stay: list[tuple[int, int]] = []
    for day, position in noted:
        if position is None:
            stay = [*stay, (day, stay[-1][1])] if stay else stay
            continue
        if stay and stay[-1][0] != day - 1:
            stay.append((day - 1, stay[-1][1]))
        stay.append((day, position))
    if noted and noted[-1][1] is not None and stay[-1][0] < today - 1:
        stay.append((today - 1, stay[-1][1]))
    return chart([(date_of(day), position) for day, position in stay], least_is_best=True) if len(stay) > 1 else None


@dataclass(frozen=True, slots=True)
class Wish:
    """A two-player game without a ladder, how many ask for one, and whether the reader does."""

    game: str
    name: str
    asking: int
    is_asked: bool


def wishes(reader_id: int | None) -> list[Wish]:
    """Every two-player game without a ladder. Two queries."""
    there = set(Ladder.objects.values_list("game", flat=True))
    asking: dict[str, set[int]] = {}
    for game, user in LadderWish.objects.filter(user__closed_at=None).values_list("game", "user"):
        asking.setdefault(game, set()).add(user)
    return [
        Wish(one.slug, one.name, len(asking.get(one.slug, ())), reader_id in asking.get(one.slug, ()))
        for one in queries.games()
        if 2 in one.seats and one.slug not in there
    ]


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
