"""The waiting room: posting, taking, refusing, rematches and bots, each refusal with a sentence."""

from datetime import timedelta

import pytest

from accounts import closing
from accounts.models import Notice, User
from oceans import offers, play, queries
from oceans.models import Match, Note, Offer, Seat, SeatEntropy
from oceans.play.opening import read_entropy
from oceans.rules.fair_record import verify_record
from tests.builders import answer, bot, opened, play_out
from tests.conftest import person


def post(user, now, **terms):
    (match_id,) = offers.post(user=user, game=terms.pop("game", "oe-twos"), now=now, **terms)
    return match_id


def test_an_offer_publishes_its_commitment_before_anybody_joins(player, now):
    match_id = post(player, now)
    match = Match.objects.get(pk=match_id)
    record = queries.fair_record(match_id, None)
    assert match.status == Match.Status.OPEN
    assert record["server_commitment"] == match.commitment
    assert record["transcript"] is None and record["seats"][0]["entropy"] is None
    assert verify_record(record) == []


def test_accepting_begins_the_match_with_the_entropy_of_both(player, rival, now):
    match_id = post(player, now, entropy=b"p" * 32)
    assert offers.accept(match_id=match_id, user=rival, now=now, entropy=b"r" * 20)
    match = Match.objects.get(pk=match_id)
    assert match.is_running
    assert {seat.user_id for seat in match.seats.all()} == {player.pk, rival.pk}
    record = queries.fair_record(match_id, None)
    assert [(seat["source"], bytes.fromhex(seat["entropy"])) for seat in record["seats"]] == [
        ("own", b"p" * 32),
        ("own", b"r" * 20),
    ]
    assert verify_record(record) == []


def test_where_a_browser_sent_no_entropy_the_record_says_so(player, rival, now):
    match_id = post(player, now)
    offers.accept(match_id=match_id, user=rival, now=now)
    assert "seat-commit:0:server:" in "\n".join(queries.fair_record(match_id, None)["log"])


def test_a_larger_table_begins_when_it_is_full(player, rival, stranger, now):
    match_id = post(player, now, game="guts", seats=3)
    assert not offers.accept(match_id=match_id, user=rival, now=now)
    assert not offers.accept(match_id=match_id, user=rival, now=now)
    assert SeatEntropy.objects.count() == 2
    assert offers.accept(match_id=match_id, user=stranger, now=now)
    assert Match.objects.get().is_running


def test_accepting_again_changes_nothing(player, rival, now):
    match_id = post(player, now)
    offers.accept(match_id=match_id, user=rival, now=now)
    assert offers.accept(match_id=match_id, user=rival, now=now)
    assert Seat.objects.count() == 2


def test_who_comes_late_is_told_and_gets_nothing(player, rival, stranger, now):
    match_id = post(player, now)
    offers.accept(match_id=match_id, user=rival, now=now)
    with pytest.raises(offers.OfferGone, match="no longer open"):
        offers.accept(match_id=match_id, user=stranger, now=now)


def test_nobody_takes_his_own_offer(player, now):
    with pytest.raises(play.Refusal, match="your own offer"):
        offers.accept(match_id=post(player, now), user=player, now=now)


def test_only_the_invited_may_accept_or_decline(player, rival, stranger, now):
    match_id = post(player, now, invite="RIVAL")
    assert Notice.objects.get().user_id == rival.pk
    with pytest.raises(play.Refusal, match="somebody else"):
        offers.accept(match_id=match_id, user=stranger, now=now)
    with pytest.raises(play.Refusal, match="not to you"):
        offers.decline(match_id=match_id, user=stranger, now=now)
    offers.decline(match_id=match_id, user=rival, now=now)
    match = Match.objects.get()
    assert (match.status, match.ended_by) == (Match.Status.CANCELLED, "declined")
    with pytest.raises(offers.OfferGone):
        offers.accept(match_id=match_id, user=rival, now=now)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("nobody-here", "no player called “nobody-here”"), ("player", "invite yourself"), ("Pebble", "do not read")],
)
def test_invitations_that_cannot_be_are_refused(player, now, name, sentence):
    bot("Pebble")
    with pytest.raises(play.BadRequest, match=sentence):
        post(player, now, invite=name)
    assert not Match.objects.exists()


def test_a_private_offer_needs_its_link(player, rival, now):
    match_id = post(player, now, private=True)
    token = Offer.objects.get().token
    for wrong in ("", "guess", token[:-1]):
        with pytest.raises(play.Refusal, match="its link"):
            offers.accept(match_id=match_id, user=rival, now=now, token=wrong)
    assert queries.open_offers(rival) == []
    assert offers.accept(match_id=match_id, user=rival, now=now, token=token)


