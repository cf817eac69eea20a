"""Something to watch on a new site."""

from typing import Any, Final

from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils import timezone

from oceans import offers, play
from oceans.models import Match

SHOWS: Final = (("oe-twos", 2, 12), ("oe-jokers", 2, 6), ("oe-five-suits", 2, 10), ("guts", 3, 3))
"""The games shown, with how many seats, and how many answers they are from their beginning."""


class Command(BaseCommand):
    help = "Make the house bots and, where nobody has played yet, some games between them that anybody can watch."

    def handle(self, *args: Any, **options: Any) -> None:
        house = offers.house_bots()
        if Match.objects.exists():
            self.stdout.write("There are games already: nothing was added.")
            return
        now = timezone.now()
        with transaction.atomic():
            for number, (game, seats, answers) in enumerate(SHOWS):
                players = [house[(number + seat) % len(house)].pk for seat in range(seats)]
                match_id = play.open_match(game=game, users=players, pace="classic", now=now)
                play.play_show(match_id=match_id, now=now, answers=answers)
        self.stdout.write(f"{len(SHOWS)} games between house bots are being played.")
