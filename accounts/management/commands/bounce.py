"""`manage.py bounce`: take in the report of a mail that came back, for the pipe of a mail server (docs/deploy.md)."""

import sys
from email import message_from_bytes
from email.message import Message
from email.utils import getaddresses
from typing import Any, Final

from django.core.management import CommandError
from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError
from django.utils import timezone

from accounts import bounces

MOST_BYTES: Final = 1024 * 1024
"""More of a report is not read; the part that counts comes early."""
TRY_AGAIN: Final = 75
NO_PERMISSION: Final = 77
"""Exit statuses by which mail servers know what to do, from sysexits.h."""


class Command(BaseCommand):
    help = (
        "Read a delivery status notification (RFC 3464) on standard input and mark the mail that it is about. "
        "Exit status 0: noted, or nothing to note; 77: the return address is not ours or has expired; 75: try again "
        "later."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "address", nargs="?", help="the address the report came to; without it, the headers of the report tell"
        )

    def handle(self, *, address: str | None = None, **options: Any) -> None:
        try:
            report = message_from_bytes(sys.stdin.buffer.read(MOST_BYTES))
            self.stdout.write(_taken_in(report, address or _addressed(report)))
        except RecursionError as error:
            raise CommandError("Ignored: no report has so many parts in parts.", returncode=NO_PERMISSION) from error
        except bounces.NotOurs as refusal:
            raise CommandError(f"Ignored: {refusal}", returncode=NO_PERMISSION) from refusal
        except bounces.TooEarly as error:
            raise CommandError(
                "The mail is still being sent. Bring the report again later.", returncode=TRY_AGAIN
            ) from error
        except DatabaseError as error:
            raise CommandError(
                "The database does not answer. Bring the report again later.", returncode=TRY_AGAIN
            ) from error


def _taken_in(report: Message, address: str) -> str:
    """Note what a report says; return a sentence about it."""
    now = timezone.now()
    notice = bounces.notice_of(address, now)
    failure = bounces.failure_in(report)
    if failure is None:
        return "Nothing to note: this mail does not say that another one failed."
    is_news = bounces.note(notice, failure, now)
    return f"Noted: {failure.status}." if is_news else f"Known already: {failure.status}."


def _addressed(report: Message) -> str:
    """The return address in the headers of a report, as far as one looks like it."""
    headers = [str(value) for name in ("X-Original-To", "Delivered-To", "To") for value in report.get_all(name, [])]
    return next((address for _name, address in getaddresses(headers) if "+" in address), "")
