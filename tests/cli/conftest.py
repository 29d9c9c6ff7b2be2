"""Fixtures of the tests of commands."""

import pytest

from tests.cli.forks import CAN_FORK, Forks
from tests.cli.tools import environment, run_process


@pytest.fixture(scope="session")
def _forks(tmp_path_factory):
    if not CAN_FORK:
        yield None
        return
    forks = Forks(tmp_path_factory.mktemp("forks"), environment())
    yield forks
    forks.end()


@pytest.fixture
def call(_forks):
    """A function that runs a command in a process with the environment that it is given.

    It returns the exit code, the output and the errors.
    """

    def run(*arguments, environment, data=b""):
        if _forks is not None:
            return _forks.call(*arguments, data=data, environment=environment)
        done = run_process(*arguments, text=data.decode(), only=environment)
        return done.returncode, done.stdout, done.stderr

    return run
