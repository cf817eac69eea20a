"""A real mail server on this machine that answers as a test tells it, and a reader to write to."""

import asyncio
import socket
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP

from accounts import notices
from accounts.letters import Message
from accounts.models import User
from accounts.news import Kind


@dataclass
class Sink:
    """Accepts every mail unless told otherwise for one address; keeps every mail that reached the end of DATA."""

    mails: list[EmailMessage] = field(default_factory=list)
    senders: list[str] = field(default_factory=list)
    """The return address of each mail."""
    refuse_at_rcpt: dict[str, str] = field(default_factory=dict)
    refuse_at_data: dict[str, str] = field(default_factory=dict)
    drop_after_data: set[str] = field(default_factory=set)
    refuse_at_data_command: str = ""
    silent_seconds: float = 0

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address in self.refuse_at_rcpt:
            return self.refuse_at_rcpt[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        (to,) = envelope.rcpt_tos
        if to in self.refuse_at_data:
            return self.refuse_at_data[to]
        await asyncio.sleep(self.silent_seconds)
        self.senders.append(envelope.mail_from)
        self.mails.append(message_from_bytes(envelope.content, policy=policy.default))
        if to in self.drop_after_data:
            server.transport.abort()
        return "250 taken"

    def to(self, address: str) -> list[EmailMessage]:
        return [mail for mail in self.mails if mail["To"] == address]


class _Server(SMTP):
    async def smtp_DATA(self, arg):
        if self.event_handler.refuse_at_data_command:
            await self.push(self.event_handler.refuse_at_data_command)
        else:
            await super().smtp_DATA(arg)


class _Quiet(Controller):
    def factory(self):
        return _Server(self.handler, hostname="sink")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def smtp_port(settings) -> int:
    """The port where the site looks for its mail server; nobody listens there yet."""
    settings.EMAIL_BACKEND = "accounts.delivery.WatchedBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_USE_TLS = "127.0.0.1", free_port(), False
    return settings.EMAIL_PORT


@pytest.fixture
def sink(smtp_port):
    sink = Sink()
    controller = _Quiet(sink, hostname="127.0.0.1", port=smtp_port)
    controller.start()
    yield sink
    controller.stop()


@pytest.fixture
def reader(db) -> User:
    return User.objects.create_user("reader", email="reader@example.org")


@pytest.fixture
def newsroom(monkeypatch):
    """Composers for all kinds: the mail says what `context["says"]` says, unless `newsroom.untrue` holds it."""

    class Newsroom:
        def __init__(self) -> None:
            self.untrue: set[str] = set()
            self.broken: set[str] = set()
            self.ended: list[tuple[str, str]] = []

        def compose(self, notice):
            says = notice.context["says"]
            if says in self.broken:
                raise ValueError(says)
            if says in self.untrue:
                return None
            return Message(subject=says, text=f"{says}.", link="http://localhost:8000/turn/", link_label="Open")

        def still_true(self, notice):
            return notice.context["says"] not in self.untrue

        def on_terminal(self, notice):
            self.ended.append((notice.context["says"], notice.state))

    room = Newsroom()
    monkeypatch.setattr(notices, "_kinds", {})
    for kind in Kind:
        notices.register(kind, compose=room.compose, still_true=room.still_true, on_terminal=room.on_terminal)
    return room
