"""The lobby and what is posted there: offers, private links, invitations, bots."""

import re

import pytest
from django.test import Client

from accounts.models import User
from oceans.models import Match, Offer
from tests.builders import bot, due_seat, opened

pytestmark = pytest.mark.django_db

TERMS = {"game": "oe-twos", "pace": "classic", "leave_allowed": "all", "opponent": "anyone"}


def signed_in(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def text_of(response) -> str:
    return response.content.decode()


def test_one_click_makes_a_guest_and_a_game_against_a_bot():
    bot()
    client = Client()
    response = client.post("/bot/")
    assert response.status_code == 303
    page = client.get(response["Location"])
    assert "Pebble" in text_of(page)
    assert User.objects.get(is_guest=True).seats.count() == 1


def test_looking_around_makes_no_guest():
    for path in ("/", "/lobby/", "/games/", "/fair/", "/help/"):
        assert Client().get(path).status_code == 200
    assert not User.objects.exists()


def test_the_form_asks_for_the_number_of_players_where_there_is_a_choice(player):
    client = signed_in(player)
    table = text_of(client.get("/lobby/new/?game=guts"))
    assert 'name="seats"' in table and "Players" in table
    duel = text_of(client.get("/lobby/new/?game=oe-twos", headers={"HX-Request": "true"}))
    assert 'name="seats"' not in duel
    words = re.sub(r"<[^>]*>", "\n", duel)
    assert not [word for word in words.splitlines() if word.strip().isdigit()], "a number without a word beside it"


def test_an_offer_is_posted_found_and_taken(player, rival):
    signed_in(player).post("/lobby/new/", TERMS)
    offer = Offer.objects.get()
    client = signed_in(rival)
    assert f"/lobby/{offer.pk}/join/" in text_of(client.get("/lobby/"))
    response = client.post(f"/lobby/{offer.pk}/join/")
    assert response["Location"] == f"/game/{offer.pk}/"
    assert client.get(response["Location"]).status_code == 200


def test_an_offer_that_is_gone_says_so(player, rival, stranger):
    signed_in(player).post("/lobby/new/", TERMS)
    offer = Offer.objects.get()
    signed_in(rival).post(f"/lobby/{offer.pk}/join/")
    late = signed_in(stranger).post(f"/lobby/{offer.pk}/join/")
    assert late.status_code == 409
    assert "no longer open" in text_of(late)


def test_nobody_takes_an_offer_of_his_own(player):
    client = signed_in(player)
    client.post("/lobby/new/", TERMS)
    response = client.post(f"/lobby/{Offer.objects.get().pk}/join/")
    assert response.status_code == 409
    assert "your own offer" in text_of(response)


def test_a_form_with_a_fault_keeps_what_was_typed(player):
    response = signed_in(player).post("/lobby/new/", {**TERMS, "opponent": "named", "name": "nobody-there"})
    page = text_of(response)
    assert response.status_code == 400
    assert "There is no player called" in page
    assert 'value="nobody-there"' in page
    assert not Offer.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"pace": "warp"},
        {"leave_allowed": "ever"},
        {"opponent": "named"},
        {"opponent": "everybody"},
        {"entropy": "zz"},
        {"game": "guts", "seats": "40"},
        {"game": "guts", "seats": "3", "option-stack": "7"},
    ],
)
def test_an_impossible_offer_is_refused_in_words(player, wrong):
    response = signed_in(player).post("/lobby/new/", {**TERMS, **wrong})
    assert response.status_code == 400
    assert 'class="note bad"' in text_of(response)
    assert not Match.objects.exists()


def test_options_of_a_game_are_offered_and_kept(player, rival):
    form = text_of(signed_in(player).get("/lobby/new/?game=guts", HTTP_HX_REQUEST="true"))
    assert "Chips at the start" in form and "<html" not in form
    names = re.findall(r'name="(option-[^"]+)" value="([^"]*)"', form)
    chosen = dict(names) | {"option-look": "own", "option-nelly": "off", "option-three_ranks": "plain"}
    posted = {**TERMS, **chosen, "game": "guts", "seats": "2", "option-stack": "50"}
    assert signed_in(player).post("/lobby/new/", posted).status_code == 303
    assert Match.objects.get().options["stack"] == 50


def field(page: str, name: str) -> str:
    """What stands in a field of a page; empty where it has no such field."""
    found = re.search(rf'<(?:input|select)[^>]*name="{name}"[^>]*>', page)
    value = re.search('value="([^"]*)"', found[0]) if found else None
    return value[1] if value else found[0] if found else ""


