"""Kernels in processes of their own: checked bounds, a warm cache, no compiler at all."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def exercise(games, **environment):
    """Run the exercise in a process with these variables; return what it printed and its errors."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.kernels.exercise", str(games)],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


@pytest.mark.extreme
def test_no_kernel_reads_or_writes_beyond_its_arrays(tmp_path):
    environment = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path), "ANTIPODES_JIT": "1"}
    first = exercise(4, **environment)
    assert first["jit"]
    assert first["bounds"], "a kernel that wrote too far would have been caught"
    assert len(first["compiled"]) > 50, "the cache was empty"
    second = exercise(1, **environment)
    assert second["compiled"] == []
    assert second["loaded"] >= len(first["compiled"])


def test_a_process_that_finds_all_kernels_in_the_cache_compiles_nothing():
    said = exercise(1, ANTIPODES_JIT="1")
    if said["compiled"]:  # the cache was empty: `make kernels` was not run
        said = exercise(1, ANTIPODES_JIT="1")
    assert said["compiled"] == []
    assert said["loaded"] > 50


@pytest.mark.extreme
def test_everything_works_without_a_compiler():
    said = exercise(1, ANTIPODES_JIT="0")
    assert said == {"jit": False, "loaded": 0, "compiled": [], "bounds": True}


def test_without_a_compiler_numba_is_not_even_imported():
    code = (
        "import sys; from antipodes.games.registry import make_game;"
        "p = make_game('hex', {'size': 3}).initial().play(4); p.winning_chain();"
        "print('numba' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "ANTIPODES_JIT": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["False"]
