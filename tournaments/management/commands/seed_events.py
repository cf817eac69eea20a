"""Set up what runs for ever by itself: ladders, the league, the monthly cup, mini cups and the endless event."""

from datetime import datetime
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone
from django.utils.translation import gettext as _

from oceans import queries
from tournaments import running
from tournaments.editions import first_of_next_month
from tournaments.models import Ladder, Tournament

Format = Tournament.Format

GAMES: Final = ("oe-twos", "oe-jokers")
"""The games with a ladder, a league, a cup and the rest."""
TABLES: Final = "oe-table"
PACE: Final = "classic"


LEVELS: Final = range(1, 6)


class Command(BaseCommand):
    """`manage.py seed_events`; run again it adds only what is missing. With `--levels GAME COUNT` it sets up so many
    levels of mini cups of a game instead: who wins one gets a ticket for the next."""

    help = "Set up ladders, leagues, monthly cups, mini cups and endless events of Ocean's Eleven."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--levels",
            nargs=2,
            metavar=("GAME", "COUNT"),
            help="only this: so many levels of mini cups of a game, each by a ticket from the one below",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        if options["levels"]:
            game, count = options["levels"]
            made = _levels(game, count, now)
            if options["verbosity"]:
                self.stdout.write(f"{made} set up.")
            return
        made = sum(_ladder(game, now) + sum(_series(game, now)) for game in GAMES)
        made += _event(Format.MINI_CUP, TABLES, _("Mini cup"), now, most=4)
        if options["verbosity"]:
            self.stdout.write(f"{made} set up.")


def _ladder(game: str, now: datetime) -> int:
    name = _("Ladder: %(game)s") % {"game": queries.game_name(game)}
    fields = {"name": name[:80], "slug": game, "pace": PACE, "applied_at": now}
    return int(Ladder.objects.get_or_create(game=game, defaults=fields)[1])


def _series(game: str, now: datetime) -> list[int]:
    next_month = first_of_next_month(now)
    by_date: dict[str, Any] = {"starts": Tournament.Starts.DATE}
    return [
        _event(Format.LEAGUE, game, _("League"), now, **by_date),
        _event(Format.CUP, game, _("Monthly cup"), now, **by_date, starts_at=next_month, shape={"limit": 6}),
        _event(Format.MINI_CUP, game, _("Mini cup"), now, most=4),
        _event(Format.INFINITY, game, _("Endless"), now),
    ]


def _levels(game: str, count: str, now: datetime) -> int:
    """Mini cups of a game in levels, made where they are missing; how many were made."""
    if game not in {one.slug for one in queries.games()}:
        raise CommandError(f"There is no game {game}.")
    if not count.isdecimal() or int(count) not in LEVELS:
        raise CommandError(f"There may be {LEVELS[0]} to {LEVELS[-1]} levels.")
    made = 0
    for level in range(1, int(count) + 1):
        name = _("Mini cup, level %(n)d") % {"n": level} if level > 1 else _("Mini cup")
        series = _series_of(game, level)
        made += _event(Format.MINI_CUP, game, name, now, series=series, most=4, by_ticket=level > 1)
        above = _series_of(game, level + 1) if level < int(count) else ""
        running.lead_on(series=series, ticket_to=above, now=now)
    return made


def _series_of(game: str, level: int) -> str:
    """The mini cups of a game at a level."""
    return f"{Format.MINI_CUP}-{game}" + (f"-{level}" if level > 1 else "")


def _event(format: str, game: str, name: str, now: datetime, series: str = "", **terms: Any) -> int:
    """Make the first edition of a series unless there is one; how many were made."""
    series = series or f"{format}-{game}"
    if Tournament.objects.filter(series=series).exists():
        return 0
    title = f"{name}, {queries.game_name(game)}"
    running.create(by=None, name=title, format=format, game=game, pace=PACE, now=now, series=series, **terms)
    return 1
