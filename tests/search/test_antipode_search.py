"""Laws of Antipode's search: what it proves is true, however it is run it is the same search."""

import itertools
import random
import threading
from typing import Any

import numpy as np
import pytest

from antipodes.core import Color
from antipodes.errors import IllegalMoveError
from antipodes.games.antipode import Antipode
from antipodes.games.kernels import antipode as tables_of
from antipodes.games.kernels import edition, native
from antipodes.search.antipode.alphabeta import AlphaBetaSearch
from antipodes.search.antipode.deepening import mover_view, read_weights
from antipodes.search.factory import make_search
from antipodes.search.interface import Limits, Proven, SearchProgress, SearchSettings
from antipodes.search.kernels import antipode_estimate, antipode_wins
from tests.oracles import make_oracle
from tests.thorough import repetitions

GAME = Antipode()


def late_position(seed, empty, full_board="draw"):
    """Return a position of a random game with ``empty`` cells left; ``None`` if it was over."""
    rng = random.Random(seed)
    position = Antipode(full_board=full_board).initial()
    while position.outcome is None and len(position.tokens()) < tables_of.CELLS - empty:
        position = position.play(rng.choice(position.legal_moves.array().tolist()))
    return None if position.outcome else position


def some_late_positions(count, empty, full_board="draw", first=0):
    """Return ``count`` late positions."""
    found = (late_position(seed, empty, full_board) for seed in itertools.count(first))
    return list(itertools.islice(filter(None, found), count))


def as_oracle(position):
    """Return the oracle's twin of a position."""
    setup = position.to_setup()
    oracle: Any = make_oracle("antipode", full_board=position.game.options.full_board)
    oracle.set_up(dict(setup.stones), dict(setup.pawns), setup.to_move)
    return oracle


def solved(oracle, known):
    """Return the oracle's result for the player to move: 1, 0 or -1, by brute force."""
    outcome = oracle.outcome
    if outcome is not None:
        return 0 if outcome[0] == "draw" else 1 if outcome[0] == oracle.to_move else -1
    key = (tuple(sorted(oracle.stones().items())), tuple(sorted(oracle.pawns.items())))
    if key not in known:
        best = -1
        for text in sorted(oracle.legal()):
            after = oracle.copy()
            after.play(text)
            best = max(best, -solved(after, known))
            if best == 1:
                break
        known[key] = best
    return known[key]


RESULTS = {1: Proven.WIN, 0: Proven.DRAW, -1: Proven.LOSS}


@pytest.mark.parametrize("full_board", ["draw", "loss"])
def test_endgames_are_solved_as_by_brute_force(full_board):
    seen = set()
    for empty, count in ((1, 12), (2, repetitions(5, 8)), (3, repetitions(1, 3))):
        for position in some_late_positions(count, empty, full_board):
            oracle = as_oracle(position)
            known: dict[Any, int] = {}
            result = solved(oracle, known)
            seen.add(result)
            search = AlphaBetaSearch(position, memory=1)
            search.run(Limits(visits=1_000_000))
            best = search.candidates()[0]
            assert search.proven is best.proven is RESULTS[result]
            for one in search.candidates():
                after = oracle.copy()
                after.play(position.format_move(one.move))
                assert one.proven in (None, RESULTS[-solved(after, known)])
            oracle.play(position.format_move(best.move))
            assert -solved(oracle, {}) == result
    assert len(seen) > 1


def test_a_turn_that_is_shown_as_won_or_lost_is_so():
    opposite = {Proven.WIN: Proven.LOSS, Proven.LOSS: Proven.WIN}
    shown = {Proven.WIN: 0, Proven.LOSS: 0}
    for position in some_late_positions(6, 9, first=4500):
        search = AlphaBetaSearch(position, memory=4)
        search.run(Limits(visits=60_000))
        for one in search.candidates():
            after = position.play(one.move)
            if one.proven in shown and after.outcome is None:
                reply = AlphaBetaSearch(after, memory=4)
                reply.run(Limits(visits=20_000))
                assert reply.proven in (None, opposite[one.proven])
                shown[one.proven] += 1
    assert min(shown.values()) > 0


@pytest.mark.parametrize("seed", range(3))
def test_a_longer_endgame_is_played_out_as_it_was_proven(seed):
    rank = [Proven.LOSS, Proven.DRAW, Proven.WIN].index
    (position,) = some_late_positions(1, 7, first=100 * seed)
    mover = position.to_move
    rng = random.Random(seed)
    proven = Proven.LOSS
    while position.outcome is None:
        if position.to_move is mover:
            search = AlphaBetaSearch(position, memory=4)
            search.run(Limits(visits=20_000_000))
            # The other plays at random, which may make it better but never worse.
            assert search.proven is not None
            assert rank(search.proven) >= rank(proven)
            proven = search.proven
            position = position.play(search.candidates()[0].move)
        else:
            position = position.play(rng.choice(position.legal_moves))
    winner = position.outcome.winner
    result = Proven.DRAW if winner is None else Proven.WIN if winner is mover else Proven.LOSS
    assert rank(result) >= rank(proven)


