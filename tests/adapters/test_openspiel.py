"""OpenSpiel's own tests, and what its games say of ours."""

import copy
import pickle
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from tests.adapters.games import CASES, name_of
from tests.thorough import repetitions

pytest.importorskip("pyspiel", reason="the extra `learning` is not installed")

import pyspiel
from open_spiel.python.algorithms import cfr, exploitability, get_all_states, mcts, minimax
from open_spiel.python.observation import INFO_STATE_OBS_TYPE

from antipodes.adapters import openspiel
from antipodes.games.registry import game_ids, make_game

# Abseil, with which OpenSpiel logs, closes its stream when Django configures logging: that would be
# the file in which pytest captures errors.
sys.modules["absl.logging"].get_absl_handler().python_handler.stream = sys.__stderr__


def load(case):
    game_id, options = case
    return pyspiel.load_game(openspiel.short_name(game_id), dict(options))


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_games_pass_the_random_simulations_of_openspiel(case):
    game = load(case)
    pyspiel.random_sim_test(game, num_sims=repetitions(1, 2), serialize=True, verbose=False)


def test_all_games_are_registered_once():
    assert openspiel.register() == openspiel.register()
    assert set(map(openspiel.short_name, game_ids())) <= set(pyspiel.registered_names())
    assert pyspiel.load_game("python_antipodes_hex(size=3)").num_distinct_actions() == 10


def test_the_numbers_of_players_are_those_of_each_game():
    kinds = {kind.short_name: kind for kind in pyspiel.registered_games()}
    for game_id in game_ids():
        most = 4 if game_id == "antipalos" else 2
        kind = kinds[openspiel.short_name(game_id)]
        assert (kind.min_num_players, kind.max_num_players) == (2, most)
    assert load(("antipalos", {"seats": "cutthroat3"})).num_players() == 3


def test_wrong_options_are_reported():
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


@pytest.mark.parametrize("swap", ["sides", "pieces"])
def test_regret_minimization_comes_closer_to_the_best_play(swap):
    game = load(("hex", {"size": 2, "swap": swap}))
    solver = cfr.CFRSolver(game)
    worst = []
    for _ in range(3):
        solver.evaluate_and_update_policy()
        worst.append(exploitability.exploitability(game, solver.average_policy()))
    assert worst == sorted(worst, reverse=True)
    assert worst[-1] < worst[0]


def test_each_state_has_an_information_state_of_its_own():
    game = load(("hex", {"size": 2, "swap": "sides"}))
    states = get_all_states.get_all_states(
        game, include_terminals=False, to_string=lambda state: state.history_str()
    ).values()
    texts = {state.information_state_string() for state in states}
    assert len(texts) == len(states) > 50
    observer = game.make_py_observer(INFO_STATE_OBS_TYPE)
    state = game.new_initial_state()
    state.apply_action(1)
    assert observer.tensor is None
    assert observer.string_from(state, 0) == state.information_state_string(1) == "1"


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_games_and_states_survive_a_copy(case):
    game = load(case)
    state = game.new_initial_state()
    for _ in range(3):
        state.apply_action(state.legal_actions()[-1])
    for copied in (lambda thing: pickle.loads(pickle.dumps(thing)), copy.deepcopy):
        assert str(copied(game)) == str(game)
        assert copied(game).rules == make_game(*case)
        assert copied(state).history() == state.history()
        assert copied(state).position == state.position
        assert copied(state).legal_actions() == state.legal_actions()


def test_a_process_that_is_spawned_knows_the_games(tmp_path):
    program = tmp_path / "spawning.py"
    text = """
        import multiprocessing

        def told(state):
            return str(state.get_game()), state.legal_actions()

        if __name__ == "__main__":
            import pyspiel
            from antipodes.adapters import openspiel

            state = pyspiel.load_game("python_antipodes_hex(size=2)").new_initial_state()
            state.apply_action(1)
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                print(*pool.apply(told, [state]))
    """
    program.write_text(textwrap.dedent(text), encoding="utf-8")
    run = subprocess.run([sys.executable, program], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == "python_antipodes_hex(size=2,swap=pieces) [0, 2, 3, 4]\n"


def test_a_game_without_a_limit_of_its_length_is_loaded():
    game = load(("antipalos", {"size": 12, "phase_two_limit": 0}))
    assert game.max_game_length() == 2**31 - 1


@pytest.mark.parametrize(
    ("case", "shape"),
    [
        (("hex", {"size": 4}), [7, 4, 4]),
        (("cylindrical-hex", {"rows": 3, "columns": 4}), [7, 3, 4]),
        (("antipalos", {"size": 12}), [9, 12, 12]),
        (("antipod", {"side": 3}), [7, 26]),
        (("antipode", {}), [9, 61]),
    ],
)
def test_planes_have_the_rows_of_the_board(case, shape):
    game = load(case)
    state = game.new_initial_state()
    assert game.observation_tensor_shape() == shape
    assert len(state.observation_tensor(1)) == np.prod(shape)


def test_observers_see_planes():
    game = load(("antipode", {}))
    observer = game.make_py_observer()
    state = game.new_initial_state()
    observer.set_from(state, 1)
    assert observer.dict["planes"].shape == (9, 61)
    assert observer.dict["planes"][-3].max() == 0  # the second player is not to move
    assert observer.string_from(state, 0) == str(state)
