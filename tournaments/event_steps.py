"""What happens inside an event, under its lock: starts, pairings, results, forfeits, deadlines, the end.

Called by the verbs of running.py only.
"""

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from oceans import play, queries
from oceans.queries import Ended
from oceans.refusals import Refusal
from tournaments import brackets, editions, endless, entering, event_news, plans, shapes
from tournaments.dropouts import MISSES_ALLOWED
from tournaments.endings import reason_of
from tournaments.event_rows import Locked, add_bouts, is_knock_out, points_for, value_of
from tournaments.fixtures import FORFEIT, PLAYED, SideTime, at_hard_limit, from_match
from tournaments.lots import draw
from tournaments.models import Award, Entrant, EventMatch, Pairing, Tournament

EVENT: Final = "event:"
"""How the event key of these matches begins."""
BATCH: Final = 10
"""Matches opened under one lock."""
PUT_OFF: Final = timedelta(days=7)
UNSEEN: Final = timedelta(days=14)
ENTRANTS_FOR_BADGES: Final = 5


def count(event: Tournament, by: int) -> None:
    """How many are in has changed by so many."""
    event.entered += by
    event.save(update_fields=["entered"])


def require_director(event: Tournament, by: User) -> None:
    """Raise Refusal unless somebody directs the event, or is staff."""
    if not (by.is_staff or by.pk == event.made_by_id):
        raise Refusal(_("Only the director of this event can do that."))


def withdraw(here: Locked, entrant: Entrant, state: str) -> None:
    """Take somebody out; what is open goes to the opponents."""
    entrant.state, entrant.left_at = state, here.now
    entrant.save(update_fields=["state", "left_at"])
    count(here.event, -1)
    open_ones = Pairing.objects.filter(round__tournament=here.event, how="open")
    for pairing in [one for one in open_ones if entrant.user_id in one.players]:
        _forfeit(here, pairing, entrant.user_id)


def _forfeit(here: Locked, pairing: Pairing, leaver: int) -> None:
    """Give a pairing to the opponent; at a table only the seat is given up, and the others play on."""
    running = list(pairing.matches.filter(ended_at=None))
    if len(pairing.players) == 2:
        for match in running:
            match.reason = "abandoned"
            match.save(update_fields=["reason"])
        other = next(player for player in pairing.players if player != leaver)
        _settle(here, pairing, points_for(other, pairing.players), FORFEIT, other)
    for match in running:
        _resign(match.match_id, leaver, here.now)


def _resign(match_id: int, user_id: int, now: datetime) -> None:
    """Resign a seat unless the match, or the seat in it, has just ended by itself."""
    users = queries.ended(match_id).users
    try:
        play.resign(match_id=match_id, seat=users.index(user_id), now=now)
    except (play.Refusal, play.IllegalMove):
        return


def _settle(here: Locked, pairing: Pairing, points: list[int], how: str, winner: int | None) -> None:
    pairing.points, pairing.how, pairing.winner_id, pairing.decided_at = points, how, winner, here.now
    pairing.save(update_fields=["points", "how", "winner", "decided_at"])


def start(here: Locked) -> None:
    """Close entries, draw the seed, give start numbers and groups, and pair."""
    event = here.event
    fit = _still_fit(here)
    if len(fit) < shapes.fewest(event):
        return
    event.state, event.started_at, event.due_at = Tournament.State.RUNNING, here.now, None
    event.seed = secrets.token_hex(16)
    event.save(update_fields=["state", "started_at", "due_at", "seed"])
    ratings = entering.seeding_rating(event.game, [one.user_id for one in fit])
    places = editions.layout(event, ratings)
    by_user = {one.user_id: one for one in fit}
    for seed, (user_id, level, group) in enumerate(places, start=1):
        one = by_user[user_id]
        one.seed, one.level, one.group, one.rating = seed, level, group, ratings[user_id]
    Entrant.objects.bulk_update(fit, ["seed", "level", "group", "rating"])
    if event.format == Tournament.Format.SWISS:
        event.shape["rounds"] = shapes.swiss_rounds(event.shape.get("rounds"), len(fit))
        event.save(update_fields=["shape"])
    event_news.started(event, here.now)
    editions.open_next_at_start(event, here.now)
    go_on(here)


