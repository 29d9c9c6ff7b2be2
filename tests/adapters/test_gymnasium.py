"""The vectorised environment in the harness of gymnasium."""

import numpy as np
import pytest

from antipodes.adapters.observation import observe, rewards_at, shape_of
from antipodes.errors import IllegalMoveError, InvalidOptionsError
from antipodes.games.registry import make_game
from tests.adapters.games import CASES, name_of
from tests.thorough import repetitions

pytest.importorskip("gymnasium", reason="the extra `learning` is not installed")

from gymnasium import vector
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from antipodes.adapters.gymnasium import VectorEnv

GAMES = 3


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_observations_are_in_their_spaces_and_the_last_ones_show_the_end(case):
    game_id, options = case
    env = VectorEnv(game_id, GAMES, **options)
    seen, _ = env.reset(seed=5)
    positions = [env.games.game.initial()] * GAMES
    ends = 0
    for _ in range(repetitions(50, 400)):
        assert env.observation_space.contains(seen)
        actions = env.games.random_actions()
        assert env.action_space.contains(actions)
        movers = env.games.to_move.copy()
        seen, rewards, terminations, truncations, infos = env.step(actions)
        assert infos["to_move"].tolist() == env.games.to_move.tolist()
        assert not truncations.any()
        for number, action in enumerate(actions.tolist()):
            position = positions[number].play(action)
            is_over = position.outcome is not None
            assert terminations[number] == is_over
            assert rewards[number] == rewards_at(position)[movers[number]]
            if is_over:
                ends += 1
                last = infos["final_obs"][number]
                assert env.single_observation_space.contains(last)
                assert (last["observation"].ravel() == observe(position).ravel()).all()
                assert infos["rewards"][number].tolist() == rewards_at(position).tolist()
                position = env.games.game.initial()
            positions[number] = position
    assert ends


def test_it_is_an_environment_of_gymnasium_that_its_wrappers_take():
    env = VectorEnv("hex", 2, size=2, swap="off")
    assert isinstance(env, vector.VectorEnv)
    assert env.metadata["autoreset_mode"] is vector.AutoresetMode.SAME_STEP
    assert env.single_observation_space["observation"].shape == (7, 2, 2)
    wrapped = DictInfoToList(RecordEpisodeStatistics(env))
    wrapped.reset(seed=1)
    assert env.np_random_seed == 1
    for actions in ([0, 3], [1, 2]):
        wrapped.step(np.array(actions))
    _, _, terminations, _, infos = wrapped.step(np.array([2, 1]))
    assert terminations.tolist() == [True, True]
    assert [info["episode"]["r"] for info in infos] == [1, 1]
    assert [info["rewards"].tolist() for info in infos] == [[1, -1], [1, -1]]


def test_observations_are_copies_or_views_that_cannot_be_written():
    env = VectorEnv("hex", 2, size=3)
    seen, _ = env.reset()
    env.step([0, 1])
    assert seen["observation"].sum() < env.games.observations.sum()
    env = VectorEnv("hex", 2, size=3, copy=False)
    seen, _ = env.reset()
    env.step([0, 1])
    assert seen["observation"].sum() == env.games.observations.sum()
    for array in seen.values():
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_boards_without_rows_keep_their_cells():
    assert shape_of(make_game("antipode")) == (9, 61)
    env = VectorEnv("antipode", 1)
    assert env.single_observation_space["observation"].shape == (9, 61)
    assert env.reset()[0]["observation"].shape == (1, 9, 61)


def test_wrong_moves_numbers_and_options_are_refused():
    env = VectorEnv("hex", 2, size=3)
    env.step([4, 5])
    with pytest.raises(IllegalMoveError, match="c2"):
        env.step([0, 5])
    with pytest.raises(ValueError, match="n is 0"):
        VectorEnv("hex", 0)
    with pytest.raises(InvalidOptionsError):
        VectorEnv("hex", 1, size=1)
