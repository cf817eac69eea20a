"""A view of a match put into the rows that table templates print. Knows no game: all words come from its reading."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from oceans.rules.cards import Card
from oceans.rules.game import Game, HandReading, Reading, Said, Who
from oceans.rules.look import SeatView, View
from oceans.templatetags.cards import (
    Names,
    chips_text,
    faces_html,
    hand_html,
    minis_html,
    pack_html,
    points_text,
    said_html,
    said_text,
    track_html,
)
from oceans.views.words import listed

LINES_SHOWN = 80
"""Lines of the story on the match page; the replay has all of them."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits in a seat, for the page: the name, its link, and what stands beside it."""

    name: str
    who: SafeString
    clock: str = ""
    state: str = ""
    """Such as "away until 18 Nov"."""
    may_get_time: bool = False
    """Whether the reader may give this player a day."""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat as a template prints it."""

    seat: int
    player: Player
    is_you: bool
    view: SeatView
    reading: HandReading
    hand: SafeString
    """The row as its game reads it, or the hole cards."""
    cards: SafeString
    """All cards of a seat in a table of many, small."""
    down: SafeString
    """Those of the cards in a row that nobody else sees."""
    track: SafeString
    score: str


@dataclass(frozen=True, slots=True)
class EndedDeal:
    """How the deal before this one ended, in sentences, and what it brought to whom."""

    number: int
    said: tuple[SafeString, ...]
    brought: str


@dataclass(frozen=True, slots=True)
class TableRows:
    """A match in print."""

    view: View
    heading: str
    outcome: str
    """The verdict without regard to the reader, as plain text."""
    verdict: str
    reason: SafeString
    last: SafeString
    """What happened last, in a sentence."""
    above: tuple[SeatRow, ...]
    below: SeatRow | None
    """The reader's own seat; of two seats the second one for those who watch."""
    packs: tuple[SafeString, ...]
    warnings: Mapping[str, SafeString]
    labels: Mapping[str, str]
    zones: tuple[tuple[str, SafeString], ...]
    pots: tuple[str, ...]
    """The main pot and the side pots in words, where there are several."""
    ended: "EndedDeal | None"

    @property
    def rows(self) -> tuple[SeatRow, ...]:
        return (*self.above, self.below) if self.below else self.above


def table_rows(game: Game, view: View, players: Sequence[Player]) -> TableRows:
    """The rows of a match page as seen in `view`."""
    reading = game.reading(view)
    names = {seat: player.name for seat, player in enumerate(players)}
    new = _just_dealt(view)
    rows = [_seat_row(game, view, one, reading.hands[one.seat], players[one.seat], new) for one in view.seats]
    below = rows[view.viewer if view.viewer is not None else 1] if len(rows) == 2 or view.viewer is not None else None
    around = rows[below.seat + 1 :] + rows[: below.seat] if below else rows
    verdict, reason = _verdict(view, reading, names)
    return TableRows(
        view=view,
        heading=reading.heading,
        outcome=said_text(reading.verdict, names),
        verdict=verdict,
        reason=reason,
        last=_last(view, names),
        above=tuple(around),
        below=below,
        packs=tuple(_packs(view, players)),
        warnings={verb: said_html(said, names) for verb, said in reading.warnings.items()},
        labels={verb: said_text(said, names) for verb, said in reading.labels.items()},
        pots=tuple(_pots(view, names)),
        ended=None if game.is_one_deal else _ended(view, names),
        zones=tuple((zone.name, faces_html(zone.cards, zone.name)) for zone in view.zones),
    )


def log_html(
    view: View, players: Sequence[Player], url: str, *, at: int | None = None, most: int | None = LINES_SHOWN
) -> SafeString:
    """The story so far as a list, oldest first, at most the last `most` sentences.

    `url` is the replay's; each sentence leads to the log entry it came from. `at` marks the entry being shown. What an
    order of the reader's own did is marked.
    """
    names, own = tuple(player.name for player in players), (view.viewer, view.by_order)
    return _log(view.story, names, own, url, at, most, get_language())


