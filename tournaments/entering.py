"""Who may enter an event and why not: the facts about an applicant, and the refusals in words. Reads only."""

from collections import Counter
from collections.abc import Collection, Container
from datetime import UTC, datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import Final

from django.db.models import Count, Max
from django.utils.translation import gettext as _

from accounts.models import User
from tournaments import entry, tickets
from tournaments.models import LATE, Attendance, Ending, Entrant, Rating, RatingDay, Tournament
from tournaments.rate import DEFAULTS, PROVISIONAL_GAMES, PROVISIONAL_RD
from tournaments.ratings import day_of, strength_on

LATELY: Final = timedelta(days=90)
PEAK_DAYS: Final = 180


def why_not(event: Tournament, user: User, now: datetime, password_fits: bool = True) -> list[str]:
    """All reasons against an entry, in words; empty if the user may enter. About nine queries."""
    bar = bar_of(user.pk, now)
    allowed: set[int | str] | None = None
    if event.access == Tournament.Access.INVITED:
        allowed = {*event.invitations.values_list("user", flat=True), event.made_by_id or 0}
    asked = entry.Conditions(**event.conditions, allowed=allowed, most_players=event.most)
    one = applicants(event.game, [user], now, {user.pk} if bar else ())[user.pk]
    codes = entry.refusals(one, asked, event.entered, password_fits)
    no_ticket = tickets.why_not(event, user.pk)
    return [*(_sentence(code, event, bar) for code in codes), *([no_ticket] if no_ticket else [])]


def why_not_again(event: Tournament, known: Entrant | None) -> str:
    """Why somebody who is or was in an event may not enter it by himself, in words; blank if he may."""
    if known is None:
        return ""
    if known.state == Entrant.State.IN:
        return _("You have entered already.")
    if known.state == Entrant.State.EXCLUDED:
        return _("You were put out of this event: only its director can take you back in.")
    if event.is_running and not event.is_endless:
        return _("Who has left an event that has begun cannot come back; its director can help.")
    return ""


def sentences(codes: list[str], event: Tournament, user: User, now: datetime) -> list[str]:
    """Reasons against an entry in words."""
    bar = bar_of(user.pk, now)
    return [_sentence(code, event, bar) for code in codes]


def codes_at_start(event: Tournament, users: Collection[User], now: datetime) -> dict[int, list[str]]:
    """The reasons for which each entrant does not play after all when his event starts. Five queries, however many."""
    bars = bars_of([user.pk for user in users], now)
    asked = entry.Conditions(**event.conditions)
    found = applicants(event.game, users, now, bars)
    return {user_id: entry.refusals(one, asked, 0) for user_id, one in found.items()}


def applicants(pool: str, users: Collection[User], now: datetime, barred: Container[int]) -> dict[int, entry.Applicant]:
    """What conditions are held against, by user; `barred` are kept out after time-outs. Four queries, however many."""
    day, ids = day_of(now), [user.pk for user in users]
    cards = {card.user_id: card for card in Rating.objects.filter(pool=pool, user__in=ids)}
    peaks = _peaks(pool, ids, day)
    endings: dict[int, Counter[str]] = {}
    counted = Ending.objects.filter(user__in=ids, at__gte=now - LATELY).values_list("user", "kind")
    for user_id, kind, number in counted.annotate(number=Count("pk")):
        endings.setdefault(user_id, Counter())[kind] = number
    asleep = set(Attendance.objects.filter(user__in=ids, dormant_at__isnull=False).values_list("user", flat=True))
    found = {}
    for user in users:
        card, ended = cards.get(user.pk), endings.get(user.pk, Counter())
        strength = strength_on(card, pool, day)
        found[user.pk] = entry.Applicant(
            name=user.pk,
            rating=strength.r,
            peak=peaks.get(user.pk, strength.r),
            rd=strength.rd,
            games=card.games if card else 0,
            age_days=(now - user.date_joined).total_seconds() / 86_400,
            timeouts=ended.total() - ended["finished"],
            finished=ended.total(),
            has_mail=user.is_bot or (bool(user.email) and not user.is_guest),
            is_barred=user.pk in barred,
            is_dormant=user.pk in asleep,
        )
    return found


def bar_of(user_id: int, now: datetime) -> entry.Bar | None:
    """What keeps a player out of new events after time-outs; its times are hours since 1970. One query."""
    return bars_of([user_id], now).get(user_id)


