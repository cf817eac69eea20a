"""Offers: the waiting room, invitations, and a person's own."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery, Value
from django.utils import timezone

from accounts import blocking
from oceans import offers, rated_games, strengths
from oceans.models import Match, Offer, Seat, SeatEntropy
from oceans.queries.rows import Person, person_of
from oceans.rules.game import Game
from oceans.rules.games import by_slug

PAGE = 40


@dataclass(frozen=True, slots=True)
class OfferRow:
    """An open offer as one reader sees it. `why_not` says why he cannot take it; empty if he can."""

    match: Match
    poster: Person
    invitee: Person | None
    taken: int
    only_strangers: bool
    span: str
    """Between which ratings, in words; empty without limits."""
    token: str
    """Of a private link; empty unless the reader posted the offer or came by the link."""
    posted_at: datetime
    expires_at: datetime
    why_not: str
    poster_rating: str
    """In the game offered; empty for guests and bots."""
    chance: int | None
    """The reader's chance to win against the poster of a rated game of two, in percent."""
    is_worn: bool
    """Whether these two have met so often that the game would not be rated."""

    @property
    def id(self) -> int:
        return self.match.pk

    @property
    def match_id(self) -> int:
        return self.match.pk

    @property
    def game(self) -> Game:
        return by_slug(self.match.game)


def open_offers(
    user: Any, *, game: str = "", rated: bool | None = None, before: int | None = None, limit: int = PAGE
) -> list[OfferRow]:
    """The waiting room, newest first; `before` is the id of the last one of the page before. The user may be nobody.

    Three queries at most."""
    return _rows(_waiting_room(user, game, rated, before)[:limit], user)


@dataclass(frozen=True, slots=True)
class OwnOffers:
    """Open offers that concern one person, newest first: those that he has posted or joined, and invitations to him,
    rematches of larger tables among them."""

    joined: list[OfferRow]
    invitations: list[OfferRow]


def own_offers(user: Any) -> OwnOffers:
    """The open offers that concern a user. Three queries at most; none for nobody."""
    return _own(user) if user.is_authenticated else OwnOffers([], [])


def lobby_of(user: Any) -> tuple[list[OfferRow], OwnOffers]:
    """The waiting room and the offers that concern a user, who may be nobody. Six queries at most."""
    return _rows(_waiting_room(user)[:PAGE], user), own_offers(user)


def _waiting_room(user: Any, game: str = "", rated: bool | None = None, before: int | None = None) -> QuerySet[Offer]:
    rows = _open(user).filter(invitee=None, token=None)
    if user is not None and user.is_authenticated:
        shunned = blocking.between(user.pk, "user")
        rows = rows.filter(~Exists(SeatEntropy.objects.filter(shunned, match=OuterRef("match"))))
    if game:
        rows = rows.filter(match__game=game)
    if rated is not None:
        rows = rows.filter(match__rated=rated)
    if before is not None:
        rows = rows.filter(match__lt=before)
    return rows.order_by("-match")


def _own(user: Any) -> OwnOffers:
    """Read from the side of those who joined: what they joined comes along in the same query."""
    joined = SeatEntropy.objects.filter(user=user, match__status=Match.Status.OPEN).values("match")
    again = Match.objects.filter(status=Match.Status.OPEN, rematch_of__seats__user=user).values("pk")
    invited = Offer.objects.filter(invitee=user, state=Offer.State.OPEN).values("match")
    concerning = joined.union(again, invited)
    participants = SeatEntropy.objects.filter(match__in=concerning, match__offer__state=Offer.State.OPEN)
    participants = participants.select_related("match__offer__poster", "match__offer__invitee")
    participants = participants.filter(~blocking.between(user.pk, "match__offer__poster"))
    found: dict[Offer, list[int]] = {}
    for participant in participants.order_by("-match", "index"):
        found.setdefault(participant.match.offer, []).append(participant.user_id)
    for offer, there in found.items():
        offer.taken, offer.has_joined = len(there), user.pk in there
    past = _past([offer for offer in found if not offer.has_joined], user)
    return OwnOffers(
        joined=[_row(offer, user, past) for offer in found if offer.has_joined],
        invitations=[_row(offer, user, past) for offer in found if not offer.has_joined],
    )


