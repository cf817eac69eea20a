"""The endless event in rows: who is paired with whom, and what a result does to a score (docs/competition.md, 12).

Called by running.py under the lock of the event.
"""

import secrets
from datetime import datetime, timedelta
from typing import Final

from tournaments import infinity
from tournaments.entering import seeding_rating
from tournaments.event_rows import Locked, add_bouts
from tournaments.models import Entrant, Pairing, Tournament
from tournaments.plans import Bout
from tournaments.ratings import day_of

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
    today = day_of(now)
    since = now - timedelta(days=infinity.LATELY_DAYS)
    rows = list(Pairing.objects.filter(round__tournament=event).select_related("round").order_by("pk"))
    open_ones = [row for row in rows if row.is_open]
    lately = [row for row in rows if row.is_open or row.round.opened_at > since]
    last = {player: day_of(row.round.opened_at) for row in rows for player in row.players}
    ratings = seeding_rating(event.game, [one.user_id for one in entrants])
    seekers = [
        infinity.Seeker(
            one.user_id,
            ratings[one.user_id],
            one.wanted,
            sum(one.user_id in row.players for row in open_ones),
            last.get(one.user_id, day_of(one.entered_at)),
        )
        for one in entrants
    ]
    pairs = infinity.pair_seekers(seekers, [frozenset(row.players) for row in lately])
    number = today - day_of(event.started_at or now) + 1
    board = sum(row.round.number == number for row in rows)
    add_bouts(here, [Bout(number, board + n, (int(a), int(b))) for n, (a, b) in enumerate(pairs, start=1)])
    event.due_at = now + LOOK_AGAIN
    event.save(update_fields=["due_at"])


def score(event: Tournament, pairing: Pairing) -> None:
    """Let a decided pairing count for both scores, which follow from all pairings that count: decided otherwise by a
    ruling, it counts otherwise in its old place, and what came after follows."""
    if len(pairing.points) != 2:
        return
    if pairing.field is None:
        pairing.field = max(2, event.entered)
        pairing.save(update_fields=["field"])
    results = results_by_player(event)
    entrants = list(event.entrants.filter(user__in=pairing.players))
    for entrant in entrants:
        entrant.score = infinity.score_history(results[entrant.user_id])[-1].new
    Entrant.objects.bulk_update(entrants, ["score"])


def results_by_player(event: Tournament) -> dict[int, list[tuple[int, int]]]:
    """What counts for the score of each player, in order: his result, and how many were in the event. One query."""
    found: dict[int, list[tuple[int, int]]] = {}
    counting = Pairing.objects.filter(round__tournament=event, field__isnull=False).order_by("decided_at", "pk")
    for players, points, field in counting.values_list("players", "points", "field"):
        for player, result in zip(players, points, strict=True):
            found.setdefault(player, []).append((result, field or 2))
    return found
