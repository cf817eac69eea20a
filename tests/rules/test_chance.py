"""docs/fair-shuffle.md, section 6, points 1 to 5; the vectors of section 7, every field."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oceans.rules import chance
from oceans.rules.cards import PACK_54
from oceans.rules.chance import DealKeys, DeckCommitment, DeckName, Opening, Stream, verify_opening

VECTORS = json.loads(Path(__file__).with_name("fs1_vectors.json").read_text())


@dataclass(frozen=True)
class Deal:
    """All a deck's root depends on."""

    match_id: str
    rules_id: str
    seed: bytes
    entropies: tuple[bytes, ...]
    hand: int
    label: str
    generation: int
    cards: tuple[int, ...]

    @property
    def hand_key(self) -> bytes:
        commitment = chance.server_commitment(self.match_id, self.seed)
        transcript = chance.transcript(self.match_id, self.rules_id, commitment, self.entropies)
        return chance.hand_key(chance.match_key(self.seed, transcript), self.hand)

    @property
    def name(self) -> DeckName:
        return DeckName(self.match_id, self.hand, self.label, self.generation)

    @property
    def deck(self) -> DeckCommitment:
        return DeckCommitment.of_shuffle(self.name, self.hand_key, self.cards)


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    def text(signs: str, longest: int) -> str:
        return draw(st.text(alphabet=signs, min_size=1, max_size=longest))

    return Deal(
        match_id=text("AZaz09._-", 64),
        rules_id=text("AZaz09._-/", 64),
        seed=draw(st.binary(min_size=32, max_size=32)),
        entropies=tuple(draw(st.lists(st.binary(min_size=16, max_size=64), min_size=1, max_size=4))),
        hand=draw(st.integers(0, 2**32 - 1)),
        label=text("az09-", 32),
        generation=draw(st.integers(0, 2**16 - 1)),
        # From 32 cards on, two equal orders by chance are out of the question.
        cards=tuple(draw(st.sets(st.integers(0, 2**16 - 1), min_size=32, max_size=60))),
    )


# 1: the vectors


@pytest.fixture(params=VECTORS, ids=lambda vector: vector["name"])
def vector(request: pytest.FixtureRequest) -> dict[str, Any]:
    return request.param


@pytest.fixture
def dealt(vector: dict[str, Any]) -> Deal:
    given = vector["input"]
    return Deal(
        match_id=given["match_id"],
        rules_id=given["rules_id"],
        seed=bytes.fromhex(given["server_seed"]),
        entropies=tuple(map(bytes.fromhex, given["entropy"])),
        hand=given["hand"],
        label=given["label"],
        generation=given["generation"],
        cards=tuple(given["cards"]),
    )


def test_vector_commitments_and_keys(vector, dealt):
    expected = vector["expected"]
    commitment = chance.server_commitment(dealt.match_id, dealt.seed)
    assert commitment.hex() == expected["server_commit"]
    seats = [chance.seat_commitment(dealt.match_id, i, e).hex() for i, e in enumerate(dealt.entropies)]
    assert seats == expected["seat_commits"]
    transcript = chance.transcript(dealt.match_id, dealt.rules_id, commitment, dealt.entropies)
    assert transcript.hex() == expected["transcript"]
    match_key = chance.match_key(dealt.seed, transcript)
    assert match_key.hex() == expected["match_key"]
    assert chance.hand_key(match_key, dealt.hand).hex() == expected["hand_key"]
    assert DealKeys(match_key).deal_key(dealt.hand).hex() == expected["hand_key"]
    assert chance.hand_commitment(dealt.match_id, dealt.hand, dealt.hand_key).hex() == expected["hand_commit"]


def test_vector_stream_and_draws(vector, dealt):
    expected = vector["expected"]
    assert Stream(dealt.hand_key, dealt.label, dealt.generation).take(32).hex() == expected["stream"]

    stream, draws, rejected = Stream(dealt.hand_key, dealt.label, dealt.generation), [], 0
    for n in range(len(dealt.cards), 1, -1):
        before = stream.taken
        draws.append([n, stream.below(n)])
        rejected += (stream.taken - before) // (1 if n <= 256 else 2) - 1
    assert draws[: len(expected["draws"])] == expected["draws"]
    assert (stream.taken, rejected) == (expected["bytes_taken"], expected["rejected"])


