"""Rulings on players and games: what follows from each, what is refused, and that everybody can read them."""

from datetime import timedelta

import pytest
from django.test import Client

from oceans import queries
from oceans.models import Match, Seat
from oceans.refusals import Refusal
from tests.conftest import person
from tests.tournaments.made import (
    by_strength,
    end_match,
    event_of,
    fields,
    finish,
    open_event,
    play_event,
    running_matches,
)
from tests.tournaments.made import places as places_of
from tournaments import directing, infinity, plans, ratings, rulings, running, ticking
from tournaments.event_rows import value_of
from tournaments.models import Award, Entrant, EventMatch, Pairing, RatingEvent, Ruling, Tournament

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def test_a_result_is_set_by_a_ruling_that_everybody_can_read(now, staff):
    event = event_of(now, fields(3))
    pairing = Pairing.objects.get(board=1)
    _first, second = pairing.players
    terms = {"tournament_id": event.pk, "number": 1, "board": 1, "by": staff, "now": now}
    rulings.set_result(**terms, points=(0, 2), why="neither answered <me>")
    pairing.refresh_from_db()
    assert (pairing.points, pairing.how, pairing.winner_id) == ([0, 2], "played", second)
    match = pairing.matches.get()
    assert Match.objects.get(pk=match.match_id).status == "cancelled"
    running.record_result(queries.ended(match.match_id), now)
    assert pairing.matches.count() == 1
    page = Client().get(f"/tournaments/{event.pk}/").content.decode()
    assert "result set" in page and "neither answered &lt;me&gt;" in page and "before: open" in page
    rulings.set_result(**terms, points=(1, 1), why="agreed")
    assert Ruling.objects.count() == 2
    play_event(event, now)
    assert event.state == "finished"


@pytest.mark.parametrize(
    ("change", "words"),
    [({"board": 9}, "no game of this round"), ({"points": (2, 2)}, "ends 1–0")],
)
def test_rulings_that_make_no_sense_change_nothing(now, staff, change, words):
    event = event_of(now, fields(3))
    terms = {"tournament_id": event.pk, "number": 1, "board": 1, "points": (2, 0), "by": staff, "now": now, "why": ""}
    with pytest.raises(Refusal, match=words):
        rulings.set_result(**{**terms, **change})
    assert not Ruling.objects.exists()
    assert set(Pairing.objects.values_list("how", flat=True)) == {"open"}


def test_a_reason_is_one_line_whatever_is_sent(now, staff):
    event = event_of(now, fields(3))
    client = Client()
    client.force_login(staff)
    client.post(f"/tournaments/{event.pk}/pause/", {"why": " back\x00 on\nMonday\u202e"})
    assert Ruling.objects.get().why == "back on Monday"


def test_a_result_that_is_set_twice_is_one_ruling(now, staff):
    event = event_of(now, fields(4), format="knock-out")
    terms = {"round": 1, "board": 1, "result": "1-0", "why": "never came"}
    client = Client()
    client.force_login(staff)
    for _post in range(2):
        client.post(f"/tournaments/{event.pk}/set-result/", terms)
    assert Ruling.objects.count() == 1
    end_all(event, now)
    moves(running_matches(event).get().match_id)
    for _post in range(2):
        client.post(f"/tournaments/{event.pk}/set-result/", {**terms, "result": "0-1"})
    assert [one.about for one in Ruling.objects.filter(about__contains="without effect")] == [
        "round 1, board 1, before: 2 – 0; without effect on the bracket: the next game had begun"
    ]


@pytest.mark.parametrize("format", ["round-robin", "swiss", "knock-out", "infinity"])
def test_a_director_who_plays_does_not_rule_on_his_opponents(now, staff, format):
    people = fields(4)
    event = open_event(now, people, format=format, **({} if format == "infinity" else {"most": 4}))
    own = Pairing.objects.filter(how="open").first()
    director, rival = (next(one for one in people if one.pk == player) for player in own.players)
    Tournament.objects.update(made_by=director)
    terms = {"tournament_id": event.pk, "user_id": rival.pk, "now": now}
    taking_out = [rulings.withdraw, rulings.exclude]
    if format != "infinity":
        taking_out.append(lambda **terms: rulings.replace(**terms, with_id=staff.pk))
    for ruling in taking_out:
        with pytest.raises(Refusal, match="opponent of yours"):
            ruling(**terms, by=director)
    assert not Ruling.objects.exists() and Entrant.objects.filter(state="in").count() == 4
    if format != "round-robin":
        other = next(one for one in people if one.pk not in own.players)
        rulings.withdraw(**{**terms, "user_id": other.pk}, by=director)
    rulings.exclude(**terms, by=staff)


