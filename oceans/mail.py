"""What mails about play say. Each is composed when it is sent, from views and from what is true then; a piece of news
that is no longer true composes to nothing (docs/correspondence.md, 6). Links open pages and never act.
"""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any, Final

from django.db.models import Subquery
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import holidays, news, notices
from accounts.letters import Message, one_line
from accounts.models import Notice, TurnMail, User
from accounts.queries import has_visited_since
from oceans import mail_games, queries
from oceans.mail_games import MailGame
from oceans.models import Match, Seat
from oceans.play import clocks, reminders, timeouts
from oceans.queries import MatchRow
from oceans.queries.rows import rows_of, with_views
from oceans.site import absolute

GAMES_LISTED: Final = 10
"""More games than this are counted, not listed."""

Kind = news.Kind
Composer = Callable[[Notice, User, datetime], Message | None]


def register() -> None:
    """Say how each kind of news about play is written; once, from AppConfig.ready."""
    register_kind = notices.register
    register_kind(Kind.YOUR_TURN, compose=partial(_composed, your_turn), still_true=_is_still_due)
    register_kind(Kind.DIGEST, compose=partial(_composed, digest))
    register_kind(
        Kind.RUNNING_OUT,
        compose=partial(_composed, running_out),
        still_true=_is_still_running_out,
        on_terminal=reminders.note_fate,
    )
    for kind, composer in {
        Kind.TIMED_OUT: timed_out,
        Kind.LEAVE_SPENT: leave_spent,
        Kind.RESULT: result,
        Kind.CANCELLED: cancelled,
        Kind.INVITATION: invitation,
    }.items():
        register_kind(kind, compose=partial(_composed, composer))


def _composed(composer: Composer, notice: Notice) -> Message | None:
    """What the reader of a notice is told, times in his zone."""
    if notice.user is None:
        return None
    with timezone.override(notice.user.zone):
        return composer(notice, notice.user, timezone.now())


def your_turn(notice: Notice, reader: User, now: datetime) -> Message | None:
    """Games wait: one mail for all of them, and one for each absence unless the reader wants every turn told."""
    wants_mail = reader.turn_mail in (TurnMail.ABSENCE, TurnMail.EVERY)
    if not (wants_mail or news.wants(reader, Kind.YOUR_TURN, news.Channel.PUSH)) or not _is_still_due(notice):
        return None
    if reader.turn_mail != TurnMail.EVERY and _is_told_already(notice, reader):
        return None
    if _is_beside_another(notice):
        return None
    return _list_of_games("your-turn", reader, now)


def digest(_notice: Notice, reader: User, now: datetime) -> Message | None:
    """The daily list."""
    return _list_of_games("digest", reader, now) if reader.turn_mail == TurnMail.DAILY else None


def running_out(notice: Notice, reader: User, now: datetime) -> Message | None:
    """The final reminder of a turn."""
    if not _is_still_running_out(notice):
        return None
    row = _row(notice, now)
    seats = list(Seat.objects.filter(match=row.match).order_by("number"))
    seat = seats[notice.context["seat"]]
    has_leave = clocks.allows_leave(row.match, seat) and holidays.days_left(reader, now) > 0
    is_unnamed = row.view is not None and not row.view.waits_for
    # Where nobody is told who must answer, neither is whether anybody has.
    known = [seat] if is_unnamed else seats
    return _message(
        "running-out",
        {
            "game": mail_games.mail_game(row, now),
            "others": max(0, queries.waiting_count(reader) - 1),
            "spends_leave": has_leave and reader.auto_leave and timeouts.takes_leave(row.match, known, seat),
            "has_leave": has_leave,
            "outcome": "" if is_unnamed and not seat.has_moved else timeouts.outcome_for(row.match, known, seat),
        },
    )


def timed_out(notice: Notice, _reader: User, now: datetime) -> Message | None:
    """The game answered for a seat at a table of three or more."""
    row = _row(notice, now)
    if row.match.is_over:
        return None
    seat = Seat.objects.get(match=row.match, number=notice.context["seat"])
    return _message(
        "timed-out",
        {
            "game": mail_games.mail_game(row, now),
            "has_left": not seat.is_due and row.view is not None and row.view.seats[seat.number].has_left,
            "misses_left": row.match.patience - seat.misses,
        },
    )


def leave_spent(notice: Notice, reader: User, now: datetime) -> Message | None:
    """A clock ran out and a day of leave kept the games alive."""
    matches = Match.objects.filter(pk__in=notice.context["matches"], status=Match.Status.RUNNING)
    seats = Seat.objects.filter(match__in=matches, user=reader)
    viewers = dict(seats.values_list("match_id", "number"))
    rows = with_views(rows_of(matches.filter(pk__in=viewers).order_by("pk")[:GAMES_LISTED], viewers, now))
    if not rows:
        return None
    games = [mail_games.mail_game(row, now) for row in rows]
    return _message(
        "leave-spent", {"games": games, "count": len(viewers), "days_left": holidays.days_left(reader, now)}
    )


def result(notice: Notice, _reader: User, now: datetime) -> Message | None:
    """A game has ended."""
    row = _row(notice, now)
    if row.match.status != Match.Status.FINISHED or row.own is None:
        return None
    how = "" if row.match.ended_by == Match.EndedBy.PLAYED else row.match.get_ended_by_display()
    return _message(
        "result",
        {
            "game": mail_games.mail_game(row, now),
            "outcome": mail_games.outcome(row),
            "how": how,
            "is_rated": row.match.rated,
            "counts": row.match.rated and not row.match.unrated_because,
            "replay_url": absolute(reverse("replay", args=[row.id])),
            "fair_url": absolute(reverse("fair_match", args=[row.id])),
        },
        link_label=_("Look at the game"),
    )


