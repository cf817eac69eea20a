"""Parts of competition that pages of play include: ratings, ranks, titles, entries of the reader."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django import template
from django.template import Context
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from accounts.models import User
from oceans import queries
from tournaments import event_words, infinity
from tournaments.charts import Chart, chart
from tournaments.forms import PACE_NAMES
from tournaments.models import LadderStep, Tournament
from tournaments.queries import event_tables
from tournaments.queries import events as event_queries
from tournaments.queries import ladders as ladder_queries
from tournaments.queries import ratings as reading
from tournaments.ranks import Rank

register = template.Library()


@register.simple_tag
def rank(held: Rank | None) -> SafeString:
    """The tag beside a name: `{% rank row.rank %}`."""
    return format_html('<span class="tag">{}</span>', _(held.name)) if held else mark_safe("")


@register.simple_tag
def ranks_beside(person: User) -> SafeString:
    """The highest permanent rank of a player, for beside his name."""
    return rank(reading.ranks_of([person.pk]).get(person.pk))


@register.inclusion_tag("tournaments/_ratings.html")
def ratings_of(person: User, *, with_private: bool) -> dict[str, Any]:
    """The ratings of a player's page: cards, the chart of the game played most, and how it last changed; single games
    of private events only `with_private`, for the player himself."""
    now = timezone.now()
    cards = reading.cards_of(person, now)
    main = cards[0] if cards else None
    past = reading.history(person, main.pool) if main else None
    graph: Chart | None = chart(past.points) if past and len(past.points) > 1 else None
    return {
        "person": person,
        "cards": cards,
        "main": main,
        "chart": graph,
        "changes": reading.changes(person, main.pool, with_private=with_private) if main else [],
        "uncounted": [
            {"match_id": one.match_id, "game": queries.game_name(one.pool), "why": why_uncounted(one.code)}
            for one in reading.uncounted(person, with_private=with_private)
        ],
        "ruled_at": past.ruled_at if past else None,
    }


@register.simple_tag
def rated_games(games: Iterable[Any], person: User) -> dict[int, reading.RatedGame]:
    """What games of a player's page were worth to him, by their number; those that did not count are missing."""
    return reading.rated_games(person, [one.id for one in games])


@register.inclusion_tag("tournaments/_careers.html")
def careers_of(person: User) -> dict[str, Any]:
    """The ladders of a player's page: place, best place, days at the top, and the line of places."""
    return {"careers": ladder_queries.careers(person, timezone.now())}


@register.inclusion_tag("tournaments/_match_ratings.html")
def match_ratings(match_id: int) -> dict[str, Any]:
    """For a game's page: ratings with their changes or the chances, and the event or ladder it belongs to."""
    event = event_queries.event_of_match(match_id)
    ladder = None if event else ladder_queries.ladder_of_match(match_id)
    return {"ratings": reading.of_match(match_id, timezone.now()), "event_id": event, "ladder": ladder}


@register.filter("why_words")
def why_uncounted(code: str) -> str:
    """Why a result does not count, in words."""
    words = {
        "void": _("a moderator ruled it out"),
        "casual": _("played unrated"),
        "aborted": _("broken off"),
        "abandoned": _("a player had left"),
        "cancelled": _("cancelled"),
        "overdue": _("closed because it was too late"),
        "no_show": _("a player never moved"),
        "bot": _("a bot sat at the table"),
        "related": _("the accounts belong together"),
        "streak": _("a further time-out in a row"),
        "pair": _("these players have had four rated games in 30 days"),
        "unplayed": _("fewer than two players moved"),
    }
    return words.get(code, code)


@register.simple_tag
def ladder_step(step: LadderStep) -> str:
    """One step of a ladder's history in words."""
    names = {"player": step.player.shown_name, "other": step.other.shown_name if step.other else ""}
    words = {
        "join": _("%(player)s joined"),
        "leave": _("%(player)s left"),
        "removed": _("%(player)s was taken off"),
        "idle_out": _("%(player)s was taken off after 90 idle days"),
        "struck_out": _("%(player)s was taken off after three strikes"),
        "idle_drop": _("%(player)s slid down, being idle"),
        "normal": _("%(player)s beat %(other)s"),
        "resign": _("%(player)s won, %(other)s resigned"),
        "timeout": _("%(player)s beat %(other)s on time"),
        "no_show": _("%(player)s won, %(other)s never moved"),
        "draw": _("%(player)s and %(other)s drew"),
        "declined": _("%(player)s passed %(other)s, who declined"),
        "ignored": _("%(player)s passed %(other)s, who did not answer"),
    }
    return words.get(step.kind, step.kind) % names


@register.inclusion_tag("tournaments/_waiting.html", takes_context=True)
def competition_waiting(context: Context, person: User) -> dict[str, Any]:
    """For the dashboard: what ladders and tournaments want from the reader."""
    return {
        "challenges": ladder_queries.challenges_to(person.pk),
        "events": [] if person.is_guest else event_queries.waiting_for(person.pk),
        "csrf_token": context.get("csrf_token"),
    }


