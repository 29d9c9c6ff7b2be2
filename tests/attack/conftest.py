"""A site for each family of attacks, and the report of all figures."""

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
        raise pytest.UsageError("the attacks need Linux: what the site uses is read from /proc")


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
    """The data of a site that was never started, and what is in them."""
    folder = scratch / "template"
    folder.mkdir()
    return folder / "data", seed(folder)


@pytest.fixture(scope="module")
def variables():
    """The environment of the site; a family of attacks may set what it needs."""
    return {}


@pytest.fixture(scope="module")
def siege(scratch, template, variables, request):
    """A site that is attacked by all tests of a module."""
    folder = scratch / request.module.__name__.rpartition(".")[2]
    folder.mkdir()
    found = Siege(folder, *template, **variables)
    yield found
    code = found.site.terminate(ENDING)
    assert code == 0, f"ended with {code} on SIGTERM:\n{found.site.said()[-4_000:]}"


@pytest.fixture
def withstand(siege, request):
    """Attack the site; fail if honest people notice, or the site does not go on in order.

    ``check`` gets the figures, and returns what else is missed.
    """

    def attack(load, *, check=lambda found: [], seconds=SECONDS, **given):
        found = siege.attack(load, seconds, **given)
        found["missed"] = [*misses(found), *check(found)]
        if not siege.is_well():
            found["missed"].append("/healthz does not answer")
        if said := siege.tracebacks():
            found["missed"].append("a traceback in the log")
        request.config.stash[_ROWS][request.node.name.removeprefix("test_")] = found
        assert not found["missed"], f"{found['missed']}\n{found}\n{said}"
        if found["p99"] >= P99:
            found["missed"].append("other programs kept the machine busy")
            pytest.skip(f"the machine is too busy to tell: {found}")
        return found

    return attack
