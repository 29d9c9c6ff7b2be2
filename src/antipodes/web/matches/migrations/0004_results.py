"""Winner, reason and loser of each match, from the sentence that stood for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import migrations, models

from antipodes.core import Color
from antipodes.records import Reason, Result

# Among several players: one gave up, and none of the others won. Older rows call that a draw.
_GIVEN_UP = {Reason.RESIGNATION: "by resignation", Reason.TIME: "on time"}


def _sentences() -> Iterator[tuple[str, Result]]:
    for reason in Reason:
        for winner in (None, *Color):
            yield str(Result(winner, reason)), Result(winner, reason)
    for reason, how in _GIVEN_UP.items():
        for loser in (None, *Color):
            result = Result(None, reason, loser=loser)
            yield str(result), result
            yield str(result).replace(f"No winner, ended by {reason.value}", f"Draw {how}"), result


def fill(apps: Any, _editor: object) -> None:
    """Set the columns, and name the loser in the last event too."""
    matches = apps.get_model("matches", "MatchRow").objects
    known = dict(_sentences())
    for text in set(matches.exclude(result="").values_list("result", flat=True).distinct()):
        result = known.get(text, Result())
        data = {"winner": "", "loser": "", **result.as_data()}
        matches.filter(result=text).update(**{key: value or "" for key, value in data.items()})
    ends = apps.get_model("matches", "EventRow").objects.filter(data__kind="ended")
    for event in ends.filter(match__in=matches.exclude(loser="")).select_related("match"):
        event.data["result"] = Result(
            None, Reason(event.match.reason), loser=Color(event.match.loser)
        ).as_data()
        event.save(update_fields=["data"])


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0003_first_moves"),
    ]

    operations = [
        migrations.AddField(
            model_name="matchrow",
            name="winner",
            field=models.CharField(
                blank=True,
                help_text="a colour; empty before the end and without a winner",
                max_length=8,
            ),
        ),
        migrations.AddField(
            model_name="matchrow",
            name="reason",
            field=models.CharField(
                blank=True,
                help_text="why it ended, as in records; empty before the end",
                max_length=16,
            ),
        ),
        migrations.AddField(
            model_name="matchrow",
            name="loser",
            field=models.CharField(
                blank=True,
                help_text="colour that gave up where no other one has won",
                max_length=8,
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
        migrations.RemoveField(model_name="matchrow", name="result"),
    ]
