"""Standing orders from page to log: several of a seat, posts that come twice or from old pages, withdrawal, and that
nobody else can tell that there are any."""

import importlib
import re
from datetime import timedelta

import pytest
from django.apps import apps
from django.core.cache import cache
from django.db import transaction
from django.test import Client

from oceans import ledger, play
from oceans.clock import HOUR
from oceans.models import Match, MoveLog, Order
from oceans.rules.moves import Move
from tests.builders import answer, answer_until_turn_passes, due_seat, legal, opened, pass_time, state_of
from tests.oceans.test_two_worlds import seen

pytestmark = pytest.mark.django_db


@pytest.fixture
def now(now, time_machine):
    time_machine.move_to(now, tick=False)
    return now


@pytest.fixture
def match(player, rival, now):
    return opened(now, player, rival)


@pytest.fixture
def due(match) -> int:
    return due_seat(match).number


@pytest.fixture
def poker(player, rival, stranger, now):
    return opened(now, player, rival, stranger, game="five-draw")


def place(match, seat: int, kind: str, now, turn: int | None = None, **body) -> None:
    turn = state_of(match).turn if turn is None else turn
    play.place_order(match_id=match.pk, seat=seat, turn=turn, kind=kind, body=body, now=now)
    match.refresh_from_db()


def kinds(match, seat: int) -> set[str]:
    return set(Order.objects.filter(match=match, seat=seat).values_list("kind", flat=True))


def by_order(match, seat: int) -> list[str]:
    return list(MoveLog.objects.filter(match=match, seat=seat, cause="order").values_list("text", flat=True))


