"""The plain and the native edition of the kernels do the same."""

import random

import numpy as np
import pytest

from antipodes.games.kernels import (
    FAMILIES,
    Rules,
    bits,
    edition,
    header,
    native,
    plain_rules,
    rules_of,
    walks_of,
)
from antipodes.games.registry import make_game
from tests.kernels.editions import editions

from .exercise import GAMES

every_game = pytest.mark.parametrize("game", [make_game(*case) for case in GAMES], ids=repr)


def played_out(game, walks, seed, plies):
    """Return a random position that kernels reached, its winner, and the random state after it."""
    state = game.initial().searchable_state(plies)
    rng = np.array([seed], np.int64)
    work = game.work()
    winner = walks.play_out(game.tables, state, work, rng, plies)
    assert not work.any()
    return winner, state, rng


@every_game
def test_playouts_end_in_the_same_state(game):
    with native.plainly():
        plain = walks_of(game.family)
    compiled = walks_of(game.family)
    rng = random.Random(1)
    for _ in range(10):
        seed, plies = rng.randrange(1, 2**63), rng.choice((5, 400))
        one, other = (played_out(game, walks, seed, plies) for walks in (plain, compiled))
        assert one[0] == other[0] == one[1][header.WINNER]
        assert np.array_equal(one[1], other[1])
        assert np.array_equal(one[2], other[2])
        assert one[1][header.PLY] == plies or one[0] != 0


@every_game
def test_a_playout_is_a_game_of_the_facade(game):
    """The state of a playout says what its own setup says."""
    walks = walks_of(game.family)
    for seed in range(1, 30):
        _, state, _ = played_out(game, walks, seed, 400)
        position = game.wrap(state)
        if position.outcome is not None and state[header.REASON] != header.REPETITION:
            assert game.position(position.to_setup()) == position


def test_every_kernel_of_the_rules_has_a_native_edition():
    for family in FAMILIES:
        plain, fast = plain_rules(family), rules_of(family)
        for name in Rules.__dataclass_fields__:
            assert getattr(fast, name) is not getattr(plain, name)
        assert native.name_of(plain.play) == fast.play.__name__


def test_the_random_numbers_are_the_same_and_evenly_spread():
    fast = edition(bits, "below")
    one, other = np.array([12345], np.int64), np.array([12345], np.int64)
    counts = [0] * 7
    for _ in range(7_000):
        drawn = bits.below(one, 7)
        assert drawn == fast(other, 7)
        counts[drawn] += 1
    assert min(counts) > 850
    assert max(counts) < 1_150


def test_bits_are_counted():
    fast = editions(bits)
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
    rules = rules_of(game.family)
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
    rules = rules_of(game.family)
    rng = np.array([7], np.int64)
    count = len(position.legal_moves)
    drawn = [
        int(rules.sample(game.tables, position.kernel_state, game.work(), rng))
        for _ in range(400 * count)
    ]
    counts = [drawn.count(int(move)) for move in position.legal_moves]
    assert min(counts) > 300
    assert max(counts) < 500
