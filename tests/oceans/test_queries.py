"""What each query returns, to whom, and what it costs."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import FormerName
from oceans import access, effects, ledger, offers, play, queries
from oceans.models import Match, MoveLog, Order, SealedAnswer
from oceans.rules import engine
from oceans.rules.moves import Move
from tests.builders import (
    answer,
    answer_until_turn_passes,
    at_service_time,
    due_seat,
    give_notice,
    legal,
    opened,
    other_seat,
    pass_time,
    play_out,
    state_of,
)

HOUR = timedelta(hours=1)
NOBODY = AnonymousUser()


def of(user, match):
    """The number of a user's seat."""
    return match.seats.get(user=user).number


def ended_on_time(now, player, rival):
    """A match the player lost on time."""
    match = opened(now, player, rival, leave_allowed="none")
    answer_until_turn_passes(match, now)
    answer_until_turn_passes(match, now)
    if due_seat(match).user_id != player.pk:
        answer_until_turn_passes(match, now)
    give_notice(match)
    at_service_time(due_seat(match).effective_s, now)
    play.run_out_clock(match_id=match.pk, now=now)
    match.refresh_from_db()
    return match


def test_the_match_page_costs_one_query_where_the_state_is_at_hand(player, rival, now, django_assert_num_queries):
    match = opened(now, player, rival)
    answer(match, "deal", now)
    state_of(match)
    with django_assert_num_queries(1):
        row = queries.view_of(match, 0, now=now)
    assert row.view.viewer == 0 and row.names == tuple(seat.person.name for seat in row.seats)
    ledger.forget()
    with django_assert_num_queries(2):
        queries.view_of(match, 0, now=now)


def test_a_deadline_is_shown_as_the_instant_it_stands_for_now(player, rival, now):
    match = opened(now, player, rival)
    number = due_seat(match).number
    assert queries.view_of(match, None, now=now).seats[number].deadline_at == now + 240 * HOUR
    later = pass_time(10 * HOUR, now)
    assert queries.view_of(match, None, now=later).seats[number].deadline_at == now + 240 * HOUR
    after_outage = later + 24 * HOUR
    at_service_time(int(10 * HOUR.total_seconds()), after_outage)
    assert queries.view_of(match, None, now=after_outage).seats[number].deadline_at == now + 264 * HOUR


def test_a_view_shows_own_cards_only(player, rival, now):
    match = opened(now, player, rival, game="guts")
    for viewer, other in ((0, 1), (1, 0)):
        seats = queries.view_of(match, viewer, now=now).view.seats
        assert None not in seats[viewer].hole and set(seats[other].hole) == {None}
    assert all(set(seat.hole) == {None} for seat in queries.view_of(match, None, now=now).view.seats)


def test_a_replay_shows_each_moment_with_the_sight_the_viewer_had(player, rival, now):
    match = opened(now, player, rival, game="guts")
    answer(match, "in", now, seat=0)
    answer(match, "out", now, seat=1)
    first = queries.replay_of(match, 0, 0, now=now).view
    assert first.turn == 0 and set(first.seats[1].hole) == {None} and None not in first.seats[0].hole
    play_out(match, now)
    opened_view = queries.replay_of(match, None, 0, now=now).view
    assert all(None not in seat.hole for seat in opened_view.seats)


def test_with_a_closed_archive_folded_cards_stay_hidden_for_good(player, rival, now):
    match = opened(now, player, rival, game="guts", options={"open_archive": False})
    play_out(match, now)
    assert set(queries.replay_of(match, None, 0, now=now).view.seats[1].hole) == {None}
    record = queries.fair_record(match, None)
    assert record["seed"] is None and record["hands"][0]["decks"][0]["order"] is None


def test_deals_begin_where_the_log_says(player, rival, now):
    match = opened(now, player, rival, game="guts")
    play_out(match, now)
    starts = queries.deal_starts(match)
    assert [queries.replay_of(match, None, at, now=now).view.deal_no for at in starts] == list(
        range(1, len(starts) + 1)
    )


