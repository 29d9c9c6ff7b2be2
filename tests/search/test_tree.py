"""Laws of the tree search."""

import contextlib
import gc
import io
import os
import subprocess
import sys
import threading
import time
import weakref

import pytest

from antipodes.core import Move
from antipodes.errors import IllegalMoveError
from antipodes.games.kernels import header
from antipodes.games.registry import make_game
from antipodes.search.factory import make_search
from antipodes.search.interface import Limits, Proven, SearchProgress, SearchSettings
from antipodes.search.tree import TreeSearch
from tests.thorough import repetitions

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


def test_a_progress_callback_may_stop_the_search():
    tree = TreeSearch(make_game("hex", {}).initial(), seed=1)
    seen: list[SearchProgress] = []

    def on_progress(progress: SearchProgress) -> None:
        seen.append(progress)
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tree.run(Limits(visits=100_000_000), on_progress)
    assert [p.visits for p in seen] == sorted({p.visits for p in seen})
    assert seen[-1].visits == tree.visits
    assert 0 < seen[-1].share < 1
    tree.run(Limits(visits=tree.visits + 100))
    assert tree.candidates()[0].visits > 0


@pytest.mark.parametrize("threads", [1, 2])
def test_memory_is_bounded(threads):
    tree = TreeSearch(make_game("hex", {"size": 11}).initial(), memory=1, threads=threads)
    tree.run(Limits(visits=10_000))
    nodes = tree.nodes
    assert nodes * 40 <= 1 << 20
    tree.run(Limits(visits=20_000))
    assert tree.visits == 20_000
    # The nearer to the bound, the more visits a leaf needs before it is expanded.
    assert nodes <= tree.nodes < 1.1 * nodes


def test_moving_the_root_keeps_the_visits_of_the_move():
    position = make_game("antipod", {"side": 4}).initial()
    search = TreeSearch(position, seed=1, memory=16)
    search.run(Limits(visits=3_000))
    for _ in range(4):
        best = search.candidates()[0]
        search.play(best.move)
        position = position.play(best.move)
        assert search.position == position
        assert search.visits == best.visits
        assert search.candidates()[0].line == best.line[1:]
        assert search.nodes * 40 <= 16 << 20
        search.run(Limits(visits=search.visits + 1_000))
        assert all(one.move in position.legal_moves for one in search.candidates())


def test_moving_the_root_to_an_unvisited_move_starts_a_new_tree():
    position = make_game("hex", {"size": 5, "swap": "off"}).initial()
    search = TreeSearch(position, seed=1, memory=16)
    search.play(Move(7))
    assert search.visits == 0
    assert search.candidates() == []
    assert search.value() == 0.5
    search.run(Limits(visits=100))
    assert search.visits == 100
    assert Move(7) not in {candidate.move for candidate in search.candidates()}


def test_a_proof_is_kept_when_the_root_moves_to_the_end_of_the_game():
    search = TreeSearch(make_game("hex", {"size": 3, "swap": "off"}).initial(), seed=1)
    search.run(Limits(visits=100_000))
    sides = [Proven.WIN, Proven.LOSS]
    while search.candidates():
        assert search.proven is sides[0]
        sides.reverse()
        search.play(search.candidates()[0].move)
    search.run(Limits(visits=10))
    assert search.position.outcome is not None
    assert search.proven is Proven.LOSS
    assert search.candidates() == []


def test_an_illegal_move_changes_nothing():
    search = TreeSearch(make_game("hex", {"size": 5}).initial(), seed=1, memory=16)
    search.run(Limits(visits=100))
    before = search.candidates()
    with pytest.raises(IllegalMoveError):
        search.play(Move(26))
    assert search.candidates() == before


def test_another_thread_can_stop_a_run():
    search = TreeSearch(make_game("hex", {}).initial(), seed=1, memory=16, threads=2)
    search.run(Limits(visits=10))
    thread = threading.Thread(target=search.run, args=(Limits(seconds=3_600),))
    thread.start()
    while search.visits < 1_000:
        time.sleep(0.001)
    search.stop()
    thread.join(60)
    assert not thread.is_alive()


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_share_the_visits(threads):
    search = TreeSearch(make_game("hex", {"size": 7}).initial(), threads=threads, memory=16)
    search.run(Limits(visits=999 * threads))
    assert search.visits == 999 * threads
    candidates = search.candidates()
    assert len({candidate.move for candidate in candidates}) == len(candidates)
    # The first visit of each tree only makes the root's moves.
    assert sum(candidate.visits for candidate in candidates) == 998 * threads


def test_an_exception_in_any_thread_ends_the_run():
    class Broken:
        def query(self, state):
            if int(state[header.PLY]) > 0:
                raise RuntimeError("broken")

    position = make_game("hex", {"size": 7}).initial()
    search = TreeSearch(position, threads=2, memory=16, knowledge=Broken(), query_visits=50)
    with pytest.raises(RuntimeError, match="broken"):
        search.run(Limits(seconds=3_600))


def test_cells_that_decide_are_critical_and_stones_are_not():
    # Two bridges lead through the middle stone; the colour with both cells of one has won.
    position = make_game("hex", {"size": 3, "swap": "off"}).initial().play(4)
    search = TreeSearch(position, seed=1)
    for _ in range(2):
        critical = search.criticality()
        assert critical is not None
        assert len(critical) == 9
        assert critical[4] == 0
        assert all(-1 <= one <= 1 for one in critical)
        assert max(critical) > 0.1
        search.run(Limits(visits=40))
    assert TreeSearch(make_game("antipode").initial()).criticality() is None


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


def test_a_corner_is_not_swapped():
    game = make_game("hex", {"size": 3, "swap": "sides"})
    position = game.initial().play(0)
    tree = TreeSearch(position, seed=1)
    tree.run(Limits(visits=1_000))
    assert position.format_move(tree.candidates()[0].move) != "swap"


def test_the_search_runs_as_plain_python():
    script = (
        "from antipodes.games.registry import make_game\n"
        "from antipodes.search.interface import Limits\n"
        "from antipodes.search.tree import TreeSearch\n"
        "games = [('hex', {'size': 4}), ('antipalos', {'size': 12, 'rods': 1}), ('antipode', {})]\n"
        "for game_id, options in games:\n"
        "    position = make_game(game_id, options).initial()\n"
        "    tree = TreeSearch(position, seed=2, memory=1)\n"
        f"    tree.run(Limits(visits={repetitions(24, 60)}))\n"
        "    tree.play(tree.candidates()[0].move)\n"
        "    tree.run(Limits(visits=tree.visits + 16))\n"
        "    print(tree.nodes, tree.candidates(), tree.criticality())\n"
    )
    plain = subprocess.run(
        [sys.executable, "-W", "error", "-c", script],
        env={**os.environ, "ANTIPODES_PLAIN": "1"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    with contextlib.redirect_stdout(io.StringIO()) as compiled:
        exec(script, {})
    assert plain == compiled.getvalue()


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_the_memory_of_a_search_is_free_as_soon_as_it_is_dropped(game_id, options):
    search = make_search(make_game(game_id, options).initial(), SearchSettings(memory=16), seed=1)
    search.run(Limits(visits=300))
    parts = [search, *(one for one in vars(search).values() if hasattr(one, "query"))]
    left = [weakref.ref(one) for one in parts]
    gc.disable()
    try:
        del search, parts
        assert [one() for one in left] == [None] * len(left)
    finally:
        gc.enable()
