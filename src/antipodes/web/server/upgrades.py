"""Upgrades of the database: pending migrations, and which of them need the site to stop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.core.management import ManagementUtility
from django.db import connection

from antipodes.errors import InvalidOptionsError
from antipodes.web.server import serve

_LOCK = 0x616E7469  # number of the advisory lock, the same on all machines


def pending_migrations() -> list[str]:
    """Return the names of the migrations that are not applied.

    Raises:
        InvalidOptionsError: the database does not answer, or has the tables of another version.
    """
    serve.load()
    from antipodes.web.platform import schema_version

    with serve.database_faults():
        serve.check_tables()
        return schema_version.missing()


def describe(names: Sequence[str]) -> Iterator[str]:
    """Yield lines that say which migrations can be applied while the site runs."""
    from antipodes.web.platform import schema_version

    for name in names:
        breaking = schema_version.breaking_changes(name)
        if not breaking:
            yield f"{name}: can be applied while the site runs"
        for reason in breaking:
            yield f"{name}: stop the site first, because {reason}"
    if not names:
        yield "The database is up to date."


def migrate() -> list[str]:
    """Apply all migrations; return their names.

    Raises:
        InvalidOptionsError: the database does not answer, or has the tables of another version.
    """
    names = pending_migrations()
    with serve.database_faults(), _migration_lock():
        serve.apply_migrations()
    return names


def run_django(arguments: Sequence[str]) -> None:
    """Run a management command.

    Raises:
        InvalidOptionsError: the database does not answer, or is not up to date.
    """
    if names := pending_migrations():
        raise InvalidOptionsError([serve.needs_migration(names)])
    with serve.database_faults():
        ManagementUtility(["antipodes manage", *arguments]).execute()


@contextmanager
def _migration_lock() -> Iterator[None]:
    """Keep other machines from migrating meanwhile, and let large tables take their time."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute("SET lock_timeout = 0")
        cursor.execute("SELECT pg_advisory_lock(%s)", [_LOCK])
        # Queries queue behind a migration that waits for a table, so it should fail soon.
        cursor.execute("SET lock_timeout = '10s'")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [_LOCK])
