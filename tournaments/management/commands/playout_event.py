"""`manage.py playout_event EVENT`: a whole event between house bots, with workers killed at random (README, Tools)."""

import json
from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User
from tournaments.management.comparing import Differs
from tournaments.management.whole_events import EVENTS, World


class Command(BaseCommand):
    """Plays on a database of its own, and compares the final tables with those of the pure functions."""

    help = "Play a whole event between house bots through the real services, with workers that are killed at random."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("event", choices=EVENTS, help="what is played")
        parser.add_argument("--players", type=int, help="how many play (default: a usual number)")
        parser.add_argument("--kills", type=int, default=20, help="how many workers are killed at most (default 20)")
        parser.add_argument("--seed", type=int, default=1, help="the seed of chance (default 1)")

    def handle(self, *, event: str, players: int | None, kills: int, seed: int, **_options: Any) -> None:
        if User.objects.exists():
            raise CommandError("Only on a database without people: name a new one by VAR_DIR or DATABASE_URL.")
        play, usual = EVENTS[event]
        world = World(Random(seed), max(0, kills))
        try:
            told = play(world, usual if players is None else players)
        except Differs as differs:
            raise CommandError(f"The event ended otherwise than the rules say: {differs}") from differs
        summary = {"event": event, **told, "days": world.days(), "workers_killed": world.kills}
        self.stdout.write(json.dumps(summary))
