"""Laws of the plain tree search, the yardstick of the others."""

import pytest

from antipodes.core import Color
from antipodes.games.registry import make_game
from antipodes.search.interface import Limits
from antipodes.search.plain import PlainSearch


def at(game, moves):
    """Return the position after moves given as text."""
    position = game.initial()
    for text in moves.split():
        position = position.play(position.parse_move(text))
    return position


@pytest.mark.parametrize("game_id", ["antipod", "antipalos", "antipode", "hex"])
def test_as_many_visits_are_made_as_are_asked_for_and_a_seed_decides_them(game_id):
    position = make_game(game_id).initial()
    found = []
    for _ in range(2):
        search = PlainSearch(position, seed=3)
        search.run(Limits(visits=50))
        assert search.visits == 50
        found.append(search.candidates())
    assert found[0] == found[1]
    assert sum(one.visits for one in found[0]) == 50


def test_a_double_threat_is_found():
    # Black needs one of two points, so every white move but none loses: Black's value is high.
    position = at(make_game("hex", {"size": 3, "swap": "off"}), "b2 a1 b1 c3")
    search = PlainSearch(position)
    search.run(Limits(visits=400))
    assert position.to_move is Color.BLACK
    assert position.format_move(search.candidates()[0].move) in ("a3", "b3")
    assert search.value() > 0.8


def test_values_belong_to_seats_so_that_a_swap_is_weighed_like_any_move():
    position = at(make_game("hex", {"size": 3, "swap": "sides"}), "b2")
    search = PlainSearch(position)
    search.run(Limits(visits=2_000))
    best = search.candidates()[0]
    assert position.format_move(best.move) == "swap"
    assert best.value > 0.7


def test_a_search_starts_again_after_a_move():
    position = make_game("hex", {"size": 4}).initial()
    search = PlainSearch(position)
    search.run(Limits(visits=100))
    move = search.candidates()[0].move
    search.play(move)
    assert search.position == position.play(move)
    assert search.visits == 0


def test_a_search_of_a_finished_game_is_refused():
    game = make_game("hex", {"size": 2, "swap": "off"})
    with pytest.raises(ValueError, match="over"):
        PlainSearch(at(game, "a1 b1 a2"))


def test_the_memory_bound_holds_and_the_search_goes_on():
    search = PlainSearch(make_game("hex", {"size": 11}).initial(), memory=1)
    search.run(Limits(visits=30_000))
    assert search.visits == 30_000
    assert search._tree.links.nbytes + search._tree.values.nbytes <= 1 << 20
