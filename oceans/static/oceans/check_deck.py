#!/usr/bin/env python3
"""Check the record of a finished or running game: python3 check_deck.py RECORD.json

Needs Python 3.9 or later and nothing else. It is written from the published description of FS1
(docs/fair-shuffle.md), not from the site's program, and short enough to read before you trust it.
"""

import hashlib
import hmac
import json
import sys

unhex = bytes.fromhex


def number(value, size):
    return value.to_bytes(size, "big")


def frame(name, *parts):
    return b"".join(number(len(part), 2) + part for part in (b"FS1/" + name.encode(), *parts))


def digest(name, *parts):
    return hashlib.sha256(frame(name, *parts)).digest()


def mac(key, name, *parts):
    return hmac.new(key, frame(name, *parts), hashlib.sha256).digest()


def words(key, label, generation):
    """The random bytes of one shuffle."""
    for block in range(2**32):
        yield from mac(key, "stream", label, generation, number(block, 4))


def shuffled(key, label, generation, cards):
    stream, deck = words(key, label, generation), sorted(cards)
    for last in range(len(deck) - 1, 0, -1):
        n, width = last + 1, 1 if last < 256 else 2
        x = limit = 256**width - 256**width % n
        while x >= limit:
            x = int.from_bytes([next(stream) for _ in range(width)], "big")
        deck[last], deck[x % n] = deck[x % n], deck[last]
    return deck


def root_of(parts, key, order):
    level = []
    for at, card in enumerate(order):
        salt = mac(key, "salt", parts[2], parts[3], number(at, 2))
        level.append(digest("leaf", *parts, number(at, 2), number(card, 2), salt))
    while len(level) > 1:
        pairs = [level[at : at + 2] for at in range(0, len(level), 2)]
        level = [digest("node", *pair) if len(pair) == 2 else pair[0] for pair in pairs]
    return digest("deck-root", *parts, number(len(order), 2), level[0]).hex()


def opens(parts, size, root, opening):
    at, width, path = opening["pos"], size, list(opening["path"])
    top = digest("leaf", *parts, number(at, 2), number(opening["card"], 2), unhex(opening["salt"]))
    while width > 1 and at < width:
        if at ^ 1 < width:
            side, neighbour = path.pop(0) if path else ("", "")
            if side != "RL"[at % 2]:
                return False
            top = digest("node", *((unhex(neighbour), top) if side == "L" else (top, unhex(neighbour))))
        at, width = at // 2, (width + 1) // 2
    return at == 0 and not path and digest("deck-root", *parts, number(size, 2), top).hex() == root


def check_deck(record, hand, deck, key):
    parts = (record["match_id"].encode(), number(hand, 4), deck["label"].encode(), number(deck["generation"], 2))
    cards = deck["cards"]
    if cards is not None and (len(cards) != deck["size"] or cards != sorted(set(cards))):
        yield "its cards are not as many as promised, or not in ascending order"
    for opening in deck["openings"]:
        if not opens(parts, deck["size"], deck["root"], opening) or (cards and opening["card"] not in cards):
            yield f"the card at position {opening['pos']} is not the one promised"
    if len({opening["card"] for opening in deck["openings"]}) < len({opening["pos"] for opening in deck["openings"]}):
        yield "one card was shown at two positions"
    if bool(key) != (deck["order"] is not None):
        yield "its order is missing, or shown before the seed"
    elif key:
        order = shuffled(key, parts[2], parts[3], cards or [])
        if not order or order != deck["order"] or root_of(parts, key, order) != deck["root"]:
            yield "its order or root is not the one that the keys give"


def check_promises(record):
    match_id, seats = record["match_id"].encode(), record["seats"]
    if record["seed"] and digest("server-commit", match_id, unhex(record["seed"])).hex() != record["server_commitment"]:
        yield "The server's seed is not the one it committed to."
    entropies = [unhex(seat["entropy"] or "") for seat in seats]
    for i, entropy in enumerate(entropies):
        if entropy and digest("seat-commit", match_id, number(i, 1), entropy).hex() != seats[i]["commitment"]:
            yield f"The entropy of participant {i + 1} is not the one committed to."
    if record["transcript"]:
        head = (match_id, record["rules_id"].encode(), unhex(record["server_commitment"]), number(len(seats), 1))
        if not all(entropies) or digest("transcript", *head, *entropies).hex() != record["transcript"]:
            yield "The transcript does not follow from everyone's entropy."
    elif record["hands"]:
        yield "Cards were dealt before the transcript was fixed."


def check_hands(record, key):
    for hand in record["hands"]:
        h, shuffles = hand["hand"], []
        hand_key = mac(key, "hand", number(h, 4)) if key else None
        if (
            key
            and digest("hand-commit", record["match_id"].encode(), number(h, 4), hand_key).hex() != hand["commitment"]
        ):
            yield f"The key of deal {h} is not the one committed to."
        for deck in hand["decks"]:
            where = f"Deal {h}, {deck['label']}, shuffle {deck['generation'] + 1}"
            if shuffles.count(deck["label"]) != deck["generation"]:
                yield f"{where}: it is not the next shuffle of that pack."
            shuffles.append(deck["label"])
            yield from (f"{where}: {wrong}." for wrong in check_deck(record, h, deck, hand_key))
    if [hand["hand"] for hand in record["hands"]] != sorted({hand["hand"] for hand in record["hands"]}):
        yield "The deals are not in order."


def log_of(record):
    yield "server-commit:" + record["server_commitment"]
    for i, seat in enumerate(record["seats"]):
        yield f"seat-commit:{i}:{seat['source']}:{seat['commitment']}"
    if record["transcript"]:
        yield "transcript:" + record["transcript"]
    for hand in record["hands"]:
        yield f"hand:{hand['hand']}:{hand['commitment']}"
        for deck in hand["decks"]:
            yield f"deck:{hand['hand']}:{deck['label']}:{deck['generation']}:{deck['size']}:{deck['root']}"
    if record["seed"]:
        yield "reveal:" + record["seed"]


def check(record):
    """What is wrong, one sentence each."""
    if record["format"] != "FS1":
        yield "This record is not in the format FS1."
    yield from check_promises(record)
    revealed = record["seed"] and record["transcript"]
    key = mac(unhex(record["seed"]), "match", unhex(record["transcript"])) if revealed else None
    if record["seating"] is not None:
        seats = range(len(record["seats"]))
        drawn = shuffled(mac(key, "hand", number(0, 4)), b"seating", number(0, 2), seats) if key else None
        if sorted(record["seating"]) != list(seats) or (drawn and record["seating"] != drawn):
            yield "The seating is not the one that was drawn."
    yield from check_hands(record, key)
    told, expected, head = record["log"], list(log_of(record)), bytes(32)
    if told != expected and not (told[:-1] == expected and told[-1].startswith("cancel:")):
        yield "The log does not tell what the record shows."
    for line in told:
        head = digest("log", head, line.encode())
    if head.hex() != record["log_head"]:
        yield "The head of the log does not match its lines."


def main(arguments):
    if len(arguments) != 1:
        return "Name one file: python3 check_deck.py RECORD.json"
    try:
        with open(arguments[0], encoding="utf-8") as file:
            record = json.load(file)
        wrong = list(check(record))
    except OSError as error:
        return f"{arguments[0]} cannot be read: {error.strerror}."
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return f"{arguments[0]} is not a whole record: download it again."
    count = sum(len(hand["decks"]) for hand in record["hands"])
    so_far = "" if record["seed"] else " so far; the rest can be checked when the game is over"
    return "\n".join(wrong) or print(f"All {count} decks verify{so_far}.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
