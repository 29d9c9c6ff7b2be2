"""Kernels in processes of their own: checked bounds, a stale build, no build at all."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.compiler import native

ROOT = Path(__file__).resolve().parents[2]


def exercise(*arguments, **environment):
    """Run the exercise in a process with these variables; return how it ended."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.kernels.exercise", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.extreme
@pytest.mark.skipif(not native.has_compiler(), reason="pip install ziglang installs the compiler")
def test_no_kernel_reads_or_writes_beyond_its_arrays(tmp_path):
    checked = tmp_path / "checked.so"
    native.build(target=checked, checked=True)
    done = exercise("4", str(checked))
    assert (done.returncode, done.stdout, done.stderr) == (0, "native\n", "")
    assert exercise("0", str(checked)).returncode < 0, "a kernel that writes too far is ended"


@pytest.mark.extreme
def test_everything_works_in_plain_python():
    done = exercise("1", ANTIPODES_PLAIN="1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "plain\n", "")


STALE = """
import sys, types
library = types.ModuleType("antipodes._kernels")
library.digest = "of other sources"
sys.modules["antipodes._kernels"] = library
from antipodes.games.registry import make_game
print(make_game("hex", {"size": 3}).perft(2), make_game("hex", {"size": 2}).perft(2))
"""


def test_a_build_of_other_sources_is_not_used_and_a_sentence_says_so_once():
    done = subprocess.run([sys.executable, "-c", STALE], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["81", "16"]
    (warning,) = [line for line in done.stderr.splitlines() if "RuntimeWarning" in line]
    assert "older than their sources" in warning
    assert "make setup" in warning
