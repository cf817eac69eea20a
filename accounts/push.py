"""Notifications in browsers (Push API): which browsers a person has switched them on in, and how a line gets there.

The line is encrypted for the browser (RFC 8291) and signed by the site (RFC 8292), and goes at most once to the service
its maker runs (RFC 8030). Only services in settings.PUSH_SERVICES are ever connected to: anybody can name an address.
"""

import base64
import http.client
import json
import os
import re
import urllib.error
import urllib.request
from datetime import datetime, timedelta
from fnmatch import fnmatchcase
from typing import Any, Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from accounts.models import PushAddress, User

MOST: Final = 10
"""Browsers of one person; a further one takes the place of the oldest."""
KEPT_FOR: Final = timedelta(days=1)
"""How long a service keeps a line for a browser that is not running."""
TIMEOUT_SECONDS: Final = 3
GONE: Final = (401, 403, 404, 410)
"""Answers by which a service says that the browser takes no more, or not from us."""

_ENDPOINT: Final = re.compile(
    r"https?://(?:(?!-)[a-z0-9-]{1,63}(?<!-)\.)*[a-z0-9-]{1,63}(?::[0-9]{1,5})?(?:[/?][!-~]*)?"
)
"""An address as browsers give one. Programs read others each in their own way, and end up at different hosts."""

_CURVE: Final = ec.SECP256R1()
_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


class BadAddress(Exception):
    """What a browser sent cannot be pushed to; `str()` is a sentence for the person."""


def public_key() -> str:
    """The key by which browsers know the site."""
    return _text(_point(_site_key().public_key()))


def add(user: User, endpoint: str, key: str, secret: str, now: datetime) -> None:
    """Note that a browser takes notifications for a person, and for nobody else any more; raises BadAddress."""
    if not _is_service(endpoint):
        raise BadAddress(_("Notifications cannot reach this browser: its maker's service is not known here."))
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, _bytes(key))
        if len(_bytes(secret)) != 16:
            raise ValueError
    except ValueError as error:
        raise BadAddress(_("The browser sent incomplete keys. Reload the page and try again.")) from error
    fields = {"user": user, "key": key, "secret": secret, "made_at": now}
    PushAddress.objects.update_or_create(endpoint=endpoint, defaults=fields)
    newest = user.push_addresses.order_by("-made_at", "-pk").values_list("pk", flat=True)[:MOST]
    user.push_addresses.exclude(pk__in=list(newest)).delete()


def send(user: User, *, title: str, link: str, tag: str, urgent: bool) -> int:
    """Send a line to all browsers of a person; return how many services took it. Call it outside any transaction."""
    line = json.dumps({"title": title, "link": link, "tag": tag}).encode()
    return sum(_post(address, line, urgent) for address in user.push_addresses.all())


def encrypted(line: bytes, key: bytes, secret: bytes, *, sender: Any = None, salt: bytes = b"") -> bytes:
    """The body of a message for a browser with this key and secret (RFC 8291); sender and salt are for once."""
    sender = sender or ec.generate_private_key(_CURVE)
    salt = salt or os.urandom(16)
    own = _point(sender.public_key())
    shared = sender.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, key))
    material = _derived(shared, secret, b"WebPush: info\0" + key + own, 32)
    cipher = AESGCM(_derived(material, salt, b"Content-Encoding: aes128gcm\0", 16))
    nonce = _derived(material, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + (4096).to_bytes(4, "big") + bytes([len(own)]) + own
    return head + cipher.encrypt(nonce, line + b"\2", None)


def _post(address: PushAddress, line: bytes, urgent: bool) -> bool:
    if not _is_service(address.endpoint):
        return False
    request = urllib.request.Request(
        address.endpoint,
        data=encrypted(line, _bytes(address.key), _bytes(address.secret)),
        headers={
            "Authorization": _authorization(address.endpoint),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(int(KEPT_FOR.total_seconds())),
            "Urgency": "high" if urgent else "normal",
        },
    )
    try:
        with _opener.open(request, timeout=TIMEOUT_SECONDS):
            return True
    except urllib.error.HTTPError as error:
        error.close()
        if error.code in GONE:
            address.delete()
        return False
    except (OSError, http.client.HTTPException, ValueError):
        # Not reached, not understood, or an address that cannot even be looked up: one browser's trouble alone.
        return False


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A service that sends us elsewhere could send us anywhere."""

    def redirect_request(self, *_args: Any) -> None:
        return None


_opener: Final = urllib.request.build_opener(_NoRedirects)


def _is_service(endpoint: str) -> bool:
    if len(endpoint) > PushAddress.LONGEST or _ENDPOINT.fullmatch(endpoint) is None:
        return False
    parts = urlsplit(endpoint)
    origin = f"{parts.scheme}://{parts.netloc}"
    return any(fnmatchcase(origin, known) for known in settings.PUSH_SERVICES)


def _site_key() -> ec.EllipticCurvePrivateKey:
    """The site's own key, from the secret key: there is no further file to keep."""
    number = int.from_bytes(salted_hmac("accounts.push", "", algorithm="sha512").digest(), "big")
    return ec.derive_private_key(number % (_ORDER - 1) + 1, _CURVE)


def _authorization(endpoint: str) -> str:
    """Who we are, for the service at this address, for half a day (RFC 8292)."""
    parts = urlsplit(endpoint)
    until = int((timezone.now() + timedelta(hours=12)).timestamp())
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": until, "sub": settings.SITE_URL}
    signed = ".".join(_text(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
    r, s = utils.decode_dss_signature(_site_key().sign(signed.encode(), ec.ECDSA(SHA256())))
    return f"vapid t={signed}.{_text(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}, k={public_key()}"


def _derived(material: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(material)


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    """Raises ValueError for what is no base64 for addresses."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