def _still_fit(here: Locked) -> list[Entrant]:
    """The entrants at the start: who is dormant, gone or has not been seen for two weeks is dropped."""
    fit = []
    for one in here.event.entrants.filter(state=Entrant.State.IN).select_related("user"):
        seen_at = one.user.last_seen_at
        is_asleep = seen_at is not None and seen_at < here.now - UNSEEN and not one.user.is_bot
        if is_asleep or one.user.closed_at or entering.applicant(here.event.game, one.user, here.now).is_dormant:
            withdraw(here, one, Entrant.State.WITHDRAWN)
        else:
            fit.append(one)
    return fit


def cancel(here: Locked) -> None:
    """Call the event off and say so."""
    event = here.event
    event.state, event.finished_at, event.due_at = Tournament.State.CANCELLED, here.now, None
    event.save(update_fields=["state", "finished_at", "due_at"])
    event_news.cancelled(event, here.now)
    editions.open_next_at_end(event, here.now)


def go_on(here: Locked) -> None:
    """Pair what can be paired now, close rounds that are done, and finish."""
    event = here.event
    if event.is_paused:
        return
    if event.is_endless:
        endless.pair(here)
        return
    while True:
        plan = plans.next_step(value_of(event))
        if plan.is_over:
            _finish(here)
            return
        if not add_bouts(here, plan.bouts):
            break
    undecided = event.rounds.filter(pairings__how="open")
    event.rounds.filter(closed_at=None).exclude(pk__in=undecided).update(closed_at=here.now)


def _finish(here: Locked) -> None:
    event = here.event
    event.state, event.finished_at, event.due_at = Tournament.State.FINISHED, here.now, None
    event.save(update_fields=["state", "finished_at", "due_at"])
    event.rounds.filter(closed_at=None).update(closed_at=here.now)
    places = plans.places_of(value_of(event))
    entrants = list(event.entrants.exclude(seed=None))
    for one in entrants:
        found = places.get(one.user_id, plans.Place(None))
        one.place, one.is_shared = found.place, found.shared
    Entrant.objects.bulk_update(entrants, ["place", "is_shared"])
    Award.objects.bulk_create(_awards(event, entrants, here.now), ignore_conflicts=True)
    event_news.finished(event, here.now)
    editions.open_next_at_end(event, here.now)


def _awards(event: Tournament, entrants: Sequence[Entrant], now: datetime) -> list[Award]:
    """Badges for the first three places, and the titles of leagues and cups; only for who was in to the end."""
    played = [p for row in Pairing.objects.filter(round__tournament=event, how=PLAYED) for p in row.players]
    in_all = len(set(played))
    badges = {1: Award.Kind.FIRST, 2: Award.Kind.SECOND, 3: Award.Kind.THIRD}
    if event.format == Tournament.Format.MINI_CUP:
        badges = {1: Award.Kind.FIRST}
    elif in_all < ENTRANTS_FOR_BADGES:
        badges = {}
    won = []
    for one in entrants:
        if one.place is None or one.state != Entrant.State.IN:
            continue
        kinds = [badges[one.place]] if one.place in badges and one.level == 1 else []
        if one.place == 1 and event.series:
            if event.format == Tournament.Format.LEAGUE:
                kinds = [Award.Kind.CHAMPION if one.level == 1 else Award.Kind.FIRST]
            elif event.format == Tournament.Format.CUP:
                kinds.append(Award.Kind.CUP)
        won += [Award(user_id=one.user_id, kind=kind, tournament=event, won_at=now) for kind in kinds]
    return won


