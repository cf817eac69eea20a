"""Replay matches from their logs and compare with what is stored."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from oceans.management.recounting import left_out, recount, wrong_totals
from oceans.management.rederiving import first_difference
from oceans.models import Match


class Command(BaseCommand):
    help = (
        "Replay all matches and report, for each that differs from what is stored, the first entry or column; "
        "then compare (or, with --recount, mend) the totals of players."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--live", action="store_true", help="only matches that are running or stopped for repair")
        parser.add_argument("--match", type=int, metavar="NUMBER", help="only this match")
        parser.add_argument("--recount", action="store_true", help="only totals, and mend those that differ")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["recount"]:
            self.stdout.write(f"{recount()} matches and totals were counted anew.")
            wrong = self._compare_totals()
        else:
            wrong = self._replay(options["live"], options["match"])
            if not options["live"] and options["match"] is None:
                wrong += self._compare_totals()
        if wrong:
            raise CommandError(" ".join(wrong))

    def _replay(self, live: bool, number: int | None) -> list[str]:
        matches = Match.objects.filter(started_at__isnull=False).order_by("pk")
        if live:
            matches = matches.filter(status__in=[Match.Status.RUNNING, Match.Status.PARKED])
        if number is not None:
            matches = matches.filter(pk=number)
            if not matches.exists():
                raise CommandError(f"There is no started match number {number}.")
        count = different = 0
        for match in matches.iterator(chunk_size=200):
            count += 1
            found = first_difference(match)
            if found is not None:
                different += 1
                self.stderr.write(str(found))
        self.stdout.write(f"{count - different} of {count} matches agree.")
        if different:
            return ["Some matches differ from their logs; each is named above with its first difference."]
        return []

    def _compare_totals(self) -> list[str]:
        wrong = [f"m-{match_id}: how it ended is in nobody's totals" for match_id in left_out()]
        wrong += map(str, wrong_totals())
        for line in wrong:
            self.stderr.write(line)
        if wrong:
            return ["Some totals of players differ from their matches. Run with --recount to mend them."]
        self.stdout.write("The totals of players agree.")
        return []
