"""Laws of thinking with several threads, in the searches that have their own way of doing so."""

import random
import threading
import time
from itertools import pairwise

import numpy as np
import pytest

from antipodes.core import Move
from antipodes.games.kernels import edition
from antipodes.games.registry import make_game
from antipodes.search.antipode.alphabeta import AlphaBetaSearch
from antipodes.search.antipode.deepening import IterativeDeepening
from antipodes.search.factory import make_search
from antipodes.search.interface import Limits, Proven, SearchSettings
from antipodes.search.kernels import antipode_deepening, antipode_search, antipode_table
from tests.raising import raising
from tests.search.antipalos.positions import composed, straight_chain
from tests.search.test_antipode_search import some_late_positions

GAMES = ["antipode", "antipalos"]


def early(game_id, seed=1, plies=6):
    """Return a position after some random moves."""
    rng = random.Random(seed)
    position = make_game(game_id).initial()
    for _ in range(plies):
        position = position.play(rng.choice(position.legal_moves))
    return position


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("threads", [2, 3])
def test_visits_are_shared_and_summed_and_moves_are_legal(game_id, threads):
    position = early(game_id)
    search = make_search(position, SearchSettings(memory=8, threads=threads))
    search.run(Limits(visits=400 * threads))
    assert search.visits == 400 * threads
    found = search.candidates()
    assert len({one.move for one in found}) == len(found)
    assert sum(one.visits for one in found) <= search.visits
    assert all(one.move in position.legal_moves for one in found)
    for one in found:
        after = position
        for move in one.line:
            after = after.play(move)
    assert 0 <= search.value() <= 1


@pytest.mark.parametrize("game_id", GAMES)
def test_another_thread_stops_all_of_them(game_id):
    search = make_search(early(game_id), SearchSettings(memory=8, threads=2))
    thread = threading.Thread(target=search.run, args=(Limits(seconds=3_600),))
    thread.start()
    while search.visits < 2_000:
        time.sleep(0.001)
    before = threading.active_count()
    search.stop()
    thread.join(60)
    assert not thread.is_alive()
    assert threading.active_count() <= before - 2
    assert search.candidates()


@pytest.mark.parametrize("game_id", GAMES)
def test_an_exception_in_the_progress_callback_ends_all_threads_and_keeps_the_search(game_id):
    search = make_search(early(game_id), SearchSettings(memory=8, threads=2))

    with pytest.raises(KeyboardInterrupt):
        search.run(Limits(seconds=3_600), raising(KeyboardInterrupt))
    visits = search.visits
    search.run(Limits(visits=visits + 1_000))
    assert search.visits >= visits + 1_000


@pytest.mark.parametrize("game_id", GAMES)
def test_threads_follow_the_game(game_id):
    following = early(game_id)
    search = make_search(following, SearchSettings(memory=8, threads=2))
    for _ in range(3):
        search.run(Limits(visits=search.visits + 600))
        move = search.candidates()[0].move
        following = following.play(move)
        search.play(move)
        assert search.position == following
    with pytest.raises(ValueError, match="not legal"):
        search.play(Move(make_game(game_id).move_count - 1))
    assert search.position == following


@pytest.mark.parametrize("game_id", GAMES)
def test_there_must_be_at_least_one_thread(game_id):
    with pytest.raises(ValueError, match="threads must be positive, not 0"):
        make_search(make_game(game_id).initial(), SearchSettings(threads=0))


def test_two_threads_solve_endgames_as_one_does():
    seen = set()
    for position in some_late_positions(10, 4):
        results = []
        for threads in (1, 2):
            search = AlphaBetaSearch(position, memory=1, threads=threads)
            search.run(Limits(visits=50_000_000))
            best = search.candidates()[0]
            assert best.proven is search.proven
            results.append(search.proven)
        assert results[0] is results[1] is not None
        seen |= set(results)
    assert len(seen) > 1


def test_two_threads_prove_a_win_and_a_loss_at_antipalos():
    white = "D3* *E3 E4* *E5 E6* *E7 E8* *E9 E10* *E11 E12*"
    position = composed(white, "*C2 *D1 F1* G1* *C5 B4* *H4 H6* *I7 C8* *J9")
    search = make_search(position, SearchSettings(memory=8, threads=2))
    search.run(Limits(visits=6_000))
    assert search.proven is Proven.WIN
    assert search.candidates()[0].proven is Proven.WIN
    assert search.value() == 1
    position = position.play(position.parse_move("*E1"))
    search = make_search(position, SearchSettings(memory=8, threads=2))
    search.run(Limits(visits=300))
    assert search.proven is Proven.LOSS
    assert all(one.proven is Proven.LOSS for one in search.candidates())
    position = composed(straight_chain(*range(2, 13)), "*H4 H6* *I7 C8* *J9", left=4)
    search = make_search(position, SearchSettings(memory=8, threads=2))
    search.run(Limits(visits=10))
    assert position.play(search.candidates()[0].move).outcome is not None


def test_an_entry_mixed_from_two_threads_fits_no_position():
    store_entry = edition(antipode_search, "store_entry")
    probe_table = edition(antipode_table, "probe_table")
    table = np.zeros(antipode_table.ENTRY, np.int64)
    settings = np.zeros(antipode_search.SETTINGS, np.int64)  # one place for all positions
    rng = random.Random(5)
    written = []
    for n in range(40):
        stack = np.zeros(antipode_search.FRAME, np.int64)
        tokens, colors = rng.getrandbits(61), rng.getrandbits(61)
        stack[antipode_search.OWN] = tokens & colors
        stack[antipode_search.OTHER] = tokens & ~colors
        stack[antipode_search.PAWN], stack[antipode_search.RIVAL] = n, 60 - n
        stack[antipode_search.BEST] = n
        stack[antipode_search.BEST_TURN] = 100 + n
        store_entry(settings, stack, table, 0)
        key = *stack[:2].tolist(), 64 * n + 60 - n
        assert (probe_table(table, 0, *key) & 4095) - 1 == 100 + n
        written.append((key, table.copy()))
    for one, other in pairwise(written):
        for word in range(antipode_table.ENTRY):
            mixed = one[1].copy()
            mixed[word] = other[1][word]
            assert [probe_table(mixed, 0, *key) for key, _ in (one, other)] == [0, 0]


def test_a_losing_turn_proves_nothing_while_others_are_not_searched():
    table = np.zeros(64 * antipode_table.ENTRY, np.int64)
    thread = IterativeDeepening(table, seed=1, order_offset=0.0)
    thread.set_position(early("antipode"))
    thread.add_visits(1)
    _, progress = thread.arrays
    progress[antipode_deepening.RESULT] = 3 - antipode_search.MATE
    assert thread.proven is None
    assert not thread.done
