"""Schema version: migrations that are missing or break the running version, and other tables.

In a rolling upgrade the previous version runs with the new schema. So a release may only add to the
schema; the next release removes what is unused.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from django.apps import apps
from django.apps.registry import Apps
from django.db import connection
from django.db.migrations import operations
from django.db.migrations.exceptions import InconsistentMigrationHistory
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.migration import Migration
from django.db.migrations.operations.base import Operation
from django.db.models import NOT_PROVIDED, Field

UNFINISHED = "unfinished_move"  # table of a database to which a site is being moved

_complete: set[str] = set()  # names of databases without missing migrations

_REMOVE = (operations.DeleteModel, operations.RemoveField)
_RENAME = (
    operations.RenameModel,
    operations.RenameField,
    operations.AlterModelTable,
)

# Django's introspection takes some queries for each table, which are 0.4 s at each start.
_COLUMNS = {
    "sqlite": """
        SELECT tables.name, columns.name, NOT columns."notnull", columns.dflt_value IS NOT NULL
        FROM sqlite_master AS tables JOIN pragma_table_xinfo(tables.name) AS columns
        WHERE tables.type = 'table'
    """,
    "postgresql": """
        SELECT table_name, column_name, is_nullable = 'YES',
            column_default IS NOT NULL OR is_identity = 'YES' OR is_generated = 'ALWAYS'
        FROM information_schema.columns WHERE table_schema = ANY (current_schemas(false))
    """,
}

# PostgreSQL: no such column or table, or it exists already.
_STATES = {"42701", "42703", "42P01", "42P07"}


class Column(NamedTuple):
    """A column of a table in the database."""

    is_nullable: bool
    has_default: bool


def missing() -> list[str]:
    """Return the names of migrations that are not applied."""
    name = str(connection.settings_dict["NAME"])
    if name in _complete:
        return []
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if not plan:
        _complete.add(name)
    return [f"{migration.app_label}.{migration.name}" for migration, _ in plan]


def is_unfinished() -> bool:
    """Return whether a site was not moved to the database completely."""
    return UNFINISHED in connection.introspection.table_names()


def difference() -> str:
    """Return the first difference of the tables from those of the applied migrations.

    It is empty if there is none. Migrations that were rewritten under the same names count as
    applied, but made other tables. Columns that only the database has are no difference if they may
    be omitted: in a rolling upgrade, or after going back, the previous version runs with them.
    """
    if not missing():
        return next(_differences(apps), "")
    loader = MigrationLoader(connection)
    try:
        loader.check_consistent_history(connection)
    except InconsistentMigrationHistory as error:
        return str(error).removeprefix("Migration ").partition(" on database")[0]
    applied = [key for key in loader.applied_migrations if key in loader.graph.nodes]
    return next(_differences(loader.project_state(applied).apps), "")


def _differences(models: Apps) -> Iterator[str]:
    tables = _tables()
    for model in models.get_models(include_auto_created=True):
        options = model._meta  # noqa: SLF001
        table = options.db_table
        if options.proxy or options.swapped or not options.managed:
            continue
        if table not in tables:
            yield f"there is no table {table}"
            continue
        fields = {field.column: field for field in options.local_concrete_fields}
        columns = tables[table]
        for name, field in fields.items():
            if name not in columns:
                yield f"the table {table} has no column {name}"
            elif field.null and not columns[name].is_nullable:
                yield f"the column {name} of the table {table} cannot be NULL"
        for name, column in columns.items():
            if name not in fields and not column.is_nullable and not column.has_default:
                yield f"the table {table} has a column {name}, which must have a value"


def _tables() -> dict[str, dict[str, Column]]:
    """Return the columns of all tables by their names, with one query."""
    tables: dict[str, dict[str, Column]] = defaultdict(dict)
    with connection.cursor() as cursor:
        cursor.execute(_COLUMNS[connection.vendor])
        for table, name, is_nullable, has_default in cursor.fetchall():
            tables[table][name] = Column(bool(is_nullable), bool(has_default))
    return tables


def is_of_tables(error: Exception) -> bool:
    """Return whether a statement failed because the tables are others than it expects."""
    cause = error.__cause__
    number = getattr(cause, "sqlite_errorcode", None)
    return number == sqlite3.SQLITE_ERROR or getattr(cause, "sqlstate", None) in _STATES


def breaking_changes(name: str) -> list[str]:
    """Return why the previous version could not run with a migration, by its name ``app.name``."""
    label, _, own = name.partition(".")
    return list(reasons(MigrationLoader(None).disk_migrations[label, own]))


def reasons(migration: Migration) -> Iterator[str]:
    """Yield reasons why the previous version could not run with a migration.

    Tables that the migration creates do not count.
    """
    created = {
        operation.name_lower
        for operation in migration.operations
        if isinstance(operation, operations.CreateModel)
    }
    for operation in migration.operations:
        model = getattr(operation, "model_name_lower", getattr(operation, "name_lower", ""))
        if model not in created and not _keeps_column(migration, operation):
            yield from _reasons(operation)


def _keeps_column(migration: Migration, operation: Operation) -> bool:
    """Return whether a change of a field keeps the column as it is, or only makes it longer."""
    if not isinstance(operation, operations.AlterField):
        return False
    loader = MigrationLoader(None)
    node = (migration.app_label, migration.name)
    is_known = node in loader.graph.nodes
    state = loader.project_state(node, at_end=False) if is_known else loader.project_state()
    model = state.models[migration.app_label, operation.model_name_lower]
    path, arguments, before = _column(model.fields[operation.name])
    now_path, now_arguments, after = _column(operation.field)
    room, more = before.pop("max_length", None), after.pop("max_length", None)
    fits = room == more or (isinstance(room, int) and isinstance(more, int) and room < more)
    return fits and (path, arguments, before) == (now_path, now_arguments, after)


def _column(field: Field[object, object]) -> tuple[str, tuple[object, ...], dict[str, object]]:
    _name, path, arguments, options = field.deconstruct()
    others = {*field.non_db_attrs, "encoder", "decoder"}
    known = {key: value for key, value in options.items() if key not in others}
    return path, tuple(arguments), known


def _reasons(operation: Operation) -> Iterator[str]:
    what = operation.describe()
    if isinstance(operation, _REMOVE):
        yield f"the running version still uses what this removes: {what}"
    elif isinstance(operation, _RENAME):
        yield f"the running version only knows the old name: {what}"
    elif isinstance(operation, operations.AddField) and _is_required(operation.field):
        yield f"the running version writes rows without it; it needs null or db_default: {what}"
    elif isinstance(operation, operations.AlterField) and _is_required(operation.field):
        yield f"the running version may write values that no longer fit: {what}"
    elif isinstance(operation, operations.AddConstraint):
        yield f"the running version may write rows that the constraint forbids: {what}"
    elif isinstance(operation, operations.RunSQL):
        yield f"its effect on the running version is unknown: {what}"


def _is_required(field: Field[object, object]) -> bool:
    """Return whether the database refuses rows without a value for a field."""
    return (
        not field.null
        and not field.many_to_many
        and field.db_default is NOT_PROVIDED
        and not getattr(field, "generated", False)
    )


def known() -> set[str]:
    """Return the names of all migrations of this version."""
    return {f"{label}.{name}" for label, name in MigrationLoader(None).disk_migrations}
