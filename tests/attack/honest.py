"""What honest people notice: moves of pairs, answers of the computer, and a page.

They come from other addresses than the attackers. The delays of this process' own event loop tell
how busy the machine is; whatever they are, a move cannot be measured more exactly.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import httpx

from tests.live.play import Seat

MOVES = 5.0  # moves a second of each pair
PAIRS = 2
ANSWER = 30.0  # seconds after which the computer's answer is waited for no longer
CELLS = 49  # of the boards against the computer, which are seeded
ROOM = 250  # moves after which nobody begins again at a table: somebody might win
_BETWEEN = 1.0  # seconds between two pages, and between two moves against the computer
_TICK = 0.01  # seconds
_HERE = "198.51.100."
_PEOPLE = itertools.cycle(range(1, 250))


@dataclass(slots=True)
class Noticed:
    """What honest people noticed, in seconds."""

    moves: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)
    lost: int = 0  # connections
    refused: list[str] = field(default_factory=list)

    def figures(self) -> dict[str, Any]:
        """Return milliseconds of moves and delays, seconds of answers and pages."""
        return {
            "moves": len(self.moves),
            "p50": 1_000 * quantile(self.moves, 0.5),
            "p99": 1_000 * quantile(self.moves, 0.99),
            "max": 1_000 * max(self.moves, default=math.inf),
            "answer": max(self.answers, default=math.inf),
            "page": max(self.pages, default=math.inf),
            "delay": 1_000 * quantile(self.delays, 0.99),
            "lost": self.lost,
            "refused": self.refused[:5],
        }

    def data(self) -> dict[str, Any]:
        """Return everything, for JSON."""
        return asdict(self)


def quantile(values: Sequence[float], share: float) -> float:
    """Return a value below which lies such a share of all; infinity if there are none."""
    if not values:
        return math.inf
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)]


class Pair:
    """Two people who play with each other."""

    def __init__(self, site: Any, table: dict[str, Any], noticed: Noticed) -> None:
        """Sit down."""
        self.table, self.slug, self.noticed, self.ply = table, table["slug"], noticed, 0
        self.seats = [
            Seat(site, self.slug, cookie, f"{_HERE}{next(_PEOPLE)}") for cookie in table["cookies"]
        ]

    async def ready(self) -> None:
        """Wait until both see the board."""
        for seat in self.seats:
            assert await seat.until(lambda seat=seat: seat.match is not None, ANSWER)
        self.ply = self.seats[0].ply

    async def play(self) -> None:
        """Move at a fixed rate; a move counts when it is acknowledged and the other has seen it."""
        while True:
            begun = time.monotonic()
            try:
                await self._move()
            finally:  # also what is on its way when the measurement ends
                self.noticed.moves.append(time.monotonic() - begun)
            await asyncio.sleep(max(0.0, 1 / MOVES - self.noticed.moves[-1]))

    async def _move(self) -> None:
        mover, other = self.seats[self.ply % 2], self.seats[(self.ply + 1) % 2]
        answer = await mover.command(
            command="play",
            seat=self.ply % 2,
            ply=self.ply,
            key=f"{self.slug} {self.ply}",
            move=self.ply,
        )
        if answer["type"] != "done":
            self.noticed.refused.append(answer["code"])
        self.ply += 1
        await other.until(lambda: other.ply >= self.ply, ANSWER)

    async def leave(self) -> None:
        """Hang up."""
        self.noticed.lost += sum(len(seat.codes) for seat in self.seats)
        await asyncio.gather(*(seat.left() for seat in self.seats))


async def play_computer(site: Any, tables: list[dict[str, Any]], noticed: Noticed) -> None:
    """Play against level 1, one game after another; note how long each answer takes."""
    while tables:
        table = tables[0]
        seat = Seat(site, table["slug"], table["cookies"][1], f"{_HERE}251")
        try:
            while await _answered(seat, noticed):
                await asyncio.sleep(_BETWEEN)
                match = seat.match
                assert match is not None
                free = set(range(CELLS)) - {made["move"] for made in match["moves"]}
                key = f"{table['slug']} {match['ply']}"
                await seat.command(
                    command="play", seat=1, ply=match["ply"], key=key, move=min(free)
                )
        finally:
            await seat.left()
        tables.pop(0)


async def _answered(seat: Seat, noticed: Noticed) -> bool:
    """Wait for the computer's move; return whether the game goes on."""
    begun = time.monotonic()
    try:
        await seat.until(lambda: _is_turn(seat.match), ANSWER)
    finally:  # also when the measurement ends meanwhile
        noticed.answers.append(time.monotonic() - begun)
    return seat.match is not None and seat.match["result"] is None


def _is_turn(match: dict[str, Any] | None) -> bool:
    return match is not None and (match["result"] is not None or match["toMove"] == 1)


async def read_pages(site: Any, noticed: Noticed) -> None:
    """Read the lobby now and then."""
    headers = {"X-Forwarded-For": f"{_HERE}252"}
    async with httpx.AsyncClient(headers=headers, timeout=ANSWER) as client:
        while True:
            begun = time.monotonic()
            try:
                answer = await client.get(site.url("/lobby/"))
                if answer.status_code != 200:
                    noticed.refused.append(f"page {answer.status_code}")
            except httpx.HTTPError as error:
                noticed.refused.append(f"page {type(error).__name__}")
            finally:
                noticed.pages.append(time.monotonic() - begun)
            await asyncio.sleep(_BETWEEN)


async def watch_delays(noticed: Noticed) -> None:
    """Note by how much this process wakes up too late."""
    while True:
        begun = time.monotonic()
        await asyncio.sleep(_TICK)
        noticed.delays.append(time.monotonic() - begun - _TICK)


async def measure(
    site: Any,
    tables: list[dict[str, Any]],
    computers: list[dict[str, Any]],
    seconds: float,
    before: Callable[[], Awaitable[object]] | None = None,
) -> Noticed:
    """Let honest people play for so long.

    Args:
        site: a running site.
        tables: of pairs; those that are full are removed.
        computers: matches against level 1; those that are over are removed.
        seconds: for which to play.
        before: begins the attack, when everybody sits.
    """
    noticed = Noticed()
    pairs = [Pair(site, tables.pop(), noticed) for _ in range(PAIRS)]
    try:
        await asyncio.gather(*(pair.ready() for pair in pairs))
        if before is not None:
            await before()
        work = [
            asyncio.ensure_future(one)
            for one in (
                *(pair.play() for pair in pairs),
                play_computer(site, computers, noticed),
                read_pages(site, noticed),
                watch_delays(noticed),
            )
        ]
        done, waiting = await asyncio.wait(
            work, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION
        )
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        for task in done:
            task.result()
    finally:
        await asyncio.gather(*(pair.leave() for pair in pairs))
        tables[:0] = [pair.table for pair in pairs if pair.ply < ROOM]
    return noticed
