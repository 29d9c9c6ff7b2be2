"""Observations: planes of pieces, their images under symmetries, and rewards."""

import random

import numpy as np
import pytest

from antipodes.adapters.observation import (
    augmented,
    legal_mask,
    observe,
    plane_names,
    rewards,
    rewards_at,
)
from antipodes.core import Color
from antipodes.games.registry import make_game
from tests.adapters.games import CASES, name_of
from tests.thorough import repetitions, sample


def random_lines(game, plies, seed):
    chance, position = random.Random(seed), game.initial()
    moves: list[int] = []
    while position.outcome is None and len(moves) < plies:
        moves.append(chance.choice(position.legal_moves))
        position = position.play(moves[-1])
    return moves


def after(game, moves):
    position = game.initial()
    for move in moves:
        position = position.play(move)
    return position


def test_planes_of_a_small_position_of_hex():
    position = make_game("hex", {"size": 2}).initial().play("a1").play("b2")
    names = plane_names(position.game)
    seen = dict(zip(names, observe(position).tolist(), strict=True))
    assert seen == {
        "own stones": [1, 0, 0, 0],
        "opponent's stones": [0, 0, 0, 1],
        "observer is black": [1, 1, 1, 1],
        "observer is white": [0, 0, 0, 0],
        "observer is to move": [1, 1, 1, 1],
        "swap is legal": [0, 0, 0, 0],
        "Phase Two": [0, 0, 0, 0],
    }
    other = dict(zip(names, observe(position, Color.WHITE).tolist(), strict=True))
    assert other["own stones"] == seen["opponent's stones"]
    assert other["observer is to move"] == [0, 0, 0, 0]


@pytest.mark.parametrize("case", sample(CASES, 4), ids=name_of)
def test_a_symmetry_of_the_position_is_that_of_the_observation(case):
    game = make_game(*case)
    moves = random_lines(game, 9, seed=1)
    position = after(game, moves)
    for symmetry in sample(game.symmetries, repetitions(4, 24)):
        image = after(game, [game.transform(move, symmetry) for move in moves])
        planes, mask = augmented(game, observe(position), legal_mask(position), symmetry)
        np.testing.assert_array_equal(planes, observe(image))
        np.testing.assert_array_equal(mask, legal_mask(image))


def test_a_symmetry_that_the_rules_do_not_share_is_refused():
    game = make_game("hex", {"size": 3})
    position = game.initial()
    with pytest.raises(ValueError, match=r"7 is not one of the symmetries \(0, 1\)"):
        augmented(game, observe(position), legal_mask(position), 7)


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_rewards_add_up_to_nothing(case):
    game = make_game(*case)
    assert rewards_at(game.initial()).tolist() == [0] * game.seats
    end = after(game, random_lines(game, 10_000, seed=3))
    found = rewards_at(end)
    assert end.outcome is not None
    assert abs(found.sum()) < 1e-6
    assert (found.max() == 1) == (end.outcome.winner is not None)


def test_losers_share_the_loss():
    game = make_game("antipalos", {"seats": "cutthroat3"})
    assert rewards(game, [1]).tolist() == [-0.5, 1, -0.5]
    team = make_game("antipalos", {"seats": "team"})
    assert rewards(team, [0, 2]).tolist() == [1, -1, 1, -1]
