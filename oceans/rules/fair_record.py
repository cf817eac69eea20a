"""The public record of a match's shuffles, and the check that it is true (docs/fair-shuffle.md, 3 to 5).

The record is one JSON object: what the page "Fair decks" checks in the browser and what players may download. Hashes
and entropy are lower-case hex, cards are card numbers, and FS1's word *hand* is kept for what we call a deal:

    format             "FS1"
    match_id, rules_id
    server_commitment
    seats              by order of joining: commitment, source ("own" or "server"), entropy (null before the start)
    transcript         null before the start
    seating            the participant in each seat; null where seats are not drawn
    hands              hand, commitment, decks: label, generation, size, root,
                       order (null before the reveal), cards (ascending; null for a reshuffle before the reveal),
                       openings: pos, card, salt, path of [side, hash]
    seed               null before the reveal
    log, log_head      the lines of 3.6 and their head

Before the reveal the check covers commitments, openings and log; after it, everything. The same check is written
twice more, each for itself: for the browser (`fair.js`) and as a script to download (`check_deck.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, zip_longest
from typing import Any

from oceans.rules import chance
from oceans.rules.chance import DeckCommitment, DeckName, Opening

Record = dict[str, Any]


# Making a record


@dataclass(frozen=True, slots=True)
class Participant:
    """One who joined: the entropy, and whether it is his own or made by the server for him."""

    entropy: bytes = field(repr=False)
    own: bool


@dataclass(frozen=True, slots=True)
class DealtDeck:
    """One shuffle of a match, and the positions whose cards the reader of the record may know."""

    hand: int
    label: str
    generation: int
    cards: tuple[int, ...] = field(repr=False)
    shown: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Secrets:
    """What the server keeps of a match, from which its record is made. Nothing of it shows in a repr."""

    match_id: str
    rules_id: str
    seed: bytes = field(repr=False)
    participants: tuple[Participant, ...]

    @property
    def commitment(self) -> bytes:
        """C, to be published before anybody joins."""
        return chance.server_commitment(self.match_id, self.seed)

    @property
    def transcript(self) -> bytes:
        """A, once all have joined."""
        entropies = [participant.entropy for participant in self.participants]
        return chance.transcript(self.match_id, self.rules_id, self.commitment, entropies)

    @property
    def match_key(self) -> bytes:
        """K, once all have joined."""
        return chance.match_key(self.seed, self.transcript)


def make_record(
    secrets: Secrets,
    decks: Sequence[DealtDeck] = (),
    *,
    started: bool = True,
    seated: bool = True,
    revealed: bool = False,
    cancelled: str | None = None,
) -> Record:
    """The record of a match so far. `decks` are those published, in that order; `revealed` only when the match is over.

    Before the start no entropy is told, before the reveal no seed, no order and no card but those shown. `seated`:
    the seats were drawn; `cancelled`: the reason's code.
    """
    match_id = secrets.match_id
    record: Record = {
        "format": "FS1",
        "match_id": match_id,
        "rules_id": secrets.rules_id,
        "server_commitment": secrets.commitment.hex(),
        "seats": [
            {
                "commitment": chance.seat_commitment(match_id, index, one.entropy).hex(),
                "source": "own" if one.own else "server",
                "entropy": one.entropy.hex() if started else None,
            }
            for index, one in enumerate(secrets.participants)
        ],
        "transcript": secrets.transcript.hex() if started else None,
        "seating": list(chance.seating(secrets.match_key, len(secrets.participants))) if started and seated else None,
        "hands": [
            _hand_record(secrets, number, list(dealt), revealed)
            for number, dealt in groupby(decks, key=lambda deck: deck.hand)
        ],
        "seed": secrets.seed.hex() if revealed else None,
    }
    record["log"] = [*_log_of(record), *([chance.cancel_entry(cancelled)] if cancelled else [])]
    record["log_head"] = chance.log_head(record["log"]).hex()
    return record


def _hand_record(secrets: Secrets, number: int, decks: Iterable[DealtDeck], revealed: bool) -> Record:
    hand_key = chance.hand_key(secrets.match_key, number)
    return {
        "hand": number,
        "commitment": chance.hand_commitment(secrets.match_id, number, hand_key).hex(),
        "decks": [_deck_record(secrets.match_id, hand_key, deck, revealed) for deck in decks],
    }


def _deck_record(match_id: str, hand_key: bytes, dealt: DealtDeck, revealed: bool) -> Record:
    name = DeckName(match_id, dealt.hand, dealt.label, dealt.generation)
    deck = DeckCommitment.of_shuffle(name, hand_key, dealt.cards)
    # A whole pack is public; what went into a reshuffle may be the cards of hidden hands.
    cards_known = revealed or dealt.generation == 0
    return {
        "label": dealt.label,
        "generation": dealt.generation,
        "size": len(deck.order),
        "root": deck.root.hex(),
        "order": [int(card) for card in deck.order] if revealed else None,
        "cards": sorted(int(card) for card in dealt.cards) if cards_known else None,
        "openings": [_opening_record(deck.opening(position)) for position in sorted(dealt.shown)],
    }


def _opening_record(opening: Opening) -> Record:
    return {
        "pos": opening.position,
        "card": int(opening.card),
        "salt": opening.salt.hex(),
        "path": [[side, neighbour.hex()] for side, neighbour in opening.path],
    }


def _log_of(record: Record) -> list[str]:
    """The log that the facts of a record ask for, but for a cancellation."""
    unhex = bytes.fromhex
    entries = [chance.server_commit_entry(unhex(record["server_commitment"]))]
    for index, seat in enumerate(record["seats"]):
        entries.append(chance.seat_commit_entry(index, seat["source"] == "own", unhex(seat["commitment"])))
    if record["transcript"]:
        entries.append(chance.transcript_entry(unhex(record["transcript"])))
    for hand in record["hands"]:
        entries.append(chance.hand_entry(hand["hand"], unhex(hand["commitment"])))
        for deck in hand["decks"]:
            name = DeckName(record["match_id"], hand["hand"], deck["label"], deck["generation"])
            entries.append(chance.deck_entry(name, deck["size"], unhex(deck["root"])))
    if record["seed"]:
        entries.append(chance.reveal_entry(unhex(record["seed"])))
    return entries


# The shape of a record: each check gives None, or the path to the first value that is not as it should be.

Check = Callable[[Any], str | None]


def _text(pattern: str) -> Check:
    matches = re.compile(pattern).fullmatch
    return lambda value: None if isinstance(value, str) and matches(value) else ""


def _whole(top: int) -> Check:
    return lambda value: None if type(value) is int and 0 <= value <= top else ""


def _or_null(check: Check) -> Check:
    return lambda value: None if value is None else check(value)


def _list(check: Check, longest: int = 0xFFFF) -> Check:
    def find(value: Any) -> str | None:
        if not isinstance(value, list) or len(value) > longest:
            return ""
        damage = ((at, check(one)) for at, one in enumerate(value))
        return next((f"[{at}]{path}" for at, path in damage if path is not None), None)

    return find


def _object(**checks: Check) -> Check:
    def find(value: Any) -> str | None:
        if not isinstance(value, dict):
            return ""
        damage = ((key, check(value.get(key))) for key, check in checks.items())
        return next((f".{key}{path}" for key, path in damage if path is not None), None)

    return find


def _step(value: Any) -> str | None:
    fits = isinstance(value, list) and len(value) == 2 and value[0] in ("L", "R") and _hash(value[1]) is None
    return None if fits else ""


_hash = _text("[0-9a-f]{64}")
_deck = _object(
    label=_text("[a-z0-9-]{1,32}"),
    generation=_whole(0xFFFF),
    size=_whole(0xFFFF),
    root=_hash,
    order=_or_null(_list(_whole(0xFFFF))),
    cards=_or_null(_list(_whole(0xFFFF))),
    openings=_list(_object(pos=_whole(0xFFFF), card=_whole(0xFFFF), salt=_hash, path=_list(_step))),
)
_shape = _object(
    format=_text("FS1"),
    match_id=_text("[A-Za-z0-9._-]{1,64}"),
    rules_id=_text("[A-Za-z0-9._/-]{1,64}"),
    server_commitment=_hash,
    seats=_list(
        _object(commitment=_hash, source=_text("own|server"), entropy=_or_null(_text("([0-9a-f]{2}){16,64}"))), 255
    ),
    transcript=_or_null(_hash),
    seating=_or_null(_list(_whole(254))),
    hands=_list(_object(hand=_whole(0xFFFFFFFF), commitment=_hash, decks=_list(_deck))),
    seed=_or_null(_hash),
    log=_list(_text(r"[ -~]{1,300}"), 0xFFFFFF),
    log_head=_hash,
)


# Checking a record


def verify_record(record: Any) -> list[str]:
    """What is wrong with a record, one sentence each; empty if all that can be checked now is true."""
    damage = _shape(record)
    if damage is not None:
        return [f"The record is damaged at {damage.removeprefix('.') or 'its beginning'}."]
    match_key = None
    if record["seed"] and record["transcript"]:
        match_key = chance.match_key(bytes.fromhex(record["seed"]), bytes.fromhex(record["transcript"]))
    return [
        *_wrong_promises(record),
        *_wrong_seating(record, match_key),
        *_wrong_hands(record, match_key),
        *_wrong_log(record),
    ]


def _wrong_promises(record: Record) -> Iterator[str]:
    """Commitment, entropy and transcript: what was fixed before the first card."""
    match_id, commitment = record["match_id"], bytes.fromhex(record["server_commitment"])
    if record["seed"] and chance.server_commitment(match_id, bytes.fromhex(record["seed"])) != commitment:
        yield "The server's seed does not match its commitment."
    entropies = [seat["entropy"] and bytes.fromhex(seat["entropy"]) for seat in record["seats"]]
    for index, (seat, entropy) in enumerate(zip(record["seats"], entropies, strict=True)):
        if entropy and chance.seat_commitment(match_id, index, entropy).hex() != seat["commitment"]:
            yield f"The entropy of participant {index + 1} does not match its commitment."
        if record["transcript"] and not entropy:
            yield f"The game has started, but the entropy of participant {index + 1} is missing."
    if record["transcript"] and all(entropies):
        expected = chance.transcript(match_id, record["rules_id"], commitment, entropies)
        if expected.hex() != record["transcript"]:
            yield "The transcript does not match the ids, the server's commitment and the entropy of all participants."


def _wrong_seating(record: Record, match_key: bytes | None) -> Iterator[str]:
    if record["seating"] is None:
        return
    count = len(record["seats"])
    if sorted(record["seating"]) != list(range(count)):
        yield "The seating does not give each participant one seat."
    elif match_key and tuple(record["seating"]) != chance.seating(match_key, count):
        yield "The seating is not the one that was drawn."


def _wrong_hands(record: Record, match_key: bytes | None) -> Iterator[str]:
    if record["hands"] and not record["transcript"]:
        yield "Cards were dealt before the transcript was fixed."
    numbers = [hand["hand"] for hand in record["hands"]]
    if numbers != sorted(set(numbers)):
        yield "The deals are not in order."
    for hand in record["hands"]:
        hand_key = match_key and chance.hand_key(match_key, hand["hand"])
        if hand_key:
            expected = chance.hand_commitment(record["match_id"], hand["hand"], hand_key)
            if expected.hex() != hand["commitment"]:
                yield f"The key of deal {hand['hand']} does not match its commitment."
        shuffles: dict[str, int] = {}
        for deck in hand["decks"]:
            name = DeckName(record["match_id"], hand["hand"], deck["label"], deck["generation"])
            where = f"Deal {name.hand}, {name.label}, shuffle {name.generation + 1}"
            if shuffles.get(name.label, 0) != name.generation:
                yield f"{where}: it is not the next shuffle of that pack."
            shuffles[name.label] = name.generation + 1
            wrong = [*_wrong_cards(deck, hand_key is not None), *_wrong_openings(name, deck)]
            if hand_key and deck["cards"]:
                wrong += _wrong_order(name, deck, hand_key)
            yield from (f"{where}: {sentence}" for sentence in wrong)


def _wrong_cards(deck: Record, revealed: bool) -> Iterator[str]:
    cards = deck["cards"]
    if cards is not None and len(cards) != deck["size"]:
        yield "the number of its cards is not the size it was committed with."
    if cards is not None and cards != sorted(set(cards)):
        yield "its cards are not listed in ascending order, each once."
    if revealed and not (cards and deck["order"]):
        yield "the seed is revealed, but the cards or their order are missing."
    if not revealed and deck["order"] is not None:
        yield "it shows an order that cannot be checked before the seed is revealed."


def _wrong_openings(name: DeckName, deck: Record) -> Iterator[str]:
    position_of: dict[int, int] = {}
    for shown in deck["openings"]:
        path = tuple((side, bytes.fromhex(neighbour)) for side, neighbour in shown["path"])
        opening = Opening(shown["pos"], shown["card"], bytes.fromhex(shown["salt"]), path)
        if not chance.verify_opening(bytes.fromhex(deck["root"]), name, deck["size"], opening):
            yield f"the opening of position {opening.position} does not match the root."
        if deck["cards"] is not None and opening.card not in deck["cards"]:
            yield f"the card at position {opening.position} is not one of its cards."
        if position_of.setdefault(opening.card, opening.position) != opening.position:
            yield f"the card at position {opening.position} lies at another position too."


def _wrong_order(name: DeckName, deck: Record, hand_key: bytes) -> Iterator[str]:
    commitment = DeckCommitment.of_shuffle(name, hand_key, deck["cards"])
    if deck["order"] is not None and deck["order"] != list(commitment.order):
        yield "the order is not the one that the keys give."
    if commitment.root.hex() != deck["root"]:
        yield "the root does not match the order that the keys give."


def _wrong_log(record: Record) -> Iterator[str]:
    log = record["log"]
    told = log[:-1] if log and re.fullmatch("cancel:[a-z0-9-]{1,32}", log[-1]) else log
    for number, (line, expected) in enumerate(zip_longest(told, _log_of(record)), 1):
        if line != expected:
            yield (
                f"Line {number} of the log is {line or 'missing'}, "
                f"but the record asks for {expected or 'nothing more'}."
            )
            break
    if chance.log_head(log).hex() != record["log_head"]:
        yield "The head of the log does not match its lines."
