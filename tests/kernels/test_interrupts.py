"""Ctrl-C while kernels are compiled is heard at once and breaks nothing."""

import subprocess
import sys

import pytest

from antipodes.games.kernels import jit
from tests.raising import raising

# In a process of its own: signals and the lock of the compiler belong to the whole process.
SCRIPT = """
import os, signal, threading
from antipodes.games.kernels import jit

begun, free = threading.Event(), threading.Event()

def compile_slowly(name):
    begun.set()
    assert free.wait(60)
    jit._COMPILED[name] = {"a kernel": len}

def interrupt():
    assert begun.wait(60)
    os.kill(os.getpid(), signal.SIGINT)

jit._compile = compile_slowly
jit._load = lambda name, names: False
threading.Thread(target=interrupt).start()
try:
    jit.compiled("a module", ["a kernel"])
except KeyboardInterrupt:
    print("heard, busy:", jit.is_busy())
free.set()
print(jit.compiled("a module", ["a kernel"])["a kernel"]("four"), jit.is_busy())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal")
def test_an_interrupt_is_heard_and_compiling_goes_on():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "heard, busy: True\n4 False\n"


def test_what_goes_wrong_while_compiling_is_raised(monkeypatch):
    monkeypatch.setattr(jit, "_compile", raising(ZeroDivisionError))
    monkeypatch.setattr(jit, "_load", lambda name, names: False)
    with pytest.raises(ZeroDivisionError):
        jit.compiled("no module of ours", ["a kernel"])
