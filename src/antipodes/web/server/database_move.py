"""Move a site from SQLite to PostgreSQL: all tables, row by row, and then compared.

SQLite writes each row as a line of PostgreSQL's text format, so Python only passes lines on. Rows
go in the order of their primary keys and are committed in batches. So an interrupted move goes on
behind the last row of each table. Foreign keys are dropped meanwhile, since rows refer to later
ones; when they are added again, PostgreSQL checks all of them. Meanwhile a transaction of SQLite
keeps all writers away, also those that take no lock of the site.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from antipodes.errors import Fault, InvalidOptionsError
from antipodes.web.platform.config import database, is_sqlite, without_password
from antipodes.web.server import serve, server_lock

Say = Callable[[str], object]

_MIGRATIONS = "django_migrations"  # both databases have the same rows
_BATCH = 50_000  # rows of a transaction
_READ = 1_000  # rows that are read together
_PAUSE = 5.0  # seconds between two lines about progress
_NULL = r"\N"

_SOURCE_COLUMNS = f"""
    SELECT tables.name, columns.name
    FROM sqlite_master AS tables JOIN pragma_table_info(tables.name) AS columns
    WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'
        AND tables.name <> '{_MIGRATIONS}'
"""  # noqa: S608

# How SQLite writes a value of each type of PostgreSQL.
_NUMBER = "{0}"
_TEXT = (
    r"replace(replace(replace(replace({0}, '\', '\\'), char(9), '\t'), char(10), '\n'),"
    r" char(13), '\r')"
)
_EXPRESSIONS = {
    "bigint": _NUMBER,
    "integer": _NUMBER,
    "smallint": _NUMBER,
    "double precision": "printf('%!.17g', {0})",
    "boolean": "CASE {0} WHEN 0 THEN 'f' WHEN 1 THEN 't' ELSE {0} END",
    "character varying": _TEXT,
    "text": _TEXT,
    "inet": _TEXT,
    "jsonb": _TEXT,
    "bytea": r"'\\x' || lower(hex({0}))",
    "date": _NUMBER,
    "timestamp with time zone": "{0} || '+00'",
}


@dataclass(frozen=True)
class Table:
    """A table of the site.

    Attributes:
        name: the name in both databases.
        columns: the columns with their types in PostgreSQL.
        key: the column of the primary key.
    """

    name: str
    columns: tuple[tuple[str, str], ...]
    key: str

    @property
    def is_numbered(self) -> bool:
        """Whether the primary key is a number; then the order of keys is the same everywhere."""
        return dict(self.columns)[self.key] in {"bigint", "integer", "smallint"}

    @property
    def names(self) -> str:
        """The columns as in SQL."""
        return ", ".join(f'"{name}"' for name, _ in self.columns)

    @cached_property
    def line(self) -> str:
        """SQLite's expression for a row as a line of PostgreSQL's text format."""
        values = [(f'"{name}"', _EXPRESSIONS[kind]) for name, kind in self.columns]
        return " || char(9) || ".join(
            f"CASE WHEN {name} IS NULL THEN '{_NULL}' ELSE {expression.format(name)} END"
            for name, expression in values
        )

    @property
    def order(self) -> str:
        """The order of rows in PostgreSQL, that of SQLite."""
        return f'"{self.key}"' if self.is_numbered else f'"{self.key}" COLLATE "C"'


def move(to: str, say: Say) -> None:
    """Move the site to a new PostgreSQL database, or go on with that.

    Args:
        to: the URL of the database, which is empty or has an unfinished move.
        say: takes lines about the progress.

    Raises:
        InvalidOptionsError: the site runs, a database cannot be used, or rows differ.
    """
    settings = database()
    if not is_sqlite(settings):
        raise _error(
            "database-move/not-sqlite", "this site is not on SQLite; there is nothing to move"
        )
    file = Path(settings["NAME"])
    os.environ["DATABASE_URL"] = to
    if is_sqlite(database()):
        message = f"{without_password(to)!r} is no address of PostgreSQL, such as postgres://..."
        raise _error("database-move/not-postgresql", message)
    serve.load()
    with server_lock.sqlite_site(file), closing(sqlite3.connect(file)) as source:
        _run(source, file, say)
    say(f"All rows are in {without_password(to)}, and equal. Nothing was changed in {file}.")
    say("Set DATABASE_URL to the new address in the settings of the site, and start it.")


def _run(source: sqlite3.Connection, file: Path, say: Say) -> None:
    from django.db import DataError, IntegrityError, ProgrammingError

    try:
        source.execute("BEGIN IMMEDIATE")
        source.execute("PRAGMA query_only = ON")
        with serve.database_faults():
            _Move(source, say).run()
    except sqlite3.Error as error:
        message = f"the database {file} cannot be read: {error}"
        raise _error("serve/data-folder", message) from None
    except (DataError, IntegrityError, ProgrammingError) as error:
        message = f"PostgreSQL refuses what the move asks for: {str(error).strip()}"
        raise _error("database-move/refused", message) from None


class _Move:
    """A move between two databases; Django's connection is that to PostgreSQL."""

    def __init__(self, source: sqlite3.Connection, say: Say) -> None:
        from django.db import connection

        self._source = source
        self._target: Any = connection
        self._say = say
        self._said_at = 0.0

    def run(self) -> None:
        self._execute("SET statement_timeout = 0")
        self._execute("SET lock_timeout = 0")
        self._execute("SET TIME ZONE 'UTC'")
        is_continued = self._make_tables()
        tables = self._tables()
        self._check_source(tables)
        if is_continued:
            self._say("An earlier move is continued.")
        else:
            self._clear(tables)
        for table in tables:
            self._copy(table)
        for table in tables:
            self._compare(table)
        self._finish(tables)

    def _execute(self, statement: str) -> list[tuple[Any, ...]]:
        with self._target.cursor() as cursor:
            cursor.execute(statement)
            return list(cursor.fetchall()) if cursor.description else []

    def _make_tables(self) -> bool:
        """Make the tables, unless an earlier move has done so; return whether it has."""
        from antipodes.web.platform import schema_version

        present = self._target.introspection.table_names()
        if schema_version.UNFINISHED not in present:
            if present:
                message = (
                    f"the new database has {len(present)} tables already, such as {present[0]};"
                    " name an empty one"
                )
                raise _error("database-move/not-empty", message)
            self._execute(f"CREATE TABLE {schema_version.UNFINISHED} (statement text NOT NULL)")
        if self._execute(f"SELECT 1 FROM {schema_version.UNFINISHED} LIMIT 1"):  # noqa: S608
            return True
        serve.apply_migrations()
        return False

    def _tables(self) -> list[Table]:
        """Return the tables that are moved."""
        from antipodes.web.platform import schema_version

        columns: dict[str, list[tuple[str, str]]] = {}
        for name, column, kind in self._execute(
            "SELECT table_name, column_name, data_type FROM information_schema.columns"
            " WHERE table_schema = current_schema() ORDER BY table_name, ordinal_position"
        ):
            columns.setdefault(name, []).append((column, kind))
        present = self._target.introspection.table_names()
        names = sorted({*present} - {_MIGRATIONS, schema_version.UNFINISHED})
        with self._target.cursor() as cursor:
            key = self._target.introspection.get_primary_key_column
            return [Table(name, tuple(columns[name]), str(key(cursor, name))) for name in names]

    def _check_source(self, tables: list[Table]) -> None:
        """Check that both databases have the same migrations, tables and columns."""
        query = f"SELECT app, name FROM {_MIGRATIONS}"  # noqa: S608
        ours, theirs = set(self._source.execute(query)), set(self._execute(query))
        if ours == theirs:
            ours = set(self._source.execute(_SOURCE_COLUMNS))
            theirs = {(table.name, column) for table in tables for column, _ in table.columns}
        if ours != theirs:
            message = (
                f"only one of the databases has {'.'.join(min(ours ^ theirs))}; run"
                " antipodes migrate with the settings of SQLite, and move to an empty database"
            )
            raise _error("database-move/other-version", message)

    def _clear(self, tables: list[Table]) -> None:
        """Note the foreign keys and drop them, and delete the rows that migrations have made."""
        from django.db import transaction

        from antipodes.web.platform import schema_version

        keys = (
            "FROM pg_constraint"
            " WHERE contype = 'f' AND connamespace = current_schema()::regnamespace"
        )
        with transaction.atomic():
            self._execute(
                f"INSERT INTO {schema_version.UNFINISHED}"
                " SELECT format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname,"
                f" pg_get_constraintdef(oid)) {keys}"
            )
            for (statement,) in self._execute(
                "SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname)"
                f" {keys}"
            ):
                self._execute(statement)
            for table in tables:
                self._execute(f'TRUNCATE "{table.name}"')

    def _progress(self, text: str) -> None:
        """Say how far the move is, every few seconds."""
        if time.monotonic() - self._said_at > _PAUSE:
            self._said_at = time.monotonic()
            self._say(text)

    def _lines(self, table: Table, after: int | None = None) -> Iterator[list[tuple[Any, str]]]:
        """Yield the rows of a table in SQLite: groups of keys and lines."""
        condition = "" if after is None else f'WHERE "{table.key}" > {after}'
        cursor = self._source.execute(
            f'SELECT "{table.key}", {table.line} FROM "{table.name}"'  # noqa: S608
            f' {condition} ORDER BY "{table.key}"'
        )
        while rows := cursor.fetchmany(_READ):
            yield rows

    def _count(self, table: Table) -> int:
        query = f'SELECT count(*) FROM "{table.name}"'  # noqa: S608
        return int(self._source.execute(query).fetchone()[0])

    def _copy(self, table: Table) -> None:
        """Copy the rows that are not in PostgreSQL yet."""
        from django.db import transaction

        count = self._count(table)
        query = f'SELECT count(*), max("{table.key}") FROM "{table.name}"'  # noqa: S608
        ((done, last),) = self._execute(query)
        if done >= count:
            return
        if not table.is_numbered:  # one transaction, since databases sort texts differently
            done, last = 0, None
        groups = self._lines(table, last)
        batch = _BATCH // _READ if table.is_numbered else None
        while first := next(groups, None):
            with transaction.atomic():
                if not table.is_numbered:
                    self._execute(f'TRUNCATE "{table.name}"')
                for rows in self._write(table, itertools.chain([first], groups), batch):
                    done += rows
                    self._progress(f"{table.name}: {done} of {count} rows copied")

    def _write(
        self, table: Table, groups: Iterator[list[tuple[Any, str]]], most: int | None
    ) -> Iterator[int]:
        """Write groups of rows in the present transaction; yield the number of rows of each."""
        statement = f'COPY "{table.name}" ({table.names}) FROM STDIN'
        with (
            self._target.wrap_database_errors,
            self._target.connection.cursor() as cursor,
            cursor.copy(statement) as copy,
        ):
            for rows in itertools.islice(groups, most):
                copy.write("".join(f"{line}\n" for _, line in rows))
                yield len(rows)

    def _compare(self, table: Table) -> None:
        """Check that both databases have the same rows.

        Raises:
            InvalidOptionsError: they differ; the message names the first row that does.
        """
        count, done = self._count(table), 0
        statement = (
            f'COPY (SELECT {table.names} FROM "{table.name}" ORDER BY {table.order}) TO STDOUT'  # noqa: S608
        )
        copied: Iterator[bytes] = self._copied(statement)
        for rows in self._lines(table):
            for key, line in rows:
                theirs = next(copied, b"")
                if line.encode() != theirs and not _are_equal(table, line, theirs.decode()):
                    raise _different(table, f"{table.key} = {key!r}")
            done += len(rows)
            self._progress(f"{table.name}: {done} of {count} rows compared")
        if next(copied, None) is not None:
            raise _different(table, f"PostgreSQL has more than {count} rows")

    def _copied(self, statement: str) -> Iterator[bytes]:
        """Yield the rows of PostgreSQL as lines without their ends."""
        with (
            self._target.wrap_database_errors,
            self._target.connection.cursor() as cursor,
            cursor.copy(statement) as copy,
        ):
            for line in copy:
                yield bytes(line)[:-1]

    def _finish(self, tables: list[Table]) -> None:
        """Add the foreign keys again, set the sequences, and let the new database be served."""
        from django.db import transaction

        from antipodes.web.platform import schema_version

        self._say("All rows are equal; foreign keys are added")
        keys = {table.name: table.key for table in tables}
        with transaction.atomic():
            for (statement,) in self._execute(f"SELECT statement FROM {schema_version.UNFINISHED}"):  # noqa: S608
                self._execute(statement)
            # SQLite's sequences count deleted rows too, whose keys no row may get again.
            for name, last in self._source.execute("SELECT * FROM sqlite_sequence WHERE seq > 0"):
                if name in keys:
                    sequence = f"pg_get_serial_sequence('\"{name}\"', '{keys[name]}')"
                    self._execute(f"SELECT setval({sequence}, {last})")
            self._execute(f"DROP TABLE {schema_version.UNFINISHED}")
        self._execute("ANALYZE")


