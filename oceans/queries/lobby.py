"""Offers: the waiting room, invitations, and a person's own."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from oceans import offers
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
    joined: tuple[int, ...]
    only_strangers: bool
    token: str
    """Of a private link; empty unless the reader posted the offer or came by the link."""
    posted_at: datetime
    expires_at: datetime
    why_not: str

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
    return _rows(_waiting_room(game, rated, before)[:limit], user)


@dataclass(frozen=True, slots=True)
class OwnOffers:
    """Open offers that concern one person, newest first: those that he has posted or joined, and invitations to him,
    rematches of larger tables among them."""

    joined: list[OfferRow]
    invitations: list[OfferRow]


def own_offers(user: Any) -> OwnOffers:
    """The open offers that concern a user. Two queries at most; none for nobody."""
    return _own(user) if user.is_authenticated else OwnOffers([], [])


def lobby_of(user: Any) -> tuple[list[OfferRow], OwnOffers]:
    """The waiting room and the offers that concern a user, who may be nobody. Five queries at most."""
    return _rows(_waiting_room()[:PAGE], user), own_offers(user)


def _waiting_room(game: str = "", rated: bool | None = None, before: int | None = None) -> QuerySet[Offer]:
    rows = _open().filter(invitee=None, token=None)
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
    found: dict[Offer, list[int]] = {}
    for participant in participants.order_by("-match", "index"):
        found.setdefault(participant.match.offer, []).append(participant.user_id)
    met = _met(found, user)
    return OwnOffers(
        joined=[_row(offer, user, there, met, "") for offer, there in found.items() if user.pk in there],
        invitations=[_row(offer, user, there, met, "") for offer, there in found.items() if user.pk not in there],
    )


def offer_with(token: str, user: Any = None) -> OfferRow | None:
    """The open offer behind a private link. Three queries."""
    found = _rows(_open().filter(token=token), user, token) if token and "\0" not in token else []
    return found[0] if found else None


def match_behind(token: str, user: Any) -> int | None:
    """The match begun by way of a private link, for those who have a seat there. One query."""
    if not user.is_authenticated or "\0" in token:
        return None
    taken = Offer.objects.filter(token=token, match__seats__user=user.pk)
    return taken.values_list("match", flat=True).first()


def _open() -> QuerySet[Offer]:
    return Offer.objects.filter(state=Offer.State.OPEN).select_related("match", "poster", "invitee")


def _rows(found: Iterable[Offer], user: Any, token: str = "") -> list[OfferRow]:
    found = list(found)
    joined: dict[int, list[int]] = {}
    participants = SeatEntropy.objects.filter(match__in=[offer.match_id for offer in found]).order_by("match", "index")
    for match_id, user_id in participants.values_list("match_id", "user_id"):
        joined.setdefault(match_id, []).append(user_id)
    met = _met(found, user)
    return [_row(offer, user, joined.get(offer.match_id, []), met, token) for offer in found]


def _row(offer: Offer, user: Any, joined: list[int], met: frozenset[int], token: str) -> OfferRow:
    is_known = user is not None and user.is_authenticated
    reason = offers.why_not(
        offer, user, offer.match, joined=joined, token=token or "", met=is_known and offer.poster_id in met
    )
    is_own = is_known and offer.poster_id == user.pk
    return OfferRow(
        match=offer.match,
        poster=_person(offer.poster),
        invitee=_person(offer.invitee) if offer.invitee else None,
        taken=len(joined),
        joined=tuple(joined),
        only_strangers=offer.only_strangers,
        token=(offer.token or "") if is_own or token else "",
        posted_at=offer.posted_at,
        expires_at=offer.expires_at,
        why_not=reason or "",
    )


def _met(found: Iterable[Offer], user: Any) -> frozenset[int]:
    posters = {offer.poster_id for offer in found if offer.only_strangers}
    if not posters or user is None or not user.is_authenticated:
        return frozenset()
    together = Seat.objects.filter(user__in=posters, match__seats__user=user)
    return frozenset(together.values_list("user_id", flat=True).distinct())


def _person(user: Any) -> Person:
    return person_of(user.pk, user.username, user.is_bot, user.is_guest, user.closed_at)
