"""Who finds a match, and who may act in it."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404

from oceans import access, offers
from tests.builders import opened


def test_everybody_may_watch_and_players_have_their_seat(player, rival, stranger, now, django_assert_num_queries):
    match = opened(now, player, rival)
    own = match.seats.get(user=player).number
    with django_assert_num_queries(1):
        assert access.match_for(player, match.pk).viewer == own
    assert access.match_for(stranger, match.pk).viewer is None
    assert access.match_for(AnonymousUser(), match.pk).viewer is None


def test_only_players_may_act(player, rival, stranger, now):
    match = opened(now, player, rival)
    assert access.seat_for(rival, match.pk) == (match, match.seats.get(user=rival).number)
    for user in (stranger, AnonymousUser()):
        with pytest.raises(PermissionDenied, match="Only those who play"):
            access.seat_for(user, match.pk)


@pytest.mark.parametrize("number", [0, 999_999, 2**62])
def test_a_match_that_is_not_there_is_not_found(player, number):
    with pytest.raises(Http404):
        access.match_for(player, number)


def test_an_offer_is_not_a_match_yet(player, now):
    (match_id,) = offers.post(user=player, game="oe-twos", now=now, private=True)
    with pytest.raises(Http404):
        access.match_for(player, match_id)
