"""What an event comes to, said in a sentence before it is made: the figures are those of estimates.py."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from oceans import queries
from tournaments.estimates import estimate
from tournaments.shapes import Format, swiss_rounds


def sentence(
    format: str,
    shape: Mapping[str, Any],
    players: int,
    game: str,
    pace: str,
    *,
    is_rated: bool,
    is_one_table: bool = False,
) -> str:
    """An event of so many players: its shape, its games, and how long it should take. `shape` has passed
    shapes.checked."""
    found = estimate(format, shape, players, pace, is_one_table)
    games = (
        ngettext("%(count)d rated game", "%(count)d rated games", found.matches)
        if is_rated
        else ngettext("%(count)d unrated game", "%(count)d unrated games", found.matches)
    )
    return _("%(players)s, %(shape)s, %(games)s of %(game)s. At this pace it should take about %(time)s.") % {
        "players": ngettext("%(count)d player", "%(count)d players", players) % {"count": players},
        "shape": _shape(format, shape, players),
        "games": games % {"count": found.matches},
        "game": queries.game_name(game),
        "time": time_words(found.days),
    }


def time_words(days: int) -> str:
    """A time in its greatest unit that is not too coarse: "9 days", "11 weeks", "14 months"."""
    if days < 14:
        return ngettext("%(count)d day", "%(count)d days", days) % {"count": days}
    if days < 182:
        weeks = round(days / 7)
        return ngettext("%(count)d week", "%(count)d weeks", weeks) % {"count": weeks}
    months = round(days / 30.4)
    return ngettext("%(count)d month", "%(count)d months", months) % {"count": months}


def _shape(format: str, shape: Mapping[str, Any], players: int) -> str:
    """The shape in the middle of a sentence."""
    if format == Format.ROUND_ROBIN:
        return _round_robin(shape)
    if format == Format.KNOCK_OUT:
        games = int(shape["games"])
        return _("knockout, best of %(n)d") % {"n": games} if games > 1 else _("knockout")
    if format == Format.SWISS:
        rounds = swiss_rounds(shape.get("rounds"), players)
        return ngettext("a Swiss of %(count)d round", "a Swiss of %(count)d rounds", rounds) % {"count": rounds}
    if format == Format.CUP:
        groups = -(-players // int(shape["limit"]))
        return _("%(n)d groups, then a knockout of their best two") % {"n": groups} if groups > 1 else _("one group")
    if format == Format.TABLES:
        words = ngettext("%(count)d round at tables of %(n)d", "%(count)d rounds at tables of %(n)d", shape["rounds"])
        words %= {"count": shape["rounds"], "n": shape["target"]}
        return _("%(rounds)s, then a final table") % {"rounds": words} if shape["final_table"] else words
    return str(Format(format).label)


def _round_robin(shape: Mapping[str, Any]) -> str:
    words = _("everyone plays everyone twice") if shape["cycles"] == 2 else _("everyone plays everyone once")
    if shape["serial"]:
        return _("%(shape)s, one round at a time") % {"shape": words}
    if "at_a_time" in shape:
        return _("%(shape)s, at most %(n)d games at a time") % {"shape": words, "n": shape["at_a_time"]}
    return words
