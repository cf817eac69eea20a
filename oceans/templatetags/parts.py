"""Small parts that all pages share: icons, the time left on a clock, moments in the reader's zone."""

from datetime import datetime, timedelta
from functools import lru_cache

from django import template
from django.templatetags.static import static
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

register = template.Library()

SHORT = timedelta(hours=24)
"""Below this a clock is shown as short."""


@lru_cache(maxsize=128)
def icon_html(name: str) -> SafeString:
    """An icon of static/oceans/icons.svg, decorative: words stand beside it."""
    return format_html(
        '<svg class="i" aria-hidden="true"><use href="{}#i-{}"/></svg>', static("oceans/icons.svg"), name
    )


@register.simple_tag
def icon(name: str) -> SafeString:
    """`{% icon "clock" %}`."""
    return icon_html(name)


def span(left: timedelta) -> str:
    """A stretch of time in the words of a clock: "2 d 3 h", "7 h 20 min", "12 min"."""
    minutes = max(0, int(left.total_seconds() // 60))
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    if days >= 10 or (days and not hours):
        return _("%(days)d d") % {"days": days}
    if days:
        return _("%(days)d d %(hours)d h") % {"days": days, "hours": hours}
    if hours >= 10 or (hours and not minutes):
        return _("%(hours)d h") % {"hours": hours}
    if hours:
        return _("%(hours)d h %(minutes)d min") % {"hours": hours, "minutes": minutes}
    return _("%(minutes)d min") % {"minutes": minutes} if minutes else _("under a minute")


@register.filter
def in_words(left: timedelta) -> str:
    """`{{ left|in_words }}`."""
    return span(left)


@register.filter
def moment(instant: datetime) -> str:
    """An instant in the reader's zone, with the zone: "Mon 9 Nov, 17:40 CET"."""
    local = timezone.localtime(instant)
    return f"{date_format(local, 'D j M, H:i')} {local.tzname()}"


@register.filter
def when(instant: datetime) -> SafeString:
    """An instant as a `<time>` with the full moment for programs and on hover."""
    return format_html('<time datetime="{}">{}</time>', instant.isoformat(), moment(instant))


@register.simple_tag
def clock(due_at: datetime | None, now: datetime, *, runs: bool = True, word: bool = True) -> SafeString:
    """The time left until a deadline. Short clocks carry an hourglass, so that colour only repeats what is said."""
    if due_at is None:
        return mark_safe("")
    left = due_at - now
    kind, sign = ("", "clock") if not runs or left >= SHORT else ("now" if left < SHORT / 4 else "soon", "glass")
    text = _("%(time)s left") % {"time": span(left)} if runs and word else span(left)
    return format_html(
        '<time class="clock {}" datetime="{}" title="{}">{}{}</time>',
        kind if runs else "off",
        due_at.isoformat(),
        moment(due_at),
        icon_html(sign),
        text,
    )


STANDINGS = {"ahead": ("up", "up"), "behind": ("down", "down"), "level": ("", "level")}


def standing_html(standing: str) -> SafeString:
    """A tag that says ahead, behind or level; nothing for a seat that is neither."""
    if standing not in STANDINGS:
        return mark_safe("")
    words = {"ahead": _("Ahead"), "behind": _("Behind"), "level": _("Level")}
    kind, sign = STANDINGS[standing]
    return format_html('<span class="tag {}">{}{}</span>', kind, icon_html(sign), words[standing])


@register.filter
def standing(of: str) -> SafeString:
    """`{{ hand.standing|standing }}`."""
    return standing_html(of)
