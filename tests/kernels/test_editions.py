"""The plain and the compiled edition of the kernels do the same."""

import random

import numpy as np
import pytest

from antipodes.games.kernels import (
    FAMILIES,
    bits,
    compiled_rules,
    compiled_walks,
    header,
    jit,
    plain_rules,
    plain_walks,
)
from antipodes.games.kernels.registry import KERNELS
from antipodes.games.registry import make_game

from .exercise import GAMES

every_game = pytest.mark.parametrize("game", [make_game(*case) for case in GAMES], ids=repr)


def played_out(game, rules, walks, seed, plies):
    """Return a random position that kernels reached, its winner, and the random state after it."""
    state = game.initial().searchable_state(plies)
    rng = np.array([seed], np.int64)
    work = game.work()
    winner = walks.play_out(rules.sample, rules.play, game.tables, state, work, rng, plies)
    assert not work.any()
    return winner, state, rng


@every_game
def test_playouts_end_in_the_same_state(game):
    plain = (plain_rules(game.family), plain_walks())
    compiled = (compiled_rules(game.family), compiled_walks())
    rng = random.Random(1)
    for _ in range(10):
        seed, plies = rng.randrange(1, 2**63), rng.choice((5, 400))
        one, other = (played_out(game, *pair, seed, plies) for pair in (plain, compiled))
        assert one[0] == other[0] == one[1][header.WINNER]
        assert np.array_equal(one[1], other[1])
        assert np.array_equal(one[2], other[2])
        assert one[1][header.PLY] == plies or one[0] != 0


@every_game
def test_a_playout_is_a_game_of_the_facade(game):
    """The state of a playout says what its own setup says."""
    rules, walks = compiled_rules(game.family), compiled_walks()
    for seed in range(1, 30):
        _, state, _ = played_out(game, rules, walks, seed, 400)
        position = game.wrap(state)
        if position.outcome is not None and state[header.REASON] != header.REPETITION:
            assert game.position(position.to_setup()) == position


def test_every_kernel_has_a_compiled_edition():
    for family in FAMILIES:
        compiled_rules(family)
    compiled_walks()
    for module in [name for name in KERNELS if name.startswith("antipodes.games")]:
        assert set(jit.compiled(module)) == set(KERNELS[module])


def test_the_random_numbers_are_the_same_and_evenly_spread():
    fast = jit.compiled(bits.__name__)["below"]
    one, other = np.array([12345], np.int64), np.array([12345], np.int64)
    counts = [0] * 7
    for _ in range(7_000):
        drawn = bits.below(one, 7)
        assert drawn == fast(other, 7)
        counts[drawn] += 1
    assert min(counts) > 850
    assert max(counts) < 1_150


def test_bits_are_counted():
    fast = jit.compiled(bits.__name__)
    rng = random.Random(2)
    for _ in range(500):
        x = rng.getrandbits(rng.randrange(1, 63)) | 1 << rng.randrange(62)
        x &= 2**62 - 1
        assert bits.popcount(x) == fast["popcount"](x) == x.bit_count()
        if x:
            assert bits.lowest(x) == fast["lowest"](x) == (x & -x).bit_length() - 1


def test_sampled_moves_are_equally_likely():
    game = make_game("hex", {"size": 2, "swap": "pieces"})
    position = game.initial().play(0)
    rules = compiled_rules(game.family)
    rng = np.array([99], np.int64)
    drawn = [
        int(rules.sample(game.tables, position.kernel_state, game.work(), rng))
        for _ in range(4_000)
    ]
    counts = [drawn.count(move) for move in position.legal_moves]
    assert sum(counts) == 4_000
    assert min(counts) > 900
    assert max(counts) < 1_100


def test_the_turns_of_antipode_are_sampled_equally_likely():
    game = make_game("antipode")
    position = game.initial()
    rules = compiled_rules(game.family)
    rng = np.array([7], np.int64)
    count = len(position.legal_moves)
    drawn = [
        int(rules.sample(game.tables, position.kernel_state, game.work(), rng))
        for _ in range(400 * count)
    ]
    counts = [drawn.count(int(move)) for move in position.legal_moves]
    assert min(counts) > 300
    assert max(counts) < 500
