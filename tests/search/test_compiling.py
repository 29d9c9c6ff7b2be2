"""First answers: nothing waits for the compiler that can be answered without it."""

import os
import subprocess
import sys
import time
from threading import Thread

import pytest

from antipodes.games.kernels import jit
from antipodes.games.registry import game_ids, make_game
from antipodes.search import compiling
from antipodes.search.analysis import analyze
from antipodes.search.families import kernel_modules
from antipodes.search.interface import Limits
from antipodes.search.levels import levels
from antipodes.search.players import SearchPlayer, make_player
from tests.thorough import sample

FIRST_ANSWER = """
import sys
from antipodes.games.registry import make_game
from antipodes.search import compiling
from antipodes.search.players import make_player
compiling.start = lambda game: True
position = make_game(sys.argv[1]).initial()
for level in ("3", "9"):
    player = make_player(f"computer:{level}", 1)
    player.patient = False
    player.allot(0.1)
    assert player.choose(position) in position.legal_moves
assert "numba" not in sys.modules
"""


def python(script, *arguments, **environment):
    """Run a script in a process of its own; return what it has printed."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", script, *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


@pytest.mark.parametrize("game_id", sample(game_ids(), 2))
def test_the_first_answer_needs_no_compiler(game_id, tmp_path):
    python(FIRST_ANSWER, game_id, NUMBA_CACHE_DIR=str(tmp_path))


@pytest.mark.parametrize("game_id", sample(game_ids(), 2))
def test_the_background_compiles_all_that_players_need(game_id, monkeypatch):
    game = make_game(game_id)
    asked = set()
    original = jit.compiled

    def compiled(module, names=None):
        asked.add(module)
        return original(module, names)

    monkeypatch.setattr(jit, "compiled", compiled)
    monkeypatch.setattr("antipodes.games.kernels._LOADED", {})
    for level in levels()[:6]:
        for seed in range(3):
            make_player(f"computer:{level.number}", seed).choose(game.initial())
    analyze(game.initial(), limits=Limits(visits=1_200))
    # The modules of the kernels that these call are compiled with them.
    assert asked <= set().union(*map(jit.sources, kernel_modules(game.family)))


def test_a_player_continues_with_compiled_kernels_as_soon_as_they_are_ready(monkeypatch):
    editions = []

    class Noting(SearchPlayer):
        def _run(self, search, skill, progress):
            editions.append(jit.enabled())
            super()._run(search, skill, progress)

    looks = iter([False, False])
    monkeypatch.setattr(compiling, "is_ready", lambda _: next(looks, True))
    monkeypatch.setattr(compiling, "start", lambda _: True)
    position = make_game("hex", {"size": 5}).initial()
    search = make_player("search", 1)
    assert isinstance(search, SearchPlayer)
    player = Noting("search", search.skill_for(position), 1)
    player.patient = False
    player.allot(0.8)
    assert player.choose(position) in position.legal_moves
    # The plain run ended early, and the rest of the time went to a compiled one.
    assert editions == [True]


def test_a_patient_player_waits_for_the_compiler(monkeypatch):
    monkeypatch.setattr(compiling, "is_waited_for", lambda _: pytest.fail("asked"))
    position = make_game("hex", {"size": 3}).initial()
    assert make_player("computer:3", 1).choose(position) in position.legal_moves


def test_kernels_that_another_process_cannot_compile_are_compiled_here(monkeypatch):
    monkeypatch.setattr(compiling, "is_ready", lambda _: False)
    monkeypatch.setattr(compiling, "start", lambda _: False)
    with compiling.without_waiting(make_game("hex")) as plain:
        assert not plain
        assert jit.enabled()


def test_threads_that_need_a_compiler_at_the_same_time_start_one(monkeypatch):
    started = []

    class Compiler:
        def __init__(self, command, **_):
            time.sleep(0.05)
            started.append(command)

        def poll(self):
            return None

    monkeypatch.setattr(compiling, "_compilers", {})
    monkeypatch.setattr(jit, "_HELPERS", [])
    monkeypatch.setattr("antipodes.search.compiling.subprocess.Popen", Compiler)
    threads = [Thread(target=compiling.start, args=(make_game("hex"),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(started) == 1


@pytest.mark.extreme
def test_another_process_compiles_what_is_missing(tmp_path):
    script = """
import sys
from antipodes.games.registry import make_game
from antipodes.search import compiling
game = make_game("antipode")
assert not compiling.is_ready(game)
compiling.warm_up(game)
assert compiling.is_ready(game)
"""
    python(script, NUMBA_CACHE_DIR=str(tmp_path))