@register.simple_tag
def player_link(person: User) -> SafeString:
    """A name that leads to the player's page; only a name for closed accounts."""
    if person.closed_at:
        return format_html("<span>{}</span>", person.shown_name)
    return format_html('<a class="who" href="{}">{}</a>', reverse("player", args=[person.username]), person.username)


@register.inclusion_tag("tournaments/_games_at_a_time.html")
def games_at_a_time(wanted: int) -> dict[str, int]:
    """The field for how many games of an endless event one would have running."""
    return {"wanted": wanted, "low": infinity.FEWEST_MATCHES, "high": infinity.MOST_MATCHES}


@register.filter
def of(words: dict[str, Any], key: str) -> Any:
    """The entry of a mapping."""
    return words.get(key, "")


@register.filter
def how_words(how: str) -> str:
    """How a pairing was decided, where that is worth a word."""
    words = {"open": _("being played"), "forfeit": _("by forfeit"), "overdue": _("overdue"), "bye": _("bye")}
    return words.get(how, "")


@register.filter
def pace_words(pace: str) -> str:
    """A pace by its name."""
    return str(PACE_NAMES.get(pace, pace))


@register.filter
def time_words(days: int) -> str:
    """So many days in days, weeks or months."""
    return event_words.time_words(days)


@register.filter
def starts_on(event: Tournament) -> datetime | None:
    """The date of an event that is open, if it has one; a league whose date has passed waits for more players."""
    is_waiting = event.format == Tournament.Format.LEAGUE and event.due_at is None
    return None if is_waiting else event.starts_at


@register.filter
def start_words(event: Tournament) -> str:
    """What an event without a date waits for."""
    if event.format != Tournament.Format.LEAGUE:
        return str(event.get_starts_display())
    if event.starts_at is not None:
        return _("as soon as four have entered")
    return _("when seven have been in for a week") if event.edition == 1 else _("a week after the edition that runs")


@register.filter
def shape_words(event: Tournament) -> list[tuple[str, str]]:
    """What the format of an event asks, as terms with words."""
    shape = event.shape
    words: list[tuple[str, str | bool]] = [
        (_("everyone plays everyone"), shape.get("cycles") == 2 and _("twice")),
        (_("at the same time"), shape.get("serial") and _("one round at a time")),
        (
            _("at the same time"),
            _("%(n)s games a player") % {"n": shape.get("at_a_time")} if shape.get("at_a_time") else "",
        ),
        (_("start numbers"), shape.get("numbers") == "lots" and _("by lots")),
        (_("rounds"), str(shape.get("rounds") or "")),
        (_("groups"), _("at most %(n)s players") % {"n": shape.get("limit")} if shape.get("limit") else ""),
        (_("games a match"), _("best of %(n)s") % {"n": shape["games"]} if shape.get("games", 1) > 1 else ""),
        (_("final"), _("best of %(n)s") % {"n": shape.get("final_games")} if shape.get("final_games") else ""),
        (_("games of a match"), shape.get("in_turn") and _("one after the other")),
        (_("third place"), shape.get("third_place") and _("is played for")),
        (
            _("tables"),
            _("%(low)s to %(high)s players") % {"low": shape["smallest"], "high": shape["largest"]}
            if "target" in shape
            else "",
        ),
        (_("points by place"), "-".join(map(str, shape.get("scale", [])))),
        (_("final table"), shape.get("final_table") and _("of the best")),
        (_("ties"), _ties(event.format)),
    ]
    return [(term, str(said)) for term, said in words if said]


def _ties(format: str) -> str:
    names = {
        Tournament.Format.SWISS: event_tables.SWISS_COLUMNS,
        Tournament.Format.TABLES: event_tables.TABLE_COLUMNS,
        Tournament.Format.ROUND_ROBIN: event_tables.GROUP_COLUMNS,
        Tournament.Format.CUP: event_tables.GROUP_COLUMNS,
        Tournament.Format.LEAGUE: event_tables.GROUP_COLUMNS,
        Tournament.Format.MINI_CUP: event_tables.GROUP_COLUMNS,
    }.get(Tournament.Format(format), ())
    return ", ".join(event_tables.heading(name) for name in names[1:])


@register.filter
def condition_words(conditions: dict[str, Any]) -> list[str]:
    """What an event asks of its entrants."""
    words = {
        "min_rating": _("rating from %(n)s"),
        "max_rating": _("rating up to %(n)s"),
        "min_games": _("%(n)s rated games"),
        "no_provisional": _("a settled rating"),
        "min_age_days": _("an account of %(n)s days"),
        "most_timeouts": _("at most %(n)s %% lost on time"),
    }
    return [words[name] % {"n": value} for name, value in conditions.items() if name in words]


@register.inclusion_tag("tournaments/_titles.html")
def titles_of(person: User) -> dict[str, Any]:
    """What a player has won."""
    return {"awards": event_queries.awards_of(person)}
