"""What is stored and what it becomes again."""

import pytest
from django.db import connection

from oceans import ledger, queries
from oceans.models import Match, MoveLog, SealedAnswer, SeatEntropy, Shuffle
from oceans.rules import engine
from oceans.rules.fair_record import verify_record
from tests.builders import answer, opened, play_out, state_of


def fresh(match):
    """The state as a process that has never seen the match loads it."""
    ledger.forget()
    return state_of(match)


def test_a_fresh_process_loads_the_state_that_play_left(player, rival, now):
    match = opened(now, player, rival)
    for _ in range(5):
        answer(match, "deal", now)
    known = state_of(match)
    assert fresh(match) == known


@pytest.mark.parametrize("game", ["oe-twos", "oe-jokers-twos", "oe-mini-joker", "guts"])
def test_a_match_that_is_over_replays_to_the_same_result(player, rival, now, game):
    match = opened(now, player, rival, game=game)
    play_out(match, now)
    state = fresh(match)
    assert list(state.over.places) == match.result["places"]
    assert engine.replay(state.setup, state.keys, state.log) == state


def test_sealed_answers_are_part_of_the_state(player, rival, now):
    match = opened(now, player, rival, game="guts")
    answer(match, "in", now, seat=1)
    assert [(one.seat, str(one.move)) for one in fresh(match).sealed] == [(1, "in")]


def test_many_matches_load_in_few_queries_and_then_in_none(player, rival, now, django_assert_max_num_queries):
    matches = [opened(now, player, rival, game=game) for game in ("oe-twos", "oe-none", "guts") * 3]
    answer(matches[2], "in", now, seat=1)
    ledger.forget()
    matches = list(Match.objects.all())
    with django_assert_max_num_queries(3):
        states = ledger.load_many(matches)
    assert states == {match.pk: fresh(match) for match in matches}
    ledger.load_many(matches)
    with django_assert_max_num_queries(1):
        ledger.load_many(matches)


def test_a_process_that_is_behind_reads_only_what_is_new(player, rival, now, django_assert_num_queries):
    match = opened(now, player, rival)
    stale = fresh(match)
    answer(match, "deal", now)
    ledger.forget()
    ledger._cache.put(match, stale)
    with django_assert_num_queries(1):
        assert len(ledger.load(match).log) == match.log_length


def test_a_page_that_read_the_match_before_a_move_shows_it_as_it_was(player, rival, now):
    match = opened(now, player, rival)
    before = state_of(match)
    early = Match.objects.get(pk=match.pk)
    answer(match, "deal", now)
    after = state_of(match)
    assert ledger.load(early) == ledger.load_many([early])[match.pk] == before
    assert ledger.load(match) == after


def test_a_damaged_log_is_not_played_on(player, rival, now):
    match = opened(now, player, rival)
    answer(match, "deal", now)
    MoveLog.objects.filter(match=match, cause="seat").update(text="fold")
    with pytest.raises(engine.ReplayError):
        fresh(match)


def test_a_log_that_is_shorter_than_the_match_says_is_not_played_on(player, rival, now):
    match = opened(now, player, rival)
    Match.objects.filter(pk=match.pk).update(log_length=match.log_length + 1)
    with pytest.raises(engine.ReplayError):
        fresh(match)


def test_without_the_master_key_the_match_says_what_to_restore(player, rival, now, settings):
    match = opened(now, player, rival)
    settings.MASTER_KEYS = {2: bytes(range(32))}
    with pytest.raises(LookupError, match="restore the key file"):
        fresh(match)


def test_two_matches_never_share_commitment_or_nonce(player, rival, now):
    matches = [opened(now, player, rival) for _ in range(5)]
    assert len({match.commitment for match in matches}) == 5
    assert len({bytes(nonce) for nonce in Shuffle.objects.values_list("nonce", flat=True)}) == 5


def test_the_database_holds_neither_seeds_nor_undealt_cards(player, rival, now):
    match = opened(now, player, rival, game="guts")
    secrets = ledger.secrets_of(match)
    hidden = {str(held.card) for place in state_of(match).state.table.places for held in place.hole}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            if not table.startswith(("oceans_", "accounts_")):
                continue
            cursor.execute(f'SELECT * FROM "{table}"')
            for row in cursor.fetchall():
                for value in row:
                    if isinstance(value, bytes | memoryview):
                        assert bytes(value) not in (secrets.seed, secrets.match_key)
                    assert not any(card in str(value).split() for card in hidden)
                    assert secrets.seed.hex() not in str(value)


def test_who_sits_where_follows_from_the_shuffle(player, rival, stranger, now):
    match = opened(now, player, rival, stranger, game="guts")
    seating = queries.fair_record(match, None)["seating"]
    joined = list(SeatEntropy.objects.filter(match=match).order_by("index").values_list("user_id", flat=True))
    seats = list(match.seats.order_by("number").values_list("user_id", flat=True))
    assert seats == [joined[participant] for participant in seating]


@pytest.mark.parametrize("game", ["oe-twos", "oe-mini-joker", "guts"])
def test_the_fair_record_is_true_at_every_stage(player, rival, now, game):
    match = opened(now, player, rival, game=game)
    seat = match.seats.get(user=player).number
    record = queries.fair_record(match, seat)
    assert verify_record(record) == []
    assert record["seed"] is None and record["hands"][0]["decks"][0]["order"] is None
    play_out(match, now)
    record = queries.fair_record(match, None)
    assert verify_record(record) == []
    assert record["seed"] and all(deck["order"] for hand in record["hands"] for deck in hand["decks"])


def test_a_seat_gets_openings_for_the_cards_it_sees_and_no_others(player, rival, now):
    match = opened(now, player, rival, game="guts")
    holes = [{int(held.card) for held in place.hole} for place in state_of(match).state.table.places]
    for viewer in (0, 1):
        (deck,) = queries.fair_record(match, viewer)["hands"][0]["decks"]
        assert {opening["card"] for opening in deck["openings"]} == holes[viewer]
    assert queries.fair_record(match, None)["hands"][0]["decks"][0]["openings"] == []


def test_no_answer_waits_longer_than_its_turn(player, rival, now):
    match = opened(now, player, rival, game="guts")
    play_out(match, now)
    assert not SealedAnswer.objects.exists()