def open_some(here: Locked) -> int:
    """Open up to a batch of matches that pairings wait for."""
    opened = 0
    waiting = Pairing.objects.filter(round__tournament=here.event, how="open").select_related("round")
    for pairing in waiting.order_by("round__number", "board"):
        for _number in range(_games_missing(here.event, pairing)):
            if opened == BATCH:
                return opened
            _open_match(here, pairing)
            opened += 1
    return opened


def _games_missing(event: Tournament, pairing: Pairing) -> int:
    """How many games a pairing waits for: all of a match at once, extra ones one by one."""
    matches = list(pairing.matches.all())
    counted = [match for match in matches if match.ended_at is None or match.reason not in ("aborted", "cancelled")]
    if len(counted) < pairing.games:
        return pairing.games - len(counted)
    is_running = any(match.ended_at is None for match in counted)
    return int(not is_running and is_knock_out(event, pairing))


def lacking_matches() -> QuerySet[Pairing]:
    """Pairings with fewer games than they need, or none that runs."""
    playing = EventMatch.objects.filter(pairing=OuterRef("pk"), ended_at=None)
    rows = Pairing.objects.filter(how="open", round__tournament__state=Tournament.State.RUNNING)
    return rows.annotate(count=Count("matches")).filter(~Exists(playing) | Q(count__lt=F("games")))


def _open_match(here: Locked, pairing: Pairing) -> None:
    event = here.event
    number = pairing.matches.count() + 1
    order = draw(event.seed, f"first:{pairing.round.number}:{pairing.board}.{number}", pairing.players)
    match_id = play.open_match(
        game=event.game,
        users=[int(player) for player in order],
        pace=event.pace,
        weekend=event.weekend,
        leave_allowed=event.leave_allowed,
        rated=event.rated,
        label=event.name,
        event=f"{EVENT}{event.pk}",
        now=here.now,
    )
    EventMatch.objects.create(pairing=pairing, number=number, match_id=match_id)


def note_match(match: EventMatch, ended: Ended, now: datetime) -> None:
    """Write down how a match of the event ended."""
    players = match.pairing.players
    seats = [ended.users.index(player) for player in players]
    match.ended_at = now
    match.reason = match.reason or reason_of(ended)
    match.moved = [ended.moved[seat] for seat in seats]
    match.ranks = [ended.places[seat] for seat in seats] if ended.places else []
    match.save(update_fields=["ended_at", "reason", "moved", "ranks"])


def decide(here: Locked, pairing: Pairing, match: EventMatch) -> None:
    """Decide a pairing by its matches, if they do."""
    if match.reason in ("aborted", "cancelled"):
        return
    if len(pairing.players) > 2:
        _settle(here, pairing, list(match.ranks), PLAYED, None)
    elif is_knock_out(here.event, pairing):
        _decide_tie(here, pairing)
    else:
        a, b = match.moved
        winner = _first_alone(match.ranks)
        reason = "no_show" if winner is None and not (a and b) else match.reason
        decided = from_match(reason, winner, (a, b))
        if decided is not None:
            points, how = decided
            _settle(here, pairing, list(points), how, None if winner is None else pairing.players[winner])


def rule(here: Locked, pairing: Pairing, points: tuple[int, int], how: str) -> None:
    """Decide a pairing as its director rules; a game that runs is called off."""
    running = list(pairing.matches.filter(ended_at=None))
    for match in running:
        match.reason = "adjudicated"
        match.save(update_fields=["reason"])
    winner = next((p for p, point in zip(pairing.players, points, strict=True) if point == 2), None)
    _settle(here, pairing, list(points), how, winner)
    for match in running:
        play.call_off(match_id=match.match_id, now=here.now)


def _first_alone(ranks: Sequence[int]) -> int | None:
    return ranks.index(1) if ranks.count(1) == 1 else None


