"""The solver: who wins, compared with trying everything; limits, tables, all moves."""

from typing import Any, cast

import pytest

from antipodes.core import Color
from antipodes.errors import InputError
from antipodes.games.placement import PlacementGame
from antipodes.games.registry import make_game
from antipodes.search.proof.dfpn import DfpnSearch
from antipodes.search.proof.solver import Solver
from antipodes.search.proof.table import ProofTable
from tests.search.proof.brute_force import BOARDS, after, endings, game_of, winner_of
from tests.thorough import repetitions, sample


@pytest.mark.parametrize(("game_id", "options", "empty"), sample(BOARDS, 3))
def test_the_winner_and_all_winning_moves_agree_with_brute_force(game_id, options, empty):
    game = game_of(game_id, options)
    known: dict[object, int] = {}
    table = ProofTable(16)
    for state in endings(game, empty, repetitions(5, 12), seed=5):
        solver = Solver(game.wrap(state), table=table)
        assert solver.run(all_moves=True)
        winner = winner_of(game, state, known)
        assert solver.winner is game.kernel_colors[winner - 1]
        legal = list(game.wrap(state).legal_moves)
        mover = game.kernel_colors.index(game.wrap(state).to_move) + 1
        winning = [m for m in legal if winner_of(game, after(game, state, m), known) == mover]
        assert solver.winning_moves == winning


def test_a_win_comes_with_a_move():
    solver = Solver(make_game("hex", {"size": 5}).initial())
    assert solver.run()
    assert solver.winner is Color.BLACK
    assert [solver.position.format_move(m) for m in solver.winning_moves] == ["c3"]


def test_a_run_ends_at_its_limit_and_can_be_resumed():
    solver = Solver(make_game("hex", {"size": 6}).initial())
    assert not solver.run(nodes=3)
    assert solver.winner is None
    assert solver.nodes <= 4
    assert solver.run()
    assert solver.winner is Color.BLACK


def test_progress_is_reported_and_an_interruption_keeps_the_results():
    solver = Solver(make_game("hex", {"size": 6}).initial())
    told = []

    def interrupt(progress):
        told.append(progress)
        if progress.nodes > 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solver.run(on_progress=interrupt)
    assert told[-1].nodes > 2
    assert told[-1].entries == len(solver.table) > 0
    assert told[-1].proof > 0
    assert solver.run()


def test_a_saved_table_can_be_resumed(tmp_path):
    start = make_game("hex", {"size": 6}).initial()
    first = Solver(start)
    first.run()
    path = str(tmp_path / "table.npz")
    first.table.save(path)
    loaded = ProofTable.load(path, 16)
    assert len(loaded) == len(first.table)
    second = Solver(start, table=loaded)
    assert second.run()
    assert second.nodes < first.nodes
    assert second.winner is first.winner


def test_a_table_of_another_board_is_refused(tmp_path):
    solver = Solver(make_game("hex", {"size": 4}).initial())
    solver.run()
    path = str(tmp_path / "table.npz")
    solver.table.save(path)
    with pytest.raises(InputError, match="rhombus 4"):
        Solver(make_game("hex", {"size": 5}).initial(), table=ProofTable.load(path, 16))


@pytest.mark.parametrize("data", [b"", b"nonsense", b"PK\x03\x04 nonsense"])
def test_a_file_that_is_not_a_table_is_refused(tmp_path, data):
    path = tmp_path / "table.npz"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        ProofTable.load(str(path), 16)
    assert caught.value.code == "table/unreadable"


def test_a_missing_table_is_refused(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        ProofTable.load(str(tmp_path / "nothing.npz"), 16)


def test_a_full_table_drops_the_entries_with_the_least_work():
    small = ProofTable(16)
    small._capacity = 60
    solver = Solver(make_game("hex", {"size": 6}).initial(), table=small)
    assert solver.run()
    assert len(small) <= 60


@pytest.mark.parametrize("game_id", ["antipalos", "antipode"])
def test_other_games_are_refused(game_id):
    with pytest.raises(ValueError, match="cannot be solved"):
        Solver(make_game(game_id).initial())


def test_the_policy_of_the_network_saves_the_solver_positions():
    start = make_game("hex", {"size": 7, "swap": "off"}).initial().play("c2")
    game = cast("PlacementGame[Any, Any]", start.game)
    searches = [DfpnSearch(game, ProofTable(16), guided=guided) for guided in (False, True)]
    alone, guided = (search.run(start.kernel_state.copy()) for search in searches)
    assert alone.winner == guided.winner == 1
    assert searches[1].nodes < 0.8 * searches[0].nodes