def test_in_a_group_a_director_has_a_stake_in_games_that_are_over_too(now, staff):
    director, *others = people = fields(4)
    event = event_of(now, people)
    Tournament.objects.update(made_by=director)
    own = next(row for row in Pairing.objects.all() if {director.pk, others[0].pk} == {*row.players})
    end_match(own.matches.get(), now, by_strength(own.players))
    terms = {"tournament_id": event.pk, "user_id": others[0].pk, "now": now}
    with pytest.raises(Refusal, match="opponent of yours"):
        rulings.withdraw(**terms, by=director)
    rulings.withdraw(**terms, by=staff)
    with pytest.raises(Refusal, match="opponent of yours"):
        rulings.reinstate(**terms, by=director)


def test_a_director_does_not_take_himself_back_in(now):
    people = fields(4)
    event = event_of(now, people, format="swiss")
    Tournament.objects.update(made_by=people[0])
    running.withdraw(tournament_id=event.pk, user_id=people[0].pk, now=now)
    with pytest.raises(Refusal, match="Nobody takes himself back in"):
        rulings.reinstate(tournament_id=event.pk, user_id=people[0].pk, by=people[0], now=now)


def test_a_ruling_in_the_endless_event_is_followed_by_the_scores(now, staff):
    one, other = people = fields(2)
    event = open_event(now, people, format="infinity")
    days = infinity.LATELY_DAYS + 1
    for number in range(2):
        play_event(event, now + timedelta(days=number * days))
        running.sweep(now + timedelta(days=(number + 1) * days))
    pairing = Pairing.objects.order_by("pk").first()
    points = tuple(0 if player == one.pk else 2 for player in pairing.players)
    assert dict(event.entrants.values_list("user", "score")) == {one.pk: 1.75, other.pk: 0.25}
    later = now + timedelta(days=2 * days)
    terms = {"tournament_id": event.pk, "number": pairing.round.number, "by": staff, "now": later}
    rulings.set_result(**terms, board=pairing.board, points=points)
    assert dict(event.entrants.values_list("user", "score")) == {one.pk: 1.25, other.pk: 0.75}
    shown = Client().get(f"/tournaments/{event.pk}/").content.decode()
    assert "(500 × (2.00 − 1) + 2000) / 2.00 = 1250" in shown
    open_one = Pairing.objects.get(how="open")
    terms["number"] = open_one.round.number
    rulings.set_result(**terms, board=open_one.board, points=(1, 1))
    running.record_result(queries.ended(open_one.matches.get().match_id), later)
    assert dict(event.entrants.values_list("user", "score")) == {one.pk: 1.125, other.pk: 0.875}


def test_a_director_does_not_rule_on_games_of_his_own(now):
    people = fields(3)
    event = event_of(now, people)
    Tournament.objects.update(made_by=people[0])
    own = next(row for row in Pairing.objects.all() if people[0].pk in row.players)
    with pytest.raises(Refusal, match="ask the staff"):
        rulings.set_result(
            tournament_id=event.pk, number=1, board=own.board, points=(2, 0), by=people[0], now=now, why=""
        )


def test_who_left_a_swiss_by_mistake_is_paired_again(now, staff):
    people = fields(6)
    event = event_of(now, people, format="swiss")
    running.withdraw(tournament_id=event.pk, user_id=people[5].pk, now=now)
    rulings.reinstate(tournament_id=event.pk, user_id=people[5].pk, by=staff, now=now, why="slip of the finger")
    assert Entrant.objects.get(user=people[5]).state == "in"
    for match in list(running_matches(event)):
        end_match(match, now, by_strength(match.pairing.players))
    assert any(people[5].pk in row.players for row in Pairing.objects.filter(round__number=2))
    with pytest.raises(Refusal, match="Only who has left"):
        rulings.reinstate(tournament_id=event.pk, user_id=people[5].pk, by=staff, now=now)


def moves(match):
    """Let somebody have moved in a game."""
    Seat.objects.filter(match=match, number=0).update(has_moved=True)


def end_all(event, now):
    for match in list(running_matches(event)):
        end_match(match, now, by_strength(match.pairing.players))


