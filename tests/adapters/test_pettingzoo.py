"""PettingZoo's own tests, and what its environments say of games."""

import pytest

from antipodes.errors import IllegalMoveError, InvalidOptionsError
from tests.adapters.games import CASES, name_of

pytest.importorskip("pettingzoo", reason="the extra `learning` is not installed")

from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.test.state_test import state_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from antipodes.adapters import pettingzoo


# PettingZoo warns of observations with masks, which its own classic games have too.
@pytest.mark.filterwarnings("ignore:Observation")
@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_environments_pass_the_tests_of_pettingzoo(case, capsys):
    game_id, options = case
    api_test(pettingzoo.env(game_id, **options), num_cycles=40)
    seed_test(lambda: pettingzoo.env(game_id, **options), num_cycles=10)
    parallel = turn_based_aec_to_parallel(pettingzoo.env(game_id, **options))
    parallel_api_test(parallel, num_cycles=20)
    state_test(pettingzoo.env(game_id, **options), parallel, num_cycles=5)
    render_test(lambda render_mode: pettingzoo.env(game_id, render_mode=render_mode, **options))


def test_the_winner_is_rewarded_and_the_loser_pays():
    env = pettingzoo.env("hex", size=2, swap="off")
    env.reset()
    for move in (0, 1, 2):
        assert env.last()[0]["action_mask"][move]
        env.step(move)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": 1, "player_1": -1}


def test_the_seats_are_rewarded_after_a_swap_of_sides():
    env = pettingzoo.env("hex", size=2, swap="sides")
    env.reset()
    swap = env.unwrapped.game.swap_move
    agents = []
    for move in (0, swap, 1, 2):
        agents.append(env.agent_selection)
        env.step(move)
    assert agents == ["player_0", "player_1", "player_0", "player_1"]
    assert env.rewards == {"player_0": -1, "player_1": 1}


def test_an_illegal_move_loses():
    env = pettingzoo.env("hex", size=3, swap="off")
    env.reset()
    env.step(0)
    env.step(0)
    assert env.rewards == {"player_0": 0, "player_1": -1}
    raw = pettingzoo.raw_env("hex", size=3)
    raw.reset()
    raw.step(0)
    with pytest.raises(IllegalMoveError):
        raw.step(0)


def test_boards_are_shown_as_text():
    env = pettingzoo.env("hex", render_mode="ansi", size=2)
    env.reset()
    assert env.render() == env.unwrapped.position.picture()
    with pytest.raises(InvalidOptionsError):
        pettingzoo.env("hex", size=1)
    with pytest.raises(ValueError, match="render_mode is 'rgb_array', but must be None or 'ansi'"):
        pettingzoo.env("hex", render_mode="rgb_array")


def test_boards_are_printed_for_a_person(capsys):
    env = pettingzoo.env("hex", render_mode="human", size=2)
    env.reset()
    assert env.render() is None
    assert capsys.readouterr().out == env.unwrapped.position.picture() + "\n"


def test_the_state_is_what_the_agent_to_move_sees():
    env = pettingzoo.env("cylindrical-hex", rows=3, columns=4)
    env.reset()
    env.step(5)
    assert env.state().shape == (7, 3, 4)
    assert (env.state() == env.observe(env.agent_selection)["observation"]).all()
    assert not env.unwrapped.metadata["is_parallelizable"]