def random_positions(rng, count):
    """Yield ``count`` positions of random games."""
    position = GAME.initial()
    for _ in range(count):
        yield position
        position = position.play(rng.choice(position.legal_moves.array().tolist()))
        if position.outcome is not None:
            position = GAME.initial()


def test_a_win_at_once_is_seen_where_the_rules_have_one():
    rng = random.Random(12)
    wins_at_once = edition(antipode_wins, "wins_at_once")
    rims = np.zeros(antipode_wins.RIMS, np.int64)
    seen = {0: 0, 1: 0}
    for position in random_positions(rng, 400):
        expected = int(bool(winning_turns(position)[0]))
        assert wins_at_once(GAME.tables, *mover_view(position), rims, 0) == expected
        seen[expected] += 1
    assert min(seen.values()) > 20


def last_but_one(rng):
    """Return the last position of a random game that was not over."""
    position = GAME.initial()
    while True:
        after = position.play(rng.choice(position.legal_moves.array().tolist()))
        if after.outcome is not None:
            return position
        position = after


def winning_turns(position):
    """Return the turns that win at once, those that lose at once, and the rest."""
    groups: tuple[list[int], list[int], list[int]] = ([], [], [])
    for move in position.legal_moves:
        outcome = position.play(move).outcome
        if outcome is None or outcome.winner is None:
            groups[2].append(int(move))
        else:
            groups[0 if outcome.winner is position.to_move else 1].append(int(move))
    return groups


def test_wins_in_one_turn_are_found_at_once_and_gifts_are_marked():
    rng = random.Random(4)
    won = gifts = 0
    for _ in range(60):
        before = last_but_one(rng)
        wins, losses, _ = winning_turns(before)
        search = AlphaBetaSearch(before, memory=1)
        search.run(Limits(visits=400))
        by_move = {int(one.move): one for one in search.candidates()}
        if wins:
            won += 1
            assert search.proven is Proven.WIN
            assert int(search.candidates()[0].move) in wins
            assert all(by_move[turn].proven is Proven.WIN for turn in wins)
        for turn in losses:
            gifts += 1
            assert by_move[turn].proven is Proven.LOSS
    assert won > 15
    assert gifts > 15


def test_a_threat_to_win_at_once_is_answered_where_it_can_be():
    rng = random.Random(9)
    answered = 0
    while answered < repetitions(2, 4):
        position = GAME.initial()
        while position.outcome is None:
            if len(position.tokens()) > 40 and not winning_turns(position)[0]:
                safe = {
                    move
                    for move in winning_turns(position)[2]
                    if position.play(move).outcome or not winning_turns(position.play(move))[0]
                }
                if safe and len(safe) < 30:
                    search = AlphaBetaSearch(position, memory=1)
                    search.run(Limits(visits=30_000))
                    assert int(search.candidates()[0].move) in safe
                    answered += 1
                    break
            position = position.play(rng.choice(position.legal_moves))


# What an estimate promises.


def word(cells):
    return sum(1 << cell for cell in cells)


def image(view, symmetry):
    """Return a position seen by its mover under a symmetry of the board."""
    to = GAME.topology.symmetries[symmetry]
    cells = [word(to[c] for c in range(tables_of.CELLS) if view[i] >> c & 1) for i in range(2)]
    return *cells, to[view[2]], to[view[3]]


def estimates(view):
    limit, scratch = antipode_estimate.LIMIT, np.zeros(antipode_estimate.SCRATCH, np.int64)
    editions: list[Any] = [
        antipode_estimate.estimate,
        edition(antipode_estimate, "estimate"),
    ]
    return [
        estimate(GAME.tables, read_weights(), *view, scratch, -limit, limit)
        for estimate in editions
    ]


def test_an_estimate_is_the_same_for_every_image_of_a_position_and_in_both_editions():
    rng = random.Random(3)
    seen = set()
    for _ in range(4):
        position = GAME.initial()
        while position.outcome is None:
            view = mover_view(position)
            values = {
                value
                for symmetry in range(len(GAME.topology.symmetries))
                for value in estimates(image(view, symmetry))
            }
            assert len(values) == 1
            seen |= values
            position = position.play(rng.choice(position.legal_moves))
    assert len(seen) > 50