def test_in_a_bracket_a_ruling_changes_who_goes_on_until_somebody_has_moved_there(now, staff):
    people = fields(4)
    event = event_of(now, people, format="knock-out")
    terms = {"tournament_id": event.pk, "number": 1, "board": 1, "by": staff, "now": now}
    with pytest.raises(Refusal, match="must go on"):
        rulings.set_result(**terms, points=(1, 1))
    end_all(event, now)
    first = Pairing.objects.get(round__number=1, board=1)
    final = Pairing.objects.get(round__number=2)
    called_off = final.matches.get().match_id
    assert first.winner_id in final.players
    other = next(player for player in first.players if player != first.winner_id)
    points = tuple(0 if player == first.winner_id else 2 for player in first.players)
    rulings.set_result(**terms, points=points)
    final = Pairing.objects.get(round__number=2)
    assert other in final.players and first.winner_id not in final.players
    assert Match.objects.get(pk=called_off).status == "cancelled"
    running.record_result(queries.ended(called_off), now)
    assert final.matches.count() == 1
    moves(final.matches.get().match_id)
    rulings.set_result(**terms, points=points[::-1])
    assert "without effect" in Ruling.objects.order_by("-pk").first().about
    first.refresh_from_db()
    assert first.winner_id == other
    with pytest.raises(Refusal, match="next game has begun"):
        rulings.reopen(**terms)
    play_event(event, now)
    assert event.state == "finished"


def test_a_ruling_in_a_group_draws_a_bracket_anew_that_has_not_begun(now, staff):
    event = event_of(now, fields(8), format="cup", shape={"limit": 4})
    end_all(event, now)
    event.refresh_from_db()
    before = event.shape["bracket"]
    strong, weak = before[0], event.entrants.exclude(user__in=before).order_by("-seed").first()
    for row in Pairing.objects.filter(group=weak.group):
        if weak.user_id in row.players:
            points = tuple(2 if player == weak.user_id else 0 for player in row.players)
            rulings.set_result(
                tournament_id=event.pk, number=1, board=row.board, points=points, by=staff, now=now, why="cheats"
            )
    event.refresh_from_db()
    assert weak.user_id in event.shape["bracket"]
    moves(Pairing.objects.filter(group=0).first().matches.get().match_id)
    settled = event.shape["bracket"]
    row = next(row for row in Pairing.objects.filter(group=1) if strong in row.players)
    rulings.exclude(tournament_id=event.pk, user_id=strong, by=staff, now=now)
    rulings.set_result(tournament_id=event.pk, number=1, board=row.board, points=(0, 0), by=staff, now=now)
    event.refresh_from_db()
    assert event.shape["bracket"] == settled
    with pytest.raises(Refusal, match="bracket has begun"):
        other = next(row for row in Pairing.objects.filter(group=1) if strong not in row.players)
        rulings.reopen(tournament_id=event.pk, number=1, board=other.board, by=staff, now=now)
    play_event(event, now)
    assert event.state == "finished"
    assert event.entrants.get(user=strong).place is None


def put_out_last(event, now, staff):
    """Put out the weakest of the group of start number 1, after all his games."""
    home = event.entrants.get(seed=1)
    last = event.entrants.filter(level=home.level, group=home.group).latest("seed").user_id
    for match in list(running_matches(event)):
        if last in match.pairing.players:
            end_match(match, now, by_strength(match.pairing.players))
    rulings.exclude(tournament_id=event.pk, user_id=last, by=staff, now=now)


def test_games_against_who_was_put_out_of_a_group_count_for_who_goes_on(now, staff):
    event = event_of(now, fields(8), format="cup", shape={"limit": 4})
    put_out_last(event, now, staff)
    play_event(event, now)
    assert event.state == "finished" and places_of(event)["p1"] == 1


def test_a_league_goes_on_after_somebody_was_put_out(now, staff):
    league = open_event(now, fields(8), format="league", starts="date", series="league-oe-twos")
    ticking.steps(now + 7 * DAY)
    league.refresh_from_db()
    put_out_last(league, now + 7 * DAY, staff)
    play_event(league, now + 7 * DAY)
    ticking.steps(now + 14 * DAY)
    following = Tournament.objects.get(edition=2)
    assert following.is_running and following.entered == 7


