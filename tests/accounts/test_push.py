"""Notifications in browsers, through a push service on this machine that keeps what it is given as the real ones do."""

import base64
import json
import threading
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.urls import reverse

from accounts import closing, news, notices, push, sending
from accounts.models import Notice, PushAddress, User
from accounts.news import Channel, Kind
from tests.accounts.conftest import free_port

pytestmark = pytest.mark.django_db(transaction=True)

HOUR = timedelta(hours=1)
P256 = ec.SECP256R1()


def text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def data(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Browser:
    """Keys as a browser makes them, and what it makes of a message."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self.private = ec.generate_private_key(P256)
        self.secret = b"sixteen secret b"

    @property
    def public(self) -> bytes:
        return self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def fields(self, **changed: str) -> dict[str, str]:
        return {"endpoint": self.endpoint, "p256dh": text(self.public), "auth": text(self.secret), **changed}

    def read(self, body: bytes) -> dict[str, str]:
        """Decrypt a body as RFC 8291 has it."""
        salt, sender, sealed = body[:16], body[21:86], body[86:]
        shared = self.private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(P256, sender))
        material = HKDF(SHA256(), 32, self.secret, b"WebPush: info\0" + self.public + sender).derive(shared)
        key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(material)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(material)
        return json.loads(AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\2"))


class Service:
    """A push service: answers with `status` and keeps (path, headers, body)."""

    def __init__(self) -> None:
        self.status = 201
        self.got: list[tuple] = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                service.got.append((self.path, self.headers, self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(service.status)
                if service.status == 302:
                    self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_GET = do_POST

            def log_message(self, *_args) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,))
        self.thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def service(settings):
    service = Service()
    settings.PUSH_SERVICES = [service.origin]
    yield service
    service.close()


@pytest.fixture
def browser(service, client, reader) -> Browser:
    """A browser in which the reader has switched notifications on."""
    client.force_login(reader)
    browser = Browser(f"{service.origin}/send/1")
    assert client.post(reverse("settings_push_on"), browser.fields()).status_code == 204
    reader.refresh_from_db()
    return browser


def tell(user: User, says: str, now, kind: Kind = Kind.RESULT) -> None:
    notices.notify(user_id=user.pk, kind=kind, key=says, context={"says": says}, now=now)


def only_push(user: User) -> None:
    """Let the reader have switched all mail off."""
    news.switch(user, news.ALL, Channel.MAIL, False)
    user.save()


def test_the_encryption_is_that_of_the_example_in_rfc_8291():
    sender = ec.derive_private_key(int.from_bytes(data("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big"), P256)
    receiver = data("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")
    body = push.encrypted(
        b"When I grow up, I want to be a watermelon",
        receiver,
        data("BTBZMqHH6r4Tts7J_aSIgg"),
        sender=sender,
        salt=data("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert text(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
        "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_news_reach_the_browser_and_the_mailbox_once(browser, service, sink, newsroom, reader, now):
    tell(reader, "You won", now)
    for hours in range(3):
        sending.dispatch(now + hours * HOUR)
    ((path, headers, body),) = service.got
    assert path == "/send/1"
    assert browser.read(body) == {"title": "You won", "link": "http://localhost:8000/turn/", "tag": "result"}
    assert (headers["Content-Encoding"], headers["TTL"], headers["Urgency"]) == ("aes128gcm", "86400", "normal")
    assert [mail["Subject"] for mail in sink.mails] == ["You won"]


def test_the_service_can_check_who_sent_it(browser, service, sink, newsroom, reader, now, settings):
    tell(reader, "You won", now)
    sending.dispatch(now)
    scheme, token, key = service.got[0][1]["Authorization"].replace(",", "").split()
    head, claims, signature = token.removeprefix("t=").split(".")
    public = ec.EllipticCurvePublicKey.from_encoded_point(P256, data(key.removeprefix("k=")))
    r, s = (int.from_bytes(data(signature)[part], "big") for part in (slice(32), slice(32, 64)))
    public.verify(utils.encode_dss_signature(r, s), f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
    assert scheme == "vapid"
    assert json.loads(data(head)) == {"typ": "JWT", "alg": "ES256"}
    assert json.loads(data(claims))["aud"] == service.origin
    assert json.loads(data(claims))["sub"] == settings.SITE_URL
    assert key.removeprefix("k=") == push.public_key()


def test_who_wants_no_mail_gets_notifications_alone(browser, service, sink, newsroom, reader, now):
    only_push(reader)
    tell(reader, "7 hours left", now, kind=Kind.RUNNING_OUT)
    sending.dispatch(now)
    assert sink.mails == []
    assert service.got[0][1]["Urgency"] == "high"
    assert newsroom.ended == [("7 hours left", "sent")]


def test_several_pieces_of_news_are_one_line(browser, service, sink, newsroom, reader, now):
    for says in ("You won", "You lost"):
        tell(reader, says, now)
    sending.dispatch(now)
    ((_path, _headers, body),) = service.got
    assert browser.read(body)["title"] == "You won, and one more"


def test_kinds_are_switched_one_by_one(browser, service, sink, newsroom, client, reader, now):
    client.post(reverse("settings_push"), {"kinds": [Kind.YOUR_TURN]})
    tell(reader, "You won", now)
    sending.dispatch(now)
    assert service.got == []
    tell(reader, "Your move", now + HOUR, kind=Kind.YOUR_TURN)
    sending.dispatch(now + HOUR)
    assert len(service.got) == 1


def test_what_is_no_longer_true_is_not_pushed(browser, service, sink, newsroom, reader, now):
    tell(reader, "Your move", now, kind=Kind.YOUR_TURN)
    newsroom.untrue.add("Your move")
    sending.dispatch(now)
    assert service.got == []


def test_a_mail_that_is_tried_again_is_not_pushed_again(browser, service, sink, newsroom, reader, now):
    sink.refuse_at_rcpt["reader@example.org"] = "450 4.2.1 try later"
    tell(reader, "You won", now)
    for hours in range(5):
        sending.dispatch(now + hours * HOUR)
    assert len(service.got) == 1


def test_a_sender_that_died_while_pushing_pushes_nothing_twice(browser, service, sink, newsroom, reader, now):
    tell(reader, "You won", now)
    Notice.objects.update(pushed_at=now)
    sending.dispatch(now)
    assert service.got == []
    assert len(sink.mails) == 1


@pytest.mark.parametrize(("status", "left"), [(404, 0), (410, 0), (403, 0), (500, 1), (429, 1), (302, 1)])
def test_browsers_that_are_gone_are_forgotten_and_nothing_else_fails(
    browser, service, sink, newsroom, reader, now, status, left
):
    service.status = status
    tell(reader, "You won", now)
    sending.dispatch(now)
    assert PushAddress.objects.count() == left
    assert len(service.got) == 1, "a service that sends us elsewhere is not followed"
    assert len(sink.mails) == 1


def test_a_service_that_is_away_holds_up_nothing(browser, service, sink, newsroom, reader, now, settings):
    nowhere = f"http://127.0.0.1:{free_port()}"
    settings.PUSH_SERVICES = [nowhere]
    PushAddress.objects.update(endpoint=f"{nowhere}/send/1")
    tell(reader, "You won", now)
    sending.dispatch(now)
    assert len(sink.mails) == 1 and PushAddress.objects.exists()


@pytest.mark.parametrize("answer", [b"nonsense\r\n\r\n", b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 200])
def test_a_service_that_answers_nonsense_holds_up_nothing(
    browser, service, sink, newsroom, reader, monkeypatch, now, answer
):
    monkeypatch.setattr(service.server.RequestHandlerClass, "do_POST", lambda handler: handler.wfile.write(answer))
    tell(reader, "You won", now)
    sending.dispatch(now)
    assert len(sink.mails) == 1 and PushAddress.objects.exists()


def test_an_address_that_cannot_be_looked_up_holds_up_nothing(browser, sink, newsroom, reader, now, settings):
    """As one kept from before a stricter reading of addresses may be."""
    settings.PUSH_SERVICES = ["https://*.push.example"]
    PushAddress.objects.update(endpoint="https://a..push.example/send/1")
    tell(reader, "You won", now)
    sending.dispatch(now)
    assert len(sink.mails) == 1


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://localhost:5432/",
        "https://evil.example/send",
        "https://fcm.googleapis.com.evil.example/send",
        "https://fcm.googleapis.com@evil.example/send",
        "https://evil.example/#.push.apple.com",
        "http://fcm.googleapis.com/send",
        "https://fcm.googleapis.com:8443/send",
        "file:///etc/passwd",
        "https://fcm.googleapis.com/\r\nX: y",
        "https://fcm.googleapis.com/" + "x" * 500,
        "https://[",
        "https://127.0.0.1%2f.push.apple.com/",
        "https://127.0.0.1\\.push.apple.com/",
        "https://a%3Ab.push.apple.com/",
        "https://a..push.apple.com/",
        "https://" + "a" * 64 + ".push.apple.com/",
        "https://fcm.googleapis.com/a b",
        "",
    ],
)
def test_nothing_but_known_services_is_ever_connected_to(client, reader, endpoint):
    client.force_login(reader)
    response = client.post(reverse("settings_push_on"), Browser(endpoint).fields())
    assert response.status_code == 422
    assert not PushAddress.objects.exists()


@pytest.mark.parametrize("endpoint", ["https://fcm.googleapis.com/fcm/send/x", "https://web.push.apple.com/x"])
def test_services_of_browsers_are_known(client, reader, endpoint):
    client.force_login(reader)
    assert client.post(reverse("settings_push_on"), Browser(endpoint).fields()).status_code == 204


@pytest.mark.parametrize(
    "changed", [{"p256dh": ""}, {"p256dh": text(b"\4" + 64 * b"x")}, {"p256dh": "é"}, {"auth": "eHg"}, {"auth": "*"}]
)
def test_broken_keys_are_refused(service, client, reader, changed):
    client.force_login(reader)
    fields = Browser(f"{service.origin}/send/1").fields(**changed)
    assert client.post(reverse("settings_push_on"), fields).status_code == 422


def test_a_browser_belongs_to_whoever_switched_it_on_last(browser, client, reader):
    other = User.objects.create_user("other")
    client.force_login(other)
    client.post(reverse("settings_push_on"), browser.fields())
    assert PushAddress.objects.get().user == other


def test_switching_off_and_closing_forget_all_browsers(browser, client, reader, now):
    client.post(reverse("settings_push_off"))
    assert not PushAddress.objects.exists()
    client.post(reverse("settings_push_on"), browser.fields())
    closing.close(reader.pk, now)
    assert not PushAddress.objects.exists()


def test_switching_on_again_keeps_what_was_chosen(browser, client, reader):
    client.post(reverse("settings_push"), {"kinds": [Kind.YOUR_TURN]})
    client.post(reverse("settings_push_off"))
    client.post(reverse("settings_push_on"), browser.fields())
    reader.refresh_from_db()
    assert [kind for kind in news.SWITCHABLE if news.wants(reader, kind, Channel.PUSH)] == [Kind.YOUR_TURN]