def test_vector_order_and_dice(vector, dealt):
    expected = vector["expected"]
    order = chance.shuffled(dealt.hand_key, dealt.label, dealt.generation, dealt.cards)
    assert list(order) == expected["order"]
    if expected["order_sha256"]:
        assert sha256(b"".join(card.to_bytes(2, "big") for card in order)).hexdigest() == expected["order_sha256"]
    for roll in expected["rolls"]:
        dice = chance.roll(dealt.hand_key, roll["generation"], roll["sides"], len(roll["dice"]))
        assert list(dice) == roll["dice"]


def test_vector_root_and_openings(vector, dealt):
    expected = vector["expected"]
    assert dealt.deck.root.hex() == expected["root"]
    for shown in expected["openings"]:
        opening = dealt.deck.opening(shown["pos"])
        assert (opening.position, opening.card, opening.salt.hex()) == (shown["pos"], shown["card"], shown["salt"])
        assert [[side, neighbour.hex()] for side, neighbour in opening.path] == shown["path"]
        # A leaf is the neighbour that the position beside it shows first.
        beside = dealt.deck.opening(shown["pos"] ^ 1) if (shown["pos"] ^ 1) < len(dealt.cards) else None
        if beside:
            assert beside.path[0][1].hex() == shown["leaf"]


def test_vector_log(vector, dealt):
    commitment = chance.server_commitment(dealt.match_id, dealt.seed)
    entries = [chance.server_commit_entry(commitment)]
    for index, (own, entropy) in enumerate(zip(vector["own"], dealt.entropies, strict=True)):
        seat = chance.seat_commitment(dealt.match_id, index, entropy)
        entries.append(chance.seat_commit_entry(index, own, seat))
    transcript = chance.transcript(dealt.match_id, dealt.rules_id, commitment, dealt.entropies)
    entries.append(chance.transcript_entry(transcript))
    hand = chance.hand_commitment(dealt.match_id, dealt.hand, dealt.hand_key)
    entries.append(chance.hand_entry(dealt.hand, hand))
    entries.append(chance.deck_entry(dealt.name, len(dealt.cards), dealt.deck.root))
    assert chance.log_head(entries).hex() == vector["expected"]["log_head"]


# 2: properties


@given(deals())
@settings(max_examples=25, deadline=None)
def test_every_shuffle_is_a_permutation_and_every_opening_verifies(deal):
    deck = deal.deck
    assert sorted(deck.order) == sorted(deal.cards)
    assert all(verify_opening(deck.root, deal.name, len(deal.cards), deck.opening(at)) for at in range(len(deck.order)))


@given(deals(), st.data())
@settings(max_examples=25, deadline=None)
def test_every_changed_input_changes_the_root(deal, data):
    def flipped(value: bytes) -> bytes:
        bit = data.draw(st.integers(0, 8 * len(value) - 1))
        return (int.from_bytes(value, "big") ^ (1 << bit)).to_bytes(len(value), "big")

    who = data.draw(st.integers(0, len(deal.entropies) - 1))
    changed = [
        replace(deal, seed=flipped(deal.seed)),
        replace(deal, entropies=(*deal.entropies[:who], flipped(deal.entropies[who]), *deal.entropies[who + 1 :])),
        replace(deal, match_id=("b" if deal.match_id[0] != "b" else "c") + deal.match_id[1:]),
        replace(deal, rules_id=("b" if deal.rules_id[0] != "b" else "c") + deal.rules_id[1:]),
        replace(deal, hand=deal.hand ^ (1 << data.draw(st.integers(0, 31)))),
        replace(deal, label=("b" if deal.label[0] != "b" else "c") + deal.label[1:]),
        replace(deal, generation=deal.generation ^ (1 << data.draw(st.integers(0, 15)))),
    ]
    if deal.entropies != deal.entropies[::-1]:
        changed.append(replace(deal, entropies=deal.entropies[::-1]))
    assert len({deal.deck.root, *(other.deck.root for other in changed)}) == len(changed) + 1


