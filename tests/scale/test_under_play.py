"""Play goes on, whatever dies: nothing acknowledged is lost, nothing happens twice.

Every table plays a whole game while something is killed or restarted; people behave as pages do.
"""

import asyncio
import json
import os
import signal
import time
import urllib.request

import pytest

from tests.live.play import ENDING, Table, play_against_computer, view_of

BANK = 300.0  # seconds on every clock, as the tables were seeded
BEFORE = 2.0  # seconds of play before anything happens
AWAY = 4.0  # seconds for which a server is away
SLACK = 12.0  # seconds that a busy machine may lose for players, with connecting again


def nothing(site, postgresql, redis):
    return 0.0


def kill_a_web_process(site, postgresql, redis):
    site.kill_web_process()
    return 0.0


def hang_a_web_process(site, postgresql, redis):
    hung, *_ = site.web_processes()
    os.kill(hung, signal.SIGSTOP)
    site.wait_until(lambda: f"web process hangs and is killed pid={hung}" in site.said())
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


def replace_web_processes(site, postgresql, redis):
    site.replace_web_processes()
    return 0.0


async def play_through(site, seeded, happening):
    """Let everybody play while something happens; return the tables and how long nobody could."""
    tables = [Table(site, one) for one in seeded["tables"]]
    computer = asyncio.ensure_future(play_against_computer(site, seeded["computers"][0]))
    games = [asyncio.ensure_future(table.play()) for table in tables]
    await asyncio.sleep(BEFORE)
    away = await asyncio.to_thread(happening)
    async with asyncio.timeout(ENDING):
        await asyncio.gather(*games)
        waited = await computer
    codes = [code for table in tables for seat in table.seats for code in seat.codes]
    for table in tables:
        table.leave()
    return tables, away, waited, codes


@pytest.mark.parametrize(
    "what",
    [
        nothing,
        kill_a_web_process,
        hang_a_web_process,
        kill_an_engine,
        restart_redis,
        crash_postgresql,
        replace_web_processes,
    ],
)
def test_everybody_plays_to_the_end(seeded, postgresql, redis, what):
    site, tables = seeded
    site.start(workers=2, engines=2)
    begun = time.monotonic()
    played, away, waited, codes = asyncio.run(
        play_through(site, tables, lambda: what(site, postgresql, redis))
    )
    took = time.monotonic() - begun
    for table in played:
        view = view_of(site, table.slug)
        moves = [made["move"] for made in view["moves"]]
        assert moves == table.acknowledged, "what was acknowledged is there, once and in order"
        left = sum(view["clock"]["left"]) / 1000
        assert left >= 2 * BANK - (took - away) - SLACK, (
            "nobody's clock ran while nobody could move"
        )
    assert waited, "the computer answers"
    site.wait_until(lambda: site.readiness().get("web") == 2)
    print(f"\n{what.__name__}: {took:.1f} s; the computer took at most {max(waited):.1f} s")
    if what is replace_web_processes:
        assert codes, "sockets were closed"
        assert set(codes) == {1012}, "so that pages connect again"
    if what is nothing:
        assert not codes, "no socket is lost without a reason"
        assert site.measure("antipodes_match_changes_total") >= sum(map(len, tables["tables"]))


def test_one_engine_looks_after_clocks_and_another_follows(seeded):
    site, _ = seeded
    site.start(workers=2, engines=2)
    first = site.lease_holder("scheduler")
    assert first
    for engine in list(site.engines):
        if f":{engine.pid}:" in first:
            site.engines.remove(engine)
            engine.kill()
            engine.wait()
    begun = time.monotonic()
    site.wait_until(lambda: site.lease_holder("scheduler") not in {"", first}, 20)
    print(f"another engine looks after things after {time.monotonic() - begun:.1f} s")


def test_everything_ends_in_order(seeded):
    site, tables = seeded
    site.start(workers=2, engines=1)
    slug = tables["tables"][0]["slug"]
    address = site.url(f"/api/v1/matches/{slug}/stream")
    with urllib.request.urlopen(address, timeout=60) as stream:
        assert json.loads(stream.readline())["type"] == "match"
        assert site.stop() == [0, 0]
        stream.read()  # to its end, which is one in order
    assert "Traceback" not in site.said()
