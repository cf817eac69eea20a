"""A whole ladder: invariants under any sequence of events, and the cases that are easy to get wrong."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.ladder import Ladder

EIGHT = ["Ada", "Bo", "Cleo", "Dag", "Eli", "Fay", "Gus", "Hana"]


def playing(ladder, number, by, to, now):
    """A challenge that is accepted at once."""
    assert ladder.challenge(number, by, to, now) is None
    assert ladder.accept(number, now) is None


def by_hand(order, winner, loser):
    """The rule, spelled out on a list: take the winner out and put him back directly above the loser."""
    if order.index(winner) < order.index(loser):
        return order
    rest = [player for player in order if player != winner]
    rest.insert(rest.index(loser), winner)
    return rest


people = st.sampled_from([*EIGHT[:6], "stranger"])
numbers = st.integers(1, 12)
events = st.one_of(
    st.tuples(st.just("challenge"), people, people),
    st.tuples(st.sampled_from(["accept", "decline", "cancel"]), numbers),
    st.tuples(
        st.just("finish"),
        numbers,
        st.sampled_from(["by", "to", None]),
        st.sampled_from(["normal", "timeout", "aborted"]),
    ),
    st.tuples(st.sampled_from(["join", "leave", "go_away", "come_back", "seen_moving"]), people),
)


def run(timeline, sweep=False):
    """The ladder at first and after each event, some hours after the last; `sweep` looks in every hour between."""
    ladder, now, count = Ladder(EIGHT[:6]), 0, 0
    yield ladder
    for pause, (verb, *details) in timeline:
        if sweep:
            for hour in range(now, now + pause):
                ladder.advance(hour)
        now += pause
        if verb == "challenge":
            count += 1
            ladder.challenge(count, *details, now)
        elif verb == "finish":
            number, side, how = details
            challenge = ladder.challenges.get(number)
            winner = getattr(challenge, side) if challenge and side else None
            ladder.finish(number, winner, how, now)
        else:
            getattr(ladder, verb)(*details, now)
        yield ladder


timelines = st.lists(st.tuples(st.sampled_from([0, 1, 24, 100, 300, 700]), events), max_size=40)


@given(timelines)
@settings(max_examples=80, deadline=None)
def test_positions_have_no_gaps_and_no_pair_plays_twice_at_once(timeline):
    for ladder in run(timeline):
        assert sorted(ladder.order) == sorted(ladder.members)
        assert len(set(ladder.order)) == len(ladder.order)
        assert [ladder.position(player) for player in ladder.order] == list(range(1, len(ladder.order) + 1))
        pairs = [frozenset((c.by, c.to)) for c in ladder.challenges.values() if c.is_open]
        assert len(set(pairs)) == len(pairs)
        pending = [c for c in ladder.challenges.values() if c.state == "pending"]
        assert all(c.by in ladder.members and c.to in ladder.members for c in pending)


@given(timelines)
@settings(max_examples=80, deadline=None)
def test_positions_can_be_rebuilt_from_the_history(timeline):
    *_, ladder = run(timeline)
    order = list(EIGHT[:6])
    for step in ladder.history:
        if step.from_rung is not None:
            assert order.pop(step.from_rung - 1) == step.player
        if step.to_rung is not None:
            order.insert(step.to_rung - 1, step.player)
    assert order == ladder.order


@given(timelines)
@settings(max_examples=25, deadline=None)
def test_a_late_sweep_gives_the_same_as_a_punctual_one(timeline):
    *_, late = run(timeline)
    *_, punctual = run(timeline, sweep=True)
    assert late.history == punctual.history
    assert late.order == punctual.order


@given(st.permutations(EIGHT), st.integers(0, 3), st.booleans())
@settings(max_examples=40, deadline=None)
def test_one_rule_for_every_decided_game(order, distance, challenger_wins):
    ladder = Ladder(order)
    by, to = order[5], order[5 - distance - 1]
    playing(ladder, 1, by, to, 1)
    winner, loser = (by, to) if challenger_wins else (to, by)
    assert ladder.finish(1, winner, "normal", 10) is None
    assert ladder.order == by_hand(list(order), winner, loser)


def test_a_challenge_ends_slots_at_once_however_it_ends():
    ladder = Ladder(EIGHT)
    playing(ladder, 1, "Fay", "Eli", 0)
    playing(ladder, 2, "Fay", "Dag", 0)
    assert ladder.challenge(3, "Fay", "Cleo", 1) == "out_limit"
    assert ladder.finish(1, None, "aborted", 2) is None
    assert ladder.challenge(4, "Fay", "Eli", 3) is None  # aborted by staff: no waiting time for the pair
    assert ladder.challenge(5, "Fay", "Cleo", 4) == "out_limit"
    assert ladder.cancel(4, 5) is None
    assert ladder.challenge(6, "Fay", "Eli", 6) == "pair_cooldown"
    assert ladder.challenge(7, "Fay", "Cleo", 7) is None


def test_two_players_cannot_challenge_each_other():
    ladder = Ladder(EIGHT)
    assert ladder.challenge(1, "Bo", "Ada", 5) is None
    assert ladder.challenge(2, "Ada", "Bo", 5) == "not_above"
    playing(ladder, 3, "Dag", "Cleo", 6)
    ladder.finish(3, "Dag", "normal", 7)
    assert ladder.challenge(4, "Cleo", "Dag", 8) == "pair_cooldown"


def test_an_answer_in_the_very_hour_comes_too_late():
    ladder = Ladder(EIGHT)
    ladder.challenge(1, "Dag", "Ada", 1)
    assert ladder.accept(1, 121) == "not_pending"
    assert ladder.order[0] == "Dag"
    assert ladder.challenges[1].state == "ignored"


def test_a_second_leave_pauses_the_answer_again():
    ladder = Ladder(EIGHT)
    ladder.challenge(1, "Dag", "Ada", 0)
    for start, end in ((50, 100), (140, 500)):
        ladder.go_away("Ada", start)
        ladder.come_back("Ada", end)
    ladder.advance(529)  # 50 + 40 + 29 hours have run
    assert ladder.challenges[1].state == "pending"
    ladder.advance(530)
    assert ladder.challenges[1].state == "ignored"


def test_a_draw_on_time_costs_nobody_a_strike():
    ladder = Ladder(EIGHT)
    playing(ladder, 1, "Dag", "Ada", 0)
    ladder.finish(1, None, "timeout", 5)
    assert ladder.history[-1].kind == "draw"
    assert ladder.members["Ada"].strikes == ladder.members["Dag"].strikes == []


def lose_on_time(ladder, number, by, now):
    playing(ladder, number, by, "Bo", now)
    ladder.finish(number, by, "timeout", now)


def stay_awake(ladder, now):
    for player in list(ladder.order):
        ladder.seen_moving(player, now)


def test_the_third_strike_in_ninety_days_removes_after_the_move():
    ladder = Ladder(EIGHT)
    for number, by in enumerate(("Dag", "Eli", "Fay"), start=1):
        lose_on_time(ladder, number, by, 0)
    assert ladder.order == ["Ada", "Dag", "Eli", "Fay", "Cleo", "Gus", "Hana"]
    assert [step.kind for step in ladder.history] == ["timeout", "timeout", "timeout", "struck_out"]


def test_strikes_lapse_after_ninety_days_and_end_with_the_membership():
    ladder = Ladder(EIGHT)
    lose_on_time(ladder, 1, "Dag", 0)
    lose_on_time(ladder, 2, "Eli", 600)
    for hour in (700, 1300, 1900, 2159):
        stay_awake(ladder, hour)
    lose_on_time(ladder, 3, "Fay", 2160)  # the first strike is ninety days old now
    assert ladder.members["Bo"].strikes == [600, 2160]
    ladder.leave("Bo", 2161)
    ladder.join("Bo", 2161 + 168)
    assert ladder.members["Bo"].strikes == []


def test_own_leave_stops_idle_time_and_a_time_out_does_not_wake():
    ladder = Ladder(EIGHT[:5])
    for player in EIGHT[:4]:
        ladder.seen_moving(player, 600)
    ladder.go_away("Eli", 700)
    ladder.come_back("Eli", 1000)
    assert [step.player for step in ladder.history] == []
    ladder.advance(1019)
    assert ladder.history == []
    ladder.advance(1020)  # 700 + 20 hours without leave
    assert [(step.kind, step.player) for step in ladder.history] == [("idle_drop", "Eli")]
    awake = Ladder(EIGHT[:5])
    playing(awake, 1, "Bo", "Ada", 0)
    awake.finish(1, "Bo", "timeout", 500)
    awake.advance(730)
    assert "Ada" in {step.player for step in awake.history if step.kind == "idle_drop"}
    assert "Bo" not in {step.player for step in awake.history if step.kind == "idle_drop"}


def test_removal_by_staff_is_told_apart_in_the_history():
    ladder = Ladder(EIGHT)
    ladder.challenge(1, "Dag", "Ada", 0)
    assert ladder.leave("Ada", 3, kind="removed") is None
    assert (ladder.history[-1].kind, ladder.history[-1].from_rung) == ("removed", 1)
    assert ladder.challenges[1].state == "void"
    assert ladder.order == EIGHT[1:]


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda ladder: ladder.advance(0), "comes after hour 1"),
        (lambda ladder: ladder.challenge(1, "Eli", "Dag", 2), "Challenge 1 exists"),
        (lambda ladder: ladder.finish(1, "Ada", "boredom", 2), "cannot end by boredom"),
        (lambda ladder: ladder.finish(1, "Bo", "normal", 2), "Bo does not play in challenge 1"),
    ],
)
def test_impossible_events_are_refused(act, sentence):
    ladder = Ladder(EIGHT)
    playing(ladder, 1, "Dag", "Ada", 1)
    with pytest.raises(ValueError, match=sentence):
        act(ladder)
    assert ladder.order == EIGHT


def test_nobody_stands_on_two_rungs():
    with pytest.raises(ValueError, match="Ada is named more than once"):
        Ladder(["Ada", "Bo", "Ada"])
