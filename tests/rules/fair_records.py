"""Records of fair decks for tests: random ones, one with everything in it, and ways to spoil them."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from oceans.rules.fair_record import DealtDeck, Participant, Record, Secrets, make_record


def secrets(chooser: random.Random, participants: int = 2) -> Secrets:
    joined = [
        Participant(chooser.randbytes(chooser.randint(16, 64)), chooser.random() < 0.8) for _ in range(participants)
    ]
    return Secrets(f"m-{chooser.randrange(10**6)}", "oe-twos/1", chooser.randbytes(32), tuple(joined))


def some_decks(chooser: random.Random) -> list[DealtDeck]:
    """One to three deals of one or two packs, sometimes with a reshuffle; mostly small, so that many can be tried."""
    decks = []
    for hand in range(1, chooser.randint(2, 4)):
        for pack in range(chooser.randint(1, 2)):
            size = chooser.choice([1, 2, 3, 5, 8, 11, 13, 52]) if chooser.random() < 0.95 else 312
            cards = tuple(sorted(chooser.sample(range(2 * size), size)))
            shown = tuple(chooser.sample(range(size), min(size, chooser.randint(0, 3))))
            decks.append(DealtDeck(hand, f"pack{pack}", 0, cards, shown))
            if chooser.random() < 0.3:
                decks.append(DealtDeck(hand, f"pack{pack}", 1, cards[: size // 2 + 1], (0,)))
    return decks


def random_record(seed: int) -> Record:
    chooser = random.Random(seed)
    return make_record(
        secrets(chooser, chooser.randint(1, 6)),
        some_decks(chooser),
        seated=chooser.random() < 0.8,
        revealed=chooser.random() < 0.7,
        cancelled="technical" if chooser.random() < 0.2 else None,
    )


def whole_record(*, revealed: bool = True) -> Record:
    """A small match with everything a record can hold."""
    decks = [
        DealtDeck(1, "pack0", 0, (0, 3, 4, 9, 12), (0, 4)),
        DealtDeck(1, "pack1", 0, (1, 2, 65), (1,)),
        DealtDeck(1, "pack0", 1, (3, 9), (0, 1)),
        DealtDeck(2, "pack0", 0, (7,), (0,)),
    ]
    return make_record(secrets(random.Random(4), 3), decks, revealed=revealed)


def changed(value: Any) -> Any:
    """The value with one small change that keeps its shape."""
    if isinstance(value, int):
        return value ^ 1
    if value in ("own", "server"):
        return "server" if value == "own" else "own"
    if value in ("L", "R"):
        return "R" if value == "L" else "L"
    last = {"0": "1", "o": "p"}.get(value[-1], "0")
    return value[:-1] + last


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path to every text and number in a record."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*path, key))
    elif value is not None:
        yield path


def bound(record: Record) -> list[tuple[Any, ...]]:
    """The places whose values a check can vouch for. Before the reveal, who sits where and which cards a pack is made
    of are known from the rules and the table, not from a hash."""
    free = set() if record["seed"] else {"seating", "cards"}
    return [path for path in places(record) if free.isdisjoint(path)]


def with_change(record: Record, path: Sequence[Any], change: Callable[[Any], Any] = changed) -> Record:
    record = copy.deepcopy(record)
    parent: Any = record
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = change(parent[path[-1]])
    return record


def shape_damages() -> list[Record]:
    """Records that are no records: a value missing, of the wrong type or out of range, at every place."""
    record = whole_record()
    wrong = [with_change(record, path, lambda _, to=to: to) for path in places(record) for to in (True, -1, "\n", {})]
    return [*wrong, [], None, "FS1", {}]