@given(deals(), st.data())
@settings(max_examples=25, deadline=None)
def test_every_changed_opening_is_refused(deal, data):
    deck, size = deal.deck, len(deal.cards)
    opening = deck.opening(data.draw(st.integers(0, size - 1)))
    step = data.draw(st.integers(0, len(opening.path) - 1))
    side, neighbour = opening.path[step]
    bit = 1 << data.draw(st.integers(0, 255))

    def with_step(*steps: tuple[chance.Side, bytes]) -> Opening:
        return replace(opening, path=(*opening.path[:step], *steps, *opening.path[step + 1 :]))

    def flipped(value: bytes) -> bytes:
        return (int.from_bytes(value, "big") ^ bit).to_bytes(32, "big")

    wrong = [
        *(replace(opening, position=at) for at in range(-1, size + 1) if at != opening.position),
        replace(opening, card=opening.card ^ (1 << data.draw(st.integers(0, 15)))),
        replace(opening, salt=flipped(opening.salt)),
        replace(opening, salt=opening.salt[:-1]),
        with_step(("L" if side == "R" else "R", neighbour)),
        with_step((side, flipped(neighbour))),
        with_step((side, neighbour[:-1])),
        with_step(),
        with_step((side, neighbour), (side, neighbour)),
        replace(opening, path=(*opening.path, ("L", neighbour))),
    ]
    assert not any(verify_opening(deck.root, deal.name, size, one) for one in wrong)
    assert not verify_opening(flipped(deck.root), deal.name, size, opening)
    assert not any(verify_opening(deck.root, deal.name, other, opening) for other in (size - 1, size + 1, 0))
    assert not verify_opening(deck.root, replace(deal.name, hand=deal.hand ^ 1), size, opening)


# 3: below


class Fed(Stream):
    """A stream of given bytes, to see what `below` makes of each."""

    def __init__(self, fed: bytes) -> None:
        super().__init__(b"", "fed")
        self._bytes = fed


