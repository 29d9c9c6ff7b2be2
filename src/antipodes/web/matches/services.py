"""All that changes matches in the database; nothing else writes them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction
from django.dispatch import Signal

from antipodes.match import Command, Event, Match, Terms, handle
from antipodes.web.matches.models import EventRow, MatchRow, SeatRow
from antipodes.web.people.models import User

match_changed = Signal()  # with ``row``, after a change is stored

Change = Callable[[Match, int], tuple[Match, tuple[Event, ...]]]


def now() -> int:
    """Return the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def begin_match(terms: Terms, users: Sequence[User]) -> MatchRow:
    """Begin a match with these users on the seats, in order."""
    begun = now()
    match = Match.begun(terms, begun)
    with transaction.atomic():
        row = MatchRow(
            game_id=terms.game.id,
            options=dict(terms.game.options.changed()),
            control=str(terms.control),
            rated=terms.rated,
            analysis=terms.analysis,
            begun_at=begun,
        )
        _note(row, match, begun)
        row.save()
        SeatRow.objects.bulk_create(
            SeatRow(match=row, number=number, user=user) for number, user in enumerate(users)
        )
    _tell_watchers(row)
    return row


def carry_out(slug: str, command: Command) -> tuple[Match, tuple[Event, ...]]:
    """Carry out a command; everybody who watches is told.

    Raises:
        MatchRow.DoesNotExist: there is no such match.
        MatchError: the command is refused; nothing has changed.
        IllegalMoveError: the move is not legal; nothing has changed.
    """
    return _change(slug, lambda match, at: handle(match, command, at))


def _change(slug: str, change: Change) -> tuple[Match, tuple[Event, ...]]:
    with transaction.atomic():
        # On SQLite transactions begin with a lock; elsewhere the row is locked here.
        row = MatchRow.objects.select_for_update().get(slug=slug)
        at = now()
        match, events = change(row.match(), at)
        if events:
            EventRow.objects.bulk_create(
                EventRow(match=row, number=row.version + i, data=event.as_json())
                for i, event in enumerate(events)
            )
            row.version += len(events)
            _note(row, match, at)
            row.save()
    if events:
        _tell_watchers(row)
    return match, events


def _note(row: MatchRow, match: Match, at: int) -> None:
    """Write down what lists need to know."""
    row.seat_to_move = match.seat_to_move
    row.deadline = match.clock.deadline
    if match.result is not None:
        row.ended_at = at
        row.result = str(match.result)


def _tell_watchers(row: MatchRow) -> None:
    """Tell whoever watches, in browsers and in this program, that there is something new."""
    layer = get_channel_layer()
    assert layer is not None
    message = {"type": "match.changed", "version": row.version}
    async_to_sync(layer.group_send)(group_of(row.slug), message)
    match_changed.send(sender=MatchRow, row=row)


def group_of(slug: str) -> str:
    """Return the name of the group of sockets that watch a match."""
    return f"match-{slug}"
