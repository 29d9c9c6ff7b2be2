"""Laws of Antipode's random games: drawn as the rules draw them, ended as the rules end them."""

import random
from fractions import Fraction

import numpy as np
import pytest

from antipodes.games.kernels import antipode as tables_of
from antipodes.games.kernels import edition, header, rules_of, walks_of
from antipodes.games.registry import make_game
from antipodes.search.kernels import antipode_playout
from tests.thorough import repetitions

GAME = make_game("antipode")
PLAYOUT = edition(antipode_playout, "playout")


def late_position(game, seed, empty):
    """Return a position of a random game with ``empty`` cells left that goes on, or ``None``."""
    rng = random.Random(seed)
    position = game.initial()
    while position.outcome is None and len(position.tokens()) < tables_of.CELLS - empty:
        position = position.play(rng.choice(position.legal_moves))
    return position if position.outcome is None else None


def chances(position):
    """Return what the chance of each winner is if all turns are drawn with the same chance."""
    if position.outcome is not None:
        return {int(position.kernel_state[header.WINNER]): Fraction(1)}
    found: dict[int, Fraction] = {}
    moves = list(position.legal_moves)
    for move in moves:
        for winner, chance in chances(position.play(move)).items():
            found[winner] = found.get(winner, Fraction(0)) + chance / len(moves)
    return found


def winners(position, games, seed=3):
    """Return how many random games each winner has won."""
    tables, root = position.game.tables, position.kernel_state
    state, work, rng = root.copy(), position.game.work(), np.array([seed], np.int64)
    found: dict[int, int] = {}
    for _ in range(games):
        state[:] = root
        winner = int(PLAYOUT(tables, state, work, rng))
        assert winner == state[header.WINNER]
        found[winner] = found.get(winner, 0) + 1
    assert not work.any()
    return found


@pytest.mark.parametrize("full_board", ["draw", "loss"])
@pytest.mark.parametrize("empty", [1, 2, 3])
def test_winners_come_as_often_as_if_all_turns_were_drawn_alike(empty, full_board):
    game = make_game("antipode", {"full_board": full_board})
    games = 4_000
    wanted = repetitions(2, 5)
    looked_at = 0
    for seed in range(40):
        position = late_position(game, seed, empty)
        if position is None or looked_at == wanted:
            continue
        looked_at += 1
        found = winners(position, games, seed + 1)
        expected = chances(position)
        assert set(found) <= set(expected)
        for winner, chance in expected.items():
            spread = (games * float(chance * (1 - chance))) ** 0.5
            assert abs(found.get(winner, 0) - games * chance) <= 4.5 * spread
    assert looked_at == wanted


def test_winners_from_the_start_come_as_often_as_by_the_rules():
    walks = walks_of("antipode")
    games, wins = 20_000, np.zeros(2, np.int64)
    root, work, rng = GAME.initial().state.copy(), GAME.work(), np.array([9], np.int64)
    arrays = (GAME.tables, root, root.copy(), work, rng, wins)
    draws = walks.play_outs(*arrays, 1000, games)
    found = winners(GAME.initial(), games)
    for winner, count in ((1, wins[0]), (2, wins[1]), (header.DRAW, draws)):
        share = count / games
        assert abs(found[winner] - count) < 4.5 * (2 * games * share * (1 - share)) ** 0.5


def reach_of(state):
    """Return the cells in the lines of the mover's pawn."""
    color = int(state[header.COLOR])
    pawns = [int(state[tables_of.PAWNS + (color + i) % 2]) for i in range(2)]
    return int(GAME.tables[tables_of.REACH + pawns[0] * tables_of.CELLS + pawns[1]])


def mover_view(state):
    """Return own tokens, the others and the pawn's lines."""
    color = int(state[header.COLOR])
    tokens = [int(state[tables_of.TOKENS + (color + i) % 2]) for i in range(2)]
    return *tokens, reach_of(state)


def test_every_turn_is_legal_and_the_game_ends_when_the_rules_end_it(monkeypatch):
    seen: list[tuple[int, ...]] = []
    bound = tables_of.most_rests

    def noted(own, other, reach):
        seen.append((int(own), int(other), int(reach)))
        return bound(own, other, reach)

    monkeypatch.setattr(antipode_playout, "most_rests", noted)
    rng = np.array([77], np.int64)
    for _ in range(repetitions(5, 12)):
        seen.clear()
        # The other pawn may stand out of sight, so there may be several.
        positions = {GAME.initial()}
        state = GAME.initial().kernel_state.copy()
        winner = antipode_playout.playout(GAME.tables, state, GAME.work(), rng)
        seen.append(mover_view(state))
        for wanted in seen[1:]:
            positions = {
                after
                for position in positions
                for after in map(position.play, position.legal_moves)
                if mover_view(after.kernel_state) == wanted
            }
        assert winner in {int(position.kernel_state[header.WINNER]) for position in positions}


def test_a_player_without_a_turn_loses_a_random_game():
    blocked = 0
    rules = rules_of("antipode")
    for seed in range(300):
        position = late_position(GAME, seed, 1)
        if position is None:
            continue
        state = position.kernel_state.copy()
        color = int(state[header.COLOR])
        # The mover loses all tokens in its pawn's lines: mostly nothing is left to rest on.
        lost = int(state[tables_of.TOKENS + color]) & reach_of(state)
        state[tables_of.TOKENS + color] ^= lost
        state[tables_of.TOKENS + 1 - color] ^= lost
        rules.rebuild(GAME.tables, state, GAME.work())
        if state[header.REASON] == header.BLOCKED:
            blocked += 1
            assert state[header.WINNER] == 2 - color
            state[header.WINNER] = 0
            assert PLAYOUT(GAME.tables, state, GAME.work(), np.array([5])) == 2 - color
    assert blocked > 5


def test_no_token_gains_more_resting_places_than_the_bound_allows():
    adjacent = GAME.tables[tables_of.ADJACENT :][: tables_of.CELLS].tolist()
    reach = GAME.tables[tables_of.REACH :][: tables_of.CELLS**2].reshape(tables_of.CELLS, -1)
    most = max(
        (lines & (near | 1 << cell)).bit_count()
        for pawn in range(tables_of.CELLS)
        for lines in set(reach[pawn].tolist())
        for cell, near in enumerate(adjacent)
        if cell != pawn
    )
    assert most == tables_of.GAIN


@pytest.mark.parametrize("seed", [1, 2])
def test_random_games_are_the_same_in_both_editions(seed):
    arrays = []
    for playout in (antipode_playout.playout, PLAYOUT):
        state, rng = GAME.initial().kernel_state.copy(), np.array([seed], np.int64)
        for _ in range(5):
            state[:] = GAME.initial().kernel_state
            playout(GAME.tables, state, GAME.work(), rng)
        arrays.append((state.tolist(), rng.tolist()))
    assert arrays[0] == arrays[1]
