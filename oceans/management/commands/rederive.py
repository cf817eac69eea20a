"""Replay matches from their logs and compare with what is stored."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from oceans.management.rederiving import first_difference
from oceans.models import Match


class Command(BaseCommand):
    help = "Replay all matches and report, for each that differs from what is stored, the first entry or column."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--live", action="store_true", help="only matches that are running or stopped for repair")
        parser.add_argument("--match", type=int, metavar="NUMBER", help="only this match")

    def handle(self, *args: Any, **options: Any) -> None:
        matches = Match.objects.filter(started_at__isnull=False).order_by("pk")
        if options["live"]:
            matches = matches.filter(status__in=[Match.Status.RUNNING, Match.Status.PARKED])
        if options["match"] is not None:
            matches = matches.filter(pk=options["match"])
            if not matches.exists():
                raise CommandError(f"There is no started match number {options['match']}.")
        count = different = 0
        for match in matches.iterator(chunk_size=200):
            count += 1
            found = first_difference(match)
            if found is not None:
                different += 1
                self.stderr.write(str(found))
        self.stdout.write(f"{count - different} of {count} matches agree.")
        if different:
            raise CommandError("Some matches differ from their logs; each is named above with its first difference.")
