"""What pages show of events: lists, one event with its standings and pairings, editions, talk, titles."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Exists, OuterRef, Q, Subquery
from django.utils import timezone

from accounts import blocking
from accounts.models import User
from oceans import queries
from tournaments import entering, estimates
from tournaments.estimates import Estimate, Forecast
from tournaments.event_rows import Group, is_one_table
from tournaments.models import Award, Entrant, EventMatch, Invitation, Round, Talk, Ticket, Tournament
from tournaments.queries import event_tables, event_ties
from tournaments.queries.event_groups import Groups, groups_shown
from tournaments.queries.event_reader import Reader
from tournaments.queries.event_tables import Table
from tournaments.queries.event_ties import RoundRow

State = Tournament.State

LISTED: Final = 50
LISTED_ENTRANTS: Final = 200
EDITIONS: Final = 12
TALK: Final = 50


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event in a list."""

    event: Tournament
    game: str
    is_mine: bool
    is_closed: bool
    """Whether it is open, but takes no entries any more."""


def listed(reader_id: int | None, state: str, limit: int = LISTED) -> list[EventRow]:
    """Events in a state, newest first. Two queries."""
    return _rows(Tournament.objects.filter(state=state).order_by("-made_at")[:limit], reader_id)


def drafts(reader_id: int | None) -> list[EventRow]:
    """Events that are not open yet: those announced, the first to open first, and the reader's own. Two queries."""
    own = Q(made_by=reader_id) | Q(directors=reader_id) if reader_id is not None else Q()
    found = Tournament.objects.filter(Q(is_announced=True) | own, state=State.DRAFT).distinct()
    return _rows(found.order_by("opens_at", "-made_at")[:LISTED], reader_id)


def _rows(events: Iterable[Tournament], reader_id: int | None) -> list[EventRow]:
    found = list(events)
    mine = set(
        Entrant.objects.filter(user=reader_id, state=Entrant.State.IN, tournament__in=found).values_list(
            "tournament", flat=True
        )
    )
    now = timezone.now()
    return [
        EventRow(one, queries.game_name(one.game), one.pk in mine, one.is_open and bool(entering.why_closed(one, now)))
        for one in found
    ]


def awards_of(user: User) -> list[Award]:
    """What somebody has won, latest first; `has_ticket` where an unused ticket came with it, and `passed_on` when an
    edition after it ended: so long one is champion. One query."""
    unused = Ticket.objects.filter(user=user, won_in=OuterRef("tournament"), used_in=None)
    after = Tournament.objects.filter(
        series=OuterRef("tournament__series"), edition__gt=OuterRef("tournament__edition"), state=State.FINISHED
    ).order_by("edition")
    passed_on = Subquery(after.values("finished_at")[:1])
    won = Award.objects.filter(user=user).annotate(has_ticket=Exists(unused), passed_on=passed_on)
    return list(won.select_related("tournament", "ladder").order_by("-won_at", "kind"))


def event_of_match(match_id: int) -> int | None:
    """The event a match was played for. One query."""
    return EventMatch.objects.filter(match=match_id).values_list("pairing__round__tournament", flat=True).first()


@dataclass(frozen=True, slots=True)
class Levels:
    """The mini cups that an event leads to by a ticket, and those that lead to it; the edition that is open."""

    above: Tournament | None = None
    below: Tournament | None = None


def levels_of(event: Tournament) -> Levels:
    """The levels next to an event. Two queries, none where it has none."""
    open_ones = Tournament.objects.filter(state=State.OPEN).order_by("edition")
    return Levels(
        above=open_ones.filter(series=event.ticket_to).first() if event.ticket_to else None,
        below=open_ones.filter(ticket_to=event.series).first() if event.by_ticket else None,
    )


@dataclass(frozen=True, slots=True)
class Invited:
    """Somebody who is invited to an event, and whether he is in it; `state` is blank if he never was."""

    user: User
    is_in: bool
    state: str


def invited_to(event: Tournament) -> list[Invited]:
    """Who is invited to an event that has not begun, by name. One query."""
    if not event.is_to_come or event.access != Tournament.Access.INVITED:
        return []
    entries = Entrant.objects.filter(tournament=event, user=OuterRef("user")).values("state")
    rows = event.invitations.filter(user__closed_at=None).annotate(state=Subquery(entries))
    return [
        Invited(one.user, one.state == Entrant.State.IN, str(Entrant.State(one.state).label) if one.state else "")
        for one in rows.select_related("user").order_by("user__username")
    ]


@dataclass(frozen=True, slots=True)
class OwnEvent:
    """An event that somebody is in, or is invited to and has never entered."""

    event: Tournament
    is_invited: bool


def waiting_for(user_id: int) -> list[OwnEvent]:
    """Events that are open or running with the user in them, and open ones he is invited to, these first and latest
    first; none of directors who have blocked him or whom he has blocked. One query."""
    entries = Entrant.objects.filter(user=user_id)
    is_in = Q(state__in=[State.OPEN, State.RUNNING], pk__in=entries.filter(state=Entrant.State.IN).values("tournament"))
    invited = Invitation.objects.filter(user=user_id).values("tournament")
    is_invited = Q(state=State.OPEN, access=Tournament.Access.INVITED, pk__in=invited)
    is_invited &= ~Q(pk__in=entries.values("tournament")) & ~Q(blocking.between(user_id, "made_by"))
    found = Tournament.objects.filter(is_in | is_invited).annotate(is_invited=is_invited)
    return [OwnEvent(one, one.is_invited) for one in found.order_by("-is_invited", "state", "-made_at")]


