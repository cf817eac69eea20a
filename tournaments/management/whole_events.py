"""Whole events between house bots on a clock of their own, with workers that are killed at random.

People act by the verbs that their pages call; everything else is done by a worker in a process of its own: bots move,
news of finished games is spread, the steps of the tick are taken, two hours of the event's clock at a time. At random
moments the worker dies by SIGKILL, and the next one goes on where the clock stands.
"""

import multiprocessing
import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final

from django.db import connections

from accounts.models import User
from oceans import tick
from oceans.refusals import Refusal
from tournaments import ladders, running, ticking
from tournaments.editions import first_of_next_month
from tournaments.management import comparing
from tournaments.models import Challenge, Ladder, Rung, Tournament

BEGIN: Final = datetime(2031, 1, 29, tzinfo=UTC)
STEP: Final = timedelta(hours=2)
AFTER_A_STEP: Final = timedelta(minutes=1)
"""How long after the last step of the worker people act: who left just when a round opened, was he in it?"""
DAY: Final = timedelta(days=1)
MOST_DAYS: Final = 400
MOST_KILLS_A_DAY: Final = 3
GAME: Final = "oe-twos"


@dataclass(slots=True)
class World:
    """The clock of the event, its chance, and how often a worker was killed on purpose."""

    random: Random
    kills_left: int
    now: datetime = BEGIN
    kills: int = 0

    def days(self) -> int:
        """How many days have gone by."""
        return (self.now - BEGIN).days

    def live(self, days: float = 1) -> None:
        """Let time go by, with a worker at work that may be killed on the way."""
        end = self.now + days * DAY
        spawn = multiprocessing.get_context("fork")
        clock = spawn.Value("d", self.now.timestamp(), lock=False)
        for _attempt in range(MOST_KILLS_A_DAY):
            if self.kills_left == 0 or clock.value >= end.timestamp():
                break
            self.kills_left -= 1
            worker = _started(spawn, clock, end)
            worker.join(self.random.uniform(0, 0.7))
            if worker.is_alive() and worker.pid is not None:
                os.kill(worker.pid, signal.SIGKILL)
                self.kills += 1
            worker.join()
        worker = _started(spawn, clock, end)
        worker.join()
        if worker.exitcode != 0:
            raise RuntimeError("The worker failed by itself.")
        self.now = end + AFTER_A_STEP

    def live_until(self, done: Callable[[], bool], meanwhile: Callable[[], None] = lambda: None) -> None:
        """Let days go by until something is so; `meanwhile` people act, once a day."""
        for _day in range(MOST_DAYS):
            if done():
                return
            meanwhile()
            self.live()
        raise RuntimeError(f"Not over after {MOST_DAYS} days.")


def _started(spawn, clock, end: datetime):
    """A worker in a process of its own, with connections of its own."""
    connections.close_all()
    worker = spawn.Process(target=_work, args=(clock, end))
    worker.start()
    return worker


def _work(clock, end: datetime) -> None:
    """Do step by step what is due; the clock goes on when a step is done, so one that was killed is worked again."""
    while clock.value < end.timestamp():
        now = datetime.fromtimestamp(clock.value, UTC) + STEP
        tick.nudge(now)
        ticking.steps(now)
        clock.value = now.timestamp()


def people(count: int) -> list[User]:
    """So many house bots with names of their own."""
    return [User.objects.create(username=f"Player {n}", is_bot=True, date_joined=BEGIN) for n in range(1, count + 1)]


def _opened(world: World, users: list[User], name: str, format: str, **terms: Any) -> Tournament:
    """An event that these people have entered."""
    pk = running.create(by=None, name=name, format=format, game=GAME, pace="classic", now=world.now, **terms)
    for one in users:
        running.enter(tournament_id=pk, user_id=one.pk, now=world.now)
    return Tournament.objects.get(pk=pk)


def _is_over(event: Tournament) -> Callable[[], bool]:
    return lambda: Tournament.objects.filter(pk=event.pk, state=Tournament.State.FINISHED).exists()


