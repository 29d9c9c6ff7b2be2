"""Another process holds the write lock of the database: moves are late, but none is lost."""

import asyncio
import sqlite3

import pytest

from tests.attack.honest import Measurements, Pair

LOCKED = 5.0  # seconds
_BEFORE = 2.0  # seconds of play before and afterwards


@pytest.fixture
def database(siege):
    return siege.site.folder / "site.sqlite3"


def test_a_locked_database_loses_no_move(siege, database):
    measured = Measurements()

    async def play():
        pair = Pair(siege.site, siege.tables.pop(), measured)
        await pair.ready()
        playing = asyncio.ensure_future(pair.play())
        await asyncio.sleep(_BEFORE)
        other = sqlite3.connect(database, isolation_level=None)
        try:
            other.execute("BEGIN IMMEDIATE")
            await asyncio.sleep(LOCKED)
            other.execute("ROLLBACK")
        finally:
            other.close()
        ply = pair.ply
        assert await pair.seats[0].until(lambda: pair.ply > ply + 2, 30), "play does not continue"
        await asyncio.sleep(_BEFORE)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        await pair.leave()
        return pair

    pair = asyncio.run(play())
    assert not measured.refused
    match = pair.seats[1].match
    assert [made["move"] for made in match["moves"]] == list(range(match["ply"]))
    assert match["ply"] >= pair.ply
    assert not siege.tracebacks()
