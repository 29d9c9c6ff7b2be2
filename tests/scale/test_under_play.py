"""Tests of failures during play: acknowledged moves are not lost, and no move is made twice.

Each table plays a whole game while a process or server is killed or restarted; clients behave as
pages do.
"""

import asyncio
import json
import time
import urllib.request

import pytest

from tests.live.logs import tracebacks
from tests.live.play import ENDING, Table, play_against_computer, view_of

BANK = 300.0  # seconds on every clock, as seeded
BEFORE = 2.0  # seconds of play before the failure
AWAY = 4.0  # seconds for which a server is down
SLACK = 12.0  # seconds that players may lose on a busy machine, with reconnecting


def nothing(site, postgresql, redis):
    return 0.0


def kill_an_engine(site, postgresql, redis):
    site.kill_engine()
    return 0.0


def restart_redis(site, postgresql, redis):
    redis.stop()
    time.sleep(AWAY)
    redis.start()
    return 0.0


def crash_postgresql(site, postgresql, redis):
    begun = time.monotonic()
    postgresql.stop("immediate")
    time.sleep(AWAY)
    postgresql.start()
    return time.monotonic() - begun


async def play_through(site, seeded, failure):
    """Play during a failure; return the tables, the downtime, the computer's times and codes."""
    tables = [Table(site, one) for one in seeded["tables"]]
    computer = asyncio.ensure_future(play_against_computer(site, seeded["computers"][0]))
    games = [asyncio.ensure_future(table.play()) for table in tables]
    await asyncio.sleep(BEFORE)
    downtime = await asyncio.to_thread(failure)
    async with asyncio.timeout(ENDING):
        await asyncio.gather(*games)
        waited = await computer
    codes = [code for table in tables for seat in table.seats for code in seat.codes]
    await asyncio.gather(*(table.left() for table in tables))
    return tables, downtime, waited, codes


@pytest.mark.parametrize(
    "failure",
    [
        nothing,
        kill_an_engine,
        restart_redis,
        crash_postgresql,
    ],
)
def test_all_games_are_finished(seeded, postgresql, redis, failure):
    site, tables = seeded
    begun = time.monotonic()  # the clocks run since the site was seeded
    site.start(web=2, engines=2)
    played, downtime, waited, codes = asyncio.run(
        play_through(site, tables, lambda: failure(site, postgresql, redis))
    )
    took = time.monotonic() - begun
    for table in played:
        view = view_of(site, table.slug)
        moves = [made["move"] for made in view["moves"]]
        assert moves == table.acknowledged, "acknowledged moves are there, once and in order"
        left = sum(view["clock"]["left"]) / 1000
        assert left >= 2 * BANK - (took - downtime) - SLACK, (
            "clocks ran while no move could be made"
        )
    assert waited, "the computer answers"
    site.wait_until(lambda: site.readiness().get("web") == 2)
    print(f"\n{failure.__name__}: {took:.1f} s; the computer took at most {max(waited):.1f} s")
    if failure is nothing:
        assert not codes, "no socket is lost without a reason"
        assert site.metric("antipodes_match_changes_total") >= sum(map(len, tables["tables"]))


def test_another_engine_takes_over_the_scheduler(seeded):
    site, _ = seeded
    site.start(web=2, engines=2)
    first = site.lease_holder("scheduler")
    assert first
    for engine in list(site.engines):
        if f":{engine.pid}:" in first:
            site.engines.remove(engine)
            engine.kill()
            engine.wait()
    begun = time.monotonic()
    site.wait_until(lambda: site.lease_holder("scheduler") not in {"", first}, 20)
    print(f"another engine runs the scheduler after {time.monotonic() - begun:.1f} s")


def test_all_processes_stop_gracefully(seeded):
    site, tables = seeded
    site.start(web=2, engines=1)
    slug = tables["tables"][0]["slug"]
    address = site.url(f"/api/v1/matches/{slug}/stream")
    with urllib.request.urlopen(address, timeout=60) as stream:
        assert json.loads(stream.readline())["type"] == "match"
        assert site.stop() == [0, 0, 0]
        stream.read()  # to its end, without an error
    assert not tracebacks(site.log_text())
