"""Presence: which seats and how many spectators are connected to a match, over all web processes.

Each process counts its own WebSockets and publishes changed counts, all of them in one message. A
process whose first WebSocket joins a match asks the others for their counts. Counts are published
again periodically, so those of a killed process expire.

WebSockets receive the audience at most once a second, and less often when there are many. So the
cost of n spectators who join one after another grows with n, not with its square.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from antipodes.web.matches.schemas import WatchingMessage
from antipodes.web.platform import pubsub
from antipodes.web.platform.locks import THIS_PROCESS

TOPIC = "watching"  # pub/sub topic
REPEAT_SECONDS = 20.0  # seconds until a count is published again

_DELAY = 0.3  # seconds in which changes are collected
_INTERVAL = 1.0  # minimum seconds between two messages to a WebSocket
_MESSAGES = 500  # maximum messages a second to all WebSockets of a match
_EXPIRY = 3 * REPEAT_SECONDS

Listener = Callable[[WatchingMessage], None]


@dataclass(frozen=True, slots=True)
class Count:
    """A count published by another process, with the time of its receipt."""

    seats: tuple[int, ...]
    spectators: int
    received: float


@dataclass(slots=True)
class Audience:
    """The connected WebSockets of one match, here and in other processes.

    Attributes:
        seats: number of this process' WebSockets for each seat.
        spectators: number of this process' WebSockets that belong to no player.
        listeners: callback of each WebSocket of this process.
        elsewhere: latest counts of other processes, by process name.
        due: when listeners may be called next, by the monotonic clock.
        known_at: when other processes have answered this one, by the monotonic clock.
    """

    seats: Counter[int] = field(default_factory=Counter)
    spectators: int = 0
    listeners: dict[object, Listener] = field(default_factory=dict)
    elsewhere: dict[str, Count] = field(default_factory=dict)
    due: float = 0.0
    known_at: float = 0.0

    @property
    def present(self) -> list[int]:
        """The seats connected in this process."""
        return sorted(seat for seat, sockets in self.seats.items() if sockets > 0)

    @property
    def is_known(self) -> bool:
        """Whether the view has the WebSockets of other processes too."""
        return time.monotonic() >= self.known_at

    def view(self) -> WatchingMessage:
        """Return the number of spectators and the connected seats."""
        at = time.monotonic()
        others = [one for one in self.elsewhere.values() if at - one.received < _EXPIRY]
        seats = set(self.present).union(*(one.seats for one in others))
        count = self.spectators + sum(one.spectators for one in others)
        return {"type": "watching", "count": count, "seats": sorted(seats)}


_audiences: dict[str, Audience] = {}
_changed: set[str] = set()  # matches whose new counts are not published yet
_asked: set[str] = set()  # matches whose counts in other processes are unknown
_stale: set[str] = set()  # matches whose listeners may not know the latest count
_task: asyncio.Task[None] | None = None


def audience_of(slug: str) -> Audience:
    return _audiences.get(slug) or Audience()


def join(slug: str, seats: tuple[int, ...], who: object, listener: Listener) -> None:
    """Add a WebSocket to the audience of a match.

    Args:
        slug: the match.
        seats: the seats of the WebSocket's user; none for a spectator.
        who: identifies the WebSocket.
        listener: called with the audience when it may have changed; must not block.
    """
    audience = _audiences.get(slug)
    if audience is None:
        _asked.add(slug)
        audience = _audiences[slug] = Audience()
        # Other processes answer within that time; until then the count would be too low.
        if pubsub.is_shared():
            audience.due = audience.known_at = time.monotonic() + _INTERVAL
    audience.listeners[who] = listener
    _count(slug, audience, seats, 1)


def leave(slug: str, seats: tuple[int, ...], who: object) -> None:
    """Remove a WebSocket from the audience of a match."""
    audience = _audiences.get(slug)
    if audience is not None and who in audience.listeners:
        del audience.listeners[who]
        _count(slug, audience, seats, -1)


def _count(slug: str, audience: Audience, seats: tuple[int, ...], one: int) -> None:
    audience.seats.update(dict.fromkeys(seats, one))
    audience.spectators += 0 if seats else one
    _changed.add(slug)
    _stale.add(slug)
    _publish_soon()


def receive_counts(message: dict[str, Any]) -> None:
    """Store the counts published by another process, and answer its requests."""
    if message["process"] == THIS_PROCESS:
        return
    at = time.monotonic()
    for slug, (seats, spectators) in message["counts"].items():
        if slug in _audiences:
            _audiences[slug].elsewhere[message["process"]] = Count(tuple(seats), spectators, at)
            _stale.add(slug)
    _changed.update(slug for slug in message["asks"] if slug in _audiences)
    _publish_soon()


async def publish_periodically() -> None:
    """Publish all counts of this process repeatedly, so that they do not expire."""
    while True:
        await asyncio.sleep(REPEAT_SECONDS)
        _changed.update(_audiences)
        _stale.update(_audiences)
        _publish_soon()


def _publish_soon() -> None:
    global _task  # noqa: PLW0603
    if _task is None or _task.done():
        _task = asyncio.ensure_future(_publish_until_done())


async def _publish_until_done() -> None:
    while _changed or _stale:
        await asyncio.sleep(_DELAY)
        publish_counts()
        await notify_listeners(time.monotonic())


def publish_counts() -> None:
    """Publish changed counts to other processes in one message."""
    counts = {slug: _audiences[slug] for slug in _changed if slug in _audiences}
    asks = sorted(_asked & counts.keys())
    _changed.clear()
    _asked.clear()
    if counts and pubsub.is_shared():
        published = {slug: [one.present, one.spectators] for slug, one in counts.items()}
        message = {"process": THIS_PROCESS, "counts": published, "asks": asks}
        pubsub.broadcast(TOPIC, message)
    for slug, audience in counts.items():
        # Only now, after the other processes were told that no WebSocket is left here.
        if not audience.listeners:
            del _audiences[slug]


async def notify_listeners(at: float) -> None:
    """Send the audience to the WebSockets of each match whose interval is over."""
    for slug in list(_stale):
        audience = _audiences.get(slug)
        if audience is not None and audience.due > at:
            continue
        _stale.discard(slug)
        if audience is not None:
            listeners = list(audience.listeners.values())
            audience.due = at + max(_INTERVAL, len(listeners) / _MESSAGES)
            view = audience.view()
            for listener in listeners:
                listener(view)
            await asyncio.sleep(0)  # let other tasks run between two large audiences
