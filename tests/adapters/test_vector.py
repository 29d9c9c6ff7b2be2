"""The vectorised environment plays the same games as positions do."""

import numpy as np
import pytest

from antipodes.adapters.kernels import antipalos, antipode, placement, steps
from antipodes.adapters.observation import legal_mask, observe, rewards_at
from antipodes.adapters.vector import VectorEnv
from antipodes.errors import IllegalMoveError, InvalidOptionsError
from antipodes.games.kernels import native
from antipodes.games.registry import make_game
from tests.adapters.games import CASES, name_of
from tests.thorough import repetitions

GAMES = 4


def check(env, positions):
    for number, position in enumerate(positions):
        np.testing.assert_array_equal(env.observations[number], observe(position))
        np.testing.assert_array_equal(env.legal[number], legal_mask(position))
        assert env.to_move[number] == position.seat_to_move


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_each_game_goes_on_as_a_position_does(case):
    game_id, options = case
    env = VectorEnv(game_id, GAMES, seed=3, **options)
    positions = [env.game.initial()] * GAMES
    ends = 0
    for _ in range(repetitions(60, 600)):
        check(env, positions)
        actions = env.random_actions()
        step = env.step(actions)
        for number, action in enumerate(actions):
            position = positions[number].play(int(action))
            is_over = position.outcome is not None
            ends += is_over
            assert step.terminated[number] == is_over
            assert step.rewards[number].tolist() == rewards_at(position).tolist()
            if is_over:
                assert env.end(number) == position
            positions[number] = env.game.initial() if is_over else position
    assert ends


def test_kernels_run_plainly():
    with native.plainly():
        env = VectorEnv("hex", 2, size=2)
        env.step([0, 1])
    assert env.position(0) == make_game("hex", {"size": 2}).initial().play(0)


def test_an_illegal_move_is_refused_and_changes_nothing():
    env = VectorEnv("hex", 2, size=3)
    env.step([4, 5])
    before = env.observations.copy()
    with pytest.raises(IllegalMoveError, match="c2"):
        env.step([0, 5])
    np.testing.assert_array_equal(env.observations, before)


@pytest.mark.parametrize("actions", [[1], [0.5, 1.0], [[0, 1]]])
def test_actions_of_a_wrong_shape_are_refused(actions):
    with pytest.raises(ValueError, match="not 2 whole numbers"):
        VectorEnv("hex", 2, size=3).step(actions)


def test_wrong_numbers_and_options_are_refused():
    with pytest.raises(ValueError, match="n is 0"):
        VectorEnv("hex", 0)
    with pytest.raises(InvalidOptionsError):
        VectorEnv("hex", 1, size=1)


def test_a_seed_gives_the_same_games():
    def moves(seed):
        env = VectorEnv("antipod", 3, seed=seed, side=3)
        return [env.random_actions().tolist() for _ in range(3)]

    assert moves(5) == moves(5) != moves(6)


def test_reset_starts_all_games_again():
    env = VectorEnv("hex", 2, size=3)
    start = env.observations.copy()
    env.step([0, 1])
    env.reset()
    np.testing.assert_array_equal(env.observations, start)


def test_arrays_are_shared_through_dlpack():
    env = VectorEnv("hex", 2, size=3)
    arrays = (env.observations, env.legal, env.to_move)
    shared = [np.from_dlpack(array) for array in arrays]
    env.step([0, 1])
    for one, other in zip(shared, arrays, strict=True):
        assert np.shares_memory(one, other)
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("family", [antipalos, antipode, placement])
def test_each_family_plays_by_one_step_with_its_own_rules(family):
    assert family.step.__code__ is steps.step.__code__
    assert {name: family.step.__globals__[name] for name in ("judge", "play", "show")} == {
        name: vars(family)[name] for name in ("judge", "play", "show")
    }


def test_games_count_from_either_end_and_there_is_none_beyond_the_last():
    env = VectorEnv("hex", 3, size=2)
    env.step(np.array([0, 1, 2]))
    assert env.position(-1) == env.position(2) != env.game.initial()
    with pytest.raises(IndexError):
        env.position(3)
