"""One deck of one match, from seed and entropy to an opening (docs/fair-shuffle.md, 3)."""

from __future__ import annotations

from typing import Any

from oceans.rules import chance


def _bytes(text: str, what: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise ValueError(f"The {what} {text!r} is not hexadecimal.") from None


def deck(case: dict[str, Any]) -> dict[str, Any]:
    """Every value on the way, and the opening of the card in the middle."""
    match_id, hand = case["match_id"], case["hand"]
    seed = _bytes(case["server_seed"], "server seed")
    entropies = [_bytes(entropy, "entropy") for entropy in case["entropy"]]
    commitment = chance.server_commitment(match_id, seed)
    transcript = chance.transcript(match_id, case["rules_id"], commitment, entropies)
    match_key = chance.match_key(seed, transcript)
    hand_key = chance.hand_key(match_key, hand)
    name = chance.DeckName(match_id, hand, case["label"], case["generation"])
    shuffled = chance.DeckCommitment.of_shuffle(name, hand_key, case["cards"])
    opening = shuffled.opening(len(shuffled.order) // 2)
    return {
        "server_commit": commitment.hex(),
        "seat_commits": [chance.seat_commitment(match_id, i, e).hex() for i, e in enumerate(entropies)],
        "transcript": transcript.hex(),
        "match_key": match_key.hex(),
        "hand_key": hand_key.hex(),
        "hand_commit": chance.hand_commitment(match_id, hand, hand_key).hex(),
        "order": list(shuffled.order),
        "root": shuffled.root.hex(),
        "opening": {
            "pos": opening.position,
            "card": opening.card,
            "salt": opening.salt.hex(),
            "path": [[side, neighbour.hex()] for side, neighbour in opening.path],
        },
    }


KINDS = {"fs1": deck}
