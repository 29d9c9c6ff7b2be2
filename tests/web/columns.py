"""Checks that each value written to the database fits its column, on SQLite and on PostgreSQL.

The tests run on SQLite, which stores any length and any integer of 64 bits. PostgreSQL refuses
texts that are longer than their column or hold a NUL, and integers beyond their type; no calendar
has instants after the year 9999.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any
from unittest.mock import patch

from django.db import connection, models
from django.db.backends.base.operations import BaseDatabaseOperations

# Django's ranges are those of PostgreSQL; SQLite's are wider.
RANGES = BaseDatabaseOperations.integer_field_ranges
LAST_INSTANT = int(datetime(9999, 12, 31, tzinfo=UTC).timestamp()) * 1_000
NO_INSTANTS = {
    "position",
    "by_key",
    "about_key",
    "user",
    "size",
    "done",
    "unreadable",
    "last_match",
}


def why_not(field: models.Field[Any, Any], value: object) -> str | None:
    """Return why a value does not fit the column of a field, or ``None``."""
    if isinstance(value, str):
        if "\x00" in value or any("\ud800" <= one <= "\udfff" for one in value):
            return "a character that PostgreSQL refuses"
        most = getattr(field, "max_length", None)
        if most is not None and isinstance(field, models.CharField) and len(value) > most:
            return f"{len(value)} characters, at most {most}"
    if isinstance(value, int) and field.get_internal_type() in RANGES:
        low, high = RANGES[field.get_internal_type()]
        if isinstance(field, models.BigIntegerField) and field.name not in NO_INSTANTS:
            high = LAST_INSTANT
        if not low <= value <= high:
            return f"{value}, from {low} to {high}"
    return None


@contextmanager
def checked() -> Iterator[list[str]]:
    """Collect the values that were to be written and do not fit their columns."""
    faults: list[str] = []
    prepare = models.Field.get_db_prep_save

    def prepared(field: models.Field[Any, Any], value: Any, connection: Any) -> Any:
        why = why_not(field, value)
        if why is not None:
            faults.append(f"{field.model.__name__}.{field.name}: {why}")
        return prepare(field, value, connection)

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if any(isinstance(one, str) and "\x00" in one for one in params or ()):
            faults.append(f"a NUL in a parameter of {sql[:200]}")
        return execute(sql, params, many, context)

    preparing = patch.object(models.Field, "get_db_prep_save", prepared)
    with preparing, connection.execute_wrapper(note):
        yield faults