def test_the_form_shows_what_goes_together_and_opens_nothing_for_a_look(player):
    client = signed_in(player)
    assert not field(text_of(client.get("/lobby/?game=guts")), "option-nelly_fee")
    sent = {**TERMS, "game": "guts", "seats": "4", "option-nelly": "fee", "option-stack": "55", "name": "rival"}
    looked = client.post("/lobby/new/", {**sent, "look": "1"})
    page = text_of(looked)
    assert looked.status_code == 200 and not Match.objects.exists()
    assert field(page, "option-nelly_fee") == "2" and field(page, "option-stack") == "55"
    assert field(page, "name") == "rival" and "Missed turns in a row" in page
    assert "Write the name" not in page


@pytest.mark.parametrize(
    ("game", "seats", "chosen", "sentence"),
    [
        ("guts", "3", {"cards": "2", "three_ranks": "poker"}, "Straights and flushes count only with three cards"),
        ("guts", "3", {"look": "none", "pass": "1"}, "Cards can be passed only if each sees the own hand"),
        ("five-draw", "8", {"max_throw": "3"}, "With 8 players at most 1 card can be thrown."),
        ("duel-it", "4", {"deals": "15"}, "With 4 players choose whole rounds"),
        ("duel-it", "3", {"deals": "6", "target": "50"}, "not both"),
    ],
)
def test_what_does_not_go_together_is_answered_in_words_and_kept(player, game, seats, chosen, sentence):
    client = signed_in(player)
    options = {f"option-{name}": value for name, value in chosen.items()}
    defaults = {"option-look": "own", "option-nelly": "off"} if game == "guts" else {}
    if game == "guts":
        defaults |= dict(re.findall(r'name="(option-[^"]+)" value="([^"]*)"', text_of(client.get("/lobby/?game=guts"))))
    if game == "five-draw":
        defaults = {"option-stack": "77", "option-ante": "1", "option-limit": "fixed", "option-bet": "2"}
        defaults |= {"option-raises": "2", "option-betting": "turns"}
    refused = client.post("/lobby/new/", {**TERMS, "game": game, "seats": seats, **defaults, **options})
    page = text_of(refused)
    assert refused.status_code == 400 and sentence in page and not Match.objects.exists()
    for name, value in (defaults | options).items():
        shown = page.split(f'name="{name}"')[1].split("</select>" if f'<select name="{name}"' in page else ">")[0]
        assert f'value="{value}" selected' in shown or f'value="{value}"' in shown.split("<option")[0], name


def test_options_that_do_not_matter_are_not_agreed(player):
    sent = {**TERMS, "game": "guts-nelly", "seats": "2", "option-nelly": "fee", "option-nelly_fee": "3"}
    numbers = {"cards": "2", "stack": "100", "ante": "1", "pots": "3", "match_cap": "", "max_deals": "12"}
    sent |= {f"option-{name}": value for name, value in numbers.items()} | {"option-nelly_max": "44"}
    assert signed_in(player).post("/lobby/new/", sent).status_code == 303
    agreed = Match.objects.get().options
    assert agreed["nelly_fee"] == 3 and agreed["nelly_max"] == 10


def test_a_box_that_was_shown_and_is_not_ticked_is_off(player):
    sent = {**TERMS, "game": "five-draw", "seats": "3", "look": "1", "shown": "late_double open_archive"}
    page = text_of(signed_in(player).post("/lobby/new/", sent))
    assert "checked" not in page.split('name="option-open_archive"')[1].split(">")[0]
    assert "checked" in page.split('name="option-four_with_ace"')[1].split(">")[0], "it was not shown before"


def test_the_form_says_how_long_a_game_takes(player):
    client = signed_in(player)
    page = text_of(client.get("/lobby/?game=oe-twos"))
    assert "About 15 visits each, 4 weeks at this pace." in page
    sent = {**TERMS, "game": "five-draw", "seats": "6", "look": "1", "pace": "usual"}
    turns = text_of(client.post("/lobby/new/", sent))
    sealed = text_of(client.post("/lobby/new/", {**sent, "option-betting": "sealed"}))
    weekly = text_of(client.post("/lobby/new/", {**sent, "option-betting": "sealed", "pace": "days-7"}))
    assert "About 18 visits each, 3 months at this pace." in turns
    assert "About 14 visits each, 2 weeks at this pace." in sealed
    assert "About 14 visits each, 5 weeks at this pace." in weekly


@pytest.mark.parametrize(("seats", "pace", "patience"), [("2", "classic", 1), ("5", "days-3", 3)])
def test_the_usual_clock_follows_from_the_number_of_players(player, seats, pace, patience):
    sent = {**TERMS, "game": "duel-it", "seats": seats, "pace": "usual", "patience": "3"}
    assert signed_in(player).post("/lobby/new/", sent).status_code == 303
    match = Match.objects.get()
    assert (match.pace, match.patience) == (pace, patience)