def test_who_is_put_out_of_a_league_after_its_end_is_not_in_the_next_edition(now, staff):
    league = open_event(now, fields(8), format="league", starts="date", series="league-oe-twos")
    ticking.steps(now + 7 * DAY)
    league.refresh_from_db()
    play_event(league, now + 8 * DAY)
    gone, back = (league.entrants.get(seed=seed).user_id for seed in (1, 2))
    following = Tournament.objects.get(edition=2)
    running.withdraw(tournament_id=following.pk, user_id=back, now=now + 9 * DAY)
    running.enter(tournament_id=following.pk, user_id=back, now=now + 9 * DAY)
    terms = {"tournament_id": league.pk, "by": staff, "now": now + 10 * DAY}
    for user_id in (gone, back):
        rulings.exclude(**terms, user_id=user_id)
    following.refresh_from_db()
    assert following.entered == 7 and following.starts_at == now + 15 * DAY
    inside = following.entrants.filter(state="in").values_list("user", flat=True)
    assert gone not in inside and back in inside


def test_who_was_put_out_early_is_struck_out_of_a_round_robin(now, staff):
    event = event_of(now, fields(4))
    last = event.entrants.get(seed=4).user_id
    (match,) = [
        one for one in running_matches(event) if {last, event.entrants.get(seed=1).user_id} == {*one.pairing.players}
    ]
    end_match(match, now, {player: 1 + (player != last) for player in match.pairing.players})
    rulings.exclude(tournament_id=event.pk, user_id=last, by=staff, now=now)
    play_event(event, now)
    table = plans.group_table(value_of(event))
    assert [line.values["points"] for line in table.standings] == [4, 2, 0]


def test_a_game_is_played_again_and_the_old_one_counts_no_more(now, staff):
    event = event_of(now, fields(4), format="swiss")
    end_all_but_one = list(running_matches(event))[:-1]
    for match in end_all_but_one:
        end_match(match, now, by_strength(match.pairing.players))
    again = end_all_but_one[0].pairing
    terms = {"tournament_id": event.pk, "number": 1, "by": staff, "now": now}
    rulings.reopen(**terms, board=again.board, why="wrong rules")
    again.refresh_from_db()
    assert again.is_open and again.matches.count() == 2
    with pytest.raises(Refusal, match="still being played"):
        rulings.reopen(**terms, board=again.board)
    end_match(running_matches(event).get(pairing=again), now, {again.players[0]: 2, again.players[1]: 1})
    again.refresh_from_db()
    assert again.points == [0, 2]
    end_all(event, now)
    with pytest.raises(Refusal, match="next round has been paired"):
        rulings.reopen(**terms, board=again.board)
    play_event(event, now)
    assert event.state == "finished"


def test_a_forfeit_is_taken_back_with_the_player(now, staff):
    people = fields(4)
    event = event_of(now, people)
    gone = people[3]
    rulings.withdraw(tournament_id=event.pk, user_id=gone.pk, by=staff, now=now, why="asked me to")
    with pytest.raises(Refusal, match="not in the event"):
        rulings.withdraw(tournament_id=event.pk, user_id=gone.pk, by=staff, now=now)
    row = next(row for row in Pairing.objects.filter(how="forfeit") if gone.pk in row.players)
    terms = {"tournament_id": event.pk, "number": 1, "board": row.board, "by": staff, "now": now}
    with pytest.raises(Refusal, match="take him back in first"):
        rulings.reopen(**terms)
    rulings.reinstate(tournament_id=event.pk, user_id=gone.pk, by=staff, now=now)
    rulings.reopen(**terms)
    row.refresh_from_db()
    assert row.is_open and running_matches(event).filter(pairing=row).count() == 1
    assert event.entrants.filter(state="in").count() == Tournament.objects.get().entered == 4


@pytest.mark.parametrize(
    "terms",
    [
        {"most": 9, "starts": "hand"},
        {"format": "infinity"},
        {"format": "swiss", "most": 9, "starts": "hand"},
    ],
    ids=["open", "endless", "late"],
)
def test_who_was_put_out_comes_back_by_a_ruling_only(now, staff, terms):
    people = fields(5)
    event = open_event(now, people, **terms)
    gone = people[4]
    is_late = event.format == "swiss"
    rulings.exclude(tournament_id=event.pk, user_id=gone.pk, by=staff, now=now)
    if is_late:
        directing.start(tournament_id=event.pk, by=staff, now=now)
    client = Client()
    client.force_login(gone)
    page = f"/tournaments/{event.pk}/"
    for response in (client.get(page), client.post(f"{page}enter/", follow=True)):
        assert "only its director can take you back in" in response.content.decode()
    assert Entrant.objects.get(user=gone).state == "excluded" and Tournament.objects.get().entered == 4
    rulings.reinstate(tournament_id=event.pk, user_id=gone.pk, by=staff, now=now, why="on reflection")
    assert Entrant.objects.get(user=gone).state == "in" and Tournament.objects.get().entered == 5
    assert Entrant.objects.get(user=gone).late_in == (2 if is_late else 0)