@lru_cache(maxsize=256)
def _log(
    story: tuple[Any, ...],
    names: tuple[str, ...],
    own: tuple[int | None, frozenset[int]],
    url: str,
    at: int | None,
    most: int | None,
    _language: str | None,
) -> SafeString:
    """`own`: the reader's seat, and the numbers of lines for which its orders answered."""
    seat, by_order = own
    sentences = [(line.number, said) for line in story for said in line.said]
    shown = sentences[-most:] if most else sentences
    last = max((number for number, _said in shown), default=0)
    at = last if at is None else at
    items = []
    before = None
    for number, said in shown:
        text = said_html(said, dict(enumerate(names)))
        if said.is_heading:
            items.append(f'<li class="hd"><span>{text}</span></li>')
            continue
        if number in by_order and said.parts[:1] == (Who(seat),):
            text = format_html('{} <span class="soft">{}</span>', text, _("(by order)"))
        current = ' aria-current="step"' if number == at else ""
        items.append(
            f"<li><span>{number if number != before and number else ''}</span>"
            f'<a href="{url}?move={number}"{current}>{text}</a></li>'
        )
        before = number
    return format_html(
        '<ol class="log" role="list" tabindex="0" aria-label="{}">{}</ol>', _("Moves"), mark_safe("".join(items))
    )


def heading_text(game: Game, view: View) -> str:
    """Where the match stands, such as "hand 8, 4–3"."""
    heading = game.reading(view).heading
    score = "" if game.has_chips else score_text(view)
    return ", ".join(filter(None, (heading, score)))


def score_text(view: View) -> str:
    """The score with the reader's own first."""
    scores = [one.score for one in view.seats]
    if view.viewer is not None and len(scores) == 2:
        scores = [scores[view.viewer], scores[1 - view.viewer]]
    return "–".join(map(str, scores))


def verdict_text(game: Game, view: View, names: Names) -> str:
    """The verdict as plain text."""
    return said_text(game.reading(view).verdict, names)


def hand_minis(hand: HandReading, one: SeatView) -> SafeString:
    """A seat's cards in a dense list, with the wild ones marked."""
    seen = [card for card in one.hole if card is not None]
    shown = (*hand.best, *hand.rest) or tuple(seen)
    return minis_html(shown, dict(hand.stands_for)) if shown else SafeString()


def _verdict(view: View, reading: Reading, names: Names) -> tuple[str, SafeString]:
    own = reading.hands[view.viewer].standing if view.viewer is not None and not view.is_over else ""
    spoken = {"ahead": _("You are ahead."), "behind": _("You are behind.")}
    verdict = spoken[own] if own in spoken else _sentence(reading.verdict, names)
    return verdict, _sentence(reading.reason, names) if reading.reason else SafeString()


def _sentence(said: Said, names: Names) -> SafeString:
    text = said_html(said, names)
    return text if text.endswith((".", "?", "!")) else format_html("{}.", text)


def _last(view: View, names: Names) -> SafeString:
    """The sentences of the last step, without what merely opens the next part."""
    if not view.story:
        return SafeString()
    said = [sentence for sentence in view.story[-1].said if not sentence.is_heading]
    return mark_safe("; ".join(said_html(sentence, names) for sentence in said[-2:]))


def _pots(view: View, names: Names) -> Iterable[str]:
    if len(view.pots) < 2:
        return
    for number, pot in enumerate(view.pots):
        text = _("Side pot %(number)d: %(amount)d for %(names)s") if number else _("Main pot: %(amount)d for %(names)s")
        yield text % {"number": number, "amount": pot.amount, "names": listed(names[seat] for seat in pot.seats)}


