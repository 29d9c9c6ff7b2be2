"""OpenSpiel's own tests, and what its games say of ours."""

import sys

import numpy as np
import pytest

from tests.adapters.games import CASES, name_of
from tests.thorough import repetitions

pytest.importorskip("pyspiel", reason="the extra `learning` is not installed")

import pyspiel
from open_spiel.python.algorithms import mcts, minimax

from antipodes.adapters import openspiel
from antipodes.games.registry import game_ids

# Abseil, with which OpenSpiel logs, closes its stream when Django configures logging: that would be
# the file in which pytest captures errors.
sys.modules["absl.logging"].get_absl_handler().python_handler.stream = sys.__stderr__


def load(case):
    game_id, options = case
    openspiel.register()
    return pyspiel.load_game(openspiel.short_name(game_id), dict(options))


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_games_pass_the_random_simulations_of_openspiel(case):
    game = load(case)
    pyspiel.random_sim_test(game, num_sims=repetitions(1, 2), serialize=True, verbose=False)


def test_all_games_are_registered_once():
    assert openspiel.register() == openspiel.register()
    assert set(map(openspiel.short_name, game_ids())) <= set(pyspiel.registered_names())
    assert pyspiel.load_game("python_antipodes_hex(size=3)").num_distinct_actions() == 10


def test_wrong_options_are_reported():
    openspiel.register()
    with pytest.raises(Exception, match="size is 1"):
        pyspiel.load_game("python_antipodes_hex(size=1)")


def test_the_algorithms_of_openspiel_find_the_winner():
    game = load(("hex", {"size": 2, "swap": "off"}))
    value, _move = minimax.alpha_beta_search(game, value_function=None, maximizing_player_id=0)
    assert value == 1


@pytest.mark.parametrize(
    "case",
    [
        ("hex", {"size": 3, "swap": "pieces"}),
        ("antipalos", {"size": 12, "rods": 1, "seats": "cutthroat3", "phase_two_limit": 1}),
    ],
    ids=name_of,
)
def test_a_bot_of_openspiel_plays_a_whole_game(case):
    game = load(case)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 1.4, 8, evaluator, random_state=np.random.RandomState(1))
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bot.step(state))
    assert sum(state.returns()) == 0


def test_observers_see_planes():
    game = load(("antipode", {}))
    observer = game.make_py_observer()
    state = game.new_initial_state()
    observer.set_from(state, 1)
    assert observer.dict["planes"].shape == (9, 61)
    assert observer.dict["planes"][-3].max() == 0  # the second player is not to move
    assert observer.string_from(state, 0) == str(state)
