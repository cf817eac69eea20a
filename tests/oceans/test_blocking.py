"""A block keeps two people apart wherever they choose whom to meet, both ways, and tells the other one nothing."""

import pytest
from django.test import Client

from accounts import blocking
from oceans import offers, play, queries
from oceans.models import Match
from oceans.refusals import BadRequest, Refusal
from tests.builders import opened, play_out

pytestmark = pytest.mark.django_db


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture(params=["blocker", "blocked"])
def pair(request, player, rival, now):
    """The reader, and the one who must not be met; who of them has blocked whom makes no difference."""
    both = (player, rival) if request.param == "blocker" else (rival, player)
    blocking.block(both[0].pk, both[1].pk, now)
    return player, rival


def test_offers_are_hidden_and_cannot_be_taken(pair, stranger, now):
    reader, shunned = pair
    (match_id,) = offers.post(user=shunned, game="oe-twos", now=now)
    assert queries.open_offers(reader) == []
    assert len(queries.open_offers(stranger)) == 1
    with pytest.raises(Refusal, match="not for you"):
        offers.accept(match_id=match_id, user=reader, now=now)
    (table,) = offers.post(user=stranger, game="guts", seats=3, now=now)
    offers.accept(match_id=table, user=shunned, now=now)
    assert [row.id for row in queries.open_offers(reader)] == []
    with pytest.raises(Refusal, match="not for you"):
        offers.accept(match_id=table, user=reader, now=now)
    blocking.unblock(reader.pk, shunned.pk)
    blocking.unblock(shunned.pk, reader.pk)
    assert len(queries.open_offers(reader)) == 2


def test_invitations_are_hidden_and_refused(pair, now):
    for one, other in (pair, pair[::-1]):
        with pytest.raises(BadRequest, match="do not play with each other"):
            offers.post(user=one, game="oe-twos", now=now, invite=other.username)


def test_an_invitation_from_before_is_not_shown_any_more(player, rival, now):
    (match_id,) = offers.post(user=rival, game="oe-twos", now=now, invite="player")
    assert len(queries.own_offers(player).invitations) == 1
    blocking.block(player.pk, rival.pk, now)
    assert queries.own_offers(player).invitations == []
    with pytest.raises(Refusal, match="not for you"):
        offers.accept(match_id=match_id, user=player, now=now)


def test_there_is_no_rematch(pair, now):
    match = opened(now, *pair)
    play_out(match, now)
    with pytest.raises(Refusal, match="any more"):
        offers.rematch(match_id=match.pk, user=pair[0], now=now)


@pytest.mark.parametrize("blocker", ["player", "rival"])
def test_a_rematch_asked_for_before_the_block_does_not_begin(player, rival, now, blocker):
    match = opened(now, player, rival)
    play_out(match, now)
    again = offers.rematch(match_id=match.pk, user=player, now=now)
    one, other = (player, rival) if blocker == "player" else (rival, player)
    blocking.block(one.pk, other.pk, now)
    with pytest.raises(Refusal, match="not for you"):
        offers.rematch(match_id=match.pk, user=rival, now=now)
    assert Match.objects.get(pk=again).status == Match.Status.OPEN


def test_talk_is_hidden_both_ways_and_open_to_others(player, rival, stranger, now):
    match = opened(now, player, rival)
    play.say(match_id=match.pk, user_id=rival.pk, text="from rival", now=now)
    play.say(match_id=match.pk, user_id=player.pk, text="from player", now=now)
    play_out(match, now)
    blocking.block(player.pk, rival.pk, now)
    pages = {one: signed_in(one).get(f"/game/{match.pk}/").content.decode() for one in (player, rival, stranger)}
    assert "from player" in pages[player] and "from rival" not in pages[player]
    assert "from rival" in pages[rival] and "from player" not in pages[rival]
    assert "from rival" in pages[stranger] and "from player" in pages[stranger]


def test_a_block_is_made_on_the_players_page_and_taken_back_there(player, rival):
    reader = signed_in(player)
    assert "Block rival" in reader.get("/player/rival/").content.decode()
    assert reader.get("/player/rival/block/").status_code == 405
    for _ in range(2):
        page = reader.post("/player/rival/block/", {"verb": "block"}, follow=True).content.decode()
    assert "You will not see" in page and "Take the block back" in page
    assert "rival" in reader.get("/player/player/").content.decode()
    assert "Take the block back" not in signed_in(rival).get("/player/player/").content.decode()
    reader.post("/player/rival/block/", {"verb": "unblock"})
    assert not blocking.has_blocked(player.pk, rival.pk)
    assert Client().post("/player/rival/block/", {"verb": "block"}).status_code == 302
    reader.post("/player/player/block/", {"verb": "block"})
    assert blocking.blocked_by(player.pk) == []


def test_events_and_ladders_do_not_ask_for_blocks(player, rival, now):
    blocking.block(player.pk, rival.pk, now)
    assert opened(now, player, rival, event="ladder:twos").is_running
