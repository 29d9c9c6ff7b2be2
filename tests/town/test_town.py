"""The town: a run breaks no law and is repeatable, and a fault that is put in breaks one."""

import re
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from antipodes.web.town.simulation import BROKEN, Settings, shrink, simulate
from tests.live import database
from tests.town.faulty import FAULTS
from tests.upgrades.versions import VERSIONS, store


@pytest.fixture(scope="module")
def settings():
    return Settings(seed=3, people=10, events=100, database=database.migrated())


def run(settings):
    lines: list[str] = []
    return simulate(settings, lines.append), lines


@pytest.fixture
def busy():
    """Return a function that lets another program compute until the test ends."""
    with ExitStack() as stack:

        def begin():
            program = [sys.executable, "-c", "while True: pass"]
            stack.callback(stack.enter_context(subprocess.Popen(program)).kill)

        yield begin


def test_people_break_no_law_and_do_the_same_with_the_same_seed_on_a_busy_machine(settings, busy):
    once, lines = run(settings)
    assert not once.broken, [line for line in lines if line.startswith(BROKEN)]
    assert re.fullmatch(r"100 events in \S+ s of CPU, 0 breaches of laws, digest \w+", once.summary)
    busy()
    _, again = run(settings)
    assert again[:-1] == lines[:-1]


def test_people_break_no_law_with_the_seed_of_the_day(settings, capsys, tmp_path):
    today = datetime.now(UTC).date().toordinal()
    picture = tmp_path / "hours.svg"
    run_today, lines = run(replace(settings, seed=today, coverage=True, picture=picture))
    with capsys.disabled():
        print(f"\n    antipodes simulate --seed {today} --people 10 --events 100: {lines[-1]}")
    assert not run_today.broken, [line for line in lines if line.startswith(BROKEN)]
    share = re.compile(r"([\w ]+): (\d+) of (\d+); not ")
    shares = [share.findall(line)[0] for line in lines[-5:-1]]
    titles = ["URL patterns", "operations of the API", "commands of sockets", "commands by mail"]
    assert [title for title, _, _ in shares] == titles
    assert all(int(used) < int(known) for _, used, known in shares)
    assert int(shares[0][1]) > 10
    assert "Games in progress" in picture.read_text()


@pytest.mark.slow
def test_people_break_no_law_at_a_site_that_a_new_version_has_upgraded(settings, tmp_path):
    path = tmp_path / "old.sqlite3"
    store(VERSIONS[0], path)
    upgraded, lines = run(replace(settings, people=8, events=60, database=path))
    assert not upgraded.broken, [line for line in lines if line.startswith(BROKEN)]


def test_a_fault_breaks_a_law_and_few_acts_are_left_of_the_run(settings):
    assert "writes-long-lines" in FAULTS
    program = ("tests.town.faulty", "writes-long-lines")
    settings = replace(settings, events=40, program=program)
    whole, _ = run(settings)
    assert whole.broken[0] == "lines_of_mails_are_short"
    said: list[str] = []
    acts = shrink(settings, whole, said.append, most=2)
    assert len(said) == 2
    assert set(acts) < set(whole.acts)