def test_below_throws_away_as_little_as_it_must_for_every_n():
    for n in range(2, 65_537):
        width, span = (1, 256) if n <= 256 else (2, 65_536)
        limit = n * (span // n)
        assert limit > span // 2
        assert Fed((limit - 1).to_bytes(width, "big")).below(n) == n - 1
        if limit < span:
            stream = Fed(limit.to_bytes(width, "big") + bytes(width))
            assert (stream.below(n), stream.taken) == (0, 2 * width)


def test_below_one_takes_no_byte():
    stream = Stream(bytes(32), "deck0")
    assert (stream.below(1), stream.taken) == (0, 0)


@pytest.mark.parametrize("n", [0, -1, 65_537])
def test_below_refuses_other_numbers(n):
    with pytest.raises(ValueError, match="1 to 65536"):
        Stream(bytes(32), "deck0").below(n)


def chi_square(counts: Counter[Any], cells: int) -> float:
    expected = counts.total() / cells
    return sum((counts[cell] - expected) ** 2 / expected for cell in counts) + expected * (cells - len(counts))


def test_below_spreads_evenly():
    every_byte = bytes(range(256))
    for n in range(2, 257):
        fed = Fed(every_byte)
        assert set(Counter(fed.below(n) for _ in range(256 // n * n)).values()) == {256 // n}

        stream = Stream(bytes(32), "spread", n)
        drawn = Counter(stream.below(n) for _ in range(20 * n))
        # Mean n - 1, deviation sqrt(2(n - 1)); the five deviations and the 6 cover the long tail of small n.
        assert chi_square(drawn, n) < n - 1 + 5 * (2 * (n - 1)) ** 0.5 + 6


# 4: fairness


def test_all_orders_of_four_cards_come_equally_often():
    counts = Counter(chance.shuffled(number.to_bytes(32, "big"), "deck0", 0, range(4)) for number in range(48_000))
    assert set(counts) == set(permutations(range(4)))
    assert chi_square(counts, 24) < 49.7


# 5: sizes


@pytest.mark.parametrize("size", [*range(1, 71), 312, 1000])
def test_all_openings_of_every_size(size):
    name = DeckName("m-sizes", 1, "pack0")
    deck = DeckCommitment.of_shuffle(name, bytes(32), range(size))
    openings = [deck.opening(at) for at in range(size)]
    assert [opening.card for opening in openings] == list(deck.order)
    assert all(verify_opening(deck.root, name, size, opening) for opening in openings)


# What the kernel sees


def test_a_shuffle_forgets_the_order_before_it():
    key = DealKeys.of_seed(7).deal_key(1)
    assert chance.shuffled(key, "pack0", 1, PACK_54) == chance.shuffled(key, "pack0", 1, reversed(PACK_54))
    assert chance.shuffled(key, "pack0", 1, PACK_54) != chance.shuffled(key, "pack1", 1, PACK_54)


def test_keys_follow_from_the_seed_and_do_not_show():
    keys = DealKeys.of_seed("a quiet evening")
    assert keys == DealKeys.of_seed("a quiet evening") != DealKeys.of_seed("another")
    assert len({keys.deal_key(number) for number in range(50)}) == 50
    deck = DeckCommitment.of_shuffle(DeckName("m-1", 1, "pack0"), keys.deal_key(1), range(52))
    assert deck.root
    assert repr(keys) == "DealKeys()"
    assert repr(deck) == "DeckCommitment(deck=DeckName(match_id='m-1', hand=1, label='pack0', generation=0))"


def test_seating_is_drawn_from_hand_zero():
    match_key = sha256(b"a match").digest()
    drawn = chance.seating(match_key, 5)
    assert sorted(drawn) == [0, 1, 2, 3, 4]
    assert drawn == DealKeys(match_key).seating(5)
    assert drawn == chance.shuffled(chance.hand_key(match_key, 0), "seating", 0, range(5))


def test_a_typed_text_counts_with_the_browsers_random_bytes():
    r = bytes(range(32))
    framed = b"\0\x0cFS1/own-text" + b"\0\x20" + r + b"\0\x05" + "hélo".encode()
    assert chance.own_text_entropy(r, "hélo") == sha256(framed).digest()
    assert chance.own_text_entropy(r, "") != chance.own_text_entropy(r, " ")


def test_the_server_seed_depends_on_key_match_and_nonce():
    seeds = {
        chance.server_seed(key, match_id, nonce)
        for key in (b"k" * 32, b"l" * 32)
        for match_id in ("m-1", "m-2")
        for nonce in (bytes(32), b"\1" * 32)
    }
    assert len(seeds) == 8
    assert {len(seed) for seed in seeds} == {32}


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: chance.server_commitment("no spaces", bytes(32)), "'no spaces' is not a match id"),
        (lambda: chance.server_commitment("m" * 65, bytes(32)), "is not a match id"),
        (lambda: chance.server_commitment("m-1\n", bytes(32)), "is not a match id"),
        (lambda: chance.server_commitment("m-1", bytes(31)), "server seed must have 32 bytes, not 31"),
        (lambda: chance.seat_commitment("m-1", 0, bytes(15)), "16 to 64 bytes, not 15"),
        (lambda: chance.seat_commitment("m-1", 256, bytes(16)), "from 0 to 255, not 256"),
        (lambda: chance.transcript("m-1", "a b", bytes(32), []), "'a b' is not a rules id"),
        (lambda: chance.hand_key(bytes(32), -1), "from 0 to 4294967295, not -1"),
        (lambda: chance.shuffled(bytes(32), "Pack", 0, range(3)), "'Pack' is not a label"),
        (lambda: chance.own_text_entropy(bytes(32), "x" * 70_000), "at most 65535 bytes"),
        (lambda: chance.cancel_entry("no reason"), "is not a label"),
        (lambda: DeckCommitment(DeckName("m-1", 1, "pack0"), bytes(32), ()), "without cards"),
        (lambda: DeckCommitment(DeckName("m-1", 1, "pack0"), bytes(32), (5,)).opening(1), "positions 0 to 0, not 1"),
    ],
)
def test_impossible_values_are_refused_with_a_sentence(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        wrong()