def test_strangers_only_keeps_out_whom_one_has_played(player, rival, stranger, now):
    opened(now, player, rival)
    match_id = post(player, now, only_strangers=True)
    with pytest.raises(play.Refusal, match="have not played"):
        offers.accept(match_id=match_id, user=rival, now=now)
    assert offers.accept(match_id=match_id, user=stranger, now=now)


def test_guests_play_unrated_games_only(player, now):
    guest = User.objects.create(username="guest-1a2b", is_guest=True)
    with pytest.raises(play.Refusal, match="need an account"):
        offers.accept(match_id=post(player, now, rated=True), user=guest, now=now)
    with pytest.raises(play.BadRequest, match="need an account"):
        post(guest, now, rated=True)
    assert offers.accept(match_id=post(player, now), user=guest, now=now)


def test_withdrawing_reveals_the_seed_and_the_reason(player, rival, now):
    match_id = post(player, now)
    with pytest.raises(play.Refusal, match="not yours"):
        offers.withdraw(match_id=match_id, user=rival, now=now)
    offers.withdraw(match_id=match_id, user=player, now=now)
    offers.withdraw(match_id=match_id, user=player, now=now)
    record = queries.fair_record(match_id, None)
    assert record["seed"] and record["log"][-1] == "cancel:withdrawn"
    assert verify_record(record) == []


def test_offers_lapse_after_two_weeks(player, rival, now):
    match_id = post(player, now)
    assert offers.expire(now + timedelta(days=13)) == 0
    later = now + timedelta(days=14)
    with pytest.raises(offers.OfferGone):
        offers.accept(match_id=match_id, user=rival, now=later)
    assert offers.expire(later) == 1
    assert Match.objects.get().ended_by == "expired"


def test_one_person_has_twenty_open_offers_at_most(player, now):
    assert len(offers.post(user=player, game="oe-twos", now=now, count=20)) == 20
    with pytest.raises(play.TooMany, match="20 open offers"):
        post(player, now)


def test_one_person_posts_thirty_offers_a_day_at_most(player, now):
    for count in (20, 10):
        for match_id in offers.post(user=player, game="oe-twos", now=now, count=count):
            offers.withdraw(match_id=match_id, user=player, now=now)
    with pytest.raises(play.TooMany, match="30 offers a day"):
        post(player, now + timedelta(hours=23))
    post(player, now + timedelta(hours=25))


@pytest.mark.parametrize(
    ("terms", "sentence"),
    [
        ({"game": "chess"}, "no game called “chess”"),
        ({"seats": 5}, "is played by 2 players"),
        ({"options": {"stack": "many"}, "game": "guts"}, "whole number"),
        ({"options": {"wings": 1}}, "no option “wings”"),
        ({"pace": "never"}, "no pace"),
        ({"count": 0}, "one to 20"),
        ({"count": 21}, "one to 20"),
    ],
)
def test_terms_that_cannot_be_are_refused_with_a_sentence(player, now, terms, sentence):
    with pytest.raises(play.BadRequest, match=sentence):
        offers.post(user=player, now=now, **{"game": "oe-twos", **terms})
    assert not Match.objects.exists()


@pytest.mark.parametrize("text", ["xyz", "00", "0" * 200, "0" * 33])
def test_entropy_that_is_none_is_refused_with_a_sentence(text):
    with pytest.raises(play.BadRequest, match="16 to 64 bytes"):
        read_entropy(text)


def test_a_rematch_of_both_clicking_is_one_match_with_seats_turned(player, rival, now):
    match = opened(now, player, rival)
    play_out(match, now)
    first = offers.rematch(match_id=match.pk, user=player, now=now)
    assert offers.rematch(match_id=match.pk, user=player, now=now) == first
    assert Match.objects.get(pk=first).status == Match.Status.OPEN
    assert [row.id for row in queries.own_offers(rival).invitations] == [first]
    assert offers.rematch(match_id=match.pk, user=rival, now=now) == first
    again = Match.objects.get(pk=first)
    before = list(match.seats.order_by("number").values_list("user_id", flat=True))
    after = list(again.seats.order_by("number").values_list("user_id", flat=True))
    assert again.is_running and after == before[::-1]
    record = queries.fair_record(again, None)
    assert record["seating"] is None and verify_record(record) == []


def test_a_rematch_may_be_accepted_as_an_invitation(player, rival, now):
    match = opened(now, player, rival)
    play_out(match, now)
    again = offers.rematch(match_id=match.pk, user=player, now=now)
    assert offers.accept(match_id=again, user=rival, now=now)
    seats = Seat.objects.filter(match=again).order_by("number").values_list("user_id", flat=True)
    assert list(seats) == list(match.seats.order_by("-number").values_list("user_id", flat=True))


