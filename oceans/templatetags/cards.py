"""The only place that makes the HTML of cards: one card, a hand, cards in a sentence, what is left of a pack.

Every card on a page is made by `card_html` or `mini_html` and says which it is in `data-card`; a test reads those to
find cards that a page should not show. The HTML is put together here rather than in templates because a table has a
hundred such parts.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from django import template
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from oceans.rules.cards import Card
from oceans.rules.cards import card as read_card
from oceans.rules.cards import cards as read_cards
from oceans.rules.game import HandReading, Said, Who
from oceans.templatetags.parts import icon_html

register = template.Library()

Face = Card | None
"""A card, or None for a back."""

Names = Mapping[int, str]
"""What each seat is called on the page."""

SUIT_CLASSES = ("c", "d", "h", "s", "ro")
SUITS_AS_SHOWN = (3, 2, 1, 0, 4)
RANKS_AS_SHOWN = range(14, 1, -1)
RANK_SIGNS = {14: "A", 13: "K", 12: "Q", 11: "J"} | {rank: str(rank) for rank in range(2, 11)}


def suit_class(card: Card) -> str:
    if card.is_joker:
        return "jk" if card == 65 else "jl"
    return SUIT_CLASSES[card.suit]


def sign(card: Card) -> str:
    """The rank as printed on the card; jokers have a picture only."""
    return RANK_SIGNS.get(card.rank, "")


@lru_cache(maxsize=4096)
def _card(card: Card, stands_for: Card | None, is_new: bool, _language: str | None) -> SafeString:
    name = _(card.name)
    if stands_for is not None:
        name = _("%(card)s, wild, stands for %(other)s") % {"card": name, "other": _(stands_for.name)}
    if is_new:
        name = _("%(card)s, just dealt") % {"card": name}
    classes = ["card", suit_class(card)]
    band = SafeString()
    if stands_for is not None:
        classes.append("w")
        band = format_html('<i class="{}">{}</i>', suit_class(stands_for), sign(stands_for))
    elif card.rank in (11, 12, 13):
        classes.append(sign(card))
    if is_new:
        classes.append("new")
    return format_html(
        '<span class="{}" role="img" aria-label="{}" data-card="{}">{}{}</span>',
        " ".join(classes),
        name,
        str(card),
        format_html("<b>{}</b>", sign(card)) if sign(card) else "",
        band,
    )


def card_html(card: Face, stands_for: Card | None = None, *, is_new: bool = False) -> SafeString:
    """One card as it lies on the table; a back for None; for a wild also the card it stands for."""
    return back_html() if card is None else _card(card, stands_for, is_new, get_language())


def back_html() -> SafeString:
    return format_html('<span class="card back" role="img" aria-label="{}"></span>', _("face-down card"))


@lru_cache(maxsize=256)
def _mini(card: Card, is_wild: bool, _language: str | None) -> SafeString:
    return format_html(
        '<span class="mc {}{}" role="img" aria-label="{}" data-card="{}"><b>{}</b></span>',
        suit_class(card),
        " wild" if is_wild else "",
        _(card.name),
        str(card),
        sign(card),
    )


def mini_html(card: Card, *, is_wild: bool = False) -> SafeString:
    """A card within a sentence or a dense list."""
    return _mini(card, is_wild, get_language())


def minis_html(cards: Iterable[Card], wild: Collection[Card] = ()) -> SafeString:
    """Several cards in a dense list."""
    inside = "".join(mini_html(card, is_wild=card in wild) for card in cards)
    return mark_safe(f'<span class="mcs">{inside}</span>')


def _items(cards: Iterable[SafeString]) -> SafeString:
    return mark_safe("".join(f"<li>{card}</li>" for card in cards))


def faces_html(faces: Sequence[Face], label: str) -> SafeString:
    """Cards side by side, backs for those that cannot be seen."""
    return format_html('<ol class="cards" role="list" aria-label="{}">{}</ol>', label, _items(map(card_html, faces)))


def hand_html(hand: HandReading, whose: str, new: Collection[Card] = ()) -> SafeString:
    """A row as its game reads it: the cards that count with the strongest group first, gaps, then what is left over.

    `whose` is the possessive for the labels, such as "your" or "Ann's"; `new` are the cards to mark as just dealt.
    """
    meanings = dict(hand.stands_for)

    def shown(cards: Iterable[Card]) -> SafeString:
        return _items(card_html(card, meanings.get(card), is_new=card in new) for card in cards)

    slots = mark_safe('<li aria-hidden="true"><span class="slot"></span></li>' * hand.gap)
    best = format_html(
        '<ol class="cards best" role="list" aria-label="{}">{}{}</ol>',
        _("%(whose)s row: what counts") % {"whose": whose},
        shown(hand.best),
        slots,
    )
    rest = SafeString()
    if hand.rest:
        rest = format_html(
            '<div class="rest-g"><p class="small">{}</p>'
            '<ol class="cards rest" role="list" aria-label="{}">{}</ol></div>',
            _("Left over"),
            _("%(whose)s row: left over") % {"whose": whose},
            shown(hand.rest),
        )
    return format_html('<div class="hand">{}{}</div>', best, rest)


@lru_cache(maxsize=4096)
def _escaped(text: str) -> SafeString:
    """A story says few things of few people many times."""
    return escape(text)


def said_html(said: Said, names: Names) -> SafeString:
    """A sentence of a game with names and cards in their places, and its note."""
    parts = [
        mini_html(part)
        if isinstance(part, Card)
        else _escaped(str(names[part.seat] if isinstance(part, Who) else part))
        for part in said.parts
    ]
    sentence = _escaped(_(said.text))
    text = mark_safe(sentence.format(*parts)) if parts else sentence
    return format_html('{}, <span class="soft">{}</span>', text, said.note) if said.note else text


def said_text(said: Said, names: Names) -> str:
    """The same as plain text, for titles, records and labels; cards in words."""
    parts = [
        _(part.name) if isinstance(part, Card) else names[part.seat] if isinstance(part, Who) else part
        for part in said.parts
    ]
    text = _(said.text).format(*parts)
    return f"{text}, {said.note}" if said.note else text


@lru_cache(maxsize=32)
def _pip(state: str, words: str) -> str:
    return format_html('<td><i class="{}">{}</i></td>', state, words)


@lru_cache(maxsize=1)
def _ranks_head() -> SafeString:
    columns = "".join(f'<th scope="col">{RANK_SIGNS[rank]}</th>' for rank in RANKS_AS_SHOWN)
    return format_html(
        '<thead><tr><th scope="col"><span class="vh">{}</span></th>{}</tr></thead>', _("Suit"), mark_safe(columns)
    )


def pack_html(
    caption: str, unseen: Iterable[Card], on_table: Iterable[Card], gone: Iterable[Card], note: str = ""
) -> SafeString:
    """What is left of a pack, suit by suit, with a row of totals.

    The three collections are the whole pack: cards still to come as far as the viewer knows, cards on the table, cards
    out of the game.
    """
    return _pack(caption, frozenset(unseen), frozenset(on_table), frozenset(gone), note, get_language())


@lru_cache(maxsize=1024)
def _pack(
    caption: str,
    unseen: frozenset[Card],
    on_table: frozenset[Card],
    gone: frozenset[Card],
    note: str,
    _language: str | None,
) -> SafeString:
    every = unseen | on_table | gone
    states = {
        True: _pip("in", _("in the deck")),
        False: _pip("on", _("on the table")),
        None: _pip("x", _("gone")),
    }
    by_place = {(card.suit, card.rank): card for card in every}

    def cell(suit: int, rank: int) -> str:
        card = by_place.get((suit, rank))
        if card is None:
            return "<td></td>"
        return states[True if card in unseen else False if card in on_table else None]

    rows = [
        f'<tr><th scope="row" class="suit {SUIT_CLASSES[suit]}"><span class="vh">{suit_name(suit)}</span></th>'
        + "".join(cell(suit, rank) for rank in RANKS_AS_SHOWN)
        + "</tr>"
        for suit in SUITS_AS_SHOWN
        if any(card.suit == suit for card in every)
    ]
    jokers = sorted(card for card in every if card.is_joker)
    if jokers:
        cells = "".join(states[True if joker in unseen else False if joker in on_table else None] for joker in jokers)
        rows.append(
            f'<tr><th scope="row" class="suit jk"><span class="vh">{escape(_("jokers"))}</span></th>{cells}'
            f'<td colspan="{13 - len(jokers)}"></td></tr>'
        )
    ranks_left = [card.rank for card in unseen]
    totals = "".join(f"<td>{ranks_left.count(rank)}</td>" for rank in RANKS_AS_SHOWN)
    return format_html(
        '<table class="deck"><caption><b>{}</b>{}</caption>{}<tbody>{}</tbody>'
        '<tfoot><tr><th scope="row"><span class="vh">{}</span>{}</th>{}</tr></tfoot></table>',
        caption,
        note,
        _ranks_head(),
        mark_safe("".join(rows)),
        _("Still in the deck"),
        icon_html("deck"),
        mark_safe(totals),
    )


def suit_name(suit: int) -> str:
    return str((_("clubs"), _("diamonds"), _("hearts"), _("spades"), _("roses"))[suit])


def chips_text(count: int) -> str:
    """A number of chips in words."""
    return ngettext("%(count)d chip", "%(count)d chips", count) % {"count": count}


def points_text(count: int) -> str:
    """A number of points in words."""
    return ngettext("%(count)d point", "%(count)d points", count) % {"count": count}


def track_html(name: str, hands: Sequence[int], target: int) -> SafeString:
    """The hands a player has won on the way to the target, as a strip of numbered places."""
    label = _("%(name)s has won %(count)d of %(target)d") % {"name": name, "count": len(hands), "target": target}
    if hands:
        label += ": " + ", ".join(_("hand %(number)d") % {"number": number} for number in hands)
    places = "".join(f'<span class="w">{number}</span>' for number in hands) + "<span></span>" * (target - len(hands))
    return format_html('<span class="track" role="img" aria-label="{}">{}</span>', label, mark_safe(places))


@register.simple_tag(name="card")
def card_tag(of: Card) -> SafeString:
    """`{% card card %}`."""
    return card_html(of)


@register.simple_tag
def mini(card: Card) -> SafeString:
    """`{% mini card %}`."""
    return mini_html(card)


@register.filter
def chips(count: int) -> str:
    """`{{ 24|chips }}`."""
    return chips_text(count)


@register.simple_tag
def cards_of(text: str) -> SafeString:
    """`{% cards_of "Ks Kh 2d" %}`: cards named in a page's text."""
    return minis_html(read_cards(text))


@register.simple_tag
def faces_of(text: str, label: str) -> SafeString:
    """`{% faces_of "7h 7c ?" "A row" %}`: cards side by side, `?` for a back."""
    return faces_html([None if one == "?" else read_card(one) for one in text.split()], label)
