"""Whether the tables are those that this version of the program expects."""

from __future__ import annotations

from django.db import connection
from django.db.migrations.executor import MigrationExecutor

_complete: set[str] = (
    set()
)  # databases that had everything: tables are not taken away while it runs


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
