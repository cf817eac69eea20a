"""What stands out in the ratings, for a person to look at each morning (docs/competition.md, 2). Nobody is punished by
it. Over the last half year and by pool: pairs of which one side won nearly everything though less was expected, and
accounts that gained much from few opponents.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final

from tournaments.models import FairPlayReport, RatingChange
from tournaments.rate import Rating as Strength
from tournaments.rate import expected
from tournaments.ratings import day_of
from tournaments.replays import NONE, Ruling, logged, rulings
from tournaments.result_log import OVERALL, counted

DAYS: Final = 180
LEAST_RESULTS: Final = 8
LEAST_SHARE: Final = 0.9
LEAST_GAIN: Final = 150.0
MOST_OPPONENTS: Final = 3


@dataclass(frozen=True, slots=True)
class Meeting:
    """One counted result from one player's side against one other; `change` is his share of what the result was worth
    to him."""

    pool: str
    player: int
    other: int
    scored: float
    expected: float
    change: float


@dataclass(frozen=True, slots=True)
class Pair:
    """One side has nearly everything; shares are out of 1."""

    pool: str
    winner: int
    loser: int
    results: int
    scored: float
    expected: float


@dataclass(frozen=True, slots=True)
class Gain:
    """An account that came by its points from few others."""

    pool: str
    user: int
    points: float
    opponents: int


def findings(meetings: Iterable[Meeting]) -> tuple[list[Pair], list[Gain]]:
    """What stands out, most striking first."""
    by_pair: dict[tuple[str, int, int], list[Meeting]] = defaultdict(list)
    for one in meetings:
        by_pair[one.pool, one.player, one.other].append(one)
    pairs = []
    points: dict[tuple[str, int], float] = defaultdict(float)
    opponents: dict[tuple[str, int], int] = defaultdict(int)
    for (pool, player, other), met in by_pair.items():
        points[pool, player] += sum(one.change for one in met)
        opponents[pool, player] += 1
        scored = sum(one.scored for one in met) / len(met)
        hoped = sum(one.expected for one in met) / len(met)
        if len(met) >= LEAST_RESULTS and scored >= LEAST_SHARE and hoped < scored:
            pairs.append(Pair(pool, player, other, len(met), round(scored, 3), round(hoped, 3)))
    gains = [
        Gain(pool, user, round(gained, 1), opponents[pool, user])
        for (pool, user), gained in points.items()
        if gained > LEAST_GAIN and opponents[pool, user] <= MOST_OPPONENTS
    ]
    pairs.sort(key=lambda pair: (pair.expected - pair.scored, pair.pool, pair.winner, pair.loser))
    gains.sort(key=lambda gain: (-gain.points, gain.pool, gain.user))
    return pairs, gains


def report(now: datetime) -> FairPlayReport:
    """Write the report on the days before today, once; again, and it is left as it is."""
    today = day_of(now)
    found = FairPlayReport.objects.filter(day=today - 1).first()
    if found is not None:
        return found
    pairs, gains = findings(_meetings(today))
    made, _is_new = FairPlayReport.objects.get_or_create(
        day=today - 1,
        defaults={"made_at": now, "pairs": [asdict(one) for one in pairs], "gains": [asdict(one) for one in gains]},
    )
    return made


def _meetings(today: int) -> Iterable[Meeting]:
    changes = RatingChange.objects.filter(day__gte=today - DAYS, day__lt=today).exclude(pool=OVERALL)
    ruled = rulings()
    seats: list[RatingChange] = []
    for change in changes.select_related("event").order_by("event").iterator():
        if seats and seats[0].event_id != change.event_id:
            yield from _meetings_of(seats, ruled.get(seats[0].event.match_id, NONE))
            seats = []
        seats.append(change)
    if seats:
        yield from _meetings_of(seats, ruled.get(seats[0].event.match_id, NONE))


def _meetings_of(seats: list[RatingChange], ruling: Ruling) -> Iterable[Meeting]:
    ranks = counted(logged(seats[0].event, ruling)).ranks
    for own in seats:
        me = Strength(own.start_r, own.start_rd, own.day)
        for seat in seats:
            if seat is not own:
                mine, theirs = ranks[own.user_id], ranks[seat.user_id]
                yield Meeting(
                    own.pool,
                    own.user_id,
                    seat.user_id,
                    0.5 if mine == theirs else float(mine < theirs),
                    expected(me, Strength(seat.start_r, seat.start_rd, seat.day)),
                    own.change / (len(seats) - 1),
                )