def _are_equal(table: Table, ours: str, theirs: str) -> bool:
    """Return whether two lines, which differ, have the same values."""
    values, others = ours.split("\t"), theirs.split("\t")
    return len(values) == len(others) and all(
        value == other or _same_value(kind, value, other)
        for (_, kind), value, other in zip(table.columns, values, others, strict=True)
    )


def _same_value(kind: str, ours: str, theirs: str) -> bool:
    if _NULL in (ours, theirs):
        return False
    if kind == "jsonb":
        return bool(json.loads(_unescaped(ours)) == json.loads(_unescaped(theirs)))
    if kind == "double precision":
        return float(ours) == float(theirs)
    if kind == "timestamp with time zone":
        return _without_zeros(ours) == _without_zeros(theirs)
    return _unescaped(ours) == _unescaped(theirs)


_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\"}


def _unescaped(value: str) -> str:
    """Return a value of PostgreSQL's text format without its escapes."""
    return re.sub(r"\\(.)", lambda escape: _ESCAPES[escape[1]], value)


def _without_zeros(instant: str) -> str:
    """Return an instant without zeros at the end of its fractions of a second."""
    text, _, zone = instant.partition("+")
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text}+{zone}"


def _different(table: Table, where: str) -> InvalidOptionsError:
    message = (
        f"the databases differ in {table.name}: {where}; if the site ran on SQLite meanwhile,"
        " begin again with an empty database"
    )
    return _error("database-move/different", message)


def _error(code: str, message: str) -> InvalidOptionsError:
    return InvalidOptionsError([Fault(code, message)])
