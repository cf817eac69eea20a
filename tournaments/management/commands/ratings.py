"""Compute all ratings again from the log and compare them with those that are stored."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from oceans.refusals import Refusal
from tournaments import ratings, replays
from tournaments.models import Rating
from tournaments.pools import own_params
from tournaments.result_log import Card, replay


class Command(BaseCommand):
    """`manage.py ratings` compares; `--rebuild` stores what the log gives."""

    help = (
        "Compute all ratings again from the log of results, and compare (or, with --rebuild, replace) the stored ones."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--rebuild", action="store_true", help="replace the stored ratings")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["rebuild"]:
            try:
                differing = ratings.rebuild()
            except Refusal as refused:
                raise CommandError(str(refused)) from refused
            self.stdout.write(f"{differing} stored rows were replaced.")
        told: dict[tuple[str, int | str], Card] = {
            (pool, player): card
            for pool, cards in replay(ratings.whole_log(), own_params()).items()
            for player, card in cards.items()
        }
        stored: dict[tuple[str, int | str], Card] = {
            (card.pool, card.user_id): replays.card_of(card) for card in Rating.objects.all()
        }
        wrong = sorted(str(key) for key in told.keys() | stored.keys() if told.get(key) != stored.get(key))
        for key in wrong:
            self.stderr.write(f"{key} differs from the log")
        if wrong:
            raise CommandError(f"{len(wrong)} of {len(told)} ratings differ. Run with --rebuild to replace them.")
        self.stdout.write(f"{len(told)} ratings are what the log says.")
