"""Drawn examples for the rules pages: rows as the real rules read them."""

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from oceans.rules.examples import laid_out
from oceans.rules.games import by_slug
from oceans.templatetags.cards import hand_html
from oceans.templatetags.parts import standing_html

register = template.Library()

PLAYERS = ("north", "east", "south")


@register.simple_block_tag
def rows(content: str, slug: str, *laid: str) -> SafeString:
    """`{% rows "oe-twos" "5h 5d 3c" "5s 5c" %}A three beats a blank.{% endrows %}`: these rows, read, with a remark."""
    hands = by_slug(slug).reading(laid_out(slug, laid)).hands
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
            for name, hand in zip(PLAYERS, hands, strict=False)
        ),
    )
    return format_html('<div class="felt example">{}<p class="small">{}</p></div>', drawn, content)
