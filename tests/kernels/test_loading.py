"""A process loads the kernels that it needs from the cache, and compiles missing ones."""

import ast
import json
import os
import shutil
import subprocess
import sys

import pytest

from antipodes.games.kernels import jit

# Prints the loaded and the compiled names after one kernel of a module was requested.
SCRIPT = """
import json
from antipodes.games.kernels import bits, jit

def compiled_here():
    known = jit._COMPILED[bits.__name__]
    return sorted(name for name, one in known.items() if sum(one.stats.cache_misses.values()))

jit.compiled(bits.__name__, ["below"])
first = sorted(jit._COMPILED[bits.__name__])
fast = jit.compiled(bits.__name__)
import numpy as np
states = np.array([12345], np.int64), np.array([12345], np.int64)
same = [fast["below"](states[0], 7) == bits.below(states[1], 7) for _ in range(20)]
print(json.dumps([first, sorted(fast), compiled_here(), all(same)]))
"""


def test_the_sources_of_kernels_are_found_without_ast(monkeypatch):
    """Threads ask for them, and in Python 3.11 no two threads may use ``ast`` at the same time."""
    monkeypatch.setattr(ast, "parse", lambda *_: pytest.fail("ast is used"))
    module = "antipodes.search.kernels.rave"
    jit.sources.cache_clear()
    found = {name.rpartition(".")[2] for name in jit.sources(module)}
    assert {"rave", "nodes", "batch", "bridges", "placement", "header", "jit"} <= found


def ask(folder):
    """Run the script in a process with this folder for its cache."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT],
        env={**os.environ, "NUMBA_CACHE_DIR": str(folder), "ANTIPODES_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """Return a folder in which a process has compiled everything, and what it said."""
    folder = tmp_path_factory.mktemp("cache")
    return folder, ask(folder)


@pytest.fixture
def cache(filled, tmp_path):
    """Return a copy of the filled cache, and the names of all kernels in it."""
    shutil.copytree(filled[0], tmp_path, dirs_exist_ok=True)
    return tmp_path, filled[1][1]


@pytest.mark.extreme
def test_only_what_is_asked_for_is_loaded_once_all_is_compiled(filled):
    folder, (first, everything, made, same) = filled
    assert first == everything == made, "the cache was empty"
    assert same
    first, again, made, same = ask(folder)
    assert first == ["below"]
    assert (again, made, same) == (everything, [], True)


@pytest.mark.extreme
@pytest.mark.parametrize("lost", ["*.nbi", "*.nbc"])
def test_what_is_missing_in_the_cache_is_compiled_again(cache, lost):
    folder, everything = cache
    for path in folder.rglob(lost):
        path.unlink()
    _, again, made, same = ask(folder)
    assert again == made == everything
    assert same
    assert ask(folder)[2] == []


@pytest.mark.extreme
def test_a_broken_file_of_the_cache_is_replaced(cache):
    folder, everything = cache
    for path in folder.rglob("*.nbc"):
        path.write_bytes(b"")
    _, again, _, same = ask(folder)
    assert (again, same) == (everything, True)
