"""Absences: which players have left their live games, and when the opponent may claim the end.

A player has left when the last WebSocket of their seat has closed and none has opened for some
seconds. Players who were never connected, such as programs of the API, do not leave. The count
begins when they left or when their turn began, whichever was later. After a downtime of the site
all turns begin again, so that a downtime gives no claim.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from django.db import transaction

from antipodes.clocks import SECOND, Pace
from antipodes.errors import Fault, MatchError
from antipodes.match import Match
from antipodes.web.connections.commands import in_slow_thread
from antipodes.web.matches import presence
from antipodes.web.matches.models import MatchRow, SeatRow
from antipodes.web.matches.schemas import LeftMessage
from antipodes.web.matches.snapshots import MatchSnapshot
from antipodes.web.platform import pubsub
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import count_limit
from antipodes.web.platform.outages import outage_of

CLAIM_SECONDS = count_limit(
    "claim-seconds",
    60,
    per="game",
    what="seconds after which the opponent of a player who has left a live game may claim its end",
)
_RELOAD = 5.0  # seconds in which a page that was loaded again connects

_pending: set[asyncio.Task[None]] = set()


def can_leave(snapshot: MatchSnapshot) -> bool:
    """Return whether a match is live, in progress, and between two people."""
    match = snapshot.match
    people = {seat.user for seat in snapshot.seats if not seat.computer}
    return match.result is None and match.clock.control.pace is Pace.LIVE and len(people) == 2


def note_soon(slug: str, seats: tuple[int, ...]) -> None:
    """Note that a player has left, unless they are back in a few seconds."""
    _begin(_note_later(slug, seats, now()))


def note_back_soon(slug: str, seats: tuple[int, ...]) -> None:
    """Note that a player is back, after an outage if there is one, unless they leave again."""
    _begin(_note_back_later(slug, seats))


def _begin(noting: Coroutine[Any, Any, None]) -> None:
    task = asyncio.ensure_future(noting)
    _pending.add(task)
    task.add_done_callback(_pending.discard)


async def _note_later(slug: str, seats: tuple[int, ...], at: int) -> None:
    """Note it when it can be stored, so that an outage takes no claim from the opponent."""
    is_noted = False
    while not is_noted:
        await asyncio.sleep(_RELOAD)
        if _is_here(slug, seats):
            return
        is_noted = await in_slow_thread(_is_stored)(partial(note_left, slug, seats, at))


async def _note_back_later(slug: str, seats: tuple[int, ...]) -> None:
    """Note it when it can be stored, so that an outage gives the opponent no claim."""
    while not await in_slow_thread(_is_stored)(partial(note_back, slug, seats)):
        await asyncio.sleep(_RELOAD)
        if not _is_here(slug, seats):
            return


def _is_here(slug: str, seats: tuple[int, ...]) -> bool:
    """Return whether a page of a player is open at the match."""
    return not set(seats).isdisjoint(presence.audience_of(slug).view()["seats"])


def _is_stored(store: Callable[[], None]) -> bool:
    """Store something; return ``False`` in an outage."""
    try:
        store()
    except Exception as error:
        if outage_of(error) is None:
            raise
        return False
    return True


def note_left(slug: str, seats: tuple[int, ...], at: int) -> None:
    """Store since when a player is away from a match in progress, and tell its audience."""
    with transaction.atomic():
        rows = SeatRow.objects.filter(match__slug=slug, match__ended_at=None, number__in=seats)
        if rows.update(left_at=at):
            transaction.on_commit(partial(_tell, slug, seats, at))


def note_back(slug: str, seats: tuple[int, ...]) -> None:
    """Store that a player is back, and tell the audience."""
    with transaction.atomic():
        SeatRow.objects.filter(match__slug=slug, number__in=seats).update(left_at=None)
        transaction.on_commit(partial(_tell, slug, seats, None))


def _tell(slug: str, seats: tuple[int, ...], at: int | None) -> None:
    for seat in seats:
        message = {"seat": seat, "at": at, "claimAfter": CLAIM_SECONDS.value * SECOND}
        pubsub.send_to_group(f"match-{slug}", {"type": "match.left", **message})


def absent_seats(snapshot: MatchSnapshot) -> list[LeftMessage]:
    """Return which players of a live match have left it."""
    if not can_leave(snapshot):
        return []
    left = SeatRow.objects.filter(match=snapshot.row, left_at__isnull=False)
    return [
        {"type": "left", "seat": seat, "at": at, "claimAfter": CLAIM_SECONDS.value * SECOND}
        for seat, at in left.values_list("number", "left_at")
    ]


def check(slug: str, match: Match, at: int) -> None:
    """Check that the player to move has been away for long enough.

    Raises:
        MatchError: they have not, or play another live game meanwhile.
    """
    seat = SeatRow.objects.get(match__slug=slug, number=match.position.seat_to_move)
    since = max(seat.left_at or 0, match.clock.turn_since or 0)
    wait = CLAIM_SECONDS.value - (at - since) // SECOND
    if seat.left_at is None:
        raise MatchError([Fault("match/not-left", "the opponent has not left the game")])
    if wait > 0:
        fault = Fault.of(
            "match/not-left", "the opponent has {seconds} seconds left to return", seconds=wait
        )
        raise MatchError([fault])
    others = MatchRow.objects.exclude(slug=slug).filter(ended_at=None, grace__gt=0)
    if SeatRow.objects.filter(user=seat.user_id, left_at=None, match__in=others).exists():
        fault = Fault("match/plays-elsewhere", "the opponent plays another live game meanwhile")
        raise MatchError([fault])