def test_waiting_lists_least_time_first_and_counts_what_it_lists(player, rival, now, django_assert_num_queries):
    paces = ("classic", "daily", "untimed", "brisk")
    mine = []
    for pace in paces:
        match = opened(now, player, rival, pace=pace)
        if due_seat(match).user_id != player.pk:
            answer_until_turn_passes(match, now)
        mine.append(match)
    classic, daily, untimed, brisk = (match.pk for match in mine)
    ledger.load_many(Match.objects.all())
    with django_assert_num_queries(2):
        rows = queries.waiting_for(player, now)
    assert [row.id for row in rows] == [daily, brisk, classic, untimed]
    with django_assert_num_queries(2):
        dashboard = queries.dashboard_of(player, now)
    assert (dashboard.mine, dashboard.theirs, dashboard.ended) == (rows, [], [])
    assert all(row.view.seats[row.viewer].is_due for row in rows)
    assert queries.waiting_count(player) == 4
    assert queries.waiting_count(rival) == 0
    assert {row.id for row in queries.dashboard_of(rival, now).theirs} == {classic, daily, untimed, brisk}


def test_next_waiting_walks_the_whole_list_and_skips_what_was_put_aside(player, rival, now):
    ids = []
    for pace in ("daily", "brisk", "classic"):
        match = opened(now, player, rival, pace=pace)
        if due_seat(match).user_id != player.pk:
            answer_until_turn_passes(match, now)
        ids.append(match.pk)
    daily, brisk, classic = ids
    assert queries.next_waiting(player) == daily
    assert queries.next_waiting(player, after=daily) == brisk
    assert queries.next_waiting(player, after=classic) == daily
    assert queries.next_waiting(player, after=daily, skipped={brisk}) == classic
    assert queries.next_waiting(player, skipped=set(ids)) is None
    assert queries.next_waiting(rival) is None


@pytest.mark.parametrize("ending", ["resign", "time", "cancel", "park"])
def test_a_match_that_stops_leaves_the_count(player, rival, now, ending):
    match = opened(now, player, rival, leave_allowed="none")
    seat = due_seat(match)
    assert queries.waiting_count(seat.user) == 1
    if ending == "resign":
        answer(match, "deal", now)
        play.resign(match_id=match.pk, seat=other_seat(match, due_seat(match)).number, now=now)
    elif ending == "time":
        give_notice(match)
        at_service_time(seat.effective_s + 1, now)
        play.run_out_clock(match_id=match.pk, now=now)
    elif ending == "cancel":
        play.resign(match_id=match.pk, seat=0, now=now)
    else:
        for _ in range(5):
            play.note_failure(match_id=match.pk, now=now)
    for user in (player, rival):
        assert queries.waiting_count(user) == len(queries.waiting_for(user, now)) == 0


def test_finished_matches_are_listed_until_they_are_looked_at(player, rival, now, django_assert_num_queries):
    match = opened(now, player, rival)
    play.mark_seen(match_id=match.pk, user_id=player.pk, now=now)
    seen = match.log_length
    play_out(match, now)
    with django_assert_num_queries(2):
        (row,) = queries.dashboard_of(player, now).ended
    assert row.own.seen_number == seen < match.log_length
    play.mark_seen(match_id=match.pk, user_id=player.pk, now=now)
    assert queries.dashboard_of(player, now).ended == []
    assert [row.id for row in queries.dashboard_of(rival, now).ended] == [match.pk]


def test_the_waiting_room_says_why_not_in_three_queries(player, rival, stranger, now, django_assert_num_queries):
    opened(now, player, rival)
    for only_strangers in (False, True):
        offers.post(user=player, game="oe-twos", now=now, only_strangers=only_strangers, count=5)
    offers.post(user=rival, game="guts", seats=4, rated=True, now=now)
    offers.post(user=rival, game="guts", now=now, private=True)
    with django_assert_num_queries(3):
        rows = queries.open_offers(rival)
    own = queries.own_offers(rival)
    with django_assert_num_queries(4):
        assert queries.lobby_of(rival) == (rows, own)
    assert queries.lobby_of(NOBODY)[0] == queries.open_offers(NOBODY)
    assert len(rows) == 11
    assert [row.why_not[:30] for row in rows[:2]] == [
        "This is your own offer: somebo",
        "This offer is for people who h",
    ]
    assert rows[-1].why_not == ""
    assert all(row.token == "" for row in rows)
    assert [row.why_not for row in queries.open_offers(stranger)] == [""] * 11
    assert sum(bool(row.why_not) for row in queries.open_offers(NOBODY)) == 1
    assert {row.game.slug for row in queries.open_offers(stranger, game="guts")} == {"guts"}
    assert len(queries.open_offers(stranger, rated=True)) == 1


