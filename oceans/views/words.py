"""Facts of matches and offers in words: clocks, terms, outcomes."""

from collections.abc import Iterable
from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, ngettext_lazy

from oceans.clock import DAY, HOUR, MINUTE, PACES, Pace
from oceans.models import Match
from oceans.rules.game import Game, Length
from oceans.rules.options import Choice, Flag, kinds
from oceans.templatetags.parts import span


def pace_name(slug: str) -> str:
    """What a pace is called."""
    if slug.startswith("days-"):
        return _("%(days)s days a move") % {"days": slug[5:]} if slug != "days-1" else _("1 day a move")
    names = {
        "classic": _("Classic"),
        "steady": _("Steady"),
        "brisk": _("Brisk"),
        "daily": _("Daily"),
        "live": _("Live"),
        "untimed": _("Untimed"),
    }
    return names.get(slug, slug)


def pace_text(pace: Pace) -> str:
    """How much time there is: "10 d, + 36 h a turn"."""
    if not pace.is_timed:
        return _("no clock")
    if pace.is_per_move:
        return _("%(time)s for each turn") % {"time": _time(pace.start_s)}
    return _("%(start)s, + %(increment)s a turn, at most %(cap)s") % {
        "start": _time(pace.start_s),
        "increment": _time(pace.increment_s),
        "cap": _time(pace.cap_s),
    }


def _time(seconds: int) -> str:
    if seconds < 60:
        return _("%(seconds)d s") % {"seconds": seconds}
    if seconds % 3600 == 0 and seconds <= 48 * 3600:
        return _("%(hours)d h") % {"hours": seconds // 3600}
    return span(timedelta(seconds=seconds))


def pace_choices() -> list[tuple[str, str]]:
    """The paces for a form."""
    return [
        (slug, pace_name(slug) if pace.is_per_move else f"{pace_name(slug)}: {pace_text(pace)}")
        for slug, pace in PACES.items()
    ]


def pace_rows() -> list[dict[str, str]]:
    """The paces with a bank, for the table on the help page."""
    return [
        {
            "name": pace_name(slug),
            "start": _time(pace.start_s),
            "increment": f"+ {_time(pace.increment_s)}",
            "cap": _time(pace.cap_s),
        }
        for slug, pace in PACES.items()
        if pace.is_timed and not pace.is_per_move
    ]


def length_text(length: Length, pace: Pace) -> str:
    """How much play a match takes: "About 30 visits each, 4 weeks at this pace". People are taken to answer after a
    third of the time they have for a move, or after two thirds of what a move earns them."""
    reply_s = pace.start_s / 3 if pace.is_per_move else pace.increment_s * 2 / 3 if pace.is_timed else DAY
    visits = _rounded(length.visits)
    each = ngettext("About %(count)d visit each", "About %(count)d visits each", visits) % {"count": visits}
    return _("%(visits)s, %(time)s at this pace.") % {"visits": each, "time": _stretch(length.waits * reply_s)}


def _stretch(seconds: float) -> str:
    """A long time in its greatest unit: "25 minutes", "6 days", "4 weeks", "5 months"."""
    units = (
        (61 * DAY, 30 * DAY, ngettext_lazy("%(count)d month", "%(count)d months", "count")),
        (14 * DAY, 7 * DAY, ngettext_lazy("%(count)d week", "%(count)d weeks", "count")),
        (2 * DAY, DAY, ngettext_lazy("%(count)d day", "%(count)d days", "count")),
        (2 * HOUR, HOUR, ngettext_lazy("%(count)d hour", "%(count)d hours", "count")),
        (0, MINUTE, ngettext_lazy("%(count)d minute", "%(count)d minutes", "count")),
    )
    unit_s, text = next((unit_s, text) for least_s, unit_s, text in units if seconds >= least_s)
    return str(text % {"count": _rounded(seconds / unit_s)})


def _rounded(number: float) -> int:
    """As exact as an estimate is: to fives from 20 on."""
    return max(1, round(number)) if number < 20 else 5 * round(number / 5)


def clock_text(match: Match) -> str:
    """The clock of a match in full."""
    parts = [pace_text(PACES[match.pace])] if match.pace in PACES else [match.pace]
    if match.weekend:
        parts.append(_("pauses on weekends"))
    if match.leave_allowed == "none":
        parts.append(_("no holidays"))
    elif match.leave_allowed != "all":
        parts.append(_("at most %(days)s days of holiday") % {"days": match.leave_allowed})
    return ", ".join(parts)


def rated_text(match: Match) -> str:
    if match.unrated_because:
        return _("not rated")
    return _("rated") if match.rated else _("unrated")


def terms_text(match: Match) -> str:
    """What was agreed, in a line: "rated · 10 d, + 36 h a turn"."""
    return " · ".join((rated_text(match), clock_text(match)))


def options_text(game: Game, chosen: dict[str, object]) -> str:
    """The options that differ from the usual ones, in words."""
    words = []
    for name, (kind, default) in kinds(game).items():
        value = chosen.get(name, default)
        if value == default:
            continue
        if isinstance(kind, Choice):
            words.append(dict(kind.values).get(str(value), str(value)))
        elif isinstance(kind, Flag):
            words.append(kind.label if value else _("not: %(label)s") % {"label": kind.label})
        else:
            words.append(f"{kind.label}: {value if value is not None else _('none')}")
    return ", ".join(words)


def listed(names: Iterable[str]) -> str:
    """Names as a list: "Ann, Ben and Cem"."""
    *first, last = names
    return _("%(first)s and %(last)s") % {"first": ", ".join(first), "last": last} if first else last
