"""Tests of a suspended server and of a changed wall clock: no player loses on time."""

import asyncio
import json
import os
import time

import pytest

from tests.live.play import open_socket, view_of
from tests.live.processes import WORKER, running, suspended
from tests.live.site import Site

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="needs SIGSTOP")]

PER_MOVE = 30.0  # seconds
SUSPENDED = 40.0  # seconds
SLACK = 8.0  # seconds that players may lose on a busy machine

# Python runs this at its start. libfaketime would make Python's threads wait for seconds.
FAKE_CLOCK = """
import os, time
real, file = time.time_ns, os.environ["CLOCK_OFFSET"]
def time_ns():
    with open(file) as offset:
        return real() + 10**9 * int(offset.read())
time.time_ns, time.time = time_ns, lambda: time_ns() / 1e9
"""


@pytest.fixture
def site(tmp_path):
    """A site that is not started."""
    site = Site(tmp_path / "data", tmp_path / "log")
    yield site
    site.kill()


def begin(site, *tables):
    """Make the first moves, after which the first player's clock runs."""
    for table in tables:
        for ply in range(2):
            asyncio.run(play(site, table, ply))


def left(site, slug):
    """Return the seconds that the player to move has left."""
    view = view_of(site, slug)
    assert view["result"] is None, (view["result"], site.log_text())
    clock = view["clock"]
    used = max(0, view["now"] - clock["since"])
    return (clock["left"][view["toMove"]] - used) / 1000


async def play(site, table, ply, pause=0.0):
    """Send a move, after a pause with an open socket, and wait until it is acknowledged."""
    async with open_socket(site, table["slug"], table["cookies"][ply % 2]) as socket:
        await asyncio.sleep(pause)
        key = f"{table['slug']} {ply}"
        move = {"command": "play", "seat": ply % 2, "ply": ply, "key": key, "move": ply}
        await socket.send(json.dumps(move))
        while (answer := json.loads(await socket.recv())).get("key") != key:
            pass
        assert answer["type"] == "done", answer


@pytest.mark.parametrize("processes", ["server", "server and worker"])
def test_no_player_loses_on_time_while_the_server_is_suspended(site, processes):
    seeded = site.seed(people=4, control="30s/move", computers=0)
    site.start()
    at_once, later = seeded["tables"]
    pids = [site.pid, *(running(site.pid, WORKER) if "worker" in processes else [])]
    begin(site, at_once, later)

    async def move_during_suspension():
        move = asyncio.ensure_future(play(site, at_once, 2, pause=SUSPENDED - 3))
        await asyncio.sleep(2)  # its socket is open by now
        with suspended(*pids):
            await asyncio.sleep(SUSPENDED)
        await move

    asyncio.run(move_during_suspension())
    assert left(site, at_once["slug"]) > PER_MOVE - SLACK
    time.sleep(3)  # until the scheduler has run
    assert left(site, later["slug"]) > PER_MOVE - 2 * SLACK
    asyncio.run(play(site, later, 2))
    assert "downtime recorded" in site.log_text()


def test_human_players_lose_time_while_only_the_worker_is_suspended(site):
    seeded = site.seed(people=2, control="30s/move", computers=0)
    site.start()
    (table,) = seeded["tables"]
    begin(site, table)
    with suspended(*running(site.pid, WORKER)):
        time.sleep(SUSPENDED - PER_MOVE)
        asyncio.run(play(site, table, 2))
        time.sleep(SUSPENDED - PER_MOVE)
    time.sleep(3)
    assert left(site, table["slug"]) == pytest.approx(2 * PER_MOVE - SUSPENDED - 3, abs=SLACK)


@pytest.fixture
def set_clock(site, tmp_path):
    """A function that sets the wall clock of the site, in seconds from the real time."""
    offset = tmp_path / "offset"
    (tmp_path / "sitecustomize.py").write_text(FAKE_CLOCK)

    def set_to(seconds):
        new = tmp_path / "offset.new"
        new.write_text(str(seconds))
        new.replace(offset)

    set_to(0)
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    site.set_environment(PYTHONPATH=path, CLOCK_OFFSET=str(offset))
    return set_to


@pytest.mark.parametrize("by", [3_600, -3_600])
def test_no_player_loses_on_time_when_the_wall_clock_jumps(site, set_clock, by):
    seeded = site.seed(people=4, control="30s/move", computers=0)
    site.start()
    at_once, later = seeded["tables"]
    begin(site, at_once)
    before = left(site, at_once["slug"])
    set_clock(by)
    wait_until(lambda: left(site, at_once["slug"]) < before - 2)
    assert ("clock set forward by=3600.0s" in site.log_text()) is (by > 0)
    asyncio.run(play(site, at_once, 2))

    begin(site, later)
    before = left(site, later["slug"])
    site.restart()
    ahead = view_of(site, at_once["slug"])["now"] / 1000 - time.time()
    assert ahead == pytest.approx(max(by, 0), abs=SLACK), "the site's clock does not go back"
    assert before - 2 * SLACK < left(site, later["slug"]) <= PER_MOVE
    wait_until(lambda: left(site, later["slug"]) < before - 2)
    asyncio.run(play(site, later, 2))


def wait_until(condition):
    """Wait for a condition, longer than players' clocks are stopped after an outage."""
    end = time.monotonic() + 4 * PER_MOVE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.5)