def league(world: World, players: int) -> dict[str, int]:
    """A season of the league, and the start of the next one."""
    event = _opened(world, people(players), "League", "league", starts="date", series="league")
    world.live_until(_is_over(event))
    following = Tournament.objects.get(series="league", edition=2)
    world.live_until(lambda: Tournament.objects.get(pk=following.pk).is_running)
    told = comparing.round_robin(Tournament.objects.get(pk=event.pk))
    comparing.next_league(event, following)
    return told


def cup(world: World, players: int) -> dict[str, int]:
    """A monthly cup from its entries to its winner; meanwhile the next one takes entries."""
    starts_at = first_of_next_month(world.now)
    terms = {"starts": "date", "starts_at": starts_at, "shape": {"limit": 6}, "series": "cup"}
    event = _opened(world, people(players), "Cup", "cup", **terms)
    world.live_until(_is_over(event))
    comparing.same("next cups", Tournament.objects.filter(series="cup", edition=2).count(), 1)
    return comparing.cup(Tournament.objects.get(pk=event.pk))


def swiss(world: World, players: int) -> dict[str, int]:
    """A Swiss with a late entry and two withdrawals, one of them in the midst of a round."""
    everybody = people(players)
    event = _opened(world, everybody[:-1], "Swiss", "swiss", starts="date", starts_at=world.now + DAY)
    leaving = {3: everybody[1], 7: everybody[4]}
    late = everybody[-1]

    def meanwhile() -> None:
        event.refresh_from_db()
        if event.is_running and not event.entrants.filter(user=late).exists():
            running.enter(tournament_id=event.pk, user_id=late.pk, now=world.now)
        if (leaver := leaving.pop(world.days(), None)) is not None:
            running.withdraw(tournament_id=event.pk, user_id=leaver.pk, now=world.now)

    world.live_until(_is_over(event), meanwhile)
    return comparing.swiss(Tournament.objects.get(pk=event.pk))


def mini_cup(world: World, players: int) -> dict[str, int]:
    """A mini cup that starts when it is full; the next one opens."""
    event = _opened(world, people(players), "Mini cup", "mini-cup", most=players, series="mini-cup")
    world.live_until(_is_over(event))
    comparing.same("next mini cups", Tournament.objects.filter(series="mini-cup", edition=2).count(), 1)
    return comparing.round_robin(Tournament.objects.get(pk=event.pk))


def ladder(world: World, players: int) -> dict[str, int]:
    """A month on a ladder: people challenge whom they may, mostly accept, decline or forget about it."""
    one = Ladder.objects.create(slug="ladder", name="Ladder", game=GAME, pace="classic", applied_at=world.now)
    for user in people(players):
        ladders.join(ladder_id=one.pk, user_id=user.pk, now=world.now)
    for _day in range(30):
        _a_day_on_the_ladder(world, one)
        world.live()
    return comparing.ladder(one)


def _a_day_on_the_ladder(world: World, one: Ladder) -> None:
    for waiting in Challenge.objects.filter(ladder=one, state=Challenge.State.PENDING):
        answer = world.random.choices((ladders.accept, ladders.decline, None), (7, 1, 1))[0]
        if answer is not None:
            answer(challenge_id=waiting.pk, user_id=waiting.to_id, now=world.now)
    order = list(Rung.objects.filter(ladder=one, left_at=None).order_by("order_key").values_list("user", flat=True))
    for _challenge in range(len(order) // 3):
        by, to = sorted(world.random.sample(range(len(order)), 2), reverse=True)
        try:
            ladders.challenge(ladder_id=one.pk, by=order[by], to=order[to], now=world.now)
        except Refusal:
            continue


EVENTS: Final[dict[str, tuple[Callable[[World, int], dict[str, int]], int]]] = {
    "league": (league, 9),
    "cup": (cup, 13),
    "swiss": (swiss, 24),
    "ladder": (ladder, 9),
    "mini-cup": (mini_cup, 4),
}
"""What can be played, with the usual number of players."""
