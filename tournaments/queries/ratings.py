"""Every read of ratings worth a name: leader boards, cards, histories. Each says what it costs."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import product
from math import floor
from typing import Final

from django.core.cache import cache
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from accounts.models import User
from oceans import queries
from oceans.strengths import Strength
from tournaments import ranks, rate, replays
from tournaments.models import Rating, RatingChange, RatingDay, RatingEvent, TitleHeld
from tournaments.ratings import day_of, strength_on
from tournaments.result_log import OVERALL, code_of

PAGE: Final = 50
WORN: Final = "pair"
"""Why play did not rate a match of two who have met too often."""
PLACE_KEPT_S: Final = 3600
"""How long one's own place on a leader board may be old."""
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def date_of(day: int) -> datetime:
    """The midnight (UTC) a rating day begins with."""
    return EPOCH + timedelta(days=day)


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A card as pages show it: `shown` with `?` while provisional, `spread` is twice the deviation of today."""

    user: User
    pool: str
    game: str
    shown: str
    spread: int
    games: int
    wins: int
    draws: int
    losses: int
    is_provisional: bool
    rank: ranks.Rank | None = None


def row_of(card: Rating, day: int, rank: ranks.Rank | None = None) -> RatingRow:
    """A card in figures as of a day; its user should have been read along."""
    rd = strength_on(card, card.pool, day).rd
    provisional = rate.is_provisional(card.games, rd)
    return RatingRow(
        card.user,
        card.pool,
        queries.game_name(card.pool),
        rate.shown(card.r, provisional),
        round(2 * rd),
        card.games,
        card.wins,
        card.draws,
        card.losses,
        provisional,
        rank,
    )


def leader_board(pool: str, now: datetime, page: int = 1) -> list[RatingRow]:
    """One page of the leader board: settled ratings with a result in the last half year. Two queries."""
    day = day_of(now)
    cards = _on_board(pool, day).select_related("user").order_by("-r", "rd", "user")
    found = list(cards[(page - 1) * PAGE : page * PAGE])
    held = ranks_of([card.user_id for card in found], pool)
    return [row_of(card, day, held.get(card.user_id)) for card in found]


def _on_board(pool: str, day: int) -> QuerySet[Rating]:
    return Rating.objects.filter(pool=pool, shown_until__gte=day, user__closed_at=None)


def place_on_board(user: User, pool: str, now: datetime) -> int | None:
    """The user's own place on a leader board, None if he is not on it. It may be an hour old. Two queries."""
    key = f"board:{pool}:{user.pk}"
    kept = cache.get(key)
    if kept is None:
        day = day_of(now)
        card = _on_board(pool, day).filter(user=user).first()
        kept = 0
        if card is not None:
            same = Q(r=card.r) & (Q(rd__lt=card.rd) | Q(rd=card.rd, user__lt=user.pk))
            kept = 1 + _on_board(pool, day).filter(Q(r__gt=card.r) | same).count()
        cache.set(key, kept, PLACE_KEPT_S)
    return kept or None


def cards_of(user: User, now: datetime) -> list[RatingRow]:
    """All cards of a player with his ranks, most played first, the one of all games last. One query."""
    held = TitleHeld.objects.filter(user=OuterRef("user"), pool=OuterRef("pool")).order_by("-step").values("step")[:1]
    cards = Rating.objects.filter(user=user).annotate(step=Subquery(held)).select_related("user")
    ordered = sorted(cards.order_by("-games", "pool"), key=lambda card: card.pool == OVERALL)
    return [row_of(card, day_of(now), ranks.RANKS[card.step - 1] if card.step else None) for card in ordered]


def ranks_of(users: list[int], pool: str = "") -> dict[int, ranks.Rank]:
    """The highest permanent rank of each user who has one, in a pool or in any. One query."""
    held = TitleHeld.objects.filter(user__in=users)
    steps: dict[int, int] = {}
    for user, step in (held.filter(pool=pool) if pool else held).values_list("user", "step"):
        steps[user] = max(step, steps.get(user, 0))
    return {user: ranks.RANKS[step - 1] for user, step in steps.items()}


