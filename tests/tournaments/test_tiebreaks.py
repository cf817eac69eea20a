"""Tie-breaks against tables worked out by hand."""

import pytest

from tests.tournaments.drawing import crosstable
from tournaments import tiebreaks
from tournaments.tiebreaks import Outing


def test_sonneborn_berger_of_a_small_table():
    #        Ada Bo Cleo Dag    points   SB
    # Ada     -   2   1   0        3     2·3 + 1·3 + 0·3           =  9
    # Bo      0   -   2   1        3     0·3 + 2·3 + 1·3           =  9
    # Cleo    1   0   -   2        3     1·3 + 0·3 + 2·3           =  9
    # Dag     2   1   0   -        3     2·3 + 1·3 + 0·3           =  9
    _, fixtures = crosstable("Ada - 2 1 0\nBo 0 - 2 1\nCleo 1 0 - 2\nDag 2 1 0 -")
    points = tiebreaks.points(["Ada", "Bo", "Cleo", "Dag"], fixtures)
    assert points == {"Ada": 3, "Bo": 3, "Cleo": 3, "Dag": 3}
    assert tiebreaks.sonneborn_berger(points, fixtures) == {"Ada": 9, "Bo": 9, "Cleo": 9, "Dag": 9}


def test_only_games_won_over_the_board_are_wins():
    _, fixtures = crosstable("Ada - 2 2f 2o\nBo 0 - 0 0\nCleo 0f 2 - 1\nDag 0o 2 1 -")
    assert tiebreaks.wins(["Ada", "Bo", "Cleo", "Dag"], fixtures) == {"Ada": 1, "Bo": 0, "Cleo": 1, "Dag": 1}


def test_direct_encounter_counts_the_tied_only():
    _, fixtures = crosstable("Ada - 2 0 2\nBo 0 - 2 2\nCleo 2 0 - 2\nDag 0 0 0 -")
    assert tiebreaks.direct_encounter(["Ada", "Bo"], fixtures) == {"Ada": 2, "Bo": 0}
    assert tiebreaks.direct_encounter(["Ada", "Bo", "Cleo"], fixtures) == {"Ada": 2, "Bo": 2, "Cleo": 2}
    assert tiebreaks.direct_encounter(["Dag"], fixtures) == {"Dag": 0}


def test_direct_encounter_needs_a_meeting_of_each_two():
    _, fixtures = crosstable("Ada - 2 2\nBo 0 - .\nCleo 0 . -")
    decided = [fixture for fixture in fixtures if fixture.is_decided]
    assert tiebreaks.direct_encounter(["Ada", "Bo", "Cleo"], decided) == {"Ada": 0, "Bo": 0, "Cleo": 0}
    assert tiebreaks.direct_encounter(["Ada", "Bo"], decided) == {"Ada": 2, "Bo": 0}


def swiss():
    """Three rounds of three people, and every way to miss one.

              R1         R2            R3           points  adj
    Ada    Bo 2       bye 2         Cleo 2f           6     2+1+1 = 4
    Bo     Ada 0      Cleo 1        absent            1     0+1+1 = 2
    Cleo   late 1     Bo 1          Ada 0f            2     1+1+1 = 3
    """
    return {
        "Ada": [Outing("game", "Bo", 2), Outing("pab"), Outing("forfeit", "Cleo", 2)],
        "Bo": [Outing("game", "Ada", 0), Outing("game", "Cleo", 1), Outing("absent")],
        "Cleo": [Outing("late"), Outing("game", "Bo", 1), Outing("forfeit", "Ada", 0)],
    }


def test_unplayed_rounds_are_draws_to_others_and_meetings_with_oneself():
    sheets = swiss()
    assert {player: tiebreaks.adjusted(sheet) for player, sheet in sheets.items()} == {"Ada": 4, "Bo": 2, "Cleo": 3}
    assert tiebreaks.buchholz_terms("Ada", sheets) == [2, 6, 6]
    assert tiebreaks.buchholz_terms("Bo", sheets) == [4, 3, 1]
    assert tiebreaks.buchholz_terms("Cleo", sheets) == [2, 2, 2]


def test_the_cut_takes_the_smallest_term_or_the_own_fault():
    sheets = swiss()
    assert tiebreaks.buchholz_cut("Ada", sheets) == 2 + 6 + 6 - 2
    assert tiebreaks.buchholz_cut("Bo", sheets) == 4 + 3 + 1 - 1
    richer = sheets | {"Bo": [Outing("game", "Ada", 2), Outing("game", "Cleo", 2), Outing("absent")]}
    # Bo now has 4 points: his terms are 4, 3 and, for the round he missed, his own 4, which is cut though not smallest.
    assert tiebreaks.buchholz_terms("Bo", richer) == [4, 3, 4]
    assert tiebreaks.buchholz_cut("Bo", richer) == 7


def test_swiss_sonneborn_berger_multiplies_each_round_by_its_term():
    sheets = swiss()
    assert tiebreaks.swiss_sonneborn_berger("Ada", sheets) == 2 * 2 + 2 * 6 + 2 * 6
    assert tiebreaks.swiss_sonneborn_berger("Bo", sheets) == 0 * 4 + 1 * 3 + 0 * 1
    assert tiebreaks.swiss_sonneborn_berger("Cleo", sheets) == 1 * 2 + 1 * 2 + 0 * 2


def test_overdue_games_count_as_played_but_are_no_wins():
    sheets = {"Ada": [Outing("overdue", "Bo", 2)], "Bo": [Outing("overdue", "Ada", 0)]}
    assert tiebreaks.adjusted(sheets["Ada"]) == 2
    assert tiebreaks.buchholz("Bo", sheets) == 2
    assert tiebreaks.swiss_wins(sheets["Ada"]) == 0


def test_before_the_first_round_everything_is_nothing():
    sheets = {"Ada": [], "Bo": []}
    assert tiebreaks.buchholz_cut("Ada", sheets) == tiebreaks.buchholz("Ada", sheets) == 0


def test_meetings_are_listed_once_with_both_sides_points():
    fixtures = tiebreaks.meetings(swiss())
    assert [(f.a, f.b, f.score, f.how) for f in fixtures] == [
        ("Ada", "Bo", (2, 0), "played"),
        ("Ada", "Cleo", (2, 0), "forfeit"),
        ("Bo", "Cleo", (1, 1), "played"),
    ]


def test_sheets_that_disagree_are_refused():
    with pytest.raises(ValueError, match="Ada and Bo disagree about round 1"):
        tiebreaks.meetings({"Ada": [Outing("game", "Bo", 2)], "Bo": [Outing("absent")]})
    with pytest.raises(ValueError, match="not 2-2"):
        tiebreaks.meetings({"Ada": [Outing("game", "Bo", 2)], "Bo": [Outing("game", "Ada", 2)]})
    with pytest.raises(ValueError, match="disagree about round 2"):
        tiebreaks.meetings({"Ada": [Outing("pab"), Outing("game", "Bo", 2)], "Bo": [Outing("game", "Ada", 0)]})


@pytest.mark.parametrize(
    ("outing", "sentence"),
    [
        (("holiday",), "not holiday"),
        (("game",), "needs opponent"),
        (("pab", "Bo"), "no opponent"),
        (("game", "Bo", 3), "0, 1 or 2"),
    ],
)
def test_impossible_rounds_are_refused(outing, sentence):
    with pytest.raises(ValueError, match=sentence):
        Outing(*outing)
