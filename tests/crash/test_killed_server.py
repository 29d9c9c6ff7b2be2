"""Test of a server that is killed during many games, and started again.

Acknowledged moves are not lost, players lose no time, and the computer continues.
"""

import asyncio
import json
import os
import time

import pytest
import websockets

from tests.live.play import open_socket, view_of
from tests.live.site import Site

pytestmark = [pytest.mark.slow, pytest.mark.skipif(os.name != "posix", reason="needs kill -9")]

PEOPLE = 20
BANK = 300.0  # seconds on every clock
PLAYING = 4.0  # seconds of play before the server is killed
DOWN = 5.0  # seconds until it is started again
SLACK = 6.0  # seconds that players may lose on a busy machine


@pytest.fixture
def site(tmp_path):
    """A site that is not started, its seeded matches, and when they began."""
    site = Site(tmp_path / "data", tmp_path / "log")
    begun = time.time()
    yield site, site.seed(people=PEOPLE), begun
    site.kill()


class Player:
    """Plays both sides of a match, each move as soon as the previous one is acknowledged."""

    def __init__(self, table):
        self.slug, self.cookies = table["slug"], table["cookies"]
        self.acknowledged = []
        self.in_flight = {}

    async def play(self, site):
        sockets = [await open_socket(site, self.slug, cookie) for cookie in self.cookies]
        try:
            for ply in range(70):
                self.in_flight = self.command(ply)
                await sockets[ply % 2].send(json.dumps(self.in_flight))
                await self.answer(sockets[ply % 2])
                self.acknowledged.append(ply)
                await asyncio.sleep(0.02)
        except websockets.ConnectionClosed:
            return

    def command(self, ply):
        key = f"{self.slug} {ply:04}"
        return {"command": "play", "seat": ply % 2, "ply": ply, "key": key, "move": ply}

    async def answer(self, socket):
        key = self.in_flight["key"]
        while (message := json.loads(await socket.recv())).get("key") != key:
            pass
        assert message["type"] == "done", message


async def play_until_killed(site, players):
    work = [asyncio.ensure_future(player.play(site)) for player in players]
    await asyncio.sleep(PLAYING)
    await asyncio.to_thread(site.kill)
    await asyncio.gather(*work)


async def send_again(site, player):
    """Repeat commands as browsers do, and return the match then."""
    sockets = [await open_socket(site, player.slug, cookie) for cookie in player.cookies]
    for ply in (*player.acknowledged, len(player.acknowledged)):
        player.in_flight = player.command(ply)
        await sockets[ply % 2].send(json.dumps(player.in_flight))
        await player.answer(sockets[ply % 2])
        await asyncio.sleep(0.1)  # below the rate limit of commands
    for socket in sockets:
        await socket.close()
    return view_of(site, player.slug)


def test_games_continue_after_the_server_was_killed(site):
    site, seeded, begun = site
    site.start()
    players = [Player(table) for table in seeded["tables"]]
    asyncio.run(play_until_killed(site, players))
    killed = time.time()
    assert all(player.acknowledged for player in players)
    time.sleep(DOWN)
    site.start()

    for player in players:
        view = view_of(site, player.slug)
        moves = [made["move"] for made in view["moves"]]
        assert moves[: len(player.acknowledged)] == player.acknowledged
        assert len(moves) <= len(player.acknowledged) + 1
        clock = view["clock"]
        running = max(0, view["now"] - clock["since"])
        left = (sum(clock["left"]) - running) / 1000
        assert left >= 2 * BANK - (killed - begun) - SLACK

    view = asyncio.run(send_again(site, players[0]))
    assert [made["move"] for made in view["moves"]] == list(range(len(players[0].acknowledged) + 1))

    table = seeded["computers"][0]
    end = time.monotonic() + 120
    while not (view := view_of(site, table["slug"]))["moves"] and time.monotonic() < end:
        time.sleep(0.5)
    assert view["moves"], site.log_text()