@dataclass(frozen=True, slots=True)
class OwnMatch:
    """A running game of the reader. `is_left_over`: others have decided its pairing, so that it means nothing here and
    may be called off, which he or his opponent may have said already."""

    id: int
    is_left_over: bool
    has_asked: bool
    is_asked: bool


@dataclass(slots=True)
class EventPage:
    """An event for one reader."""

    event: Tournament
    game: str
    own: Entrant | None
    groups: Groups | None
    """Where the other groups are, if only one is shown."""
    tables: list[Table]
    bracket: list[RoundRow]
    rounds: list[RoundRow]
    last_round: int | None
    entrants: list[Entrant]
    unlisted: int
    """How many more there are than are listed."""
    own_matches: list[OwnMatch]
    awards: list[Award]
    tickets: list[Ticket]
    levels: Levels
    editions: list[Award]
    estimate: Estimate | None
    forecast: Forecast | None
    talk: list[Talk]
    may_watch: bool

    @property
    def is_in(self) -> bool:
        """Whether the reader is in the event."""
        return self.own is not None and self.own.state == Entrant.State.IN


def event_page(
    event: Tournament,
    reader: User | None,
    now: datetime,
    *,
    directs: bool = False,
    group: Group | None = None,
    is_whole: bool = False,
) -> EventPage:
    """All of an event's page; of a league of many groups, unless the whole is asked for, one `group`, the reader's if
    none is named. Thirteen queries, however many entered."""
    reader_id = reader.pk if reader else None
    own = event.entrants.filter(user=reader_id).first() if reader_id is not None else None
    may_watch = not event.is_closed_to_strangers or directs or own is not None
    groups = None if is_whole else groups_shown(event, own, group)
    focus = (groups.here.level, groups.here.group) if groups else None
    read = Reader(event, reader_id, now, may_watch=may_watch, group=focus)
    has_begun = event.started_at is not None
    rounds = list(event.rounds.order_by("number")) if has_begun else []
    running = event.is_running and not event.is_endless
    return EventPage(
        event=event,
        game=queries.game_name(event.game),
        own=own,
        groups=groups,
        tables=event_tables.tables(read) if has_begun else [],
        bracket=event_ties.bracket(read) if has_begun else [],
        rounds=event_ties.rounds(read, rounds),
        last_round=rounds[-1].pk if rounds else None,
        entrants=read.entrants[:LISTED_ENTRANTS] if not is_whole else read.entrants,
        unlisted=0 if is_whole else max(0, len(read.entrants) - LISTED_ENTRANTS),
        own_matches=_own_matches(event, own),
        awards=list(event.awards.select_related("user").order_by("kind", "user")) if event.is_over else [],
        tickets=list(event.tickets.filter(is_revoked=False).select_related("user")) if event.ticket_to else [],
        levels=levels_of(event),
        editions=_editions(event),
        estimate=_estimate(event) if not event.is_endless else None,
        forecast=_forecast(read, rounds, now) if running else None,
        talk=talk_of(event, reader_id) if may_watch else [],
        may_watch=may_watch,
    )


def _own_matches(event: Tournament, own: Entrant | None) -> list[OwnMatch]:
    """The games of an entrant that run. One query."""
    if own is None:
        return []
    running = EventMatch.objects.filter(pairing__round__tournament=event, ended_at=None, match__seats__user=own.user_id)
    rows = running.order_by("pairing", "number").values_list("match", "pairing__how", "given_up_by")
    return [OwnMatch(pk, how != "open", own.user_id in by, bool({*by} - {own.user_id})) for pk, how, by in rows]


def _estimate(event: Tournament) -> Estimate | None:
    players = event.entered if event.started_at else max(event.entered, event.most or 0)
    if players < 2:
        return None
    return estimates.estimate(event.format, event.shape, players, event.pace, is_one_table(event))


def _forecast(read: Reader, rounds: list[Round], now: datetime) -> Forecast | None:
    return estimates.forecast(read.value, read.event.pace, rounds, now)


def _editions(event: Tournament) -> list[Award]:
    """Who won the editions before, latest first; none for an event of its own. One query."""
    if not event.series:
        return []
    titles = (Award.Kind.CHAMPION, Award.Kind.CUP, Award.Kind.FIRST)
    won = Award.objects.filter(
        tournament__series=event.series, tournament__edition__lt=event.edition, kind__in=titles
    ).exclude(kind=Award.Kind.FIRST, tournament__format__in=[Tournament.Format.LEAGUE, Tournament.Format.CUP])
    return list(won.select_related("user", "tournament").order_by("-tournament__edition", "user")[:EDITIONS])


def talk_of(event: Tournament, reader_id: int | None) -> list[Talk]:
    """The latest lines said at an event, oldest first; none of people whom the reader has blocked or who have blocked
    him. One query."""
    lines = event.talk.select_related("user")
    if reader_id is not None:
        lines = lines.filter(~blocking.between(reader_id, "user"))
    return list(reversed(lines.order_by("-said_at", "-pk")[:TALK]))
