"""The choice between plain and compiled kernels: no caller waits without need."""

import threading

import pytest

from antipodes.games import kernels
from antipodes.games.kernels import jit


@pytest.fixture
def nothing_loaded(monkeypatch):
    """Make the choice of edition as in a fresh process."""
    monkeypatch.setattr(kernels, "_LOADED", {})
    monkeypatch.setattr(kernels._Patience, "calls", 0)


@pytest.mark.usefixtures("nothing_loaded")
def test_the_plain_edition_serves_first_and_the_compiled_one_when_it_pays(monkeypatch):
    monkeypatch.setattr(kernels, "_PATIENCE", 3)
    served = [kernels.rules("placement") for _ in range(5)]
    assert served[:3] == [kernels.plain_rules("placement")] * 3
    assert served[3:] == [kernels.compiled_rules("placement")] * 2


@pytest.mark.usefixtures("nothing_loaded")
def test_the_plain_edition_plays_on_while_another_thread_compiles(monkeypatch):
    monkeypatch.setattr(kernels, "_PATIENCE", 0)
    compiling, done = threading.Event(), threading.Event()

    def compile_for_long():
        with jit._LOCK:
            compiling.set()
            done.wait(10)

    thread = threading.Thread(target=compile_for_long)
    thread.start()
    try:
        assert compiling.wait(10)
        assert jit.is_busy()
        assert kernels.rules("placement") == kernels.plain_rules("placement")
    finally:
        done.set()
        thread.join()
    assert not jit.is_busy()
    assert kernels.rules("placement") == kernels.compiled_rules("placement")


@pytest.mark.usefixtures("nothing_loaded")
def test_the_plain_edition_plays_on_while_another_process_compiles(monkeypatch):
    monkeypatch.setattr(kernels, "_PATIENCE", 0)
    monkeypatch.setattr(jit, "_HELPERS", [])
    at_work = [True]
    jit.leave_to(lambda: at_work[0])
    assert kernels.rules("placement") == kernels.plain_rules("placement")
    at_work[0] = False
    assert kernels.rules("placement") == kernels.compiled_rules("placement")


@pytest.mark.usefixtures("nothing_loaded")
def test_without_a_compiler_the_plain_edition_serves_always(monkeypatch):
    monkeypatch.setattr(kernels, "_PATIENCE", 0)
    monkeypatch.setenv("ANTIPODES_JIT", "0")
    assert kernels.rules("placement") == kernels.plain_rules("placement")
    assert kernels.compiled_rules("placement") == kernels.plain_rules("placement")
