"""Who looks at a match now: sockets of seats and of spectators, in all processes that serve.

Each process counts its own sockets, and tells the others when its count has changed. Who comes
first to a match in a process asks the others for theirs. Counts are told again from time to time,
so those of a process that was killed are forgotten after a while.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from channels.layers import get_channel_layer

from antipodes.web import wake
from antipodes.web.matches.services import group_of
from antipodes.web.ops.leases import THIS_PROCESS
from antipodes.web.outages import OUTAGES

_PAUSE = 0.3  # seconds in which comings and goings are gathered before they are told
AGAIN = 20.0  # seconds until a count is told again
_FORGOTTEN = 3 * AGAIN


@dataclass(frozen=True, slots=True)
class Count:
    """What another process has told, and when that was by this one's clock."""

    seats: tuple[int, ...]
    spectators: int
    heard: float


@dataclass(slots=True)
class Audience:
    """Those who look at one match, here and elsewhere.

    Attributes:
        seats: how many sockets of this process each seat has.
        spectators: how many sockets of this process belong to nobody who plays.
        elsewhere: what other processes have told, by their names.
        is_telling: whether the count here is about to be told.
    """

    seats: Counter[int] = field(default_factory=Counter)
    spectators: int = 0
    elsewhere: dict[str, Count] = field(default_factory=dict)
    is_telling: bool = False

    @property
    def present(self) -> list[int]:
        """The seats that have a socket here."""
        return sorted(seat for seat, sockets in self.seats.items() if sockets > 0)

    @property
    def is_empty(self) -> bool:
        """Whether nobody looks from here."""
        return not self.spectators and not self.present

    def view(self) -> dict[str, Any]:
        """Return how many spectators there are, and which seats are present."""
        at = time.monotonic()
        others = [one for one in self.elsewhere.values() if at - one.heard < _FORGOTTEN]
        seats = set(self.present).union(*(one.seats for one in others))
        count = self.spectators + sum(one.spectators for one in others)
        return {"type": "watching", "count": count, "seats": sorted(seats)}


_audiences: dict[str, Audience] = {}
_telling: set[asyncio.Task[None]] = set()


def audience_of(slug: str) -> Audience:
    """Return who looks at a match."""
    return _audiences.get(slug) or Audience()


def come(slug: str, seats: tuple[int, ...]) -> None:
    """Count a socket that has come, and tell the others."""
    _count(slug, seats, 1)


def go(slug: str, seats: tuple[int, ...]) -> None:
    """Count a socket that has gone, and tell the others."""
    _count(slug, seats, -1)


def hear(slug: str, message: dict[str, Any]) -> None:
    """Note what a process has told about its sockets; answer if it wants to know ours."""
    audience = _audiences.get(slug)
    name = message.get("process", THIS_PROCESS)
    if audience is None or name == THIS_PROCESS:
        return
    audience.elsewhere[name] = Count(
        tuple(message["seats"]), message["spectators"], time.monotonic()
    )
    if message["asks"]:
        _tell_later(slug, audience)


async def tell_again() -> None:
    """Tell all counts of this process once more, so that others do not forget them."""
    if wake.is_shared():
        for slug, audience in list(_audiences.items()):
            await _tell(slug, audience)


def _count(slug: str, seats: tuple[int, ...], one: int) -> None:
    is_first = slug not in _audiences
    audience = _audiences.setdefault(slug, Audience())
    audience.seats.update(dict.fromkeys(seats, one))
    audience.spectators += 0 if seats else one
    _tell_later(slug, audience, asks=is_first)


def _tell_later(slug: str, audience: Audience, *, asks: bool = False) -> None:
    if not audience.is_telling:
        audience.is_telling = True
        task = asyncio.ensure_future(_tell_soon(slug, audience, asks=asks))
        _telling.add(task)
        task.add_done_callback(_telling.discard)


async def _tell_soon(slug: str, audience: Audience, *, asks: bool) -> None:
    await asyncio.sleep(_PAUSE)
    audience.is_telling = False
    if audience.is_empty:
        _audiences.pop(slug, None)
        if not wake.is_shared():
            return  # nobody is left to be told
    await _tell(slug, audience, asks=asks)


async def _tell(slug: str, audience: Audience, *, asks: bool = False) -> None:
    layer = get_channel_layer()
    assert layer is not None
    message = {
        "type": "match.watched",
        "process": THIS_PROCESS,
        "seats": audience.present,
        "spectators": audience.spectators,
        "asks": asks,
    }
    try:
        await layer.group_send(group_of(slug), message)
    except OUTAGES:
        return  # it is told again soon