def _decide_tie(here: Locked, pairing: Pairing) -> None:
    """Decide a match of one or more games, of which somebody goes on."""
    done = [m for m in pairing.matches.order_by("number") if m.ended_at and m.reason not in ("aborted", "cancelled")]
    results = ["AB"[index] if (index := _first_alone(m.ranks)) is not None else "draw" for m in done]
    better = "AB"[pairing.players.index(_better_seed(here, pairing))]
    verdict = brackets.best_of(pairing.games, results, better)
    if verdict.winner is None:
        return
    winner = pairing.players["AB".index(verdict.winner)]
    loser = "AB".index(verdict.winner) ^ 1
    how = PLAYED if all(m.moved[loser] for m in done) else FORFEIT
    _settle(here, pairing, list(verdict.score), how, winner)


def _better_seed(here: Locked, pairing: Pairing) -> int:
    """The one of two players with the smaller start number."""
    ordered = here.event.entrants.filter(user__in=pairing.players).order_by("seed")
    return ordered.values_list("user", flat=True)[0]


def note_misses(here: Locked, ended: Ended) -> None:
    """Count a loss on time; the third in an event is the last, and who never moved is not paired until he says so."""
    if reason_of(ended) not in ("timeout", "no_show"):
        return
    for seat in ended.late:
        entrant = here.entrant(ended.users[seat])
        if entrant is None or entrant.state != Entrant.State.IN:
            continue
        entrant.misses += 1
        entrant.is_paused = entrant.is_paused or not ended.moved[seat]
        entrant.save(update_fields=["misses", "is_paused"])
        if entrant.misses > MISSES_ALLOWED:
            withdraw(here, entrant, Entrant.State.WITHDRAWN)


def see_to(here: Locked) -> None:
    """What time brings to an event: its start, late rounds, closed ones, the next pairing."""
    event, now = here.event, here.now
    if event.is_open and event.starts_at is not None and event.starts_at <= now and not event.is_paused:
        _start_on_date(here)
    if not event.is_running:
        return
    for round_ in event.rounds.filter(closed_at=None, limit_at__lte=now):
        for pairing in round_.pairings.filter(how="open"):
            _close(here, pairing)
    for round_ in event.rounds.filter(closed_at=None, late_at__lte=now, is_late=False):
        round_.is_late = True
        round_.save(update_fields=["is_late"])
        event_news.late(event, round_, now)
    go_on(here)


def _start_on_date(here: Locked) -> None:
    """Start on the date set; with too few entrants entries stay open for another week, once."""
    event = here.event
    start(here)
    if not event.is_open:
        return
    if event.was_put_off and event.format != Tournament.Format.LEAGUE:
        cancel(here)
        return
    event.was_put_off = True
    event.starts_at = event.due_at = here.now + PUT_OFF
    event.save(update_fields=["was_put_off", "starts_at", "due_at"])


def _close(here: Locked, pairing: Pairing) -> None:
    """Decide what is still open at the hard limit by who was slow; the game itself is called off."""
    running = list(pairing.matches.filter(ended_at=None))
    for match in running:
        match.reason = "overdue"
        match.save(update_fields=["reason"])
    if len(pairing.players) == 2:
        points, how = _judged(pairing, running)
        winner = next((p for p, point in zip(pairing.players, points, strict=True) if point == 2), None)
        if winner is None and is_knock_out(here.event, pairing) and points == (1, 1):
            winner = _better_seed(here, pairing)
        _settle(here, pairing, list(points), how, winner)
    else:
        ended = queries.ended(running[0].match_id) if running else None
        ranks = [1 if ended and ended.moved[ended.users.index(p)] else 2 for p in pairing.players]
        _settle(here, pairing, ranks, "overdue", None)
    for match in running:
        play.call_off(match_id=match.match_id, now=here.now)


def _judged(pairing: Pairing, running: Sequence[EventMatch]) -> tuple[tuple[int, int], str]:
    if not running:
        return (1, 1), "overdue"
    ended, hours = queries.ended(running[0].match_id), queries.hours_thought(running[0].match_id)
    sides = [SideTime(hours[player], ended.moved[ended.users.index(player)]) for player in pairing.players]
    return at_hard_limit(*sides)