def test_a_private_link_works_for_whoever_has_it_and_is_not_listed(player, stranger):
    owner = signed_in(player)
    owner.post("/lobby/new/", {**TERMS, "opponent": "link"})
    offer = Offer.objects.get()
    assert offer.token in text_of(owner.get("/lobby/"))
    assert offer.token not in text_of(signed_in(stranger).get("/lobby/"))
    assert signed_in(stranger).post(f"/lobby/{offer.pk}/join/").status_code == 409
    visitor = Client()
    assert "invites you to a game" in text_of(visitor.get(f"/join/{offer.token}/"))
    assert not User.objects.filter(is_guest=True).exists()
    assert visitor.post(f"/join/{offer.token}/").status_code == 303
    offer.match.refresh_from_db()
    assert offer.match.is_running


def test_a_private_link_leads_its_players_to_the_game_once_it_has_begun(player, rival, stranger):
    signed_in(player).post("/lobby/new/", {**TERMS, "opponent": "link"})
    offer = Offer.objects.get()
    taken = [signed_in(rival).post(f"/join/{offer.token}/")["Location"] for _ in range(5)]
    assert taken == [f"/game/{offer.pk}/"] * 5
    assert signed_in(player).get(f"/join/{offer.token}/")["Location"] == f"/game/{offer.pk}/"
    assert signed_in(stranger).get(f"/join/{offer.token}/").status_code == 404


@pytest.mark.parametrize("token", ["nothing-behind-it", "%00", "a%00b", "9" * 400])
def test_an_unknown_link_is_not_there(token, stranger):
    assert signed_in(stranger).get(f"/join/{token}/").status_code == 404
    assert Client().get(f"/join/{token}/").status_code == 404


@pytest.mark.parametrize("verb", ["decline", "withdraw"])
def test_answering_for_an_offer_that_is_not_ones_own_makes_no_guest(player, verb):
    signed_in(player).post("/lobby/new/", TERMS)
    response = Client().post(f"/lobby/{Offer.objects.get().pk}/{verb}/")
    assert response.status_code == 409 and "sign in first" in text_of(response)
    assert not User.objects.filter(is_guest=True).exists()
    assert Offer.objects.get().is_open


def test_a_seat_that_is_refused_makes_no_guest(player, rival):
    signed_in(player).post("/lobby/new/", {**TERMS, "opponent": "named", "name": "rival"})
    client = Client()
    refused = client.post(f"/lobby/{Offer.objects.get().pk}/join/")
    assert refused.status_code == 409 and "This invitation is to somebody else" in text_of(refused)
    assert not User.objects.filter(is_guest=True).exists()
    assert client.get("/turn/").status_code == 302


def test_an_offer_that_never_was_is_no_longer_open(stranger):
    for verb in ("join", "decline", "withdraw"):
        refused = signed_in(stranger).post(f"/lobby/987654321/{verb}/")
        assert refused.status_code == 409 and "This offer is no longer open" in text_of(refused)


def test_an_invitation_is_seen_and_declined(player, rival):
    signed_in(player).post("/lobby/new/", {**TERMS, "opponent": "named", "name": "RIVAL"})
    client = signed_in(rival)
    assert "invites you to" in text_of(client.get("/turn/"))
    offer = Offer.objects.get()
    assert signed_in(player).post(f"/lobby/{offer.pk}/decline/").status_code == 409
    assert client.post(f"/lobby/{offer.pk}/decline/").status_code == 303
    assert "invites you to" not in text_of(client.get("/turn/"))


def test_an_offer_is_taken_back(player, rival):
    signed_in(player).post("/lobby/new/", TERMS)
    offer = Offer.objects.get()
    assert signed_in(rival).post(f"/lobby/{offer.pk}/withdraw/").status_code == 409
    assert signed_in(player).post(f"/lobby/{offer.pk}/withdraw/").status_code == 303
    assert f"/lobby/{offer.pk}/join/" not in text_of(signed_in(rival).get("/lobby/"))


@pytest.mark.parametrize("wrong", [{"bot": "nobody"}, {"game": "chess"}])
def test_an_unknown_bot_or_game_is_refused_in_words(wrong):
    bot()
    response = Client().post("/bot/", wrong)
    assert response.status_code == 400
    assert "choose one of" in text_of(response)
    assert not Match.objects.exists()


def test_links_change_nothing(player, rival, now):
    """Every address that acts is deaf to GET and HEAD."""
    match = opened(now, player, rival)
    client = signed_in(due_seat(match).user)
    acting = [f"/game/{match.pk}/{verb}/" for verb in ("move", "give-time", "chat", "note", "rematch", "order/clear")]
    acting += [f"/lobby/{match.pk}/{verb}/" for verb in ("join", "decline", "withdraw")] + ["/bot/"]
    for path in acting:
        assert client.get(path).status_code == 405
        assert client.head(path).status_code == 405


@pytest.mark.parametrize("offers", [1, 12])
def test_the_lobby_costs_the_same_however_full(player, rival, django_assert_max_num_queries, offers):
    client = signed_in(player)
    for _ in range(offers):
        client.post("/lobby/new/", TERMS)
    visitor = signed_in(rival)
    with django_assert_max_num_queries(8):
        visitor.get("/lobby/")
