"""Challenges that wait get what the lobby chooses them by."""

from __future__ import annotations

from typing import Any

from django.db import migrations

from antipodes.errors import InputError
from antipodes.games.registry import make_game
from antipodes.web.ratings.classes import board_class_of, speed_of_text


def fill_in(apps: Any, schema_editor: Any) -> None:  # noqa: ARG001
    """Note how fast, and on how large boards, challenges are that have not begun."""
    rows = apps.get_model("matches", "ChallengeRow").objects.filter(match=None, speed="")
    for row in rows:
        try:
            row.board_class = board_class_of(make_game(row.game_id, row.options)).value
            row.speed = speed_of_text(row.control).value
        except InputError:
            continue  # whoever joins will be told
        row.save(update_fields=["speed", "board_class"])


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0008_clubs_and_who_is_wanted"),
    ]

    operations = [
        migrations.RunPython(fill_in, migrations.RunPython.noop),
    ]
