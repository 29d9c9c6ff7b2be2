"""Proof search in jobs: the same winners, whatever order results come in; folders."""

import json

import pytest
from filelock import FileLock

from antipodes.core import Color
from antipodes.errors import InputError
from antipodes.lab.proofs import ProofFolder
from antipodes.parallel.workers import Workers
from antipodes.search.proof.files import read_proof
from antipodes.search.proof.jobs import JobTree, forget_searches, search_job
from antipodes.search.proof.openings import openings_of
from antipodes.search.proof.solver import Solver
from antipodes.search.proof.table import ProofTable, TableEntry
from tests.cli.tools import run
from tests.search.proof.brute_force import game_of

GAMES = [("hex", {"size": 4}), ("hex", {"size": 5}), ("antipod", {"side": 3, "handicap": "two"})]


@pytest.fixture(autouse=True)
def fresh_tables():
    forget_searches()


def ignore(progress):
    pass


@pytest.mark.parametrize(("game_id", "options"), GAMES)
@pytest.mark.parametrize("at_once", [1, 3])
def test_jobs_find_the_winner_of_the_solver(game_id, options, at_once):
    start = game_of(game_id, options).initial()
    tree = JobTree(start.game, [start.kernel_state], ProofTable(16), job_nodes=2, split=4)
    while tree.open_roots:
        jobs = [job for job in (tree.next_job() for _ in range(at_once)) if job is not None]
        for job in reversed(jobs):
            tree.learn(job, search_job(job))
    solver, alone = Solver(start, table=tree.table), Solver(start)
    assert solver.run()
    assert alone.run()
    assert solver.winner is alone.winner
    solver.prove().verify()


def test_jobs_on_their_way_are_not_given_twice():
    start = game_of("hex", {"size": 6}).initial()
    tree = JobTree(start.game, [start.kernel_state], ProofTable(16))
    keys = []
    while (job := tree.next_job()) is not None:
        keys.append(job.key)
    assert len(keys) == len(set(keys)) > 1


def test_merged_tables_keep_proven_results_and_more_work():
    table = ProofTable(16)
    table.put(2, TableEntry(0, 9, 5, 7))
    table.put(4, TableEntry(3, 3, 5))
    table.merge([(2, 8, 8, 99, 0), (4, 2, 2, 4, 0), (6, 1, 0, 1, 3)])
    assert table.get(2) == TableEntry(0, 9, 5, 7)
    assert table.get(4) == TableEntry(3, 3, 5)
    assert table.get(6) == TableEntry(1, 0, 1, 3)
    table.merge([(4, 1, 0, 1, 1)])
    assert table.get(4) == TableEntry(1, 0, 1, 1)


def test_a_folder_continues_where_it_was_stopped(tmp_path):
    start = game_of("hex", {"size": 5}).initial()
    seen = []

    def interrupt(progress):
        seen.append(progress)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ProofFolder(tmp_path, start).solve(Workers(), interrupt, all_moves=True)
    assert ProofFolder(tmp_path).history()[-1].nodes == seen[0].nodes > 0
    ProofFolder(tmp_path).solve(Workers(), ignore, all_moves=True)
    history = ProofFolder(tmp_path).history()
    assert history[-1].open_positions == 0
    assert history[-1].nodes > seen[0].nodes
    solver = Solver(start, table=ProofFolder(tmp_path).table(16))
    assert solver.run(all_moves=True)
    assert solver.winning_moves == openings_of(start.game).winning_moves(Color.BLACK)


def test_a_folder_of_another_position_is_refused(tmp_path):
    ProofFolder(tmp_path, game_of("hex", {"size": 4}).initial())
    with pytest.raises(InputError, match="another position") as caught:
        ProofFolder(tmp_path, game_of("hex", {"size": 5}).initial())
    assert caught.value.code == "solve/other-position"


def test_only_one_process_chooses_jobs_in_a_folder(tmp_path):
    folder = ProofFolder(tmp_path, game_of("hex", {"size": 4}).initial())
    with FileLock(tmp_path / "folder.lock"), pytest.raises(InputError) as caught:
        folder.solve(Workers(), ignore)
    assert caught.value.code == "solve/in-use"


def test_the_command_writes_a_compressed_proof_and_the_status_shows_the_numbers(tmp_path):
    result = run("solve", "hex", "--set", "size=5", "--out", tmp_path, "--json")
    assert result.exit_code == 0, result.output
    proof = read_proof((tmp_path / "proof.json.xz").read_bytes())
    assert proof.verify().safe is False
    shown = run("lab", "status", tmp_path, "--json")
    data = json.loads(shown.output)
    assert data["winner"] == "black"
    assert data["history"][-1]["proof"] == 0
    assert "disproof number" in run("lab", "status", tmp_path).output


@pytest.mark.parametrize("extra", [["--jobs", "2"], ["--out", "x", "--table", "y"]])
def test_several_processes_need_a_folder_and_that_has_its_own_table(extra, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run("solve", "hex", "--set", "size=3", *extra)
    assert result.exit_code == 2