def test_an_estimate_inside_its_window_is_exact():
    rng = random.Random(8)
    estimate = edition(antipode_estimate, "estimate")
    scratch = np.zeros(antipode_estimate.SCRATCH, np.int64)
    for position in random_positions(rng, 200):
        view = mover_view(position)
        (value,) = set(estimates(view))
        window = value - rng.randint(1, 300), value + rng.randint(1, 300)
        assert estimate(GAME.tables, read_weights(), *view, scratch, *window) == value


def test_neighbours_of_many_cells_are_found_at_once():
    rng = random.Random(5)
    for _ in range(100):
        cells = {c for c in range(tables_of.CELLS) if rng.random() < 0.3}
        wide = cells.union(*(GAME.topology.neighbours[c] for c in cells))
        assert antipode_estimate.spread(word(cells)) == word(wide)


def test_missing_cells_counts_the_cells_that_a_path_lacks():
    rng = random.Random(6)
    corners = GAME.topology.rims["corners"]
    for _ in range(40):
        tokens = {c for c in range(tables_of.CELLS) if rng.random() < 0.5} | {corners[0]}
        cost = {corners[0]: 0}
        queue = [corners[0]]
        while queue:  # cells that were found cheaper come again
            here = queue.pop()
            for near in GAME.topology.neighbours[here]:
                total = cost[here] + (near not in tokens)
                if total < cost.get(near, 99):
                    cost[near] = total
                    queue.append(near)
        short = antipode_estimate.missing_cells(word(tokens), corners[0], corners[3])
        assert short == cost[corners[3]]


# How a search is run.


def shown(search):
    return [(one.move, one.visits, one.value, one.line) for one in search.candidates()]


def test_a_search_cut_in_slices_is_the_same_search():
    (position,) = some_late_positions(1, 30)
    whole, sliced = (AlphaBetaSearch(position, seed=3, memory=1) for _ in range(2))
    whole.run(Limits(visits=6_000))
    for visits in range(1_000, 7_000, 1_000):
        sliced.run(Limits(visits=visits))
    assert whole.visits == sliced.visits == 6_000
    assert shown(whole) == shown(sliced)


def test_the_search_is_the_same_as_plain_python():
    found = []
    (position,) = some_late_positions(1, 20)
    for is_plain in (False, True):
        with native.plainly(is_plain):
            search = AlphaBetaSearch(position, seed=5, memory=1)
            search.run(Limits(visits=700))
        found.append((search.depth, search.value(), shown(search)))
    assert found[0] == found[1]
    assert found[0][0] > 1


def test_a_limit_of_visits_is_kept_and_candidates_are_legal():
    position = GAME.initial()
    for visits in (2, 7, 60, 5_000):
        search = AlphaBetaSearch(position, memory=1)
        search.run(Limits(visits=visits))
        assert search.visits == visits
        candidates = search.candidates()
        assert candidates
        assert all(one.move in position.legal_moves for one in candidates)
        assert all(0 <= one.value <= 1 for one in candidates)
        assert candidates[0].value == max(one.value for one in candidates)
        for one in candidates:
            after = position
            for move in one.line:
                after = after.play(move)


def test_the_search_follows_the_game_and_refuses_illegal_moves():
    search = make_search(GAME.initial(), SearchSettings(memory=2))
    assert isinstance(search, AlphaBetaSearch)
    search.run(Limits(visits=3_000))
    move = search.candidates()[0].move
    with pytest.raises(IllegalMoveError):
        search.play(type(move)(0))
    search.play(move)
    assert search.position.to_move is Color.RED
    assert search.visits == 0
    search.run(Limits(visits=3_000))
    assert search.candidates()[0].move in search.position.legal_moves


def test_a_search_reports_progress_and_is_stopped_from_another_thread():
    search = AlphaBetaSearch(GAME.initial(), memory=4)
    seen: list[SearchProgress] = []

    def on_progress(progress):
        seen.append(progress)
        if len(seen) == 3:
            threading.Thread(target=search.stop).start()

    search.run(Limits(seconds=600), on_progress)
    assert len(seen) >= 3
    assert [one.visits for one in seen] == sorted(one.visits for one in seen)


def test_a_finished_game_is_not_searched():
    before = last_but_one(random.Random(2))
    move = next(m for m in before.legal_moves if before.play(m).outcome)
    with pytest.raises(ValueError, match="over"):
        AlphaBetaSearch(before.play(move))
    search = AlphaBetaSearch(before, memory=1)
    with pytest.raises(ValueError, match="over"):
        search.play(move)
    assert search.position == before


def test_equal_positions_have_equal_criticality():
    critical = AlphaBetaSearch(GAME.initial(), memory=1).criticality()
    assert critical is not None
    assert len(critical) == tables_of.CELLS
    assert all(-1 <= value <= 1 for value in critical)
    corners = [critical[c] for c in GAME.topology.rims["corners"]]
    assert min(corners) > 0.1
