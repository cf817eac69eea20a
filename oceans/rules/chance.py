"""Fair shuffles, FS1: commitments, keys, streams, shuffles and card openings (docs/fair-shuffle.md).

The only randomness of the project. Nothing here draws a number of its own: every value follows from the server's seed
and the entropy of the participants, so that each of them can compute it again after the match. A changed byte would
break running matches and old records; the vectors of section 7 pin every formula.

What FS1 calls a hand is one deal here (`DealKeys`, deal 0 is kept for seating). In this project each pack of a deal
has a label of its own, `pack0`, `pack1` … by seat.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Final, Literal, TypeVar

Side = Literal["L", "R"]
CardT = TypeVar("CardT", bound=int)

SEED_BYTES: Final = 32
EMPTY_LOG: Final = bytes(32)
"""L_0, the head of a log without entries (3.6)."""
SEATING_HAND: Final = 0

_MATCH_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_RULES_ID: Final = re.compile(r"[A-Za-z0-9._/-]{1,64}")
_LABEL: Final = re.compile(r"[a-z0-9-]{1,32}")


# Notation (section 2)


def _number(value: int, size: int, what: str) -> bytes:
    if not 0 <= value < 256**size:
        raise ValueError(f"The {what} must be a whole number from 0 to {256**size - 1}, not {value}.")
    return value.to_bytes(size, "big")


def _prefixed(part: bytes) -> bytes:
    if len(part) > 0xFFFF:
        raise ValueError(f"A hashed text may have at most 65535 bytes, this one has {len(part)}.")
    return len(part).to_bytes(2, "big") + part


def _frame(name: str, *parts: bytes) -> bytes:
    return _prefixed(b"FS1/" + name.encode("ascii")) + b"".join(map(_prefixed, parts))


def _hash(name: str, *parts: bytes) -> bytes:
    return sha256(_frame(name, *parts)).digest()


def _mac(key: bytes, name: str, *parts: bytes) -> bytes:
    return hmac.digest(key, _frame(name, *parts), "sha256")


@lru_cache(maxsize=1024)
def _match_id(text: str) -> bytes:
    if not _MATCH_ID.fullmatch(text):
        raise ValueError(f"{text!r} is not a match id: use 1 to 64 of the signs A-Z a-z 0-9 . _ -")
    return text.encode("ascii")


def _rules_id(text: str) -> bytes:
    if not _RULES_ID.fullmatch(text):
        raise ValueError(f"{text!r} is not a rules id: use 1 to 64 of the signs A-Z a-z 0-9 . _ - /")
    return text.encode("ascii")


@lru_cache(maxsize=1024)
def _label(text: str) -> bytes:
    if not _LABEL.fullmatch(text):
        raise ValueError(f"{text!r} is not a label: use 1 to 32 of the signs a-z 0-9 -")
    return text.encode("ascii")


def _exactly(value: bytes, size: int, what: str) -> bytes:
    if len(value) != size:
        raise ValueError(f"The {what} must have {size} bytes, not {len(value)}.")
    return value


def _entropy(value: bytes) -> bytes:
    if not 16 <= len(value) <= 64:
        raise ValueError(f"Entropy must have 16 to 64 bytes, not {len(value)}.")
    return value


# Commitments and keys (section 3)


def server_seed(master_key: bytes, match_id: str, nonce: bytes) -> bytes:
    """S, the server's part of a match: derived, so that only the 32 random bytes of the nonce need storing."""
    return _mac(master_key, "server-seed", _match_id(match_id), _exactly(nonce, 32, "nonce"))


def server_commitment(match_id: str, seed: bytes) -> bytes:
    """C, published before anybody joins; binds the server to its 32-byte seed."""
    return _hash("server-commit", _match_id(match_id), _exactly(seed, SEED_BYTES, "server seed"))


def own_text_entropy(r: bytes, text: str) -> bytes:
    """The entropy of a participant who typed a text, from it and the 32 random bytes `r` of his browser."""
    return _hash("own-text", _exactly(r, 32, "browser's random part"), text.encode())


def seat_commitment(match_id: str, index: int, entropy: bytes) -> bytes:
    """c_i of the participant who joined as number `index`, from 0."""
    return _hash("seat-commit", _match_id(match_id), _number(index, 1, "participant's number"), _entropy(entropy))


def transcript(match_id: str, rules_id: str, commitment: bytes, entropies: Sequence[bytes]) -> bytes:
    """A: all that the deals depend on but the seed, fixed when the match starts. Entropies in the order of joining."""
    return _hash(
        "transcript",
        _match_id(match_id),
        _rules_id(rules_id),
        _exactly(commitment, 32, "server commitment"),
        _number(len(entropies), 1, "number of participants"),
        *map(_entropy, entropies),
    )


