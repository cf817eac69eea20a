"""The waiting room and invitations: matches that wait for people.

With an offer its match exists, and with it the server's commitment: whoever posts or accepts gives his part of the
shuffle after it was published (docs/fair-shuffle.md, 4). Each verb is one transaction under the lock of the
match, so of ten who accept at once one gets the last seat and nine get a sentence.
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils.translation import gettext as _

from accounts import blocking, news
from accounts.models import User
from accounts.notices import notify
from accounts.queries import player_named
from oceans import bots, rated_games, strengths
from oceans.models import Match, Offer, Seat, SeatEntropy
from oceans.play import opening
from oceans.play.transition import Position, cancel, locked
from oceans.refusals import BadRequest, OfferGone, Refusal, TooMany
from oceans.strengths import Strength

MOST_OPEN: Final = 20
"""Open offers of one person."""
MOST_A_DAY: Final = 30
"""New offers of one person in 24 hours."""
LIFETIME: Final = timedelta(days=14)
REMATCH_WITHIN: Final = timedelta(days=14)
"""How long after a match it can be asked for again."""
BOT_PACE: Final = "classic"
MOST_BOT_MATCHES: Final = 30
"""Running matches of one person against house bots."""


# Posting


def post(
    *,
    user: User,
    game: str,
    now: datetime,
    options: Mapping[str, Any] | None = None,
    seats: int | None = None,
    pace: str = "classic",
    weekend: bool = False,
    leave_allowed: str = opening.UNLIMITED_LEAVE,
    rated: bool = False,
    patience: int = 2,
    only_strangers: bool = False,
    min_rating: int | None = None,
    max_rating: int | None = None,
    invite: str = "",
    private: bool = False,
    count: int = 1,
    entropy: bytes | None = None,
) -> list[int]:
    """Offer one or several matches on the same terms; return the ids of the matches.

    `invite` names the one person who may accept; `private` keeps the offer out of the waiting room, for whoever has
    its link. The two ratings bound whoever else may take it. Raises BadRequest or TooMany with a sentence, and then
    nothing is posted.
    """
    terms = opening.read_terms(
        game=game,
        options=options,
        seats=seats,
        pace=pace,
        weekend=weekend,
        leave_allowed=leave_allowed,
        rated=rated,
        patience=patience,
    )
    if rated:
        _check_rated(user, private, now)
    if min_rating is not None and max_rating is not None and min_rating > max_rating:
        raise BadRequest(_("The lowest rating must not be above the highest one."))
    invitee = _invitee(invite, user) if invite.strip() else None
    if not 1 <= count <= MOST_OPEN:
        raise BadRequest(_("Offer one to %(most)d games at once.") % {"most": MOST_OPEN})
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        _check_limits(user, count, now)
        posted = []
        for _number in range(count):
            match = opening.create(terms, now)
            opening.join(match, user.pk, 0, entropy)
            Offer.objects.create(
                match=match,
                poster=user,
                invitee=invitee,
                token=secrets.token_urlsafe(16) if private and invitee is None else None,
                only_strangers=only_strangers,
                min_rating=None if invitee else min_rating,
                max_rating=None if invitee else max_rating,
                posted_at=now,
                expires_at=now + LIFETIME,
            )
            posted.append(match.pk)
        if invitee is not None:
            notify(
                user_id=invitee.pk,
                kind=news.Kind.INVITATION,
                key=f"m{posted[0]}:invitation",
                context={"match": posted[0], "count": count},
                now=now,
            )
    return posted


def _check_rated(user: User, private: bool, now: datetime) -> None:
    if user.is_guest:
        raise BadRequest(_("Rated games need an account: sign up, or offer a game that is not rated."))
    reason = rated_games.why_not(user, now) or (rated_games.why_not_by_link(user, now) if private else None)
    if reason is not None:
        raise BadRequest(reason)


def _invitee(name: str, user: User) -> User:
    invitee = player_named(name.strip())
    if invitee is None:
        raise BadRequest(_("There is no player called “%(name)s”: check the spelling.") % {"name": name.strip()[:40]})
    if invitee == user:
        raise BadRequest(_("You cannot invite yourself: name somebody else."))
    if invitee.is_bot:
        raise BadRequest(_("Bots do not read invitations: start a game against one in the lobby."))
    if blocking.is_between(user.pk, [invitee.pk]):
        raise BadRequest(_("You two do not play with each other: invite somebody else."))
    return invitee


def _check_limits(user: User, count: int, now: datetime) -> None:
    if user.offers.filter(state=Offer.State.OPEN).count() + count > MOST_OPEN:
        raise TooMany(_("You may have %(most)d open offers: withdraw some before you post more.") % {"most": MOST_OPEN})
    if user.offers.filter(posted_at__gt=now - timedelta(days=1)).count() + count > MOST_A_DAY:
        raise TooMany(_("You may post %(most)d offers a day: try again tomorrow.") % {"most": MOST_A_DAY})


# Answering


def accept(*, match_id: int, user: User, now: datetime, token: str = "", entropy: bytes | None = None) -> bool:
    """Take a seat; whether that filled the match, which has then begun. Accepting again changes nothing.

    Raises OfferGone, or another Refusal whose sentence says why this person cannot take it.
    """
    with _offered(match_id, now) as (here, offer):
        joined = _joined(here.match)
        if user.pk in joined and user.pk != offer.poster_id:
            return here.match.status != Match.Status.OPEN
        _check_open(offer, now)
        if (reason := why_not(offer, user, here.match, now, joined=joined, token=token)) is not None:
            raise Refusal(reason)
        opening.join(here.match, user.pk, len(joined), entropy)
        if len(joined) + 1 < here.match.seat_count:
            return False
        _begin(here.match, offer, now)
        return True


def decline(*, match_id: int, user: User, now: datetime) -> None:
    """Say no to an invitation. Raises OfferGone, or Refusal if it was not to this person."""
    with _offered(match_id, now) as (here, offer):
        if offer.invitee_id != user.pk:
            raise Refusal(_("This invitation is not to you."))
        if offer.state == Offer.State.DECLINED:
            return
        _check_open(offer, now)
        _close(offer, Offer.State.DECLINED, now)
        cancel(here, Match.EndedBy.DECLINED)


def withdraw(*, match_id: int, user: User, now: datetime) -> None:
    """Take an own offer back, or leave one that still waits for others. Raises OfferGone or Refusal."""
    with _offered(match_id, now) as (here, offer):
        if offer.poster_id == user.pk:
            if offer.state == Offer.State.WITHDRAWN:
                return
            _check_open(offer, now)
            _close(offer, Offer.State.WITHDRAWN, now)
            cancel(here, Match.EndedBy.WITHDRAWN)
            return
        _check_open(offer, now)
        if not SeatEntropy.objects.filter(match=here.match, user=user).exists():
            raise Refusal(_("This offer is not yours."))
        raise Refusal(_("You have given your part of the shuffle, so you can leave only once the game has begun."))


def withdraw_all(user_id: int, now: datetime) -> None:
    """Withdraw the offers of somebody who closes his account, those he joined, and invitations to him."""
    of_user = Offer.objects.filter(state=Offer.State.OPEN)
    joined = SeatEntropy.objects.filter(user=user_id, match__status=Match.Status.OPEN).values("match")
    concerned = of_user.filter(match__in=joined) | of_user.filter(invitee=user_id)
    for match_id in list(concerned.order_by("match").values_list("match_id", flat=True)):
        with _offered(match_id, now) as (here, offer):
            if offer.is_open:
                _close(offer, Offer.State.WITHDRAWN, now)
                cancel(here, Match.EndedBy.ACCOUNT_CLOSED)


def expire(now: datetime, limit: int = 200) -> int:
    """Close offers that nobody took in time; return how many. For the tick."""
    late = Offer.objects.filter(state=Offer.State.OPEN, expires_at__lte=now).order_by("expires_at")
    count = 0
    for match_id in list(late.values_list("match_id", flat=True)[:limit]):
        with _offered(match_id, now) as (here, offer):
            if offer.is_open and offer.expires_at <= now:
                _close(offer, Offer.State.EXPIRED, now)
                cancel(here, Match.EndedBy.EXPIRED)
                count += 1
    return count


def why_not(
    offer: Offer,
    user: Any,
    match: Match,
    now: datetime,
    *,
    joined: Sequence[int] | None = None,
    token: str = "",
    met: bool | None = None,
    is_blocked: bool | None = None,
    strength: Strength | None = None,
) -> str | None:
    """Why this person cannot take the offer, as a sentence that says what to do; None if he can.

    `user` may be nobody, who would take it as a guest. What is not given is looked up: who has `joined`, whether he has
    `met` the poster, whether he and those who joined have blocked one another, and how strong he is.
    """
    user_id = getattr(user, "pk", None)
    if offer.invitee_id is not None and offer.invitee_id != user_id:
        return _("This invitation is to somebody else.")
    if user_id == offer.poster_id:
        return _("This is your own offer: somebody else has to take it.")
    if match.rematch_of_id:
        if not Seat.objects.filter(match=match.rematch_of_id, user=user_id).exists():
            return _("This is a rematch: only those who played the first game can take part.")
    elif offer.token is not None and not secrets.compare_digest(offer.token.encode(), token.encode()):
        return _("This game is for people with its link: ask the player who opened it.")
    if user_id in (_joined(match) if joined is None else joined):
        return _("You have a seat here already: the game begins when it is full.")
    if is_blocked if is_blocked is not None else _is_blocked(match, user_id, joined):
        return _("This offer is not for you: choose another one.")
    if match.rated and (reason := rated_games.why_not(user, now)) is not None:
        return reason
    if offer.min_rating is not None or offer.max_rating is not None:
        strength = strength or strengths.read([user_id or 0], [match.game]).get((user_id or 0, match.game))
        if strength is not None and not _is_within(offer, strength.points):
            return _("This offer is for ratings %(span)s, and yours is %(own)s: choose another one.") % {
                "span": span_text(offer.min_rating, offer.max_rating),
                "own": strength.shown,
            }
    if offer.only_strangers and (have_met(user_id, offer.poster_id) if met is None else met):
        return _("This offer is for people who have not played its owner yet: choose another one.")
    return None


def _is_blocked(match: Match, user_id: int | None, joined: Sequence[int] | None) -> bool:
    return user_id is not None and blocking.is_between(user_id, _joined(match) if joined is None else joined)


def _is_within(offer: Offer, points: float) -> bool:
    return (offer.min_rating is None or points >= offer.min_rating) and (
        offer.max_rating is None or points <= offer.max_rating
    )


def span_text(low: int | None, high: int | None) -> str:
    """Between which ratings; blank without limits."""
    if low is not None and high is not None:
        return _("from %(low)d to %(high)d") % {"low": low, "high": high}
    if low is not None:
        return _("from %(low)d") % {"low": low}
    return _("up to %(high)d") % {"high": high} if high is not None else ""


def have_met(one: int | None, other: int) -> bool:
    """Whether two people have ever played each other."""
    return Seat.objects.filter(user=one, match__seats__user=other).exists()


# Matches without an offer


def rematch(*, match_id: int, user: User, now: datetime, entropy: bytes | None = None) -> int:
    """Play a finished match again with the seats turned: invite the others, or accept if one of them has asked.

    Against bots it begins at once. Both clicking opens one match. Returns its id. Raises Refusal with a sentence.
    """
    with locked(match_id, now) as here:
        old = here.match
        if old.status != Match.Status.FINISHED or old.event:
            raise Refusal(_("Only finished games outside of events can be played again."))
        if here.seat_of(user.pk) is None:
            raise Refusal(_("Only those who played this game can ask for a rematch."))
        again = Match.objects.filter(rematch_of=old).first()
        if again is None:
            return _ask_rematch(here, user, now, entropy)
    if again.status == Match.Status.CANCELLED:
        raise Refusal(_("The rematch was declined or has lapsed: post a new offer."))
    if user.pk not in _joined(again):
        accept(match_id=again.pk, user=user, now=now, entropy=entropy)
    return again.pk


def _ask_rematch(here: Position, user: User, now: datetime, entropy: bytes | None) -> int:
    old = here.match
    if old.finished_at is None or old.finished_at < now - REMATCH_WITHIN:
        raise Refusal(_("This game ended too long ago for a rematch: post a new offer."))
    if any(seat.user.closed_at for seat in Seat.objects.filter(match=old).select_related("user")):
        raise Refusal(_("One of the players has left the site: post a new offer."))
    if blocking.is_between(user.pk, [seat.user_id for seat in here.seats]):
        raise Refusal(_("You do not play with each other any more: post a new offer."))
    terms = opening.read_terms(
        game=old.game,
        options=old.options,
        seats=old.seat_count,
        pace=old.pace,
        weekend=old.weekend,
        leave_allowed=old.leave_allowed,
        rated=old.rated and rated_games.why_not(user, now) is None,
        patience=old.patience,
    )
    again = opening.create(terms, now, rematch_of=old.pk)
    opening.join(again, user.pk, 0, entropy)
    others = [seat for seat in here.seats if seat.user_id != user.pk]
    house = [seat for seat in others if seat.is_bot]
    for index, seat in enumerate(house, 1):
        opening.join(again, seat.user_id, index)
    if len(house) == len(others):
        opening.begin(again.pk, now, _turned(again))
        return again.pk
    people = [seat for seat in others if not seat.is_bot]
    Offer.objects.create(
        match=again,
        poster=user,
        invitee_id=people[0].user_id if len(people) == 1 else None,
        token=secrets.token_urlsafe(16) if len(people) > 1 else None,
        posted_at=now,
        expires_at=now + LIFETIME,
    )
    for seat in people:
        notify(
            user_id=seat.user_id,
            kind=news.Kind.INVITATION,
            key=f"m{again.pk}:invitation",
            context={"match": again.pk, "count": 1},
            now=now,
        )
    return again.pk


def _begin(match: Match, offer: Offer, now: datetime) -> None:
    if match.rated and rated_games.is_worn(match.game, _joined(match), now):
        match.rated, match.unrated_because = False, rated_games.WORN
        match.save(update_fields=["rated", "unrated_because"])
    _close(offer, Offer.State.TAKEN, now)
    opening.begin(match.pk, now, _turned(match) if match.rematch_of_id else None)


def _turned(again: Match) -> list[int]:
    """The participant of a rematch for each seat: everybody one seat on from where he sat."""
    participants = {user_id: index for index, user_id in enumerate(_joined(again))}
    sat = [participants[seat.user_id] for seat in Seat.objects.filter(match=again.rematch_of_id).order_by("number")]
    return [sat[-1], *sat[:-1]]


def start_bot_match(
    *,
    user: User,
    bot: str,
    game: str,
    now: datetime,
    options: Mapping[str, Any] | None = None,
    seats: int | None = None,
    entropy: bytes | None = None,
) -> int:
    """Begin a match against a house bot, or several of them at a larger table; return its id. Never rated.

    Raises BadRequest with a sentence if there is no such bot or the match is not possible.
    """
    house = house_bots()
    chosen = next((one for one in house if one.username.casefold() == bot.casefold()), None)
    if chosen is None:
        names = ", ".join(bots.HOUSE)
        raise BadRequest(_("There is no house bot of that name: choose one of %(names)s.") % {"names": names})
    terms = opening.read_terms(game=game, options=options, seats=seats, pace=BOT_PACE)
    opponents = [chosen, *(one for one in house if one != chosen)][: terms.seats - 1]
    if len(opponents) < terms.seats - 1:
        most = len(house) + 1
        raise BadRequest(_("There are not enough house bots: choose at most %(most)d seats.") % {"most": most})
    against = Seat.objects.filter(user=user.pk, ended_at=None, match__seats__user__is_bot=True)
    if against.distinct().count() >= MOST_BOT_MATCHES:
        raise TooMany(_("You have many games against bots running: finish one of them first."))
    with transaction.atomic():
        match = opening.create(terms, now)
        opening.join(match, user.pk, 0, entropy)
        for index, opponent in enumerate(opponents, 1):
            opening.join(match, opponent.pk, index)
        opening.begin(match.pk, now)
    return match.pk


def house_bots() -> list[User]:
    """The house bots, weakest first; at the first call they get their rows."""
    found = {one.username: one for one in User.objects.filter(is_bot=True, username__in=bots.HOUSE)}
    for name in bots.HOUSE:
        if name not in found:
            found[name] = User.objects.create(username=name, is_bot=True, password=make_password(None))
    return [found[name] for name in bots.HOUSE]


# Inside


@contextmanager
def _offered(match_id: int, now: datetime) -> Iterator[tuple[Position, Offer]]:
    """A transaction that holds the lock of a match that is on offer. Raises OfferGone if there never was."""
    if not Offer.objects.filter(match=match_id).exists():
        raise OfferGone
    with locked(match_id, now) as here:
        yield here, Offer.objects.get(match=here.match)


def _check_open(offer: Offer, now: datetime) -> None:
    if not offer.is_open or offer.expires_at <= now:
        raise OfferGone


def _joined(match: Match) -> list[int]:
    return list(SeatEntropy.objects.filter(match=match).order_by("index").values_list("user_id", flat=True))


def _close(offer: Offer, state: str, now: datetime) -> None:
    offer.state, offer.closed_at = state, now
    offer.save(update_fields=["state", "closed_at"])
