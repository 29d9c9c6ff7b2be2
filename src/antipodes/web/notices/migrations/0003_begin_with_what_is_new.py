"""Nobody is told what happened before there were notices."""

from typing import Any

from django.db import migrations, models

_TABLES = {
    "matches": "MatchRow",
    "events": "EventRow",
    "lines": "ChatLine",
}


def begin(apps: Any, _schema: Any) -> None:
    """Count all rows that there are as read."""
    cursors = apps.get_model("notices", "CursorRow")
    tables = {name: apps.get_model("matches", model) for name, model in _TABLES.items()}
    tables["invitations"] = apps.get_model("matches", "ChallengeRow").invited.through
    for name, table in tables.items():
        last = table.objects.aggregate(last=models.Max("pk"))["last"]
        if last:
            cursors.objects.update_or_create(name=name, defaults={"position": last})


class Migration(migrations.Migration):
    """Set the cursors."""

    dependencies = [
        ("notices", "0002_language_of_pages"),
        ("matches", "0007_private"),
    ]

    operations = [migrations.RunPython(begin, migrations.RunPython.noop)]