def strengths_of(users: Collection[int], games: Collection[str]) -> dict[tuple[int, str], Strength]:
    """The ratings of users in games as of now, newcomers included. One query."""
    day = day_of(timezone.now())
    cards = {
        (card.user_id, card.pool): card for card in Rating.objects.filter(user__in=list(users), pool__in=list(games))
    }
    found = {}
    for key in product(users, games):
        card = cards.get(key)
        now = strength_on(card, key[1], day)
        shown = rate.shown(now.r, rate.is_provisional(card.games if card else 0, now.rd))
        found[key] = Strength(now.r, now.rd, shown)
    return found


def chance_of(one: Strength, other: Strength) -> float:
    """The score that the first one may expect against the other, out of 1."""
    return rate.chance(rate.Rating(one.points, one.deviation, 0), rate.Rating(other.points, other.deviation, 0))


@dataclass(frozen=True, slots=True)
class History:
    """A rating after each day with a result, oldest first, and when a result was last ruled on, so that the ratings of
    the pool were calculated again."""

    points: list[tuple[datetime, float]]
    ruled_at: datetime | None


def history(user: User, pool: str) -> History:
    """How a rating came to be what it is. One query."""
    rulings = RatingEvent.objects.exclude(kind=RatingEvent.Kind.RESULT)
    if pool != OVERALL:
        rulings = rulings.filter(pool=pool)
    newest = Subquery(rulings.order_by("-pk").values("logged_at")[:1])
    days = RatingDay.objects.filter(user=user, pool=pool).annotate(ruled_at=newest).order_by("day")
    found = list(days.values_list("day", "r", "ruled_at"))
    return History([(date_of(day), r) for day, r, _at in found], found[-1][2] if found else None)


@dataclass(frozen=True, slots=True)
class RatedGame:
    """What a game was worth: points as pages print them, and the opponent's rating that morning in a game of two."""

    change: str
    against: int | None


def rated_games(user: User, match_ids: Collection[int]) -> dict[int, RatedGame]:
    """What games were worth to one who played them, by match; those that did not count are missing. One query."""
    own: dict[int, float] = {}
    rivals: dict[int, int] = {}
    rows = RatingChange.objects.filter(event__match__in=match_ids).exclude(pool=OVERALL).select_related("event")
    for row in rows:
        if row.user_id == user.pk:
            own[row.event.match_id] = row.change
        elif len(row.event.seats) == 2:
            rivals[row.event.match_id] = floor(row.start_r + 0.5)
    return {match_id: RatedGame(_signed(change), rivals.get(match_id)) for match_id, change in own.items()}


def _signed(change: float) -> str:
    points = floor(abs(change) + 0.5)
    return f"{'−' if change < 0 else '+'}{points}" if points else "0"


@dataclass(frozen=True, slots=True)
class Against:
    """One opponent of a rated result: his rating that morning, the chance, and what was scored, out of 1."""

    name: str
    rating: int
    chance: float
    scored: float


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """How one result changed a rating: what was expected against whom, and what it was worth."""

    match_id: int
    day: datetime
    change: float
    start: int
    spread: int
    against: tuple[Against, ...]


def changes(user: User, pool: str, *, with_private: bool, limit: int = 10) -> list[ChangeRow]:
    """The last changes of a rating with how each came about, newest first; for strangers without those of private
    games. Three queries."""
    found = RatingChange.objects.filter(user=user, pool=pool)
    if not with_private:
        found = found.filter(event__match__is_private=False)
    own = list(found.select_related("event").order_by("-day", "-event")[:limit])
    seats: dict[int, list[RatingChange]] = {}
    events = [change.event_id for change in own]
    for seat in RatingChange.objects.filter(pool=pool, event__in=events).select_related("user"):
        seats.setdefault(seat.event_id, []).append(seat)
    return [_change_row(change, seats[change.event_id]) for change in own]


