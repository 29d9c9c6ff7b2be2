"""A process loads the kernels that it needs from the cache, and compiles missing ones."""

import ast
import json
import os
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


@pytest.fixture
def ask(tmp_path):
    def run():
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", SCRIPT],
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "ANTIPODES_JIT": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return json.loads(done.stdout)

    return run


def test_only_what_is_asked_for_is_loaded_once_all_is_compiled(ask):
    first, everything, made, same = ask()
    assert first == everything == made, "the cache was empty"
    assert same
    first, again, made, same = ask()
    assert first == ["below"]
    assert (again, made, same) == (everything, [], True)


@pytest.mark.parametrize("lost", ["*.nbi", "*.nbc"])
def test_what_is_missing_in_the_cache_is_compiled_again(ask, tmp_path, lost):
    everything = ask()[1]
    for path in tmp_path.rglob(lost):
        path.unlink()
    _, again, made, same = ask()
    assert again == made == everything
    assert same
    assert ask()[2] == []


def test_a_broken_file_of_the_cache_is_replaced(ask, tmp_path):
    everything = ask()[1]
    for path in tmp_path.rglob("*.nbc"):
        path.write_bytes(b"")
    _, again, _, same = ask()
    assert (again, same) == (everything, True)
