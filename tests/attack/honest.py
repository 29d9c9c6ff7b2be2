"""Honest users during an attack: pairs who play, a game against the computer, and a page.

They have other addresses than the attackers. The delays of this process's own event loop show how
busy the machine is, and limit the precision of all measurements.
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
ANSWER = 30.0  # seconds until giving up on the computer's answer
CELLS = 49  # of the boards against the computer, which are seeded
ROOM = 250  # moves after which a table is not used again, since a player might win
_BETWEEN = 1.0  # seconds between two pages, and between two moves against the computer
_TICK = 0.01  # seconds
_HERE = "198.51.100."
_PEOPLE = itertools.cycle(range(1, 250))


@dataclass(slots=True)
class Measurements:
    """Measurements of honest users, in seconds."""

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
    """Return a quantile; infinity if there are no values."""
    if not values:
        return math.inf
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)]


class Pair:
    """Two users who play against each other."""

    def __init__(self, site: Any, table: dict[str, Any], measured: Measurements) -> None:
        """Connect to a match."""
        self.table, self.slug, self.measured, self.ply = table, table["slug"], measured, 0
        self.seats = [
            Seat(site, self.slug, cookie, f"{_HERE}{next(_PEOPLE)}") for cookie in table["cookies"]
        ]

    async def ready(self) -> None:
        """Wait until both have received the match."""
        for seat in self.seats:
            assert await seat.until(lambda seat=seat: seat.match is not None, ANSWER)
        self.ply = self.seats[0].ply

    async def play(self, room: float = math.inf) -> None:
        """Move at a fixed rate; measure until the move is acknowledged and the opponent has it.

        Args:
            room: number of moves after which to stop.
        """
        while self.ply < room:
            begun = time.monotonic()
            try:
                await self._move()
            finally:  # also a move in progress when the measurement ends
                self.measured.moves.append(time.monotonic() - begun)
            await asyncio.sleep(max(0.0, 1 / MOVES - self.measured.moves[-1]))

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
            self.measured.refused.append(answer["code"])
        self.ply += 1
        await other.until(lambda: other.ply >= self.ply, ANSWER)

    async def leave(self) -> None:
        """Disconnect."""
        self.measured.lost += sum(len(seat.codes) for seat in self.seats)
        await asyncio.gather(*(seat.left() for seat in self.seats))


async def play_computer(site: Any, tables: list[dict[str, Any]], measured: Measurements) -> None:
    """Play against level 1, one game after another; measure its answers."""
    while tables:
        table = tables[0]
        seat = Seat(site, table["slug"], table["cookies"][1], f"{_HERE}251")
        try:
            while await _answered(seat, measured):
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


async def _answered(seat: Seat, measured: Measurements) -> bool:
    """Wait for the computer's move; return whether the game continues."""
    begun = time.monotonic()
    try:
        await seat.until(lambda: _is_turn(seat.match), ANSWER)
    finally:  # also an answer in progress when the measurement ends
        measured.answers.append(time.monotonic() - begun)
    return seat.match is not None and seat.match["result"] is None


def _is_turn(match: dict[str, Any] | None) -> bool:
    return match is not None and (match["result"] is not None or match["toMove"] == 1)


async def read_pages(site: Any, measured: Measurements) -> None:
    """Load the lobby regularly."""
    headers = {"X-Forwarded-For": f"{_HERE}252"}
    async with httpx.AsyncClient(headers=headers, timeout=ANSWER) as client:
        while True:
            begun = time.monotonic()
            try:
                response = await client.get(site.url("/lobby/"))
                if response.status_code != 200:
                    measured.refused.append(f"page {response.status_code}")
            except httpx.HTTPError as error:
                measured.refused.append(f"page {type(error).__name__}")
            finally:
                measured.pages.append(time.monotonic() - begun)
            await asyncio.sleep(_BETWEEN)


async def watch_delays(measured: Measurements) -> None:
    """Measure by how much this process wakes up too late."""
    while True:
        begun = time.monotonic()
        await asyncio.sleep(_TICK)
        measured.delays.append(time.monotonic() - begun - _TICK)


async def measure(
    site: Any,
    tables: list[dict[str, Any]],
    computers: list[dict[str, Any]],
    seconds: float,
    before: Callable[[], Awaitable[object]] | None = None,
) -> Measurements:
    """Let honest users play for a time.

    Args:
        site: a running site.
        tables: of pairs; those that are full are removed.
        computers: matches against level 1; those that are over are removed.
        seconds: for which to play.
        before: starts the attack when all users are connected.
    """
    measured = Measurements()
    pairs = [Pair(site, tables.pop(), measured) for _ in range(PAIRS)]
    try:
        await asyncio.gather(*(pair.ready() for pair in pairs))
        if before is not None:
            await before()
        work = [
            asyncio.ensure_future(one)
            for one in (
                *(pair.play() for pair in pairs),
                play_computer(site, computers, measured),
                read_pages(site, measured),
                watch_delays(measured),
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
    return measured
