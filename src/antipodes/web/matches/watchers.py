"""Who looks at a match now, in this process: sockets of seats and of spectators."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from channels.layers import get_channel_layer

from antipodes.web.matches.services import group_of

_PAUSE = 0.3  # seconds in which comings and goings are gathered before they are told


class Audience:
    """Those who look at one match: how many sockets each seat has, and how many spectators."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self.seats: Counter[int] = Counter()
        self.spectators = 0
        self.is_telling = False

    def view(self) -> dict[str, Any]:
        """Return how many spectators there are, and which seats are present."""
        present = sorted(seat for seat, sockets in self.seats.items() if sockets)
        return {"type": "watching", "count": self.spectators, "seats": present}


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


def _count(slug: str, seats: tuple[int, ...], one: int) -> None:
    audience = _audiences.setdefault(slug, Audience())
    audience.seats.update(dict.fromkeys(seats, one))
    audience.spectators += 0 if seats else one
    if not audience.is_telling:
        audience.is_telling = True
        task = asyncio.ensure_future(_tell_soon(slug, audience))
        _telling.add(task)
        task.add_done_callback(_telling.discard)


async def _tell_soon(slug: str, audience: Audience) -> None:
    await asyncio.sleep(_PAUSE)
    audience.is_telling = False
    if not audience.spectators and not audience.seats.total():
        _audiences.pop(slug, None)
        return
    layer = get_channel_layer()
    assert layer is not None
    await layer.group_send(group_of(slug), {"type": "match.watched"})
