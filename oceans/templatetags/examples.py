"""Drawn examples for the rules pages: rows as the real rules read them."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from oceans.rules.cards import cards as read_cards
from oceans.rules.examples import held, laid_out
from oceans.rules.game import HandReading
from oceans.rules.games import by_slug
from oceans.templatetags.cards import faces_html, hand_html
from oceans.templatetags.parts import standing_html

register = template.Library()

PLAYERS = ("north", "east", "south")


@register.simple_block_tag
def rows(content: str, slug: str, *laid: str) -> SafeString:
    """`{% rows "oe-twos" "5h 5d 3c" "5s 5c" %}A three beats a blank.{% endrows %}`: these rows, read, with a remark."""
    return _drawn(by_slug(slug).reading(laid_out(slug, laid)).hands, content)


@register.simple_block_tag
def hands(content: str, slug: str, *shown: str, middle: str = "") -> SafeString:
    """`{% hands "seven-stud" "As Ah | Tc Td" "Ks 4c | Kd 9h" %}Aces lead.{% endhands %}`: these hands, read, with a
    remark; `middle` are the cards in the middle."""
    between = ""
    if middle:
        between = format_html('<div class="zone">{}</div>', faces_html(read_cards(middle), _("In the middle")))
    return _drawn(by_slug(slug).reading(held(slug, shown, middle)).hands, content, between)


def _drawn(found: Sequence[HandReading], content: str, between: str = "") -> SafeString:
    drawn = format_html_join(
        "",
        '<div class="pos"><p class="small"><b>{}</b> {}</p>{}</div>{}',
        (
            (
                name,
                f"{hand.name} {hand.detail}".strip().lower(),
                standing_html(hand.standing),
                hand_html(hand, _("%(name)s's") % {"name": name}),
            )
            for name, hand in zip(PLAYERS, found, strict=False)
        ),
    )
    return format_html('<div class="felt example">{}{}<p class="small">{}</p></div>', between, drawn, content)