def offer_with(token: str, user: Any = None) -> OfferRow | None:
    """The open offer behind a private link. Three queries."""
    found = _rows(_open(user).filter(token=token), user, token) if token and "\0" not in token else []
    return found[0] if found else None


def match_behind(token: str, user: Any) -> int | None:
    """The match begun by way of a private link, for those who have a seat there. One query."""
    if not user.is_authenticated or "\0" in token:
        return None
    taken = Offer.objects.filter(token=token, match__seats__user=user.pk)
    return taken.values_list("match", flat=True).first()


def _open(user: Any) -> QuerySet[Offer]:
    """Open offers with how many have joined each, and whether the user has."""
    there = SeatEntropy.objects.filter(match=OuterRef("match"))
    counted = there.order_by().values("match").annotate(count=Count("pk")).values("count")
    rows = Offer.objects.filter(state=Offer.State.OPEN).select_related("match", "poster", "invitee")
    is_known = user is not None and user.is_authenticated
    return rows.annotate(
        taken=Subquery(counted), has_joined=Exists(there.filter(user=user)) if is_known else Value(False)
    )


def _rows(found: Iterable[Offer], user: Any, token: str = "") -> list[OfferRow]:
    found = list(found)
    past = _past(found, user)
    return [_row(offer, user, past, token) for offer in found]


@dataclass(frozen=True, slots=True)
class _Past:
    """What offers ask about their reader and those who posted them."""

    now: datetime
    strengths: Mapping[strengths.Key, strengths.Strength]
    rated_lately: Mapping[strengths.Key, int]
    """How many rated games the reader has had with a poster in a game within a month, for everybody he has met."""
    met: frozenset[int]


def _past(found: Sequence[Offer], user: Any) -> _Past:
    """Two queries at most, for any number of offers."""
    now = timezone.now()
    people = {offer.poster_id for offer in found}
    rated = {offer.poster_id for offer in found if offer.match.rated}
    is_known = user is not None and user.is_authenticated
    readers = {user.pk} if is_known and people else set()
    known = strengths.read(people | readers, {offer.match.game for offer in found})
    asked = rated | {offer.poster_id for offer in found if offer.only_strangers}
    asked -= readers
    if not asked or not is_known:
        return _Past(now, known, {}, frozenset())
    together = Seat.objects.filter(user__in=asked, match__seats__user=user).values_list("user_id", "match__game")
    counts = together.annotate(lately=Count("pk", filter=rated_games.lately(now, "match__"))).order_by()
    lately = {(poster, game): count for poster, game, count in counts}
    return _Past(now, known, lately, frozenset(poster for poster, _game in lately))


def _row(offer: Offer, user: Any, past: _Past, token: str = "") -> OfferRow:
    match = offer.match
    reader = user.pk if user is not None and user.is_authenticated else None
    key = (offer.poster_id, match.game)
    own, other = past.strengths.get((reader or 0, match.game)), past.strengths.get(key)
    reason = offers.why_not(
        offer,
        user,
        match,
        past.now,
        joined=[reader] if offer.has_joined and reader is not None else [],
        token=token or "",
        met=reader is not None and offer.poster_id in past.met,
        is_blocked=False,
        strength=own,
    )
    is_own = reader is not None and offer.poster_id == reader
    is_worn = match.rated and not is_own and past.rated_lately.get(key, 0) >= rated_games.PAIR_MOST
    is_compared = match.rated and match.seat_count == 2 and not is_own and not is_worn
    return OfferRow(
        match=match,
        poster=_person(offer.poster),
        invitee=_person(offer.invitee) if offer.invitee else None,
        taken=offer.taken,
        only_strangers=offer.only_strangers,
        span=offers.span_text(offer.min_rating, offer.max_rating),
        token=(offer.token or "") if is_own or token else "",
        posted_at=offer.posted_at,
        expires_at=offer.expires_at,
        why_not=reason or "",
        poster_rating=other.shown if other and not offer.poster.is_guest else "",
        chance=strengths.percent(own, other) if is_compared and own and other else None,
        is_worn=is_worn,
    )


def _person(user: Any) -> Person:
    return person_of(user.pk, user.username, user.is_bot, user.is_guest, user.closed_at)