def match_key(seed: bytes, transcript: bytes) -> bytes:
    """K, from which every key of the match follows. As secret as the seed."""
    return _mac(_exactly(seed, SEED_BYTES, "server seed"), "match", _exactly(transcript, 32, "transcript"))


def hand_key(match_key: bytes, h: int) -> bytes:
    """K_h, the key of deal `h` (from 1; 0 for seating). It tells nothing about other deals."""
    return _mac(match_key, "hand", _number(h, 4, "number of the hand"))


def hand_commitment(match_id: str, h: int, hand_key: bytes) -> bytes:
    """Published before the first card of deal `h`."""
    return _hash(
        "hand-commit",
        _match_id(match_id),
        _number(h, 4, "number of the hand"),
        _exactly(hand_key, 32, "hand key"),
    )


@dataclass(frozen=True, slots=True)
class DealKeys:
    """The keys of all deals of one match, made from its match key, which no repr shows."""

    _match_key: bytes = field(repr=False)

    @classmethod
    def of_seed(cls, seed: int | str) -> DealKeys:
        """Keys that follow from a number or a text: for playouts and tests, never for a match between people."""
        return cls(sha256(f"playout {seed}".encode()).digest())

    def deal_key(self, deal_no: int) -> bytes:
        """K_h of a deal, from 1."""
        return hand_key(self._match_key, deal_no)

    def seating(self, count: int) -> tuple[int, ...]:
        """Which participant gets each seat."""
        return seating(self._match_key, count)


# Random choices (3.1 to 3.4)


