"""The endless event in rows: who is paired with whom, and what a result does to a score (docs/competition.md, 12).

Called by running.py under the lock of the event.
"""

import secrets
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from tournaments import infinity
from tournaments.entering import ratings_now
from tournaments.event_rows import Locked, add_bouts, pairings_of
from tournaments.models import Entrant, Pairing, Tournament
from tournaments.plans import Bout
from tournaments.ratings import day_of

LATELY: Final = timedelta(days=infinity.LATELY_DAYS)
"""Who met within so long is not paired again; older games are not on the page of the event either."""
STEPS_KEPT: Final = 5
"""So many results are shown that made a score."""
LOOK_AGAIN: Final = timedelta(days=1)
"""How soon pairs that met lately may have become free to meet again."""


def begin(event: Tournament, now: datetime) -> None:
    """An endless event runs from the moment it is made."""
    event.state, event.started_at, event.due_at = Tournament.State.RUNNING, now, now + LOOK_AGAIN
    event.seed = secrets.token_hex(16)
    event.save(update_fields=["state", "started_at", "due_at", "seed"])


def take_in(event: Tournament, entrant: Entrant, now: datetime) -> None:
    """A newcomer, or somebody who is back: his score is what it was."""
    if entrant.seed is None:
        entrant.seed = event.entrants.exclude(seed=None).count() + 1
    if entrant.score is None:
        entrant.score = infinity.FIRST_SCORE


def pair(here: Locked) -> None:
    """Give everybody who wants more matches a new opponent of similar strength, as far as there are any."""
    event, now = here.event, here.now
    entrants = list(event.entrants.filter(state=Entrant.State.IN, is_paused=False).order_by("seed"))
    rows = list(pairings_of(event, now - LATELY))
    running = Counter(player for row in rows if row.is_open for player in row.players)
    ratings = ratings_now(event.game, [one.user_id for one in entrants])
    seekers = [
        infinity.Seeker(
            one.user_id,
            ratings[one.user_id],
            one.wanted,
            running[one.user_id],
            day_of(one.paired_at or one.entered_at),
        )
        for one in entrants
    ]
    pairs = infinity.pair_seekers(seekers, [frozenset(row.players) for row in rows])
    number = day_of(now) - day_of(event.started_at or now) + 1
    board = sum(row.round.number == number for row in rows)
    add_bouts(here, [Bout(number, board + n, (int(a), int(b))) for n, (a, b) in enumerate(pairs, start=1)])
    event.entrants.filter(user__in=[player for one in pairs for player in one]).update(paired_at=now)
    event.due_at = now + LOOK_AGAIN
    event.save(update_fields=["due_at"])


def score(event: Tournament, pairing: Pairing) -> None:
    """Let a decided pairing count for both scores. Decided otherwise by a ruling, or heard of after later ones, it
    counts in its place, and what came after follows."""
    if len(pairing.points) != 2:
        return
    assert pairing.decided_at is not None
    is_first = pairing.field is None
    if pairing.field is None:
        pairing.field = max(2, event.entered)
        pairing.save(update_fields=["field"])
    entrants = list(event.entrants.filter(user__in=pairing.players))
    if is_first and all(one.scored_at is None or one.scored_at < pairing.decided_at for one in entrants):
        results = dict(zip(pairing.players, pairing.points, strict=True))
        for one in entrants:
            before = infinity.FIRST_SCORE if one.score is None else one.score
            step = infinity.next_score(before, results[one.user_id], pairing.field)
            _note(one, [*steps_of(one), step], pairing.decided_at)
    else:
        found = results_by_player(event)
        for one in entrants:
            last = max(one.scored_at or pairing.decided_at, pairing.decided_at)
            _note(one, infinity.score_history(found[one.user_id]), last)
    Entrant.objects.bulk_update(entrants, ["score", "steps", "scored_at"])


def _note(one: Entrant, steps: Sequence[infinity.ScoreStep], last: datetime) -> None:
    """Set a score by the steps that led to it."""
    one.score, one.scored_at = steps[-1].new, last
    one.steps = [[step.old, step.result, step.players] for step in steps[-STEPS_KEPT:]]


def steps_of(one: Entrant) -> list[infinity.ScoreStep]:
    """The last results that made the score of an entrant, oldest first."""
    return [infinity.next_score(old, result, players) for old, result, players in one.steps]


def results_by_player(event: Tournament) -> dict[int, list[tuple[int, int]]]:
    """What counts for the score of each player, in order: his result, and how many were in the event. One query."""
    found: dict[int, list[tuple[int, int]]] = {}
    counting = Pairing.objects.filter(round__tournament=event, field__isnull=False).order_by("decided_at", "pk")
    for players, points, field in counting.values_list("players", "points", "field"):
        for player, result in zip(players, points, strict=True):
            found.setdefault(player, []).append((result, field or 2))
    return found
