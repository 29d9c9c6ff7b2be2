"""``antipodes puzzles``."""

import json
import lzma

import pytest

from antipodes.puzzles import source_games, store
from tests.cli.tools import run

PUZZLE = store.puzzles("hex")[0]


@pytest.fixture
def tampered(tmp_path):
    """A folder of puzzles of Hex in which one proof has lost a line."""
    (files,) = store.files_of(store.FOLDER, "hex")
    for path in files:
        (tmp_path / path.name).write_bytes(path.read_bytes())
    target = tmp_path / files[1].name
    first, *rest = lzma.decompress(target.read_bytes()).decode().splitlines()
    proof = json.loads(first)
    proof["refutations"][0] = ["path", ["a1", "f6"]]
    text = "\n".join([json.dumps(proof, separators=(",", ":")), *rest, ""])
    target.write_bytes(lzma.compress(text.encode()))
    return tmp_path


def test_the_list_has_a_row_for_each_puzzle():
    rows = json.loads(run("puzzles", "list", "--json").stdout)
    assert {"id", "game", "theme", "difficulty"} <= set(rows[0])
    assert len(rows) == len(store.all_puzzles())
    assert PUZZLE.line[0] not in rows[0].values()


def test_the_list_is_filtered():
    rows = json.loads(
        run("puzzles", "list", "--game", "hex", "--difficulty", PUZZLE.difficulty, "--json").stdout
    )
    assert PUZZLE.id in [row["id"] for row in rows]
    assert {row["game"] for row in rows} == {"hex"}
    assert {row["difficulty"] for row in rows} == {PUZZLE.difficulty}
    for row in json.loads(run("puzzles", "list", "--theme", "fork", "--json").stdout):
        assert "fork" in row["themes"]
    told = run("puzzles", "list", "--game", "hex")
    assert PUZZLE.id in told.stdout
    assert "puzzles: hex" in told.stderr


def test_a_puzzle_is_shown_with_all_that_is_known():
    told = json.loads(run("puzzles", "show", PUZZLE.id, "--json").stdout)
    assert told["game"] == "hex"
    assert told["to_move"] == PUZZLE.solver.value
    assert told["solutions"] == list(PUZZLE.solutions)
    assert told["setup"]["stones"] == dict(PUZZLE.setup.stones)
    text = run("puzzles", "show", PUZZLE.id).stdout
    assert "Only one move wins." in text
    assert "Solution" not in text
    assert (
        f"Solution: {' '.join(PUZZLE.line)}"
        in run("puzzles", "show", PUZZLE.id, "--solution").stdout
    )


def test_the_proof_of_a_win_is_verified_by_solve(tmp_path):
    path = tmp_path / "proof.json"
    assert run("puzzles", "show", PUZZLE.id, "--proof", path).exit_code == 0
    assert run("solve", "--verify", path).exit_code == 0


def test_an_unknown_theme_is_an_error():
    done = run("puzzles", "list", "--theme", "castling")
    assert done.exit_code == 2
    assert "no theme 'castling'; there are bridge" in done.stderr


def test_an_unknown_puzzle_is_an_error():
    done = run("puzzles", "show", "nothing")
    assert done.exit_code == 2
    assert "there is no puzzle 'nothing'" in done.stderr


def test_puzzles_are_verified():
    done = run("puzzles", "verify", "--sample", 3, "--seed", 2)
    assert done.exit_code == 0
    assert "3 of 3 puzzles verified" in done.stdout
    told = json.loads(run("puzzles", "verify", "--sample", 1, "--json").stdout)
    assert told == {"verified": 1, "faults": []}


@pytest.mark.extreme
def test_a_wrong_proof_is_found(tampered):
    done = run("puzzles", "verify", "--game", "hex", "--data", tampered, "--json")
    assert done.exit_code == 1
    (fault,) = json.loads(done.stdout)["faults"]
    assert fault["id"] == PUZZLE.id
    assert fault["place"] == "line 0"
    told = run("puzzles", "verify", "--game", "hex", "--data", tampered).stdout
    assert f"{PUZZLE.id}: does not hold at line 0: a1 and f6 do not touch" in told


def test_a_puzzle_is_solved_at_the_terminal():
    moves = "\n".join(PUZZLE.line[::2])
    done = run("puzzles", "play", PUZZLE.id, text=moves + "\n")
    assert done.exit_code == 0
    assert "Solved!" in done.stdout


def test_a_wrong_move_is_refuted_at_the_terminal():
    position = PUZZLE.position
    wrong = next(move for move in position.legal_moves if move != PUZZLE.solution)
    taken, _ = PUZZLE.setup.stones[0]
    words = ["hint", "board", taken, position.format_move(wrong), "quit"]
    done = run("puzzles", "play", PUZZLE.id, text="\n".join(words) + "\n")
    assert done.exit_code == 1
    assert "is not legal" in done.stdout
    assert "does not win" in done.stdout
    assert "heme" in done.stdout


def test_the_solution_is_shown_at_the_terminal():
    done = run("puzzles", "play", "--game", "hex", "--seed", 1, text="solution\n")
    assert done.exit_code == 1
    assert "Solution: " in done.stdout
    assert " puts a stone on " in done.stdout.partition("Solution: ")[2]
    assert run("puzzles", "play", "--theme", "nothing").exit_code == 2


def test_puzzles_are_made(tmp_path, monkeypatch):
    small = {"antipalos": ({"ruleset": "mail", "size": 4, "swap": "off"},)}
    monkeypatch.setattr(source_games, "BOARDS", small)
    told = json.loads(
        run("puzzles", "make", "antipalos", "--count", 1, "--out", tmp_path, "--json").stdout
    )
    assert told["puzzles"] == 1
    assert run("puzzles", "verify", "--data", tmp_path).exit_code == 0
    again = run("puzzles", "make", "antipalos", "--count", 1, "--out", tmp_path).stdout
    assert again.startswith("1 puzzles from ")
