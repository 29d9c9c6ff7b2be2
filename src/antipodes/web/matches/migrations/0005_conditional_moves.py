"""The source of conditional moves has their name."""

from __future__ import annotations

from typing import Any

from django.db import migrations


def rename(apps: Any, _editor: object) -> None:
    """Rename the source of moves that were made as conditional ones."""
    events = apps.get_model("matches", "EventRow").objects
    for event in events.filter(data__kind="moved", data__source="plan").iterator():
        event.data["source"] = "conditional"
        event.save(update_fields=["data"])


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0004_results"),
    ]

    operations = [
        migrations.RunPython(rename, migrations.RunPython.noop, elidable=True),
    ]
