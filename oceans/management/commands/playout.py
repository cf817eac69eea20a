"""`manage.py playout GAME`: random legal games with every invariant checked at every step (README, Tools)."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError

from oceans.management.tools import Tool
from oceans.rules.games import by_slug
from oceans.rules.options import BadOptions, read_options
from oceans.rules.playing import BrokenRules, picker, playout
from oceans.rules.transcript import transcript


class Command(Tool):
    help = "Play random legal games, check cards, chips and turns at every step, and print a summary as JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", help="the game's short name, such as oe-twos")
        parser.add_argument("--seats", type=int, help="how many players (default: the fewest)")
        parser.add_argument("--games", type=int, default=1, help="how many games (default 1)")
        parser.add_argument("--seed", type=int, default=1, help="the first game's seed; the others follow (default 1)")
        parser.add_argument("--options", default="{}", help="options of the game as a JSON object")
        parser.add_argument("--write", action="store_true", help="write the transcript of the first game for the tests")

    def handle(
        self, *, game: str, seats: int | None, games: int, seed: int, options: str, write: bool, **_: Any
    ) -> None:
        if games < 1:
            raise CommandError("--games must be at least 1.")
        try:
            played = by_slug(game)
            count = played.seats[0] if seats is None else seats
            given = json.loads(options)
            if not isinstance(given, dict):
                raise CommandError("--options must be a JSON object, as in '{\"cards\": 3}'.")
            chosen = read_options(played, given, count)
        except KeyError as unknown:
            raise CommandError(str(unknown.args[0])) from unknown
        except (ValueError, RecursionError) as error:
            raise CommandError("--options must be a JSON object, as in '{\"cards\": 3}'.") from error
        except BadOptions as refused:
            raise CommandError(str(refused)) from refused
        summary = {"game": game, "seats": count, "games": games, "seed": seed, "moves": 0, "deals": 0, "broken": []}
        for number in range(seed, seed + games):
            try:
                match = playout(played, chosen, count, number, picker(number))
            except BrokenRules as broken:
                summary["broken"].append({"seed": number, "reason": str(broken)})
                continue
            summary["moves"] += len(match.log)
            summary["deals"] += len(match.results)
        if write:
            path = Path(settings.BASE_DIR) / "tests" / "rules" / "transcripts" / f"{game}.txt"
            path.write_text(transcript(played, chosen, count, seed), encoding="utf-8")
            summary["transcript"] = str(path.relative_to(settings.BASE_DIR))
        self.tell(summary)
        if summary["broken"]:
            raise SystemExit(1)
