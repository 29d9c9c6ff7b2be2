"""Hand-written SQL for the statements of every move, because the ORM is too slow for them."""

from __future__ import annotations

import json
from collections.abc import Iterable

from django.db import connection

from antipodes.match import Event
from antipodes.web.matches.models import EventRow, MatchRow
from antipodes.web.matches.snapshots import MatchSnapshot, known_of, snapshot_at

_MATCHES = MatchRow._meta.db_table  # noqa: SLF001 - documented Django API
_EVENTS = EventRow._meta.db_table  # noqa: SLF001
_COLUMNS = (
    "version", "changed_at", "seat_to_move", "deadline", "ended_at", "winner", "reason", "loser",
)  # fmt: skip


def locked_snapshot(slug: str) -> MatchSnapshot:
    """Return the snapshot of a match, and lock the match until the transaction ends.

    Raises:
        MatchRow.DoesNotExist: there is no such match.
    """
    known, version = known_of(slug, locks=True)
    if known is not None and known.version == version:
        # The usual case: this process has the latest version, and need only lock the row.
        return known
    rows = MatchRow.objects.select_related("series").select_for_update(of=("self",))
    return snapshot_at(rows.get(slug=slug), known)


def write_events(row: MatchRow, first: int, events: Iterable[Event]) -> None:
    """Insert events of a match, numbered from ``first``."""
    statement = f"INSERT INTO {_EVENTS} (match_id, number, data) VALUES (%s, %s, %s)"  # noqa: S608
    with connection.cursor() as cursor:
        for number, event in enumerate(events, start=first):
            cursor.execute(statement, [row.pk, number, json.dumps(event.as_json())])


def write_columns(row: MatchRow) -> None:
    """Update the columns that lists and the scheduler use after a change."""
    columns = ", ".join(f"{name} = %s" for name in _COLUMNS)
    values = [getattr(row, name) for name in _COLUMNS]
    with connection.cursor() as cursor:
        statement = f"UPDATE {_MATCHES} SET {columns} WHERE id = %s"  # noqa: S608
        cursor.execute(statement, [*values, row.pk])
