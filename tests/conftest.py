"""Settings shared by every test."""

import gc
import os
import signal
import sys
import threading

import pytest
from hypothesis import HealthCheck, settings

from tests.thorough import repetitions
from tools.catalogues import compile_catalogues

# Tests never act on a site of this machine.
os.environ["ANTIPODES_ENV_FILE"] = ""

# Thousands of modules and tests stay as long as the process: garbage collections that look at them
# would take a sixth of the CPU time.
gc.disable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """One process more than cores: a twentieth of a process's time is spent waiting."""
    return (os.cpu_count() or 1) + 1


def pytest_configure(config):
    """Compile translations and kernels that have changed, once for all processes."""
    if not hasattr(config, "workerinput"):
        compile_catalogues()
        _compile_kernels()


def _compile_kernels():
    from antipodes.games.kernels.native import PATH, digest
    from tools.compiler import native

    if native.has_compiler() and not (PATH.exists() and digest().encode() in PATH.read_bytes()):
        native.build()


def pytest_collection_finish():
    """Look for garbage among the objects of the tests alone."""
    gc.freeze()
    gc.set_threshold(20_000, 10, 5)  # searches in cycles of references hold much memory
    gc.enable()


def call_in_large_frame(call):
    """Call a function from a frame so large that the calls below need no memory for theirs.

    Python keeps the frames of calls in chunks of 16 KiB, and returns a chunk to the system when the
    call that began it ends. With a loop at that depth, system calls and page faults would take a
    tenth of the time.
    """
    return call()


call_in_large_frame.__code__ = call_in_large_frame.__code__.replace(co_stacksize=66_000)


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    """Run the tests, as the other implementations of this hook do, within a large frame."""
    this = sys.modules[__name__]
    others = session.config.pluginmanager.subset_hook_caller("pytest_runtestloop", [this])
    return call_in_large_frame(lambda: others(session=session))


# A shell ignores Ctrl-C for what it starts in the background, and processes inherit that; tests
# interrupt some.
if (
    threading.current_thread() is threading.main_thread()
    and signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Quick and the same on every run: for `make test` and, with more examples, `make test-all`.
settings.register_profile(
    "quick",
    derandomize=True,
    max_examples=repetitions(15, 100),
    deadline=None,
)
# Long and different on every run; what it finds is kept in .hypothesis: for `make fuzz`.
settings.register_profile(
    "fuzz",
    max_examples=5_000,
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("quick")
