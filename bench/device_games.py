"""Measure what games against the computer cost the site, on the server and on visitors' devices.

    python bench/device_games.py                  levels 1, 3 and 7 of all games that pages play
    python bench/device_games.py antipode --levels 1 3

A guest plays a whole game with random moves against a level that thinks on the server, and then the
same moves with a page that sends the computer's moves. The cost is the CPU time of all processes of
the site, without what they use while no game is played, and without the review of the finished
game. From it follows how many games two cores carry at once, if players move every ten seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from dataclasses import dataclass
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import websockets

sys.path.insert(0, str(Path(__file__).parents[1]))
from antipodes.games.registry import game_ids, make_game
from antipodes.search.device import plays_on_device
from antipodes.search.levels import find_level
from tests.live.processes import cpu_seconds, family_of
from tests.live.site import Site

PACE = 10.0  # seconds between two moves of a player
CORES = 2
SETTLING = 3.0  # seconds in which the idle site is measured
QUIET = 0.04  # of a core
LONGEST = 60.0  # seconds until a message comes


@dataclass
class Played:
    """A whole game: its moves, and the CPU seconds that it has cost."""

    moves: list[int]
    seconds: float


class Guest:
    """A browser without an account."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.cookies = CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))

    def get(self, path: str) -> bytes:
        """Return what the site answers for a path."""
        with self.opener.open(self.site.url(path), timeout=LONGEST) as response:
            content: bytes = response.read()
        return content

    def begin(self, game_id: str, level: int) -> str:
        """Begin a game, and return the slug of the match."""
        self.get("/")
        token = next(cookie.value for cookie in self.cookies if cookie.name == "csrftoken")
        fields = urllib.parse.urlencode({"csrfmiddlewaretoken": token, "level": level}).encode()
        request = urllib.request.Request(  # noqa: S310 - an address of this program
            self.site.url(f"/play/{game_id}/"), fields, {"Referer": self.site.url("/")}
        )
        with self.opener.open(request, timeout=LONGEST) as response:
            match = re.search(r"/m/([^/]+)/", response.url)
        assert match is not None
        return match[1]

    def socket(self, slug: str) -> Any:
        """Return the connection of a match, to be opened."""
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.cookies)
        url = self.site.url(f"/m/{slug}/socket").replace("http", "ws", 1)
        headers = {"Cookie": cookies, "Origin": self.site.url("")}
        return websockets.connect(url, additional_headers=headers, max_size=None)


async def play(guest: Guest, game_id: str, level: int, moves: list[int] | None) -> list[int]:
    """Play a whole game; with given moves the page sends those of the computer."""
    slug = guest.begin(game_id, level)
    for name in ("board.json", "match.json"):
        guest.get(f"/m/{slug}/{name}")
    if moves:
        guest.get(json.loads(guest.get(f"/m/{slug}/engine.json"))["engine"]["kit"])
    position = make_game(game_id).initial()
    made: list[int] = []
    chance = random.Random(f"{game_id} {level}")
    async with guest.socket(slug) as socket:
        if moves:
            await send(socket, command="page-engine", seat=0, ply=0, key="page-engine", on=True)
        while position.outcome is None:
            is_ours = position.seat_to_move == 0
            if not is_ours and moves is None:
                move = await computers_move(socket, len(made))
            else:
                move = moves[len(made)] if moves else int(chance.choice(position.legal_moves))
                command = "play" if is_ours else "computer-move"
                order = {"command": command, "seat": position.seat_to_move, "move": move}
                await send(socket, **order, ply=len(made), key=f"{slug} {len(made)}")
            made.append(int(move))
            position = position.play(move)
    return made


async def send(socket: Any, **order: Any) -> None:
    """Send a command, and wait until it is done; the site takes ten in a second."""
    await asyncio.sleep(0.15)
    await socket.send(json.dumps(order))
    async with asyncio.timeout(LONGEST):
        async for text in socket:
            message = json.loads(text)
            if message.get("key") == order["key"]:
                assert message["type"] == "done", message
                return


async def computers_move(socket: Any, ply: int) -> int:
    """Wait for a move of the computer."""
    async with asyncio.timeout(LONGEST):
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "match" and message["match"]["ply"] > ply:
                match = message["match"]
                return int(match["moves"][ply - match.get("from", 0)]["move"])
    raise AssertionError("the socket was closed")


def settled(site: Site) -> float:
    """Wait until the site is idle, and return the share of a core that it uses then."""
    idle = 1.0
    while idle > QUIET:  # the worker reviews the last game, or the site has just started
        used = cpu_seconds(family_of(site.pid))
        time.sleep(SETTLING)
        idle = (cpu_seconds(family_of(site.pid)) - used) / SETTLING
    return idle


def measured(site: Site, idle: float, game_id: str, level: int, moves: list[int] | None) -> Played:
    """Play a game, and return it with its cost."""
    settled(site)
    pids = family_of(site.pid)
    begun, used = time.monotonic(), cpu_seconds(pids)
    made = asyncio.run(play(Guest(site), game_id, level, moves))
    passed = time.monotonic() - begun
    return Played(made, max(cpu_seconds(pids) - used - idle * passed, 0.001))


def main() -> None:
    """Measure and print all games."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*", default=game_ids())
    parser.add_argument("--levels", nargs="+", type=int, default=[1, 3, 7])
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder), Path(folder) / "log")
        site.start()
        try:
            asyncio.run(play(Guest(site), "hex", 1, None))  # so that all is loaded
            idle = settled(site)
            print(f"idle: {100 * idle:.1f} % of a core")
            for game_id in chosen.games:
                for level in chosen.levels:
                    if plays_on_device(make_game(game_id), find_level(str(level))):
                        report(site, idle, game_id, level)
        finally:
            site.stop()


def report(site: Site, idle: float, game_id: str, level: int) -> None:
    """Measure a game on the server and on the device, and print both costs."""
    server = measured(site, idle, game_id, level, None)
    device = measured(site, idle, game_id, level, server.moves)
    assert device.moves == server.moves
    lasts = PACE * len(server.moves) / 2
    carried = [CORES * lasts / played.seconds for played in (server, device)]
    print(
        f"{game_id} level {level}: {len(server.moves)} moves,"
        f" server {server.seconds:.2f} s, device {device.seconds:.2f} s,"
        f" ratio {server.seconds / device.seconds:.1f};"
        f" games at once {carried[0]:.0f} and {carried[1]:.0f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
