"""Schema version: which migrations are missing, and which break the running version.

In a rolling upgrade the previous version runs with the new schema. So a release may only add to the
schema; the next release removes what is unused.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db import connection
from django.db.migrations import operations
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.migration import Migration
from django.db.migrations.operations.base import Operation
from django.db.models import NOT_PROVIDED, Field

_complete: set[str] = set()  # names of databases without missing migrations

_REMOVE = (operations.DeleteModel, operations.RemoveField)
_RENAME = (
    operations.RenameModel,
    operations.RenameField,
    operations.AlterModelTable,
)


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