def test_at_a_larger_table_the_rematch_waits_for_all_and_for_nobody_else(player, rival, stranger, now):
    match = opened(now, player, rival, stranger, game="guts")
    play_out(match, now)
    again = offers.rematch(match_id=match.pk, user=player, now=now)
    outsider = person("outsider")
    token = Offer.objects.get().token
    with pytest.raises(play.Refusal, match="rematch"):
        offers.accept(match_id=again, user=outsider, now=now, token=token)
    offers.rematch(match_id=match.pk, user=rival, now=now)
    assert [row.id for row in queries.own_offers(stranger).invitations] == [again]
    assert offers.accept(match_id=again, user=stranger, now=now)
    assert Match.objects.get(pk=again).is_running


def test_a_rematch_against_a_bot_begins_at_once(player, now):
    match = opened(now, player, bot())
    play_out(match, now)
    again = offers.rematch(match_id=match.pk, user=player, now=now)
    assert Match.objects.get(pk=again).is_running


def test_rematches_that_cannot_be_say_why(player, rival, stranger, now):
    match = opened(now, player, rival)
    with pytest.raises(play.Refusal, match="Only finished games"):
        offers.rematch(match_id=match.pk, user=player, now=now)
    play_out(match, now)
    with pytest.raises(play.Refusal, match="Only those who played"):
        offers.rematch(match_id=match.pk, user=stranger, now=now)
    with pytest.raises(play.Refusal, match="too long ago"):
        offers.rematch(match_id=match.pk, user=player, now=now + timedelta(days=15))
    again = offers.rematch(match_id=match.pk, user=player, now=now)
    offers.decline(match_id=again, user=rival, now=now)
    with pytest.raises(play.Refusal, match="declined"):
        offers.rematch(match_id=match.pk, user=player, now=now)


def test_a_rematch_asked_for_too_long_ago_does_not_begin_before_the_tick_has_seen_to_it(player, rival, now):
    match = opened(now, player, rival)
    play_out(match, now)
    offers.rematch(match_id=match.pk, user=player, now=now)
    with pytest.raises(play.Refusal, match="no longer open"):
        offers.rematch(match_id=match.pk, user=rival, now=now + offers.LIFETIME)


def test_who_is_barred_from_rated_games_accepts_no_rated_rematch(player, rival, now):
    match = opened(now, player, rival, rated=True)
    play_out(match, now)
    offers.rematch(match_id=match.pk, user=player, now=now)
    rival.rated_from = now + timedelta(days=3)
    with pytest.raises(play.Refusal, match="rated games are open to you again"):
        offers.rematch(match_id=match.pk, user=rival, now=now)


def test_a_bot_match_begins_at_once_and_is_never_rated(player, now):
    match = Match.objects.get(pk=offers.start_bot_match(user=player, bot="ferry", game="oe-twos", now=now))
    assert match.is_running and not match.rated
    assert set(match.seats.values_list("user__username", flat=True)) == {"player", "Ferry"}


def test_there_are_bots_for_a_table_of_four_and_no_more(player, now):
    match_id = offers.start_bot_match(user=player, bot="Pebble", game="guts", seats=4, now=now)
    assert Seat.objects.filter(match=match_id, user__is_bot=True).count() == 3
    with pytest.raises(play.BadRequest, match="at most 4 seats"):
        offers.start_bot_match(user=player, bot="Pebble", game="guts", seats=5, now=now)


def test_an_unknown_bot_is_refused_with_the_names_there_are(player, now):
    with pytest.raises(play.BadRequest, match="Pebble, Ferry, Beacon"):
        offers.start_bot_match(user=player, bot="Deep", game="oe-twos", now=now)


def test_closing_an_account_takes_its_offers_and_invitations_away(player, rival, now):
    own, invitation = post(player, now), post(rival, now, invite="player")
    running = opened(now, player, rival)
    answer(running, "deal", now)
    closing.close(player.pk, now)
    assert {match.pk: match.ended_by for match in Match.objects.all()} == {
        own: "account-closed",
        invitation: "account-closed",
        running.pk: "resigned",
    }


def test_closing_an_account_takes_its_private_notes_away_and_leaves_its_words_for_all(player, rival, now):
    match = opened(now, player, rival)
    play.write_note(match_id=match.pk, user_id=player.pk, text="he never concedes", afterwards="well played", now=now)
    play.write_note(match_id=match.pk, user_id=rival.pk, text="she deals on", now=now)
    closing.close(player.pk, now)
    assert list(Note.objects.order_by("pk").values_list("text", "afterwards")) == [
        ("", "well played"),
        ("she deals on", ""),
    ]
