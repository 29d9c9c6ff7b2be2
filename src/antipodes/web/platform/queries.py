"""Queries in SQL, for those that run so often that the ORM, which builds each again, costs most."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.db.models import Model


def table(model: type[Model]) -> str:
    """Return the quoted name of a model's table."""
    return connection.ops.quote_name(model._meta.db_table)  # noqa: SLF001 - public in Django


def first_row(query: str, *arguments: int | str | None) -> tuple[Any, ...] | None:
    """Return the first row of a query, or ``None``."""
    with connection.cursor() as cursor:
        cursor.execute(query, arguments)
        row: tuple[Any, ...] | None = cursor.fetchone()
        return row
