"""Laws of the tree search."""

import os
import subprocess
import sys

import pytest

from antipodes.games.registry import make_game
from antipodes.search.thinking import Limits, Progress
from antipodes.search.tree import TreeSearch

GAMES = [
    ("antipod", {"side": 3}),
    ("antipod", {"side": 4, "swap": "on"}),
    ("antipalos", {"size": 12, "rods": 3}),
    ("antipalos", {"size": 12, "rods": 1, "seats": "cutthroat4"}),
    ("antipalos", {"ruleset": "mail", "size": 4}),
    ("antipode", {}),
    ("hex", {"size": 5}),
    ("cylindrical-hex", {"rows": 4, "columns": 4}),
]


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_candidates_are_legal_and_their_visits_add_up(game_id, options):
    position = make_game(game_id, options).initial()
    tree = TreeSearch(position, seed=1)
    tree.run(Limits(visits=1500))
    candidates = tree.candidates()
    assert all(candidate.move in position.legal_moves for candidate in candidates)
    # The root's first visit may be the one that gives it its children.
    assert tree.visits == 1500
    assert 1499 <= sum(candidate.visits for candidate in candidates) <= 1500
    assert all(0 <= candidate.value <= 1 for candidate in candidates)
    visits = [candidate.visits for candidate in candidates]
    assert visits == sorted(visits, reverse=True)


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_the_same_seed_gives_the_same_tree(game_id, options):
    position = make_game(game_id, options).initial()
    trees = [TreeSearch(position, seed=7), TreeSearch(position, seed=7)]
    for tree in trees:
        tree.run(Limits(visits=300))
    assert trees[0].candidates() == trees[1].candidates()


@pytest.mark.parametrize("game_id", ["hex", "antipode"])
def test_a_search_cut_in_slices_is_the_same_search(game_id):
    position = make_game(game_id, {}).initial()
    whole, sliced = TreeSearch(position, seed=3), TreeSearch(position, seed=3)
    whole.run(Limits(visits=600))
    for visits in range(100, 700, 100):
        sliced.run(Limits(visits=visits))
    assert whole.candidates() == sliced.candidates()


def test_the_position_at_the_root_is_not_changed():
    position = make_game("antipode", {}).initial()
    before = position.state.copy()
    TreeSearch(position).run(Limits(visits=200))
    assert (position.state == before).all()


def test_a_watcher_sees_progress_and_may_stop_the_search():
    tree = TreeSearch(make_game("hex", {}).initial(), seed=1)
    seen: list[Progress] = []

    def watch(progress: Progress) -> None:
        seen.append(progress)
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tree.run(Limits(visits=100_000_000), watch)
    assert [p.visits for p in seen] == sorted({p.visits for p in seen})
    assert seen[-1].visits == tree.visits
    assert 0 < seen[-1].share < 1
    tree.run(Limits(visits=tree.visits + 100))
    assert tree.candidates()[0].visits > 0


def test_memory_is_bounded():
    tree = TreeSearch(make_game("hex", {"size": 11}).initial(), memory=1)
    tree.run(Limits(visits=40_000))
    assert tree.visits == 40_000


def test_a_finished_game_is_not_searched():
    position = make_game("antipod", {"side": 2}).initial()
    with pytest.raises(ValueError, match="over"):
        TreeSearch(position)


def test_a_swap_is_weighed_by_the_seat_that_plays_it():
    # On 3x3 the centre wins for the first player, so the second must swap.
    game = make_game("hex", {"size": 3, "swap": "sides"})
    position = game.initial().play(4)
    tree = TreeSearch(position, seed=1)
    tree.run(Limits(visits=1_000))
    best = tree.candidates()[0]
    assert position.format_move(best.move) == "swap"
    assert best.value > 0.8


def test_a_corner_is_not_worth_a_swap():
    game = make_game("hex", {"size": 3, "swap": "sides"})
    position = game.initial().play(0)
    tree = TreeSearch(position, seed=1)
    tree.run(Limits(visits=1_000))
    assert position.format_move(tree.candidates()[0].move) != "swap"


def test_the_search_runs_as_plain_python():
    script = (
        "from antipodes.games.registry import make_game\n"
        "from antipodes.search.thinking import Limits\n"
        "from antipodes.search.tree import TreeSearch\n"
        "for game_id, options in [('hex', {'size': 4}), ('antipalos', {'size': 12, 'rods': 1})]:\n"
        "    tree = TreeSearch(make_game(game_id, options).initial(), seed=2)\n"
        "    tree.run(Limits(visits=60))\n"
        "    print([(int(c.move), c.visits) for c in tree.candidates()])\n"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", script],
            env={**os.environ, "ANTIPODES_JIT": jit},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for jit in ("0", "1")
    ]
    assert runs[0] == runs[1]