class Stream:
    """The random bytes of one (deal, label, generation), used for one thing only and read from the beginning (3.1)."""

    __slots__ = ("_at", "_block", "_bytes", "_generation", "_key", "_label")

    def __init__(self, hand_key: bytes, label: str, generation: int = 0) -> None:
        self._key = hand_key
        self._label = _label(label)
        self._generation = _number(generation, 2, "generation")
        self._bytes = b""
        self._block = 0
        self._at = 0

    @property
    def taken(self) -> int:
        """How many bytes have been read."""
        return self._at

    def take(self, count: int) -> bytes:
        """The next `count` bytes."""
        end = self._at + count
        while len(self._bytes) < end:
            block = _number(self._block, 4, "block")
            self._bytes += _mac(self._key, "stream", self._label, self._generation, block)
            self._block += 1
        found = self._bytes[self._at : end]
        self._at = end
        return found

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each equally likely; n from 1 to 65536 (3.2)."""
        if not 1 <= n <= 0x10000:
            raise ValueError(f"A random number is drawn below 1 to 65536, not below {n}.")
        if n == 1:
            return 0
        width, span = (1, 0x100) if n <= 0x100 else (2, 0x10000)
        limit = span - span % n
        while True:
            x = int.from_bytes(self.take(width), "big")
            if x < limit:
                return x % n


def shuffled(deal_key: bytes, label: str, generation: int, items: Iterable[CardT]) -> tuple[CardT, ...]:
    """Items in the order fixed by the deal's key, a label (`pack0` …) and the number of earlier shuffles with that
    label in that deal (3.3). The order in which they are given does not matter. Position 0 is dealt first."""
    below = Stream(deal_key, label, generation).below
    pack = sorted(items)
    for last in range(len(pack) - 1, 0, -1):
        other = below(last + 1)
        pack[last], pack[other] = pack[other], pack[last]
    return tuple(pack)


def roll(hand_key: bytes, generation: int, sides: int, count: int) -> tuple[int, ...]:
    """Roll number `generation` of a deal: `count` dice of so many sides, each from 1 (3.4)."""
    stream = Stream(hand_key, "dice", generation)
    return tuple(stream.below(sides) + 1 for _ in range(count))


def seating(match_key: bytes, n: int) -> tuple[int, ...]:
    """The participants 0 to n - 1 by seat: the first of the answer gets seat 0 (3.4)."""
    return shuffled(hand_key(match_key, SEATING_HAND), "seating", 0, range(n))


# Card openings (3.5)


@dataclass(frozen=True, slots=True)
class DeckName:
    """Which shuffle of which match: hashed into every leaf and root, so that no proof fits another deck."""

    match_id: str
    hand: int
    label: str
    generation: int = 0

    def parts(self) -> tuple[bytes, bytes, bytes, bytes]:
        """The four values as they are hashed. Raises ValueError with a sentence if one is out of range."""
        return (
            _match_id(self.match_id),
            _number(self.hand, 4, "number of the hand"),
            _label(self.label),
            _number(self.generation, 2, "generation"),
        )


@dataclass(frozen=True, slots=True)
class Opening:
    """The proof that `card` lies at `position` of a deck: its salt, and the neighbour hashes from the bottom up."""

    position: int
    card: int
    salt: bytes
    path: tuple[tuple[Side, bytes], ...]


def _leaf(parts: tuple[bytes, ...], position: int, card: int, salt: bytes) -> bytes:
    return _hash("leaf", *parts, _number(position, 2, "position"), _number(card, 2, "card"), salt)


def _joined(level: Sequence[bytes]) -> tuple[bytes, ...]:
    pairs = [_hash("node", level[at], level[at + 1]) for at in range(0, len(level) - 1, 2)]
    return tuple(pairs) if len(level) % 2 == 0 else (*pairs, level[-1])


def _root(parts: tuple[bytes, ...], size: int, top: bytes) -> bytes:
    return _hash("deck-root", *parts, _number(size, 2, "number of cards"), top)


@dataclass(frozen=True)
class DeckCommitment:
    """A shuffled deck under its root. Hashes are computed when first asked for; key and cards show in no repr."""

    deck: DeckName
    hand_key: bytes = field(repr=False)
    order: tuple[int, ...] = field(repr=False)

    def __post_init__(self) -> None:
        if not self.order:
            raise ValueError("A deck without cards cannot be committed to.")

    @classmethod
    def of_shuffle(cls, deck: DeckName, hand_key: bytes, cards: Iterable[int]) -> DeckCommitment:
        """Shuffle the cards and commit to their order."""
        return cls(deck, hand_key, shuffled(hand_key, deck.label, deck.generation, cards))

    def _salt(self, position: int) -> bytes:
        _, _, label, generation = self.deck.parts()
        return _mac(self.hand_key, "salt", label, generation, _number(position, 2, "position"))

    @cached_property
    def _levels(self) -> tuple[tuple[bytes, ...], ...]:
        parts = self.deck.parts()
        levels = [tuple(_leaf(parts, at, card, self._salt(at)) for at, card in enumerate(self.order))]
        while len(levels[-1]) > 1:
            levels.append(_joined(levels[-1]))
        return tuple(levels)

    @cached_property
    def root(self) -> bytes:
        """What is published before the first card is shown."""
        return _root(self.deck.parts(), len(self.order), self._levels[-1][0])

    def opening(self, position: int) -> Opening:
        """The proof for one position. To be given only to those who may see that card."""
        if not 0 <= position < len(self.order):
            raise ValueError(f"This deck has positions 0 to {len(self.order) - 1}, not {position}.")
        path: list[tuple[Side, bytes]] = []
        at = position
        for level in self._levels[:-1]:
            if at ^ 1 < len(level):
                path.append(("L" if at % 2 else "R", level[at ^ 1]))
            at //= 2
        return Opening(position, self.order[position], self._salt(position), tuple(path))


def verify_opening(root: bytes, deck: DeckName, size: int, opening: Opening) -> bool:
    """Whether the opening proves its card under this root. `size` comes from the rules, never from the message."""
    at, width = opening.position, size
    if not (0 <= at < width <= 0xFFFF and 0 <= opening.card <= 0xFFFF and len(opening.salt) == 32):
        return False
    parts = deck.parts()
    top = _leaf(parts, at, opening.card, opening.salt)
    path = iter(opening.path)
    while width > 1:
        if at ^ 1 < width:
            side, neighbour = next(path, (None, b""))
            if side != ("L" if at % 2 else "R") or len(neighbour) != 32:
                return False
            top = _hash("node", neighbour, top) if side == "L" else _hash("node", top, neighbour)
        at, width = at // 2, (width + 1) // 2
    return next(path, None) is None and hmac.compare_digest(_root(parts, size, top), root)


# Match log (3.6)


def extend_log(head: bytes, entry: str) -> bytes:
    """The head of a log after one more entry."""
    return _hash("log", head, entry.encode("ascii"))


def log_head(entries: Iterable[str]) -> bytes:
    """The head of a whole log, shown on the game page and in mails so that players can compare what they were told."""
    head = EMPTY_LOG
    for entry in entries:
        head = extend_log(head, entry)
    return head


def server_commit_entry(commitment: bytes) -> str:
    return f"server-commit:{commitment.hex()}"


def seat_commit_entry(index: int, own: bool, commitment: bytes) -> str:
    """`own`: the participant's entropy came from himself, not from the server."""
    return f"seat-commit:{index}:{'own' if own else 'server'}:{commitment.hex()}"


def transcript_entry(transcript: bytes) -> str:
    return f"transcript:{transcript.hex()}"


def hand_entry(h: int, commitment: bytes) -> str:
    return f"hand:{h}:{commitment.hex()}"


def deck_entry(deck: DeckName, size: int, root: bytes) -> str:
    return f"deck:{deck.hand}:{deck.label}:{deck.generation}:{size}:{root.hex()}"


def reveal_entry(seed: bytes) -> str:
    return f"reveal:{seed.hex()}"


def cancel_entry(reason: str) -> str:
    """`reason` is a short code in the signs of a label."""
    return f"cancel:{_label(reason).decode()}"
