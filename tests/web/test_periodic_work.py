"""Tests of periodic work: it takes no longer with more stored games."""

import pytest
from django.db import connection

from antipodes.clocks import DAY
from antipodes.web.matches.models import MatchRow, SeatRow
from antipodes.web.notifications.models import CursorRow
from antipodes.web.platform.clock import now
from antipodes.web.project.wiring import DELIVERY_TASKS, PERIODIC_TASKS

pytestmark = pytest.mark.django_db

_GAMES = 500
_STEPS = 10  # operations of SQLite between two counts
_MOST = 300  # further operations; a task that reads all games needs some for each of them

# Tasks that are not measured, and why.
_OTHERS = {
    "clear_database_log": "works outside of transactions alone",
    "archive_missing": "looks at all games once an hour, a batch at a time",
    "deliver_emails": "works in a thread, which sees no rows of a test",
    "deliver_pushes": "works in a thread, which sees no rows of a test",
}


def tasks():
    every = (*(task for _, task in PERIODIC_TASKS), *DELIVERY_TASKS)
    return [task for task in every if task.__name__ not in _OTHERS]


def operations(task):
    """Return how many operations of SQLite a task takes when it has nothing new to do."""
    count = 0

    def tick():
        nonlocal count
        count += _STEPS
        return 0

    task()
    connection.connection.set_progress_handler(tick, _STEPS)
    try:
        task()
    finally:
        connection.connection.set_progress_handler(None, _STEPS)
    return count


def store_games(people):
    """Store games that ended long ago, of which players were notified then."""
    at = now() - 30 * DAY
    rows = MatchRow.objects.bulk_create(
        MatchRow(
            game_id="hex", begun_at=at, changed_at=at, ended_at=at + number, version=5,
            winner="black", reason="connection",
        )
        for number in range(_GAMES)
    )  # fmt: skip
    SeatRow.objects.bulk_create(
        SeatRow(match=row, number=seat, user=people[seat]) for row in rows for seat in (0, 1)
    )
    CursorRow.objects.update(position=rows[-1].pk)


def test_periodic_work_does_not_grow_with_stored_games(people, monkeypatch, tmp_path):
    monkeypatch.setenv("ANTIPODES_DATA", str(tmp_path))
    before = {task.__name__: operations(task) for task in tasks()}
    store_games(people)
    grown = {
        task.__name__: further
        for task in tasks()
        if (further := operations(task) - before[task.__name__]) > _MOST
    }
    assert grown == {}
