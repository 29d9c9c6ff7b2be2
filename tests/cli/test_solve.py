"""Tests of ``antipodes solve``."""

import json

import pytest

from antipodes.search.proof.solver import Solver
from tests.cli.tools import run

SIX = ("solve", "hex", "--set", "size=6")


def test_the_winner_and_a_winning_move_are_shown():
    done = run("solve", "hex", "--set", "size=5", "--set", "swap=off")
    assert done.exit_code == 0
    assert done.stdout == "Hex, move 1: Black to move.\nBlack wins with c3.\n"
    assert "positions looked at" in done.stderr


def test_the_omission_of_a_swap_is_reported():
    assert "A swap is left out" in run("solve", "hex", "--set", "size=4").stdout
    assert "swap" not in run("solve", "antipod", "--set", "side=3").stdout


def test_the_loser_to_move_has_no_move():
    output = run("solve", "antipod", "--set", "side=3").stdout
    assert "Black wins, whatever White plays." in output


def test_all_winning_moves_are_shown():
    output = run("solve", "hex", "--set", "size=4", "--all-moves").stdout
    assert "Black wins with d1, c2, b3, a4; other moves lose." in output


def test_json_has_winner_moves_and_nodes():
    data = json.loads(run("solve", "hex", "--set", "size=4", "--all-moves", "--json").stdout)
    assert (data["winner"], data["to_move"], data["complete"]) == ("black", "black", True)
    assert data["moves"] == ["d1", "c2", "b3", "a4"]
    assert data["nodes"] > 0
    assert data["history"][0].keys() == {"seconds", "nodes", "proof_number", "disproof_number"}


def test_an_unsolved_position_has_no_winner():
    done = run(*SIX, "--seconds", 0)
    assert done.exit_code == 1
    assert "Not solved: " in done.stdout
    data = json.loads(run(*SIX, "--seconds", 0, "--json").stdout)
    assert data["winner"] is None
    assert data["proof_number"] >= 1


def test_a_table_saves_work(tmp_path):
    table = tmp_path / "six.npz"
    first = json.loads(run(*SIX, "--table", table, "--json").stdout)
    second = json.loads(run(*SIX, "--table", table, "--json").stdout)
    assert second["winner"] == first["winner"] == "black"
    assert second["nodes"] < first["nodes"]
    done = run("solve", "hex", "--set", "size=5", "--table", table)
    assert done.exit_code == 2
    assert "rhombus 6" in done.stderr


def test_an_interruption_saves_the_table_and_shows_the_progress(tmp_path, monkeypatch):
    whole = Solver.run

    def interrupted(solver, *, on_progress, **limits):
        def interrupt(progress):
            on_progress(progress)
            if progress.nodes > 1:
                raise KeyboardInterrupt

        return whole(solver, on_progress=interrupt, **limits)

    monkeypatch.setattr(Solver, "run", interrupted)
    table = tmp_path / "six.npz"
    done = run(*SIX, "--table", table)
    assert done.exit_code == 130
    assert "Interrupted: positions 2" in done.stderr
    monkeypatch.undo()
    assert json.loads(run(*SIX, "--table", table, "--json").stdout)["winner"] == "black"


def test_a_proof_is_written_and_verified(tmp_path):
    path = tmp_path / "proof.json"
    done = run("solve", "hex", "--set", "size=5", "--proof", path)
    assert done.exit_code == 0
    assert f"lines, verified; in {path}" in done.stdout
    done = run("solve", "--verify", path)
    assert done.exit_code == 0
    assert "The proof holds: Black wins." in done.stdout
    assert run("solve", "hex", "--set", "size=5", "--verify", path).exit_code == 0
    done = run("solve", "hex", "--set", "size=6", "--verify", path)
    assert done.exit_code == 2
    assert "another position" in done.stderr


def test_a_pairing_is_a_proof_without_search(tmp_path):
    path = tmp_path / "pairing.json"
    start = ("solve", "antipod", "--set", "side=10", "--set", "handicap=none")
    done = run(*start, "--proof", path)
    assert "Black wins, whatever White plays." in done.stdout
    assert "243 pairs of points" in done.stdout
    assert run(*start, "--verify", path).exit_code == 0
    told = json.loads(run(*start, "--json").stdout)
    assert (told["nodes"], told["complete"], len(told["pairing"])) == (0, False, 243)


def test_a_proof_is_compressed_if_its_name_says_so(tmp_path):
    path = tmp_path / "proof.json.xz"
    assert run("solve", "hex", "--set", "size=4", "--proof", path).exit_code == 0
    assert path.read_bytes().startswith(b"\xfd7zXZ")
    assert "The proof holds" in run("solve", "--verify", path).stdout


def test_an_invalid_proof_is_reported(tmp_path):
    path = tmp_path / "proof.json"
    run("solve", "hex", "--set", "size=4", "--proof", path)
    path.write_text(path.read_text().replace('"top"', '"bottom"'))
    done = run("solve", "--verify", path)
    assert done.exit_code == 1
    assert "The proof does not hold" in done.stdout
    data = json.loads(run("solve", "--verify", path, "--json").stdout)
    assert data["holds"] is False
    assert data["message"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name a file or a game to solve"),
        (("antipode",), "Antipode cannot be solved"),
        (("chess",), "chess"),
        (("no-such-file.json",), "no-such-file.json"),
        (("--verify", "no-such-file.json"), "no-such-file.json"),
        (("hex", "--set", "size=4", "--proof", "/no/such/folder/p.json"), "/no/such/folder"),
        (("hex", "--set", "size=4", "--table", "/no/such/folder/t.npz"), "/no/such/folder"),
        (("hex", "--ply", "3"), "no moves"),
    ],
)
def test_wrong_input_is_an_error(arguments, message):
    done = run("solve", *arguments)
    assert done.exit_code == 2
    assert message in done.stderr


def test_a_game_that_is_over_cannot_be_solved(tmp_path):
    from antipodes import Hex, Record, save

    record = Record(Hex(size=2, swap="off"))
    node = record.root
    for move in ("a1", "b1", "a2"):
        node = node.add(node.position.parse_move(move))
    save(tmp_path / "over.json", record)
    done = run("solve", tmp_path / "over.json")
    assert done.exit_code == 2
    assert "the game is over" in done.stderr
    assert "Black wins" in run("solve", tmp_path / "over.json", "--ply", 2).stdout