def _change_row(own: RatingChange, seats: list[RatingChange]) -> ChangeRow:
    ranking = {seat[0]: seat[1] for seat in own.event.seats}
    start = rate.Rating(own.start_r, own.start_rd, own.day)
    against = [
        Against(
            seat.user.shown_name,
            floor(seat.start_r + 0.5),
            rate.expected(start, rate.Rating(seat.start_r, seat.start_rd, own.day)),
            _scored(ranking[own.user_id], ranking[seat.user_id]),
        )
        for seat in seats
        if seat.user_id != own.user_id
    ]
    return ChangeRow(
        own.event.match_id,
        date_of(own.day),
        own.change,
        floor(own.start_r + 0.5),
        round(2 * own.start_rd),
        tuple(against),
    )


def _scored(mine: int, other: int) -> float:
    return 0.5 if mine == other else float(mine < other)


@dataclass(frozen=True, slots=True)
class Uncounted:
    """A result that was agreed as rated and does not count; `code` says why."""

    match_id: int
    pool: str
    code: str


def uncounted(user: User, *, with_private: bool, limit: int = 5) -> list[Uncounted]:
    """The player's last results that were agreed as rated and do not count; for strangers without those of private
    games. One query."""
    kinds = RatingEvent.Kind
    ruled = RatingEvent.objects.filter(match=OuterRef("match")).order_by("-pk").values("kind")
    void = Subquery(ruled.filter(kind__in=[kinds.VOID, kinds.UNVOID])[:1])
    related = Subquery(ruled.filter(kind__in=[kinds.RELATED, kinds.UNRELATED])[:1])
    events = RatingEvent.objects.filter(kind=kinds.RESULT, rated=True, match__seats__user=user)
    if not with_private:
        events = events.filter(match__is_private=False)
    events = events.annotate(void_kind=void, related_kind=related)
    doubtful = events.filter(~Q(code="ok") | Q(void_kind__isnull=False) | Q(related_kind__isnull=False))
    found = []
    for event in doubtful.order_by("-pk")[: 4 * limit]:
        is_related = None if event.related_kind is None else event.related_kind == kinds.RELATED
        code = code_of(replays.logged(event, replays.Ruling(event.void_kind == kinds.VOID, is_related)))
        if code != "ok":
            found.append(Uncounted(event.match_id, event.pool, code))
    return found[:limit]


@dataclass(frozen=True, slots=True)
class SeatRating:
    """A seat of a match: the rating it began the day with, what the match was worth, or the chance while it runs."""

    name: str
    shown: str
    change: float | None
    chance: int | None


@dataclass(frozen=True, slots=True)
class MatchRatings:
    """What a match is about in ratings; `code` says why it does not count, once it is over."""

    seats: tuple[SeatRating, ...]
    code: str


def of_match(match_id: int, now: datetime) -> MatchRatings | None:
    """The ratings of a match that was agreed as rated, or would have been; None for others. Eight queries at most."""
    ended = queries.ended(match_id)
    if ended.unrated_because == WORN:
        return MatchRatings((), WORN)
    if not ended.was_to_count:
        return None
    names = {user.pk: user.shown_name for user in User.objects.filter(pk__in=ended.users)}
    event = RatingEvent.objects.filter(match=match_id, kind=RatingEvent.Kind.RESULT).first()
    if event is not None:
        found = {one.user_id: one for one in RatingChange.objects.filter(event=event, pool=event.pool)}
        seats = tuple(
            SeatRating(names[user], rate.shown(found[user].start_r, False), found[user].change, None)
            for user in ended.users
            if user in found
        )
        code = code_of(replays.logged(event, replays.rulings([match_id]).get(match_id, replays.NONE)))
        return MatchRatings(seats, "" if code == "ok" else code)
    day = day_of(now)
    cards = {card.user_id: card for card in Rating.objects.filter(pool=ended.game, user__in=ended.users)}
    strengths = [strength_on(card, ended.game, day) for card in map(cards.get, ended.users)]
    chances: list[int | None] = [None] * len(strengths)
    if len(strengths) == 2 and ended.status == "running":
        percent = round(100 * rate.chance(strengths[0], strengths[1]))
        chances = [percent, 100 - percent]
    seats = tuple(
        SeatRating(
            names[user],
            rate.shown(strength.r, rate.is_provisional(cards[user].games if user in cards else 0, strength.rd)),
            None,
            chance,
        )
        for user, strength, chance in zip(ended.users, strengths, chances, strict=True)
    )
    return MatchRatings(seats, "")
