"""Hands one mail to the mail server and says for certain what became of it, as far as SMTP lets anybody know.

A server that never answers the end of a mail may or may not have taken it; that is the one case nobody can tell.
"""

import contextlib
import smtplib
from typing import Any, Final

from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.backends.smtp import EmailBackend

from accounts import failpoints

SENDER_AT_FAULT: Final = ("5.1.7", "5.1.8")
"""Statuses about the address of the sender."""


class Undelivered(Exception):
    """The mail did not go, or nobody knows. `str()` is short and holds nothing of the mail itself."""


class Unreachable(Undelivered):
    """No mail server answered. Certainly not sent, and no fault of this mail."""


class Deferred(Undelivered):
    """Refused for now. Certainly not sent."""


class Refused(Undelivered):
    """Refused for good. `nobody_there` tells that the address itself was refused, not this one mail."""

    def __init__(self, reason: str, nobody_there: bool) -> None:
        super().__init__(reason)
        self.nobody_there = nobody_there


class Unanswered(Undelivered):
    """The server had the mail, or part of it, and fell silent."""


class _WatchedData:
    """Part of an SMTP connection that tells a silence after the mail was handed over from one before it."""

    def data(self, msg: Any) -> tuple[int, bytes]:
        failpoints.reach("mail.before_data")
        try:
            answer: tuple[int, bytes] = super().data(msg)  # type: ignore[misc]
        except smtplib.SMTPResponseException:
            raise
        except (smtplib.SMTPServerDisconnected, OSError) as error:
            raise Unanswered(type(error).__name__) from error
        failpoints.reach("mail.after_data")
        return answer


class _WatchedSMTP(_WatchedData, smtplib.SMTP):
    pass


class _WatchedSMTPS(_WatchedData, smtplib.SMTP_SSL):
    pass


class WatchedBackend(EmailBackend):
    """Django's SMTP backend over a connection that knows how far a mail got. The EMAIL_BACKEND of sites with SMTP."""

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        return _WatchedSMTPS if self.use_ssl else _WatchedSMTP


def deliver(mail: EmailMessage) -> None:
    """Send one mail to its one recipient; return if and only if the server took it, else raise Undelivered."""
    connection = get_connection()
    try:
        _open(connection)
        connection.send_messages([mail])
    except smtplib.SMTPRecipientsRefused as error:
        code, text = next(iter(error.recipients.values()))
        raise _refusal(code, text, at_recipient=True) from error
    except smtplib.SMTPResponseException as error:
        raise _refusal(error.smtp_code, error.smtp_error, at_recipient=False) from error
    except (smtplib.SMTPException, OSError) as error:
        raise Deferred(type(error).__name__) from error
    finally:
        # What happens while saying goodbye changes nothing about the mail.
        with contextlib.suppress(OSError, smtplib.SMTPException):
            connection.close()


def says_nobody_there(status: str) -> bool:
    """Whether a status of RFC 3463, such as 5.1.1, means that the address of the reader is no good."""
    return status.startswith("5.1.") and status not in SENDER_AT_FAULT


def _open(connection: BaseEmailBackend) -> None:
    try:
        connection.open()
    except (OSError, smtplib.SMTPException) as error:
        raise Unreachable(type(error).__name__) from error


def _refusal(code: int, text: bytes | str, at_recipient: bool) -> Undelivered:
    """What an SMTP answer means: 4xx for now, 5xx for good; 5.4.4, no route, passes by itself."""
    said = text.decode("ascii", "replace") if isinstance(text, bytes) else text
    status = said.split(" ", 1)[0]
    reason = f"{code} {said}"[:180]
    if code < 500 or status == "5.4.4":
        return Deferred(reason)
    about_the_mail = status.startswith(("5.2.", "5.3.", "5.4.", "5.6.", "5.7.")) or status in SENDER_AT_FAULT
    return Refused(reason, nobody_there=at_recipient and not about_the_mail)