def bars_of(users: Collection[int], now: datetime) -> dict[int, entry.Bar]:
    """The same for many players, of whom most are in no bar. One query."""
    barring = Ending.objects.exclude(kind=LATE)
    stained = barring.filter(user__in=users).exclude(kind="finished").values("user")
    rows = barring.filter(user__in=stained, at__lte=now).order_by("user", "at", "pk")
    found = {}
    for user_id, own in groupby(rows.values_list("user", "at", "kind"), key=itemgetter(0)):
        ends = [entry.Ending(at.timestamp() / 3600, kind) for _user, at, kind in own]
        if (bar := entry.entry_bar(ends, now.timestamp() / 3600)) is not None:
            found[user_id] = bar
    return found


def _peaks(pool: str, users: Collection[int], day: int) -> dict[int, float]:
    """The highest rating of the last 180 days of each who has one; none is kept that was provisional."""
    lately = RatingDay.objects.filter(pool=pool, user__in=users, day__gte=day - PEAK_DAYS)
    lately = lately.filter(games__gte=PROVISIONAL_GAMES, rd__lte=PROVISIONAL_RD)
    return dict(lately.values_list("user").annotate(peak=Max("r")))


def ratings_now(pool: str, users: Collection[int]) -> dict[int, float]:
    """Ratings as they stand, 1500 for who has none. One query."""
    known = dict(Rating.objects.filter(pool=pool, user__in=users).values_list("user", "r"))
    return {user: known.get(user, DEFAULTS.r0) for user in users}


def seeding_ratings(pool: str, users: Collection[int], now: datetime) -> dict[int, float]:
    """Ratings that order the field: nobody gets a weaker place in it by losing on purpose, so the peak counts where it
    is higher. Two queries."""
    peaks = _peaks(pool, users, day_of(now))
    return {user: max(rating, peaks.get(user, rating)) for user, rating in ratings_now(pool, users).items()}


def takes_entries(event: Tournament, now: datetime) -> bool:
    """Whether somebody can enter now, if nothing is against him."""
    if event.is_to_come:
        return not why_closed(event, now)
    return is_late_entry(event) or (event.is_endless and event.is_running)


def why_closed(event: Tournament, now: datetime) -> str:
    """Why an event that has not begun takes no entries at this time; blank if it does. The tick may be a little late
    with an opening."""
    if event.is_draft and (not event.is_announced or event.opens_at is None):
        return _("This is a draft: nobody can enter before it is open for entries.")
    if event.is_draft and event.opens_at is not None and event.opens_at > now:
        return _("Entries open on %(when)s.") % {"when": _moment(event.opens_at)}
    if event.is_open and event.closes_at is not None and event.closes_at <= now:
        return _("Entries closed on %(when)s.") % {"when": _moment(event.closes_at)}
    return ""


def _moment(instant: datetime) -> str:
    return f"{instant.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def is_late_entry(event: Tournament) -> bool:
    """Whether a running Swiss still takes entries: until its second round is paired."""
    return event.is_running and event.format == Tournament.Format.SWISS and event.rounds.count() == 1


def open_events_of(user_id: int) -> list[Entrant]:
    """The user's entries in events that are open or running. One query."""
    states = (Tournament.State.OPEN, Tournament.State.RUNNING)
    entries = Entrant.objects.filter(user=user_id, state=Entrant.State.IN, tournament__state__in=states)
    return list(entries.select_related("tournament").order_by("tournament__state", "-entered_at"))


def bar_sentence(bar: entry.Bar) -> str:
    """What bars from new events and ladders, and until when."""
    until = datetime.fromtimestamp(bar.until * 3600, UTC).strftime("%Y-%m-%d")
    if bar.to_finish:
        return _("After a time-out in an event: wait until %(day)s and finish %(n)d more games.") % {
            "day": until,
            "n": bar.to_finish,
        }
    return _("After a time-out in an event: you may enter again from %(day)s.") % {"day": until}


def _sentence(code: str, event: Tournament, bar: entry.Bar | None) -> str:
    ask = event.conditions
    if code == "banned" and bar is not None:
        return bar_sentence(bar)
    words = {
        "dormant": _("Your account sleeps after three missed games: say on the tournaments page that you are back."),
        "email": _("Tournaments are for players with an account and a proved address: sign up first."),
        "min_rating": _("This event asks for a rating of %(n)s or more.") % {"n": ask.get("min_rating")},
        "max_rating": _("This event is for ratings up to %(n)s, now and in the last half year.")
        % {"n": ask.get("max_rating")},
        "provisional": _("This event asks for a settled rating: ten counted games."),
        "min_games": _("This event asks for %(n)s rated games.") % {"n": ask.get("min_games")},
        "min_age": _("This event asks for an account of %(n)s days.") % {"n": ask.get("min_age_days")},
        "timeouts": _("This event is for players who seldom lose on time."),
        "allow_list": _("This event is for invited players: ask its director."),
        "password": _("The password does not fit: ask the director for it."),
        "full": _("This event is full."),
    }
    return words[code]
