"""Fixtures of attacks: a site for each module, and the report of all figures."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.attack import report
from tests.attack.siege import ENDING, P99, SECONDS, Siege, misses, seed
from tests.scratch import scratch_folder

_ROWS = pytest.StashKey[dict[str, Any]]()


def pytest_addoption(parser):
    parser.addoption("--baseline", help="report.json of an earlier run, to compare with")


def pytest_configure(config):
    config.stash[_ROWS] = {}
    if os.name != "posix" or not Path("/proc").exists():
        raise pytest.UsageError("the attacks need Linux: the usage of the site is read from /proc")


def pytest_terminal_summary(terminalreporter, config):
    rows = config.stash[_ROWS]
    if rows:
        path = config.getoption("--baseline")
        earlier = report.read(Path(path)) if path else {}
        terminalreporter.section("attacks")
        terminalreporter.write_line(report.write(rows, earlier))
        terminalreporter.write_line(f"{report.FOLDER}/report.md")


@pytest.fixture(scope="session")
def scratch():
    with scratch_folder() as folder:
        yield folder


@pytest.fixture(scope="session")
def template(scratch):
    """The data folder of a seeded site that was not started, and the seeded objects."""
    folder = scratch / "template"
    folder.mkdir()
    return folder / "data", seed(folder)


@pytest.fixture(scope="module")
def variables():
    """The environment of the site; modules may override it."""
    return {}


@pytest.fixture(scope="module")
def siege(scratch, template, variables, request):
    """A site for all attacks of a module."""
    folder = scratch / request.module.__name__.rpartition(".")[2]
    folder.mkdir()
    found = Siege(folder, *template, **variables)
    yield found
    code = found.site.terminate(ENDING)
    assert code == 0, f"ended with {code} on SIGTERM:\n{found.site.log_text()[-4_000:]}"


@pytest.fixture
def note(request):
    """A function that notes the figures of a test for the report."""

    def keep(found):
        request.config.stash[_ROWS][request.node.name.removeprefix("test_")] = found

    return keep


@pytest.fixture
def withstand(siege, note):
    """A function that attacks the site; fails if honest users notice, or on errors of the site.

    ``check`` gets the figures, and returns further failures.
    """

    def attack(load, *, check=lambda found: [], seconds=SECONDS, **arguments):
        found = siege.attack(load, seconds, **arguments)
        found["missed"] = [*misses(found), *check(found)]
        if not siege.is_healthy():
            found["missed"].append("/healthz does not respond")
        if tracebacks := siege.tracebacks():
            found["missed"].append("a traceback in the log")
        note(found)
        assert not found["missed"], f"{found['missed']}\n{found}\n{tracebacks}"
        if found["p99"] >= P99:
            found["missed"].append("other programs kept the machine busy")
            pytest.skip(f"the machine is too busy to tell: {found}")
        return found

    return attack