def test_who_was_taken_back_in_may_fill_an_event_and_so_start_it(now, staff):
    one, other = people = fields(2)
    event = open_event(now, [one], format="knock-out", most=2)
    rulings.exclude(tournament_id=event.pk, user_id=one.pk, by=staff, now=now)
    running.enter(tournament_id=event.pk, user_id=other.pk, now=now)
    assert Tournament.objects.get().is_open
    rulings.reinstate(tournament_id=event.pk, user_id=one.pk, by=staff, now=now)
    assert running_matches(event).get().pairing.players == [user.pk for user in people]


def test_who_was_put_out_before_the_start_is_too_late_once_everybody_is_paired(now, staff):
    people = fields(4)
    event = open_event(now, people[:1], most=3)
    rulings.exclude(tournament_id=event.pk, user_id=people[0].pk, by=staff, now=now)
    for one in people[1:]:
        running.enter(tournament_id=event.pk, user_id=one.pk, now=now)
    with pytest.raises(Refusal, match="began without this player"):
        rulings.reinstate(tournament_id=event.pk, user_id=people[0].pk, by=staff, now=now)


def test_nobody_is_taken_back_into_an_event_that_is_full(now, staff):
    people = fields(4)
    event = event_of(now, people, format="swiss")
    running.withdraw(tournament_id=event.pk, user_id=people[3].pk, now=now)
    running.enter(tournament_id=event.pk, user_id=person("late").pk, now=now)
    with pytest.raises(Refusal, match="full"):
        rulings.reinstate(tournament_id=event.pk, user_id=people[3].pk, by=staff, now=now)
    with pytest.raises(Refusal, match="full"):
        terms = {"user_id": people[3].pk, "with_id": person("fresh").pk}
        rulings.replace(tournament_id=event.pk, **terms, by=staff, now=now)
    assert event.entrants.filter(state="in").count() == 4


def test_in_a_bracket_nobody_comes_back_whose_opponent_was_paired_on(now, staff):
    event = event_of(now, fields(4), format="knock-out")
    first, second = Pairing.objects.order_by("board")
    for row in (first, second):
        running.withdraw(tournament_id=event.pk, user_id=row.players[0], now=now)
    with pytest.raises(Refusal, match="paired on"):
        rulings.reinstate(tournament_id=event.pk, user_id=first.players[0], by=staff, now=now)


def test_another_player_takes_a_place_before_its_first_move(now, staff):
    people = fields(4)
    event = event_of(now, people)
    late, new = people[3], person("fresh")
    terms = {"tournament_id": event.pk, "user_id": late.pk, "by": staff, "now": now}
    with pytest.raises(Refusal, match="already"):
        rulings.replace(**terms, with_id=people[0].pk)
    seed = Entrant.objects.get(user=late).seed
    rulings.replace(**terms, with_id=new.pk, why="never came")
    assert Entrant.objects.get(user=new).seed == seed
    assert not any(late.pk in row.players for row in Pairing.objects.all())
    rows = [row for row in Pairing.objects.all() if new.pk in row.players]
    assert len(rows) == 3
    for row in rows:
        opened = row.matches.get(ended_at=None)
        assert set(queries.ended(opened.match_id).users) == set(row.players)
    for match in Match.objects.filter(status="cancelled"):
        running.record_result(queries.ended(match.pk), now)
    moves(rows[0].matches.get(ended_at=None).match_id)
    Seat.objects.filter(user=new).update(has_moved=True)
    with pytest.raises(Refusal, match="has moved here"):
        rulings.replace(tournament_id=event.pk, user_id=new.pk, with_id=staff.pk, by=staff, now=now)
    play_event(event, now)
    assert event.state == "finished" and places_of(event)["fresh"] == 4
    assert "fresh for p4" in Ruling.objects.get(kind="replace").about