def _ended(view: View, names: Names) -> EndedDeal | None:
    """The last step of the last finished deal."""
    if not view.deals:
        return None
    deal = view.deals[-1]
    steps = [line for line in view.story if line.deal_no == deal.deal_no]
    said = [sentence for sentence in (steps[-1].said if steps else ()) if not sentence.is_heading]
    gains = [(names[seat], gain) for seat, gain in enumerate(deal.deltas) if gain]
    brought = ", ".join(f"{name} {'+' if gain > 0 else '−'}{abs(gain)}" for name, gain in gains)
    return EndedDeal(deal.deal_no, tuple(said_html(sentence, names) for sentence in said), brought)


def _just_dealt(view: View) -> frozenset[tuple[int, Card]]:
    """The cards of the last step, with the seat whose row they lie in."""
    named = [part for said in (view.story[-1].said if view.story else ()) for part in said.parts]
    cards = [part for part in named if isinstance(part, Card)]
    return frozenset((one.seat, card) for one in view.seats for card in cards if one.row[-1:] == (card,))


def _seat_row(
    game: Game, view: View, one: SeatView, hand: HandReading, player: Player, new: frozenset[tuple[int, Card]]
) -> SeatRow:
    is_you = one.seat == view.viewer
    whose = _("your") if is_you else _("%(name)s's") % {"name": player.name}
    own_new = frozenset(card for seat, card in new if seat == one.seat)
    if one.row:
        drawn = hand_html(hand if hand.best else HandReading(best=one.row), whose, own_new)
    else:
        drawn = faces_html(one.hole, _("%(whose)s cards") % {"whose": whose}) if one.hole else SafeString()
    return SeatRow(
        seat=one.seat,
        player=player,
        is_you=is_you,
        view=one,
        reading=hand,
        hand=drawn,
        cards=_small_cards(one, whose),
        down=minis_html(card for card in one.hole if card is not None) if one.row and one.hole else SafeString(),
        track=_track(view, one, player),
        score=chips_text(one.stack) if game.has_chips else points_text(one.score),
    )


def _small_cards(one: SeatView, whose: str) -> SafeString:
    """Backs for what cannot be seen, then the others as they were dealt."""
    hidden = [card for card in one.hole if card is None]
    seen = [card for card in (*one.hole, *one.row) if card is not None]
    backs = faces_html(hidden, _("%(whose)s cards") % {"whose": whose}) if hidden else SafeString()
    return format_html("{}{}", backs, minis_html(seen) if seen else SafeString())


def _track(view: View, one: SeatView, player: Player) -> SafeString:
    """The strip of hands won, in games that are a race to a target."""
    target = getattr(view.facts, "target", None)
    if target is None:
        return SafeString()
    hands = [number for number, winner in enumerate(view.facts.winners, 1) if winner == one.seat]
    name = _("You") if one.seat == view.viewer else player.name
    return track_html(name, hands, target)


def _packs(view: View, players: Sequence[Player]) -> Iterable[SafeString]:
    """What is left of each seat's own pack, the reader's first; nothing where one pack is shared."""
    if len(view.unseen) != len(view.seats):
        return
    order = sorted(view.seats, key=lambda one: one.seat != view.viewer)
    for one in order:
        if one.seat == view.viewer:
            caption = ngettext("Your deck: one card", "Your deck: %(count)d cards", one.pack_left)
        else:
            caption = ngettext("%(name)s's deck: one card", "%(name)s's deck: %(count)d cards", one.pack_left)
        caption %= {"name": players[one.seat].name, "count": one.pack_left}
        unseen = view.unseen[one.seat]
        gone = [card for card in one.gone if card is not None]
        yield pack_html(caption, unseen, one.row, gone, _pack_note(view, one, unseen))


def _pack_note(view: View, one: SeatView, unseen: Sequence[Card]) -> str:
    if getattr(view.facts, "half", False) and len(unseen) > one.pack_left:
        return _(", some of the %(count)d marked below") % {"count": len(unseen)}
    wild: frozenset[Card] = getattr(view.facts, "wild", frozenset())
    if not wild:
        return ""
    return _(", wild cards left: %(count)d") % {"count": sum(card in wild for card in unseen)}
