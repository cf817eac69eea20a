"""Places of which only some are known come to what a whole list comes to."""

from hypothesis import given
from hypothesis import strategies as st

from tournaments.places import Places

STEP = st.tuples(st.sampled_from(["move", "drop", "add"]), st.integers(0, 99), st.integers(0, 99))


@given(st.integers(1, 12), st.lists(STEP, max_size=12))
def test_the_known_stand_where_a_list_has_them_and_the_moves_tell_about_the_others(length, steps):
    order = [f"p{number}" for number in range(1, length + 1)]
    known = {player: rung for rung, player in enumerate(order, 1) if rung % 2}
    places, others = Places(known, length), {player: rung for rung, player in enumerate(order, 1)}
    for number, (what, who, where) in enumerate(steps):
        here = places.players()
        if what == "add":
            order.append(f"new{number}")
            places.add(f"new{number}")
        elif here and what == "drop":
            order.remove(here[who % len(here)])
            places.drop(here[who % len(here)])
        elif here:
            player = here[who % len(here)]
            order.remove(player)
            order.insert(where % (len(order) + 1), player)
            places.move(player, order.index(player) + 1)
    assert len(places) == len(order)
    assert places.players() == [player for player in order if player in places.players()]
    assert all(places.of(player) == order.index(player) + 1 for player in places.players())
    assert {player: others_after(rung, places.moves) for player, rung in others.items() if player not in known} == {
        player: order.index(player) + 1 for player in others if player not in known
    }


def others_after(rung, moves):
    """Where somebody ends who stood on a rung and did nothing himself."""
    for _player, old, new in moves:
        if old is None:
            continue
        if new is None:
            rung -= rung > old
        elif new <= rung < old:
            rung += 1
        elif old < rung <= new:
            rung -= 1
    return rung