def test_pages_of_the_waiting_room_stay_whole_while_offers_come(player, rival, now):
    offers.post(user=player, game="oe-twos", now=now, count=12)
    first = queries.open_offers(rival, limit=5)
    offers.post(user=rival, game="oe-none", now=now)
    second = queries.open_offers(rival, limit=5, before=first[-1].id)
    assert [row.id for row in first + second] == sorted((row.id for row in first + second), reverse=True)
    assert len({row.id for row in first + second}) == 10


def test_only_its_poster_sees_the_token_of_a_private_link(player, rival, now):
    offers.post(user=player, game="oe-twos", now=now, private=True)
    (own,) = queries.own_offers(player).joined
    assert own.token
    assert queries.own_offers(rival) == queries.own_offers(NOBODY) == queries.OwnOffers([], [])
    assert queries.offer_with(own.token, rival).why_not == ""
    assert queries.offer_with("") is None and queries.offer_with("guess") is None


def test_history_is_by_end_and_can_be_searched(player, rival, stranger, now, django_assert_num_queries):
    ended = []
    for hour, (other, game) in enumerate([(rival, "oe-twos"), (stranger, "oe-none"), (rival, "guts")]):
        match = opened(now, player, other, game=game)
        play_out(match, now + hour * HOUR, seed=hour)
        ended.append(match)
    cancelled = opened(now, player, rival)
    play.resign(match_id=cancelled.pk, seat=0, now=now + 5 * HOUR)
    with django_assert_num_queries(2):
        page = queries.history_of(player)
    assert [row.id for row in page.rows] == [cancelled.pk, *(match.pk for match in reversed(ended))]
    assert [row.id for row in queries.history_of(player, opponent="STRANGER").rows] == [ended[1].pk]
    assert [row.id for row in queries.history_of(player, game="guts").rows] == [ended[2].pk]
    assert [row.id for row in queries.history_of(player, result="cancelled").rows] == [cancelled.pk]
    outcomes = {
        result: {row.id for row in queries.history_of(player, result=result).rows} for result in ("won", "lost")
    }
    for match in ended:
        places = match.result["places"]
        if places.count(1) == 1:
            assert match.pk in outcomes["won" if places[of(player, match)] == 1 else "lost"]


def test_history_finds_opponents_by_former_names_and_events_by_a_part_of_theirs(player, rival, stranger, now):
    cup = opened(now, player, rival, event="test:1", label="Autumn Cup")
    other = opened(now, player, stranger)
    for match in (cup, other):
        play_out(match, now)
    FormerName.objects.create(user=rival, name="oldname", given_up_at=now)
    for sought in ({"opponent": "OldName"}, {"event": "autumn"}, {"event": "CUP", "opponent": "rival"}):
        assert [row.id for row in queries.history_of(player, **sought).rows] == [cup.pk]
    for sought in ({"opponent": "player"}, {"opponent": "nobody"}, {"opponent": "a\0b"}, {"event": "spring"}):
        assert queries.history_of(player, **sought).rows == []