def test_a_round_is_paired_anew_while_nobody_has_moved(now, staff):
    people = fields(6)
    event = event_of(now, people, format="swiss")
    running.withdraw(tournament_id=event.pk, user_id=people[5].pk, now=now)
    terms = {"tournament_id": event.pk, "by": staff, "now": now}
    page = f"/tournaments/{event.pk}/"
    client = Client()
    client.force_login(staff)
    first = event.rounds.get().pk
    assert f'name="round" value="{first}"' in client.get(page).content.decode()
    for _post in range(2):
        answer = client.post(f"{page}repair-round/", {"round": first, "why": "somebody left at once"}, follow=True)
        assert "The round is paired anew." in answer.content.decode()
    assert Ruling.objects.count() == 1
    terms["round_id"] = event.rounds.get().pk
    assert not any(people[5].pk in row.players for row in Pairing.objects.all())
    assert Pairing.objects.filter(how="bye").count() == 1 and running_matches(event).count() == 2
    moves(running_matches(event).first().match_id)
    with pytest.raises(Refusal, match="has moved in this round"):
        rulings.repair_round(**terms)
    play_event(event, now)
    assert event.state == "finished"
    with pytest.raises(Refusal, match="running Swiss"):
        rulings.repair_round(**terms)


def test_a_director_rules_that_a_game_does_not_count_for_ratings(now, staff):
    event = event_of(now, fields(4))
    match = running_matches(event).first()
    finish(match.match, by_strength(match.pairing.players), now)
    ended = queries.ended(match.match_id)
    ratings.record_result(ended, now)
    running.record_result(ended, now)
    terms = {"tournament_id": event.pk, "number": 1, "board": match.pairing.board, "by": staff, "now": now}
    rulings.void_rating(**terms, why="the wrong pair sat down")
    assert RatingEvent.objects.filter(kind="void").count() == 1
    with pytest.raises(Refusal, match="No game of this pairing counts"):
        rulings.void_rating(**terms)
    match.pairing.refresh_from_db()
    assert match.pairing.how == "played"


def test_after_the_end_a_ruling_moves_places_badges_and_titles(now, staff):
    event = play_event(event_of(now, fields(5)), now)
    row = next(
        row
        for row in Pairing.objects.all()
        if set(row.players) == {e.user_id for e in event.entrants.filter(place__lte=2)}
    )
    points = tuple(0 if player == event.entrants.get(place=1).user_id else 2 for player in row.players)
    rulings.set_result(tournament_id=event.pk, number=1, board=row.board, points=points, by=staff, now=now)
    assert places_of(event) == {"p2": 1, "p1": 2, "p3": 3, "p4": 4, "p5": 5}
    assert Award.objects.get(kind="first").user.username == "p2"
    rulings.exclude(tournament_id=event.pk, user_id=event.entrants.get(place=1).user_id, by=staff, now=now)
    assert places_of(event)["p2"] is None
    assert sorted(Award.objects.values_list("user__username", "kind")) == [
        ("p1", "first"),
        ("p3", "second"),
        ("p4", "third"),
    ]
    with pytest.raises(Refusal, match="running event"):
        rulings.reopen(tournament_id=event.pk, number=1, board=1, by=staff, now=now)


def test_directors_who_were_named_rule_too_and_others_do_not(now, stranger):
    helper = person("helper")
    event = event_of(now, fields(3))
    terms = {"tournament_id": event.pk, "number": 1, "board": 1, "points": (2, 0), "now": now}
    for somebody in (helper, stranger):
        with pytest.raises(Refusal, match="Only the director"):
            rulings.set_result(**terms, by=somebody)
    event.directors.add(helper)
    rulings.set_result(**terms, by=helper)
    assert Ruling.objects.get().by == helper
    assert EventMatch.objects.filter(reason="adjudicated").count() == 1


def test_games_of_who_was_replaced_may_end_late(now, staff):
    first, *_others = people = fields(4)
    event = event_of(now, people)
    games = [one for one in running_matches(event) if first.pk in one.pairing.players]
    running.withdraw(tournament_id=event.pk, user_id=first.pk, now=now)
    rulings.replace(tournament_id=event.pk, user_id=first.pk, with_id=person("new").pk, by=staff, now=now)
    for game in games:
        running.record_result(queries.ended(game.match_id), now)
    assert play_event(event, now).state == "finished"
