"""Which options a form offers, and how much play it says a match takes."""

import pytest

from oceans.rules.games import GAMES, by_slug
from oceans.rules.options import BadOptions, Choice, kinds, offered, read_options
from tests.benchmarks.visits import measured


def names(slug: str, given: dict[str, object], seats: int) -> set[str]:
    return set(offered(by_slug(slug), given, seats))


@pytest.mark.parametrize(
    ("slug", "seats", "given", "yes", "no"),
    [
        ("guts", 3, {}, "", "nelly_fee nelly_max reaper pass_limit three_ranks"),
        ("guts", 3, {"nelly": "fee"}, "nelly_fee", "nelly_max"),
        ("guts", 3, {"nelly": "capped"}, "nelly_max", "nelly_fee"),
        ("guts", 3, {"phantoms": "2"}, "reaper", ""),
        ("guts", 3, {"look": "none", "pass": "1"}, "", "pass pass_limit"),
        ("guts", 3, {"pass": "1"}, "pass pass_limit", ""),
        ("guts", 3, {"cards": "1"}, "", "pass three_ranks"),
        ("guts", 3, {"cards": "3"}, "three_ranks", ""),
        ("guts", 3, {"cards": "3", "spit": "on"}, "", "three_ranks"),
        ("guts-3", 3, {}, "three_ranks", "cards"),
        ("guts-pass", 3, {}, "pass pass_limit", "look"),
        ("five-draw", 3, {}, "bet max_throw four_with_ace", "bet_max"),
        ("five-draw", 3, {"limit": "spread"}, "bet_max late_double", "bet"),
        ("five-draw", 3, {"limit": "pot"}, "", "bet bet_max late_double"),
        ("five-draw", 3, {"max_throw": "2"}, "", "four_with_ace"),
        ("five-draw", 7, {}, "max_throw", "four_with_ace"),
        ("five-draw", 8, {}, "", "max_throw four_with_ace"),
        ("duel-it", 3, {}, "deals target", ""),
        ("duel-it", 3, {"deals": "6"}, "deals", "target"),
        ("oe-table", 3, {}, "", "mini_half"),
        ("oe-table", 3, {"pack": "mini"}, "mini_half", ""),
    ],
)
def test_options_are_offered_where_they_matter(slug, seats, given, yes, no):
    found = names(slug, given, seats)
    assert set(yes.split()) <= found and not set(no.split()) & found


def test_nonsense_counts_as_the_default():
    assert names("guts", {"cards": "many", "nelly": "??", "look": ""}, 3) == names("guts", {}, 3)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_whatever_a_form_offers_can_be_chosen_by_itself(game):
    """Each value of each option offered goes with the defaults of all others."""
    for seats in game.seats:
        for name, (kind, _default) in offered(game, {}, seats).items():
            values = [value for value, _ in kind.values] if isinstance(kind, Choice) else []
            if hasattr(kind, "low"):
                values = [str(kind.low), str(kind.high)]
            for value in values:
                assert read_options(game, {name: value}, seats), (name, value)


def test_a_choice_that_is_a_number_may_be_written_as_one():
    assert read_options(by_slug("lowboy"), {"low": 27}, 3).low == "27"
    with pytest.raises(BadOptions, match="a5, 27"):
        read_options(by_slug("lowboy"), {"low": 72}, 3)


def test_duel_it_offers_whole_rounds():
    kind, _default = offered(by_slug("duel-it"), {}, 5)["deals"]
    assert [value for value, _ in kind.values][:4] == ["", "5", "10", "15"] and kind.values[0][1].startswith("15")


def test_presets_offer_no_option_that_they_hold():
    for game in GAMES:
        for seats in game.seats:
            assert set(offered(game, {}, seats)) <= set(kinds(game))


@pytest.mark.parametrize(
    ("slug", "seats", "given"),
    [
        ("oe-twos", 2, {}),
        ("duel-it", 4, {}),
        ("guts-nuclear", 3, {"pots": 5}),
        ("five-draw", 4, {}),
        ("five-draw", 5, {"betting": "sealed", "rounds": 1}),
        ("jacks", 3, {"rounds": 1}),
        ("seven-stud", 3, {"rounds": 1}),
        ("lowboy", 4, {"betting": "sealed"}),
    ],
)
def test_a_match_takes_about_as_long_as_is_said(slug, seats, given):
    """Real matches, the same in every run; an estimate may be wrong by half."""
    game = by_slug(slug)
    options = read_options(game, given, seats)
    waits, visits = measured(game, options, seats, matches=2)
    said = game.length(options, seats)
    assert 0.6 < said.visits / visits < 1.7 and 0.6 < said.waits / waits < 1.7


def test_sealed_betting_takes_fewer_waits():
    for slug in ("five-draw", "jacks", "seven-stud"):
        game = by_slug(slug)
        turns, sealed = (game.length(read_options(game, {"betting": mode}, 4), 4) for mode in ("turns", "sealed"))
        assert sealed.waits < turns.waits / 2
