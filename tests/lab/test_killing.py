"""Laws of experiments that are disturbed: no game is lost, and none counts twice."""

import contextlib
import errno
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.lab.results import Results
from antipodes.lab.scheduling import run_tasks
from antipodes.lab.tasks import GameRow, GameTask
from antipodes.parallel.running import in_turn, run
from antipodes.parallel.workers import Workers
from tests.cli.tools import environment
from tests.raising import raising
from tests.thorough import repetitions

COUNT = repetitions(5, 20)  # games
HEX = make_game("hex", {"size": 3, "swap": "off"})
EXPERIMENT = """
game = "hex"
players = ["tests.lab.bots:slow"]
options = {size = 3}
stop = {games = 40}
"""


def known(results):
    """Return rows without what differs from run to run."""
    rows = sorted(results.rows(), key=lambda row: row.id)
    return [replace(row, cpu=(), seconds=()) for row in rows]


def written(folder):
    """Return how many rows a folder has; a game that stands there twice counts twice."""
    return len((folder / "games.jsonl").read_text().splitlines())


def lab(*arguments):
    """Start a command of the laboratory in a process."""
    return subprocess.Popen(
        [sys.executable, "-m", "antipodes", "lab", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )


def test_a_killed_worker_changes_no_row(tmp_path, monkeypatch):
    mark = tmp_path / "mark"
    monkeypatch.setenv("FATAL_MARK", str(mark))
    tasks = [GameTask.of(HEX, ["tests.lab.bots:fatal"], seed) for seed in range(COUNT)]
    disturbed, whole = Results(tmp_path / "disturbed"), Results(tmp_path / "whole")
    run_tasks(tasks, disturbed, Workers(2))
    assert mark.read_text() != str(os.getpid())
    run_tasks(tasks, whole)
    assert known(disturbed) == known(whole)
    assert len(known(whole)) == written(tmp_path / "disturbed") == COUNT


@pytest.mark.extreme
def test_a_killed_process_leaves_its_games_to_another_one(tmp_path):
    file, out = tmp_path / "e.toml", tmp_path / "out"
    file.write_text(EXPERIMENT)
    command = ("run", file, "--out", out, "--workers", 1)
    killed, other = lab(*command), lab(*command)
    assert killed.stderr is not None
    assert "40 games" in killed.stderr.readline()
    killed.kill()
    killed.communicate()
    told, errors = other.communicate(timeout=60)
    assert other.returncode == 0, errors
    assert "40 of 40" in told
    assert len(Results(out).done()) == written(out) == 40


def test_ctrl_c_keeps_all_games(tmp_path):
    file, out = tmp_path / "e.toml", tmp_path / "out"
    file.write_text(EXPERIMENT)
    process = lab("run", file, "--out", out, "--workers", 1)
    assert process.stderr is not None
    first = process.stderr.readline()
    process.send_signal(signal.SIGINT)
    told, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "black's share" in told
    assert "Traceback" not in errors
    assert len(Results(out).done()) >= int(first.split()[0]) > 0


def test_a_full_disk_is_named_and_loses_nothing(tmp_path, monkeypatch):
    tasks = [GameTask.of(HEX, ["random"], seed) for seed in range(6)]
    results = Results(tmp_path)
    run_tasks(tasks[:2], results)

    for written_by in ("results.os.fsync", "claims.replace_file"):
        with monkeypatch.context() as patch:
            patch.setattr(
                f"antipodes.lab.{written_by}",
                raising(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))),
            )
            with pytest.raises(InputError, match="No space left on device") as caught:
                run_tasks(tasks, results)
        assert caught.value.code == "lab/folder"
        assert len(Results(tmp_path).done()) == written(tmp_path) == 2
    new: list[GameRow] = []
    run_tasks(tasks, results, watch=new.extend)
    assert {row.id for row in new} == {task.id for task in tasks[2:]}


# --- a cluster of Dask over TCP -------------------------------------------------------------------


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@contextlib.contextmanager
def cluster(port, threads=1):
    """Start a scheduler of Dask with two workers; kill all of them afterwards.

    Yields the address, and the three processes.
    """
    address = f"tcp://127.0.0.1:{port}"
    dask = [sys.executable, "-m", "dask"]
    commands = [[*dask, "scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard"]]
    worker = [*dask, "worker", address, "--nthreads", threads, "--no-nanny", "--no-dashboard"]
    commands += [worker, worker]
    processes = [
        subprocess.Popen(
            list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for command in commands
    ]
    try:
        yield address, processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


def length(item):
    time.sleep(0.05)
    return len(item)


@pytest.mark.extreme
def test_a_killed_worker_and_a_restarted_scheduler_lose_nothing(tmp_path):
    port = free_port()
    tasks = [GameTask.of(HEX, ["tests.lab.bots:slow"], seed) for seed in range(120)]
    disturbed, whole = Results(tmp_path / "disturbed"), Results(tmp_path / "whole")
    happened: list[int] = []
    with contextlib.ExitStack() as first, contextlib.ExitStack() as second:
        address, (_, worker, _) = first.enter_context(cluster(port))

        def watch(rows):
            done = len(disturbed.done())
            if not happened:
                worker.kill()
            elif len(happened) == 1 and done > 40:
                first.close()
                second.enter_context(cluster(port))
            else:
                return
            happened.append(done)

        run_tasks(tasks, disturbed, Workers(scheduler=address), watch)
    assert len(happened) == 2
    assert 0 < happened[0] < happened[1] < len(tasks)
    run_tasks(tasks, whole)
    assert known(disturbed) == known(whole)
    assert written(tmp_path / "disturbed") == len(tasks)


@pytest.mark.extreme
def test_workers_with_several_threads_are_refused():
    with cluster(free_port(), threads=2) as (address, _):
        time.sleep(5)
        with pytest.raises(InputError, match="a worker has 2 threads") as caught:
            list(run(length, in_turn(["a"]), Workers(scheduler=address)))
    assert caught.value.code == "lab/worker-threads"