def signed_in(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def client_of_user(user) -> Client:
    """A browser of this person, or of nobody."""
    return Client() if user is None else signed_in(user)


def client_of(match, seat: int) -> Client:
    return signed_in(match.seats.select_related("user").get(number=seat).user)


def posted(match, kind: str, **terms) -> dict[str, object]:
    """What the form for a kind of order sends, filled in on the page of now."""
    return {"kind": kind, "turn": state_of(match).turn, **{f"{kind}-{name}": value for name, value in terms.items()}}


# Play


def test_an_order_answers_at_once_and_counts_as_playing(match, due, now):
    place(match, due, "hand", now, cards=1)
    assert by_order(match, due)[0] == "deal"
    stored = match.seats.get(number=due)
    assert (stored.has_moved, stored.misses) == (True, 0)


@pytest.mark.parametrize(("pace", "mover", "orderer"), [("days-2", 48, 48), ("daily", 24 - 20 + 4, 24 + 4)])
def test_a_turn_that_an_order_sends_straight_back_is_a_new_one_with_its_time(player, rival, now, pace, mover, orderer):
    """Both have handed over, and both clocks have what that earns, as if the order were its owner at the table."""
    match = opened(now, player, rival, game="five-draw", pace=pace)
    seat = due_seat(match).number
    place(match, 1 - seat, "up-to", now, opening=2, most=2)
    later = pass_time(timedelta(hours=20), now)
    answer(match, "check", later)
    assert by_order(match, 1 - seat) == ["bet 2"]
    own, other = (match.seats.get(number=number) for number in (seat, 1 - seat))
    assert (own.is_due, own.bank_s, own.deadline_s - own.started_s) == (True, mover * HOUR, mover * HOUR)
    assert own.turn_since_at == later
    assert (other.is_due, other.deadline_s, other.bank_s) == (False, None, orderer * HOUR)


def test_an_order_that_answers_and_then_asks_has_not_handed_over(match, due, now):
    """The visit of its owner goes on, and what it earns comes when the turn passes: with this card if it is enough."""
    match.seats.update(bank_s=100 * HOUR)
    place(match, 1 - due, "hand", now, cards=1)
    while not by_order(match, 1 - due):
        answer(match, legal(match, due)[0], now)
    own = match.seats.get(number=1 - due)
    assert own.bank_s == (100 if own.is_due else 100 + 36) * HOUR


def test_an_order_that_waits_shows_nowhere(match, due, now):
    before = Match.objects.values().get()
    place(match, 1 - due, "hand", now + timedelta(hours=1), cards=2)
    assert Order.objects.get().seat == 1 - due
    assert Match.objects.values().get() == before
    play.cancel_order(match_id=match.pk, seat=1 - due, kind="hand", now=now)
    assert not Order.objects.exists()


def test_orders_of_several_kinds_stand_side_by_side_and_one_of_a_kind_replaces_the_last(match, due, now):
    place(match, 1 - due, "hand", now, cards=2)
    place(match, 1 - due, "concede-at", now, reaches="5")
    place(match, 1 - due, "hand", now, cards=4)
    assert kinds(match, 1 - due) == {"hand", "concede-at"}
    assert Order.objects.get(kind="hand").body["cards"] == 4


def test_the_discard_is_filed_with_the_bets_before_it(poker, now):
    """One visit for the betting and the draw: no more questions until the cards are there."""
    seat = (due_seat(poker).number + 1) % 3
    place(poker, seat, "up-to", now, most=4)
    place(poker, seat, "discard", now, first=True)
    card = str(state_of(poker).state.table.places[seat].hole[0].card)
    answer(poker, "bet 2", now)
    answer(poker, "call", now)
    for other in {0, 1, 2} - {seat}:
        answer(poker, "draw", now, seat=other)
    assert by_order(poker, seat) == ["call", f"draw {card}"]
    assert not Order.objects.exists(), "the round is over, and so is the draw"


def test_what_its_scope_has_ended_is_deleted_at_that_moment(poker, now):
    seat = due_seat(poker).number
    place(poker, seat, "check-fold", now, lasts="round")
    place(poker, seat, "up-to", now, lasts="deal")
    assert by_order(poker, seat) == ["check"]
    for _seat in range(2):
        answer(poker, "check", now)
    assert kinds(poker, seat) == {"up-to"}


def test_an_order_taken_back_answers_no_more(match, due, now):
    place(match, 1 - due, "hand", now, cards=9)
    play.cancel_order(match_id=match.pk, seat=1 - due, kind="hand", now=now)
    answer_until_turn_passes(match, now)
    assert by_order(match, 1 - due) == []


def test_what_was_held_back_answers_when_the_order_before_it_is_taken_back(match, due, now):
    place(match, due, "ask-first", now, left=52)
    place(match, due, "hand", now, cards=1)
    assert by_order(match, due) == []
    play.cancel_order(match_id=match.pk, seat=due, kind="ask-first", now=now)
    assert by_order(match, due)[0] == "deal"


def test_the_same_order_sent_twice_is_filed_once(match, due, now):
    turn = state_of(match).turn
    for _time in range(2):
        place(match, due, "hand", now, turn=turn, cards=1, lasts="game")
    once = by_order(match, due)
    assert once and Order.objects.get(kind="hand", seat=due).body["dealt"] == len(once) == 1


def test_an_order_from_an_old_page_is_not_filed(match, due, now):
    turn = state_of(match).turn
    answer(match, "deal", now)
    with pytest.raises(play.StaleTurn):
        place(match, due, "hand", now, turn=turn, cards=3)
    assert not Order.objects.exists()


def test_an_order_without_sense_is_refused_with_a_sentence(match, now):
    with pytest.raises(play.BadRequest, match="has no choice"):
        place(match, 0, "hand", now, wings=2)
    with pytest.raises(play.BadRequest, match="at least one reason"):
        place(match, 0, "ask-first", now)


def test_an_order_the_game_does_not_have_is_refused(match, now):
    with pytest.raises(play.BadRequest, match="no standing order"):
        place(match, 0, "sing", now)


def test_where_betting_is_sealed_nobody_is_asked_within_a_round(player, rival, now):
    match = opened(now, player, rival, game="five-draw", options={"betting": "sealed", "limit": "spread"})
    with pytest.raises(play.BadRequest, match="choose to fold"):
        place(match, 0, "up-to", now, then="ask")
    place(match, 0, "up-to", now, most=6)
    assert state_of(match).sealed[0].move == Move.parse("plan check, call 6")


def test_an_order_of_before_goes_on_as_the_orders_its_clauses_are_now(match, due, now):
    """What the migration makes of a stored order of Ocean's Eleven."""
    clauses = {"richer_by": 4, "concede_at": "5", "ask_at": "", "ask_if_wild": True, "ask_if_left": None}
    shared = {"lasts": "game", "hand_no": 1}
    body = {"stopped": "", "cards": 3, "then": "ask", "dealt": 1, **shared, **clauses}
    Order.objects.create(match=match, seat=1 - due, kind="hand", body=body, placed_at=now)
    importlib.import_module("oceans.migrations.0004_several_orders_a_seat").part(apps, None)
    bodies = dict(Order.objects.values_list("kind", "body"))
    assert bodies == {
        "hand": {"stopped": "", "cards": 3, "then": "ask", "dealt": 1, **shared},
        "richer": {"by": 4, **shared},
        "concede-at": {"reaches": "5", **shared},
        "ask-first": {"reaches": "", "wild": True, "left": None, **shared},
    }
    page = client_of(match, 1 - due).get(f"/game/{match.pk}/order/").content.decode()
    assert page.count("for the rest of the game.") == 4


# Pages


def test_orders_are_set_changed_and_withdrawn_on_their_page(match, due):
    client, page = client_of(match, 1 - due), f"/game/{match.pk}/order/"
    assert "Deal until I am ahead" in client.get(page).content.decode()
    wrong = client.post(page, posted(match, "hand", cards=900, then="ask", lasts="hand"))
    assert wrong.status_code == 400 and "900" in wrong.content.decode()
    for sent in (
        posted(match, "hand", cards=2, then="ask", lasts="hand"),
        posted(match, "concede-at", reaches="5", lasts="game"),
    ):
        assert client.post(page, sent).status_code == 303
    table = client.get(f"/game/{match.pk}/").content.decode()
    assert "I deal up to 2 cards" in table and "I concede at once" in table
    form = client.get(page).content.decode()
    assert re.search(r'name="hand-cards" value="2"', form) and "Change the order" in form
    assert client.post(f"{page}clear/", {"kind": "hand"}).status_code == 303
    table = client.get(f"/game/{match.pk}/").content.decode()
    assert "I deal up to 2 cards" not in table and "I concede at once" in table


def test_the_page_says_which_order_counts_where_two_disagree(match, due):
    client, page = client_of(match, 1 - due), f"/game/{match.pk}/order/"
    client.post(page, posted(match, "hand", cards=2, then="ask", lasts="hand"))
    response = client.post(page, posted(match, "concede-at", reaches="5", lasts="hand"), follow=True)
    told = response.content.decode()
    assert "Where “Concede to a strong hand” says otherwise, that one counts." in told
    assert told.index("Concede to a strong hand.</b>") < told.index("Deal until I am ahead.</b>")


def test_a_discard_and_an_order_about_betting_cannot_disagree(poker):
    seat = (due_seat(poker).number + 1) % 3
    client, page = client_of(poker, seat), f"/game/{poker.pk}/order/"
    client.post(page, posted(poker, "check-fold", lasts="deal"))
    client.post(page, posted(poker, "discard", first="on"))
    assert "says otherwise" not in client.get(page).content.decode()


def test_the_page_shows_which_cards_are_the_first_and_the_second(poker):
    seat = due_seat(poker).number
    cards = [held.card for held in state_of(poker).state.table.places[seat].hole]
    page = client_of(poker, seat).get(f"/game/{poker.pk}/order/").content.decode()
    shown = page.partition("Your cards, from the first:")[2].partition("</p>")[0]
    assert re.findall(r'data-card="(\w+)"', shown) == [str(card) for card in cards]


def test_an_old_page_keeps_what_was_typed_and_can_be_sent_again(match, due, now):
    client, page = client_of(match, due), f"/game/{match.pk}/order/"
    sent = posted(match, "hand", cards=7, then="ask", lasts="hand")
    answer(match, "deal", now)
    old = client.post(page, sent)
    assert old.status_code == 409 and "has moved on" in old.content.decode()
    fresh = re.search(r'name="turn" value="(\d+)"', old.content.decode())[1]
    assert re.search(r'name="hand-cards" value="7"', old.content.decode())
    assert client.post(page, {**sent, "turn": fresh}).status_code == 303


def test_a_post_that_arrives_twice_leads_to_the_table_both_times(match, due):
    client, page = client_of(match, due), f"/game/{match.pk}/order/"
    sent = posted(match, "hand", cards=1, then="ask", lasts="game")
    assert [client.post(page, sent).status_code for _time in range(2)] == [303, 303]
    assert len(by_order(match, due)) == 1
    cleared = [client.post(f"{page}clear/", {"kind": "hand"}).status_code for _time in range(2)]
    assert cleared == [303, 303] and kinds(match, due) == set()


def test_a_kind_that_makes_no_sense_any_more_is_refused_on_the_page(poker, now):
    seat = due_seat(poker).number
    client, page = client_of(poker, seat), f"/game/{poker.pk}/order/"
    assert "Throw these cards" in client.get(page).content.decode()
    for _seat in range(3):
        answer(poker, "check", now)
    for other in range(3):
        answer(poker, "draw", now, seat=other)
    assert "Throw these cards" not in client.get(page).content.decode()
    late = client.post(page, posted(poker, "discard", first="on"))
    assert late.status_code == 400 and "does not fit this game as it stands" in late.content.decode()


def test_its_owner_alone_reads_that_a_move_was_by_order(match, due, now, stranger):
    place(match, due, "hand", now, cards=1)
    pages = [client_of(match, seat).get(f"/game/{match.pk}/").content.decode() for seat in (due, 1 - due)]
    pages.append(signed_in(stranger).get(f"/game/{match.pk}/replay/").content.decode())
    assert ["(by order)" in page for page in pages] == [True, False, False]


def test_a_page_with_many_orders_costs_no_more(match, due, now, django_assert_max_num_queries):
    client = client_of(match, 1 - due)
    client.get(f"/game/{match.pk}/")
    place(match, 1 - due, "ask-first", now, left=1)
    with django_assert_max_num_queries(50) as one:
        client.get(f"/game/{match.pk}/")
    for kind, body in (("hand", {}), ("concede-at", {}), ("richer", {})):
        place(match, 1 - due, kind, now, **body)
    with django_assert_max_num_queries(len(one)):
        client.get(f"/game/{match.pk}/")


# What others can tell


def all_pages(match, user, caplog) -> dict[str, tuple]:
    """What somebody can fetch about the match, with the number of queries and what is logged."""
    client = client_of_user(user)
    names = [seat.user.username for seat in match.seats.select_related("user")]
    game = [
        f"/game/{match.pk}/{part}"
        for part in ("", "?stamp=x", "replay/", "record.json", "fair.json", "luck/", "order/")
    ]
    paths = ["/", "/turn/", "/lobby/", *game, *(f"/player/{name}/" for name in names)]
    cache.clear()
    return {path: seen(client, path, caplog) for path in paths}


FILED = {
    "oe-twos": [
        ("hand", {"cards": 5, "then": "concede"}),
        ("concede-at", {}),
        ("richer", {}),
        ("ask-first", {"left": 3}),
    ],
    "five-draw": [("check-fold", {}), ("up-to", {"lasts": "deal"}), ("discard", {"first": True})],
    "jacks": [("check-fold", {"lasts": "deal"}), ("discard", {"second": True})],
}


@pytest.mark.parametrize("game", FILED)
def test_orders_that_wait_change_nothing_for_anybody_else(
    game, player, rival, stranger, now, django_user_model, caplog
):
    """Filed, changed and withdrawn minutes apart, while somebody else must move."""
    users = [player, rival] if game == "oe-twos" else [player, rival, stranger]
    match = opened(now, *users, game=game)
    staff = django_user_model.objects.create_superuser("boss", "boss@example.org", "pw")
    asked = set(match.seats.filter(is_due=True).values_list("number", flat=True))
    owner = next(seat for seat in range(len(users)) if seat not in asked or game == "jacks")
    others = [seat.user for seat in match.seats.select_related("user") if seat.number != owner]
    watchers = [*others, staff, None]
    for watcher in watchers:
        client_of_user(watcher).get(f"/game/{match.pk}/")
    before = [all_pages(match, watcher, caplog) for watcher in watchers]
    later = now + timedelta(minutes=7)
    for kind, body in FILED[game]:
        place(match, owner, kind, later, **body)
    assert len(kinds(match, owner)) == len(FILED[game])
    assert [all_pages(match, watcher, caplog) for watcher in watchers] == before
    play.cancel_order(match_id=match.pk, seat=owner, kind=FILED[game][0][0], now=later)
    assert all_pages(match, watchers[0], caplog) == before[0]


BY_HAND = {
    "oe-twos": ("deal", "hand", {"cards": 1}),
    "five-draw": ("check", "check-fold", {}),
    "guts": ("out", "in-with", {"at_least": "4-14"}),
}


@pytest.mark.parametrize("game", BY_HAND)
def test_a_move_by_order_looks_like_the_same_move_by_hand(game, player, rival, stranger, now, caplog):
    """One world in which the seat that is asked answers, one in which an order that is filed at that moment does."""
    move, kind, body = BY_HAND[game]
    match = opened(now, *([player, rival] if game == "oe-twos" else [player, rival, stranger]), game=game)
    seat = due_seat(match).number
    others = [one.user for one in match.seats.select_related("user") if one.number != seat]
    for watcher in (*others, None):
        client_of_user(watcher).get(f"/game/{match.pk}/")
    worlds = []
    for is_by_order in (False, True):
        ledger.forget()
        with transaction.atomic():
            if is_by_order:
                place(match, seat, kind, now, **body)
            else:
                answer(match, move, now, seat=seat)
            worlds.append([all_pages(match, watcher, caplog) for watcher in (*others, None)])
            transaction.set_rollback(True)
    assert worlds[0] == worlds[1]
