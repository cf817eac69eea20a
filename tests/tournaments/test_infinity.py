"""The endless event: scores and opponents."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.infinity import Seeker, next_score, pair_seekers, score_history, score_weight, shown


def test_one_step_of_a_score_by_hand():
    # 16 players: K = 2·log2(16) = 8; a win from 1.2: (1.2·7 + 2) / 8 = 10.4 / 8 = 1.3
    step = next_score(1.2, 2, 16)
    assert (step.weight, step.new, shown(step.new)) == (8, 1.3, 1300)


def test_a_draw_at_the_middle_changes_nothing_and_steps_follow_each_other():
    steps = score_history([(1, 16), (2, 16), (0, 4)])
    assert [step.old for step in steps] == [1.0, 1.0, 1.125]
    assert [step.new for step in steps] == [1.0, 1.125, 0.84375]


@given(st.floats(0, 2), st.sampled_from([0, 1, 2]), st.integers(2, 100_000))
def test_a_score_stays_between_nothing_and_two_and_moves_towards_the_result(old, result, players):
    new = next_score(old, result, players).new
    assert 0 <= new <= 2
    assert abs(result - new) <= abs(result - old) + 1e-6


@st.composite
def fields(draw):
    seekers = [
        Seeker(
            number,
            draw(st.integers(1300, 1800)),
            draw(st.integers(1, 6)),
            draw(st.integers(0, 6)),
            draw(st.integers(0, 20)),
        )
        for number in range(draw(st.integers(0, 12)))
    ]
    pairs = st.sets(st.sampled_from([s.player for s in seekers]), min_size=2, max_size=2).map(frozenset)
    return seekers, draw(st.sets(pairs, max_size=20)) if len(seekers) > 1 else set()


@given(fields())
@settings(max_examples=60, deadline=None)
def test_nobody_gets_more_than_he_wished_nor_somebody_lately_met_nor_anybody_twice(field):
    seekers, lately = field
    made = pair_seekers(seekers, lately)
    pairs = [frozenset(pair) for pair in made]
    assert len(set(pairs)) == len(pairs)
    assert not set(pairs) & lately
    left = {s.player: s.wanted - s.running - sum(s.player in pair for pair in pairs) for s in seekers}
    assert all(left[s.player] >= min(0, s.wanted - s.running) for s in seekers)
    wanting = [player for player, places in left.items() if places > 0]
    for i, a in enumerate(wanting):
        for b in wanting[:i]:
            assert frozenset((a, b)) in lately | set(pairs)


@given(fields(), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_the_order_of_asking_has_no_influence(field, random):
    seekers, lately = field
    assert pair_seekers(random.sample(seekers, len(seekers)), lately) == pair_seekers(seekers, lately)


def test_who_waits_longest_chooses_first_and_takes_the_nearest():
    seekers = [
        Seeker("Ada", 1500, 1, 0, waiting_since=9),
        Seeker("Bo", 1510, 1, 0, waiting_since=3),
        Seeker("Cleo", 1530, 1, 0, waiting_since=8),
        Seeker("Dag", 1600, 1, 0, waiting_since=8),
    ]
    assert pair_seekers(seekers, []) == [("Bo", "Ada"), ("Cleo", "Dag")]
    assert pair_seekers(seekers, [frozenset(("Ada", "Bo"))]) == [("Bo", "Cleo"), ("Dag", "Ada")]


def test_others_are_served_before_anybody_gets_a_second_match():
    seekers = [
        Seeker(name, rating, 2, 0, 0) for name, rating in (("Ada", 1500), ("Bo", 1501), ("Cleo", 1700), ("Dag", 1701))
    ]
    assert pair_seekers(seekers, [])[:2] == [("Ada", "Bo"), ("Cleo", "Dag")]
    assert len(pair_seekers(seekers, [])) == 4


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (lambda: Seeker("Ada", 1500, 0, 0, 0), "1 to 6"),
        (lambda: Seeker("Ada", 1500, 7, 0, 0), "1 to 6"),
        (lambda: Seeker("Ada", 1500, 1, -1, 0), "negative"),
        (lambda: next_score(1, 3, 9), "0, 1 or 2"),
        (lambda: next_score(2.1, 1, 9), "between 0 and 2"),
        (lambda: score_weight(1), "two players"),
        (lambda: pair_seekers([Seeker("Ada", 1500, 1, 0, 0)] * 2, []), "Ada is named more than once"),
    ],
)
def test_impossible_values_are_refused(act, sentence):
    with pytest.raises(ValueError, match=sentence):
        act()