def test_history_pages_join_without_gap_or_repeat(player, rival, now):
    for hour in range(7):
        match = opened(now, player, rival)
        answer(match, "deal", now)
        play.resign(match_id=match.pk, seat=0, now=now + (hour // 2) * HOUR)
    found, before = [], ""
    while before is not None:
        page = queries.history_of(player, limit=3, before=before)
        found += [row.id for row in page.rows]
        before = page.next
    assert len(found) == len(set(found)) == 7


@pytest.mark.parametrize(
    "before", ["nonsense", "0001-01-01T00:00:00+14:00_1", "9999-12-31T23:59:59-14:00_1", "2020-01-01_x", "\0_1"]
)
def test_a_page_of_history_that_was_never_offered_is_the_first_one(player, rival, now, before):
    match = opened(now, player, rival)
    answer(match, "deal", now)
    play.resign(match_id=match.pk, seat=0, now=now)
    assert queries.history_of(player, before=before).rows


def test_the_place_in_a_history_may_lack_its_zone(player):
    assert queries.history_of(player, before="2020-01-01_1").rows == []


def test_reliability_is_told_as_facts(player, rival, now, django_assert_max_num_queries):
    match = opened(now, player, rival)
    later = pass_time(6 * HOUR, now)
    answer_until_turn_passes(match, later)
    later = pass_time(6 * HOUR, later)
    play_out(match, later)
    ended_on_time(later, player, rival)
    effects.apply_effects(later)
    with django_assert_max_num_queries(4):
        facts = queries.profile_of(player, later)
    assert (facts.finished, facts.running, facts.time_outs, facts.finished_percent) == (2, 0, 1, 50)
    assert facts.won + facts.lost + facts.drawn == 2
    assert facts.reply is not None and facts.reply <= 12 * HOUR
    assert queries.profile_of(player, later + timedelta(days=91)).time_outs == 0
    assert queries.profile_of(rival, later).finished_percent == 100


def test_a_player_without_matches_has_no_figures(stranger, now):
    facts = queries.profile_of(stranger, now)
    assert (facts.finished, facts.reply, facts.finished_percent, facts.time_outs) == (0, None, None, 0)


def test_a_record_during_play_tells_neither_cards_of_others_nor_that_an_order_played(player, rival, now):
    match = opened(now, player, rival, game="guts-pass")
    while not (passed := MoveLog.objects.filter(match=match, seat=0, text__startswith="pass ").first()):
        seat = due_seat(match).number
        answer(match, str(engine.due(state_of(match)).asks[seat].some(lambda count: count - 1)), now)
    MoveLog.objects.filter(pk=passed.pk).update(cause="order")
    own, other, watcher = (
        next(move for move in queries.record_of(match, viewer, now)["moves"] if move["n"] == passed.number)
        for viewer in (0, 1, None)
    )
    count = len(passed.text.split()) - 1
    assert count and (own["move"], own["cause"]) == (passed.text, "order")
    assert (other["move"], other["cause"]) == (watcher["move"], watcher["cause"]) == (f"pass ({count})", "seat")


def test_a_record_never_tells_who_else_could_open_nor_what_a_plan_was(player, rival, now):
    match = opened(now, player, rival, game="jacks", options={"betting": "sealed", "rounds": 1})
    while not MoveLog.objects.filter(match=match, text__startswith="plan").exists():
        seat, now = due_seat(match).number, pass_time(HOUR, now)
        last = legal(match, seat)[-1]
        answer(match, "plan check/call/call/call" if last.startswith("plan") else last, now, seat)
    play.resign(match_id=match.pk, seat=0, now=now)
    stored = list(MoveLog.objects.filter(match=match).order_by("number"))
    hidden = {entry.number: entry for entry in stored if entry.text.split(" ")[0] in ("open", "pass", "plan")}
    assert {entry.cause for entry in hidden.values()} >= {"seat"}
    for viewer in (None, 0):
        for move in queries.record_of(match, viewer, now)["moves"]:
            if move["n"] in hidden and move["seat"] != viewer:
                assert (move["move"], move["cause"]) == ("", "seat")
                together = [entry.made_at for entry in stored if entry.turn == move["turn"]]
                assert move["at"] == max(together).isoformat()
            elif move["n"] in hidden:
                assert move["move"] == hidden[move["n"]].text


def test_the_record_of_a_match_that_is_over_tells_all(player, rival, now, django_assert_max_num_queries):
    match = opened(now, player, rival)
    play_out(match, now)
    with django_assert_max_num_queries(8):
        record = queries.record_of(match.pk, None, now)
    assert len(record["moves"]) == match.log_length
    assert record["result"] == match.result
    assert record["story"] == match.story


def test_results_are_told_to_those_who_listen(player, rival, now):
    match = opened(now, player, rival, rated=True)
    assert queries.result_of(match.pk) is None
    play_out(match, now)
    assert list(queries.result_of(match.pk).places) == match.result["places"]
    told = queries.ended(match.pk)
    assert (told.is_rated, told.late, told.places) == (True, (), tuple(match.result["places"]))
    late = queries.ended(ended_on_time(now, player, rival).pk)
    assert late.late and late.users[late.late[0]] == player.pk


def test_players_and_watchers_talk_apart_until_the_end(player, rival, stranger, now):
    match = opened(now, player, rival)
    play.say(match_id=match.pk, user_id=player.pk, text="good  luck\n", now=now)
    play.say(match_id=match.pk, user_id=stranger.pk, text="he has a bad row", now=now)
    assert [line.text for line in queries.chat_of(match, 0, None)] == ["good luck"]
    assert [line.text for line in queries.chat_of(match, None, None)] == ["he has a bad row"]
    play_out(match, now)
    assert len(queries.chat_of(match, 0, None)) == 2


@pytest.mark.parametrize("text", ["", "   ", "\u200b\n", "x" * 501])
def test_talk_without_sense_is_refused(player, rival, now, text):
    match = opened(now, player, rival)
    with pytest.raises(play.BadRequest):
        play.say(match_id=match.pk, user_id=player.pk, text=text, now=now)


def test_talk_comes_at_most_ten_lines_a_minute(player, rival, now):
    match = opened(now, player, rival)
    for number in range(10):
        play.say(match_id=match.pk, user_id=player.pk, text=f"line {number}", now=now)
    with pytest.raises(play.TooMany):
        play.say(match_id=match.pk, user_id=player.pk, text="x", now=now)
    play.say(match_id=match.pk, user_id=player.pk, text="x", now=now + timedelta(minutes=1))


def test_a_line_that_arrives_twice_is_said_once(player, rival, now):
    match = opened(now, player, rival)
    for speaker, text in ((player, "hm"), (player, " hm\n"), (rival, "hm"), (player, "well"), (player, "hm")):
        play.say(match_id=match.pk, user_id=speaker.pk, text=text, now=now)
    play.say(match_id=match.pk, user_id=player.pk, text="hm", now=now + timedelta(minutes=2))
    assert [line.text for line in queries.chat_of(match, 0, None)] == ["hm", "hm", "well", "hm", "hm"]


def test_a_note_never_leaves_its_author_and_words_for_afterwards_wait(player, rival, stranger, now):
    match = opened(now, player, rival)
    play.write_note(match_id=match.pk, user_id=player.pk, text="he never concedes", now=now)
    play.write_note(match_id=match.pk, user_id=player.pk, afterwards="I was lucky", now=now)
    assert queries.notes_of(access.match_for(player, match.pk), player.pk).own_afterwards == "I was lucky"
    for reader in (rival, stranger, NOBODY):
        assert queries.notes_of(access.match_for(reader, match.pk), reader.pk) == queries.Notes()
    play_out(match, now)
    told = queries.notes_of(match, rival.pk)
    assert (told.own, [words for _person, words in told.afterwards]) == ("", ["I was lucky"])
    assert queries.notes_of(match, player.pk).own == "he never concedes"
    with pytest.raises(play.Refusal, match="while they play"):
        play.write_note(match_id=match.pk, user_id=player.pk, afterwards="and now this", now=now)


def test_who_only_watches_leaves_no_words_for_afterwards(player, rival, stranger, now):
    match = opened(now, player, rival)
    with pytest.raises(play.Refusal, match="Only players"):
        play.write_note(match_id=match.pk, user_id=stranger.pk, afterwards="boo", now=now)


def test_no_query_tells_of_sealed_answers_or_orders_of_others(player, rival, now):
    match = opened(now, player, rival, game="guts")
    answer(match, "in", now, seat=0)
    Order.objects.create(match=match, seat=0, kind="secret-plan", body={}, placed_at=now)
    assert SealedAnswer.objects.exists()
    seen = [queries.view_of(match, 1, now=now), queries.view_of(match, None, now=now)]
    for row in seen:
        assert row.view.answer is None and "secret-plan" not in repr(row)
        assert Move("in") not in [row.view.answer]
    assert queries.record_of(match, 1, now)["moves"] == []


def test_watching_costs_no_more_with_many_matches(player, rival, now, django_assert_num_queries):
    for _ in range(6):
        opened(now, player, rival)
    with django_assert_num_queries(2):
        assert len(queries.running_now(limit=4, now=now)) == 4
