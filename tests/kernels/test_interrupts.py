"""Ctrl-C while kernels are compiled is heard at once and breaks nothing."""

import os
import signal
import sys
import threading

import pytest

from antipodes.games.kernels import jit


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_an_interrupt_is_heard_and_compiling_goes_on(monkeypatch):
    begun, free = threading.Event(), threading.Event()

    def compile_slowly(name):
        begun.set()
        assert free.wait(60)
        jit._COMPILED[name] = {}

    def interrupt():
        assert begun.wait(60)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(jit, "_compile", compile_slowly)
    monkeypatch.setattr(jit, "_COMPILED", {})
    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        jit.compiled("a module")
    assert jit.is_busy()
    free.set()
    assert jit.compiled("a module") == {}
    assert not jit.is_busy()


def test_what_goes_wrong_while_compiling_is_raised(monkeypatch):
    def fail(name):
        raise ZeroDivisionError

    monkeypatch.setattr(jit, "_compile", fail)
    with pytest.raises(ZeroDivisionError):
        jit.compiled("no module of ours")
