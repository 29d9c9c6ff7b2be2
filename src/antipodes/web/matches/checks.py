"""System checks of database settings that would slow down every move."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import Error


def check_settings(**_: object) -> list[Error]:
    """Report database settings under which moves block each other."""
    return check_database(settings.DATABASES["default"])


def check_database(database: dict[str, Any]) -> list[Error]:
    """Report SQLite settings under which every move waits for locks or new connections."""
    if not database["ENGINE"].endswith("sqlite3"):
        return []
    options = database.get("OPTIONS", {})
    pragmas = options.get("init_command", "").lower().replace(" ", "")
    wanted = {
        "CONN_MAX_AGE must be None: connections are kept": database["CONN_MAX_AGE"] is None,
        "transaction_mode must be IMMEDIATE: writers queue before they read": options.get(
            "transaction_mode"
        )
        == "IMMEDIATE",
        "init_command must set journal_mode=WAL: readers never wait": "journal_mode=wal" in pragmas,
        "init_command must set foreign_keys=ON: foreign keys are enforced": "foreign_keys=on"
        in pragmas,
    }
    return [
        Error(f"SQLite: {message}", id=f"antipodes.E{number:03}")
        for number, (message, is_so) in enumerate(wanted.items(), start=1)
        if not is_so
    ]