def cancelled(notice: Notice, _reader: User, now: datetime) -> Message | None:
    """A game ended without a result."""
    row = _row(notice, now)
    if row.match.status != Match.Status.CANCELLED or row.own is None:
        return None
    return _message(
        "cancelled",
        {"game": mail_games.mail_game(row, now), "how": mail_games.why_cancelled(row.match)},
        link_label=_("Look at the game"),
    )


def invitation(notice: Notice, reader: User, now: datetime) -> Message | None:
    """Somebody invites the reader, or asks for a rematch; the page the mail leads to has the buttons, for just those
    invitations that are told of."""
    offers = queries.own_offers(reader).invitations
    offer = next((offer for offer in offers if offer.id == notice.context["match"]), None)
    if offer is None or offer.expires_at <= now:
        return None
    return _message(
        "invitation",
        {
            "poster": offer.poster.name,
            "game_name": offer.game.name,
            "count": notice.context["count"],
            "is_rated": offer.match.rated,
            "is_rematch": offer.match.rematch_of_id is not None,
            "until": mail_games.moment(offer.expires_at),
            "commitment": offer.match.commitment,
        },
        link=absolute(reverse("turn")),
        link_label=_("Answer the invitation"),
    )


# --- What is still true --------------------------------------------------------------------------------------------


def _seat_of(notice: Notice) -> Seat | None:
    seats = Seat.objects.filter(match=notice.context["match"], number=notice.context["seat"], user=notice.user_id)
    return seats.select_related("match").first()


def _is_still_due(notice: Notice) -> bool:
    """Whether the seat must still answer at the turn that the news is about."""
    seat = _seat_of(notice)
    return seat is not None and seat.is_due and seat.match.is_running and seat.match.turn == notice.context["turn"]


def _is_still_running_out(notice: Notice) -> bool:
    """Whether the deadline that the reminder is about still stands. Turns that pass in one visit do not move it."""
    seat = _seat_of(notice)
    return seat is not None and seat.match.is_running and seat.deadline_s == notice.context["deadline_s"]


def _is_told_already(notice: Notice, reader: User) -> bool:
    """Whether the reader has been here since the turn passed, or was told in this absence that games wait."""
    if has_visited_since(reader, notice.created_at):
        return True
    told = Notice.objects.filter(user=reader, kind=Kind.YOUR_TURN, tried_at__isnull=False).exclude(pk=notice.pk)
    if notice.message_id:
        told = told.exclude(message_id=notice.message_id)
    if reader.last_seen_at is not None:
        told = told.filter(tried_at__gt=reader.last_seen_at)
    return told.exclude(state=Notice.State.FAILED).exists()


def _is_beside_another(notice: Notice) -> bool:
    """Whether another notice in the same mail already brings the list. Those that are no longer due bring nothing."""
    lease = Notice.objects.filter(pk=notice.pk, state=Notice.State.CLAIMED).values("lease_token")[:1]
    earlier = Notice.objects.filter(lease_token=Subquery(lease), kind=Kind.YOUR_TURN, pk__lt=notice.pk)
    return any(_is_still_due(other) for other in earlier)


# --- Writing -------------------------------------------------------------------------------------------------------


def _row(notice: Notice, now: datetime) -> MatchRow:
    match = Match.objects.get(pk=notice.context["match"])
    (row,) = with_views(rows_of([match], {match.pk: notice.context["seat"]}, now))
    return row


def _list_of_games(template: str, reader: User, now: datetime) -> Message | None:
    games = mail_games.waiting_games(reader, now, GAMES_LISTED)
    if not games:
        return None
    count = max(len(games), queries.waiting_count(reader))
    return _message(template, {"games": games, "count": count, "more": count - len(games)})


def _message(template: str, context: dict[str, Any], *, link: str = "", link_label: str = "") -> Message:
    """A message from a pair of templates; the text part begins with its subject."""
    game: MailGame | None = context.get("game")
    first: MailGame | None = game or next(iter(context.get("games", ())), None)
    context = {
        **context,
        "first": first,
        "turn_url": absolute(reverse("turn")),
        "next_url": absolute(reverse("turn_next")) + (f"?after={game.id}" if game else ""),
        "link": link or (game.url if game else ""),
        "link_label": link_label,
    }
    subject, _line, text = render_to_string(f"mail/{template}.txt", context).partition("\n")
    return Message(
        subject=one_line(subject),
        text=text.strip("\n"),
        html=render_to_string(f"mail/{template}.html", context),
        reason=_reason(template),
        preview=first.verdict if first else "",
        page=_page(context),
    )


def _page(context: dict[str, Any]) -> str:
    """What a notification opens: the one game it is about, or the list."""
    games = [context["game"]] if context.get("game") else context.get("games", ())
    return games[0].url if len(games) == 1 else context["link"] or context["turn_url"]


def _reason(template: str) -> str:
    """Why the reader gets this mail."""
    reasons = {
        "your-turn": _(
            "You get one mail when games start waiting, then none until you have been on the site, except a warning "
            "before a clock runs out."
        ),
        "digest": _("You get this list once a day while games wait for you."),
        "running-out": _("You get one such warning for each turn."),
        "invitation": _("You get this because a player invited you."),
    }
    return reasons.get(template, _("You get this because you play in this game."))
