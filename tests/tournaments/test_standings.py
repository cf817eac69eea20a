"""Whole tables: what counts, who shares a place, and that names and order of entry have no say."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.drawing import crosstable
from tournaments.fixtures import Fixture
from tournaments.players import Entrant
from tournaments.standings import round_robin, swiss
from tournaments.tiebreaks import Outing

NAMES = ["Ada", "Bo", "Cleo", "Dag", "Eli", "Fay", "Gus"]


def summary(table):
    return [(line.player, line.place, line.values["points"], line.values["sb"]) for line in table.standings]


def test_seven_with_a_walk_over_a_struck_player_and_two_level():
    #         Ada Bo  Cleo Dag Eli Fay Gus   without Fay: points   SB
    # Ada      -   1   2   0   2  (2)   1                   6      1·6 + 2·4 + 0·6 + 2·3 + 1·5 = 25
    # Bo       1   -   1   2   1  (2f)  1                   6      1·6 + 1·4 + 2·6 + 1·3 + 1·5 = 30
    # Cleo     0   1   -   2   1  (0)   0                   4      0·6 + 1·6 + 2·6 + 1·3 + 0·5 = 21
    # Dag      2   0   0   -   2  (2f)  2f                  6      2·6 + 0·6 + 0·4 + 2·3 + 2·5 = 28
    # Eli      0   1   1   0   -  (2f)  1                   3      0·6 + 1·6 + 1·4 + 0·6 + 1·5 = 15
    # Fay     (0) (0f) (2) (0f)(0f) -  (0f)     two of six played: struck out
    # Gus      1   1   2   0f  1  (2f)  -                   5      1·6 + 1·6 + 2·4 + 0·6 + 1·3 = 23
    entrants, fixtures = crosstable("""
        Ada   -  1  2  0  2  2  1
        Bo    1  -  1  2  1  2f 1
        Cleo  0  1  -  2  1  0  0
        Dag   2  0  0  -  2  2f 2f
        Eli   0  1  1  0  -  2f 1
        Fay   0  0f 2  0f 0f -  0f
        Gus   1  1  2  0f 1  2f -
    """)
    table = round_robin(entrants, fixtures, withdrawn=["Fay"])
    assert table.annulled == ["Fay"]
    assert summary(table) == [
        ("Bo", 1, 6, 30),
        ("Dag", 2, 6, 28),
        ("Ada", 3, 6, 25),
        ("Gus", 4, 5, 23),
        ("Cleo", 5, 4, 21),
        ("Eli", 6, 3, 15),
    ]
    assert [line.values["wins"] for line in table.standings] == [1, 2, 2, 1, 1, 0]


def test_level_in_everything_is_a_shared_place():
    entrants, fixtures = crosstable("Ada - 1 2 2\nBo 1 - 2 2\nCleo 0 0 - 1\nDag 0 0 1 -")
    lines = round_robin(entrants, fixtures).standings
    assert [(line.player, line.place, line.shared, line.strict) for line in lines] == [
        ("Ada", 1, True, 1),
        ("Bo", 1, True, 2),
        ("Cleo", 3, True, 3),
        ("Dag", 3, True, 4),
    ]


def test_half_played_is_enough_to_stand():
    #       Ada Bo Cleo Dag Eli
    # Ada    -   0  0   2f  2f     two of four: his games stand
    drawing = "Ada - 0 0 {0} {0}\nBo 2 - 1 1 1\nCleo 2 1 - 1 1\nDag {1} 1 1 - 1\nEli {1} 1 1 1 -"
    entrants, fixtures = crosstable(drawing.format("0f", "2f"))
    table = round_robin(entrants, fixtures, withdrawn=["Ada"])
    assert table.annulled == []
    assert summary(table)[-1][:3] == ("Ada", 5, 0)
    overdue, fixtures = crosstable(
        drawing.format("0o", "2o").replace("Ada - 0 ", "Ada - 0o ").replace("Bo 2 ", "Bo 2o ")
    )
    assert round_robin(overdue, fixtures, withdrawn=["Ada"]).annulled == ["Ada"]


def test_a_double_forfeit_gives_nothing_to_either():
    entrants, fixtures = crosstable("Ada - 0f 2\nBo 0f - 2\nCleo 0 0 -")
    assert summary(round_robin(entrants, fixtures)) == [("Ada", 1, 2, 0), ("Bo", 1, 2, 0), ("Cleo", 3, 0, 0)]


def test_an_excluded_player_is_not_ranked_but_was_met():
    entrants, fixtures = crosstable("Ada - 2 2\nBo 0 - 2\nCleo 0 0 -")
    assert summary(round_robin(entrants, fixtures, excluded=["Ada"])) == [("Bo", 1, 2, 0), ("Cleo", 2, 0, 0)]


def test_everybody_withdrawn_leaves_an_empty_table():
    entrants, fixtures = crosstable("Ada - 2f 0f\nBo 0f - .\nCleo 2f . -")
    table = round_robin(entrants, fixtures, withdrawn=["Ada", "Bo", "Cleo"])
    assert (table.standings, table.annulled) == ([], ["Ada", "Bo", "Cleo"])


@st.composite
def round_robins(draw):
    names = NAMES[: draw(st.integers(2, 7))]
    fixtures = []
    for i, a in enumerate(names):
        for b in names[:i]:
            how = draw(st.sampled_from(["played", "played", "forfeit", "overdue", "open"]))
            fixtures.append(Fixture(a, b, draw(st.sampled_from([(2, 0), (1, 1), (0, 2)])), how))
    return names, fixtures, draw(st.sets(st.sampled_from(names), max_size=2))


@given(round_robins())
@settings(max_examples=60, deadline=None)
def test_points_are_conserved_and_joint_places_are_fair(event):
    names, fixtures, withdrawn = event
    table = round_robin([Entrant(name, i) for i, name in enumerate(names)], fixtures, withdrawn)
    counted = [f for f in fixtures if f.is_decided and f.players.isdisjoint(table.annulled)]
    assert sum(line.values["points"] for line in table.standings) == 2 * len(counted)
    assert {line.player for line in table.standings} | set(table.annulled) == set(names)
    assert [line.strict for line in table.standings] == list(range(1, len(table.standings) + 1))
    for line in table.standings:
        better = [other for other in table.standings if other.place < line.place]
        assert line.place == len(better) + 1
        assert line.shared == (sum(other.place == line.place for other in table.standings) > 1)


@given(round_robins(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_names_and_the_order_of_entry_and_of_games_have_no_influence(event, random):
    names, fixtures, withdrawn = event
    entrants = [Entrant(name, i) for i, name in enumerate(names)]
    again = dict(zip(names, random.sample(range(100, 200), len(names)), strict=True))
    renamed = [Fixture(again[f.b], again[f.a], f.score[::-1], f.how) for f in random.sample(fixtures, len(fixtures))]
    other = round_robin(
        [Entrant(again[e.player], e.seed) for e in random.sample(entrants, len(entrants))],
        renamed,
        {again[name] for name in withdrawn},
    )
    table = round_robin(entrants, fixtures, withdrawn)
    assert other.annulled == [again[name] for name in table.annulled]
    assert [(line.player, line.place, line.values) for line in other.standings] == [
        (again[line.player], line.place, line.values) for line in table.standings
    ]


def test_a_swiss_of_two_hundred_is_ranked_at_once():
    random = Random(5)
    names = list(range(200))
    sheets = {name: [] for name in names}
    for _ in range(9):
        random.shuffle(names)
        for a, b in zip(names[::2], names[1::2], strict=True):
            points = random.choice((0, 1, 2))
            sheets[a].append(Outing("game", b, points))
            sheets[b].append(Outing("game", a, 2 - points))
    lines = swiss([Entrant(name, name) for name in names], sheets)
    assert sum(line.values["points"] for line in lines) == 9 * 200
    assert sum(line.values["adjusted"] for line in lines) == 9 * 200


def test_a_swiss_leaves_excluded_players_out_of_the_ranking_only():
    sheets = {
        "Ada": [Outing("game", "Bo", 2), Outing("game", "Cleo", 2)],
        "Bo": [Outing("game", "Ada", 0), Outing("pab")],
        "Cleo": [Outing("pab"), Outing("game", "Ada", 0)],
    }
    entrants = [Entrant("Ada", 1), Entrant("Bo", 2), Entrant("Cleo", 3)]
    lines = swiss(entrants, sheets, excluded=["Ada"])
    assert [(line.player, line.place, line.values["bh"]) for line in lines] == [("Bo", 1, 6), ("Cleo", 1, 6)]


def test_strangers_and_doubles_are_refused():
    entrants = [Entrant("Ada", 1), Entrant("Bo", 2)]
    with pytest.raises(ValueError, match="Cleo is not entered"):
        round_robin(entrants, [Fixture("Ada", "Cleo", (2, 0), "played")])
    with pytest.raises(ValueError, match="Cleo is not entered"):
        round_robin(entrants, [], withdrawn=["Cleo"])
    with pytest.raises(ValueError, match="start number 1 is named more than once"):
        round_robin([Entrant("Ada", 1), Entrant("Bo", 1)], [])
    with pytest.raises(ValueError, match="no sheet for Bo"):
        swiss(entrants, {"Ada": []})
    with pytest.raises(ValueError, match="Cleo is not entered"):
        swiss(entrants, {"Ada": [], "Bo": [], "Cleo": []})
