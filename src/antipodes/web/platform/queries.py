"""Queries: rows read in batches, and SQL for those so frequent that building them costs most."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet

_BATCH = 100  # rows

ModelT = TypeVar("ModelT", bound=Model)


def in_batches(rows: QuerySet[ModelT]) -> Iterator[ModelT]:
    """Yield rows in the order of their keys, without a query that stays open between two of them.

    An open query would hold an old state of the whole database in SQLite.
    """
    rows = rows.order_by("pk")
    batch = list(rows[:_BATCH])
    while batch:
        yield from batch
        batch = list(rows.filter(pk__gt=batch[-1].pk)[:_BATCH])


def table(model: type[Model]) -> str:
    """Return the quoted name of a model's table."""
    return connection.ops.quote_name(model._meta.db_table)  # noqa: SLF001 - public in Django


def first_row(query: str, *arguments: int | str | None) -> tuple[Any, ...] | None:
    """Return the first row of a query, or ``None``."""
    with connection.cursor() as cursor:
        cursor.execute(query, arguments)
        row: tuple[Any, ...] | None = cursor.fetchone()
        return row


def all_rows(query: str, *arguments: int | str | None) -> list[tuple[Any, ...]]:
    """Return all rows of a query."""
    with connection.cursor() as cursor:
        cursor.execute(query, arguments)
        return list(cursor.fetchall())
