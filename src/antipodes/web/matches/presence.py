"""Who watches a match now: sockets of seats and of spectators, in all web processes.

Each process counts its own sockets, and tells the others when its counts have changed, all of them
in one message. A process in which a match is watched for the first time asks the others for their
counts. Counts are told again from time to time, so those of a process that was killed are forgotten
after a while.

Sockets are told at most once a second how many watch a match, and less often if there are many of
them. So what n spectators cost who join one after another grows with n, not with its square.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from antipodes.web.platform import pubsub
from antipodes.web.platform.locks import THIS_PROCESS

NEWS = "watching"  # the name under which processes tell each other
AGAIN = 20.0  # seconds until a count is told again

_PAUSE = 0.3  # seconds in which changes are gathered
_INTERVAL = 1.0  # seconds from one message to a socket to the next, at least
_MESSAGES = 500  # a second to all sockets of a match together
_FORGOTTEN = 3 * AGAIN

View = dict[str, Any]
Listener = Callable[[View], None]


@dataclass(frozen=True, slots=True)
class Count:
    """What another process has told, and when that was by this one's clock."""

    seats: tuple[int, ...]
    spectators: int
    heard: float


@dataclass(slots=True)
class Audience:
    """Those who watch one match, here and elsewhere.

    Attributes:
        seats: how many sockets of this process each seat has.
        spectators: how many sockets of this process belong to no player.
        listeners: of the sockets of this process, by what stands for them.
        elsewhere: what other processes have told, by their names.
        due: when listeners may be told next, by the monotonic clock.
    """

    seats: Counter[int] = field(default_factory=Counter)
    spectators: int = 0
    listeners: dict[object, Listener] = field(default_factory=dict)
    elsewhere: dict[str, Count] = field(default_factory=dict)
    due: float = 0.0

    @property
    def present(self) -> list[int]:
        """The seats that have a socket here."""
        return sorted(seat for seat, sockets in self.seats.items() if sockets > 0)

    def view(self) -> View:
        """Return how many spectators there are, and which seats are present."""
        at = time.monotonic()
        others = [one for one in self.elsewhere.values() if at - one.heard < _FORGOTTEN]
        seats = set(self.present).union(*(one.seats for one in others))
        count = self.spectators + sum(one.spectators for one in others)
        return {"type": "watching", "count": count, "seats": sorted(seats)}


_audiences: dict[str, Audience] = {}
_changed: set[str] = set()  # matches whose counts here other processes do not know yet
_asked: set[str] = set()  # matches whose counts elsewhere are not known here
_stale: set[str] = set()  # matches whose listeners perhaps do not know the count
_task: asyncio.Task[None] | None = None


def audience_of(slug: str) -> Audience:
    """Return who watches a match."""
    return _audiences.get(slug) or Audience()


def come(slug: str, seats: tuple[int, ...], who: object, listener: Listener) -> None:
    """Count a socket that has come.

    Args:
        slug: the match.
        seats: those of the socket's user; none for a spectator.
        who: stands for the socket.
        listener: is called with the view when it has perhaps changed; it must not wait.
    """
    if slug not in _audiences:
        _asked.add(slug)
    audience = _audiences.setdefault(slug, Audience())
    audience.listeners[who] = listener
    _count(slug, audience, seats, 1)


def go(slug: str, seats: tuple[int, ...], who: object) -> None:
    """Count a socket no longer."""
    audience = _audiences.get(slug)
    if audience is not None and who in audience.listeners:
        del audience.listeners[who]
        _count(slug, audience, seats, -1)


def _count(slug: str, audience: Audience, seats: tuple[int, ...], one: int) -> None:
    audience.seats.update(dict.fromkeys(seats, one))
    audience.spectators += 0 if seats else one
    _changed.add(slug)
    _stale.add(slug)
    _tell_soon()


def hear(message: dict[str, Any]) -> None:
    """Note what a process has told about its sockets; answer what it asks."""
    if message["process"] == THIS_PROCESS:
        return
    at = time.monotonic()
    for slug, (seats, spectators) in message["counts"].items():
        if slug in _audiences:
            _audiences[slug].elsewhere[message["process"]] = Count(tuple(seats), spectators, at)
            _stale.add(slug)
    _changed.update(slug for slug in message["asks"] if slug in _audiences)
    _tell_soon()


def tell_again() -> None:
    """Tell all counts of this process once more, so that others do not forget them."""
    _changed.update(_audiences)
    _stale.update(_audiences)
    _tell_soon()


def _tell_soon() -> None:
    global _task  # noqa: PLW0603
    if _task is None or _task.done():
        _task = asyncio.ensure_future(_tell_until_done())


async def _tell_until_done() -> None:
    while _changed or _stale:
        await asyncio.sleep(_PAUSE)
        tell_others()
        await tell_listeners(time.monotonic())


def tell_others() -> None:
    """Tell other processes what has changed here, in one message."""
    counts = {slug: _audiences[slug] for slug in _changed if slug in _audiences}
    asks = sorted(_asked & counts.keys())
    _changed.clear()
    _asked.clear()
    if counts and pubsub.is_shared():
        told = {slug: [one.present, one.spectators] for slug, one in counts.items()}
        message = {"process": THIS_PROCESS, "counts": told, "asks": asks}
        pubsub.broadcast(NEWS, message)
    for slug, audience in counts.items():
        if not audience.listeners:
            del _audiences[slug]


async def tell_listeners(at: float) -> None:
    """Tell the sockets of matches whose time has come; the others wait."""
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
            await asyncio.sleep(0)  # others have their turn between two large audiences
