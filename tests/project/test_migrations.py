"""Migrations of a release only add to the tables: the version before runs on with them.

What a release has is listed in ``released_migrations.txt``; nobody runs what came before a release.
"""

from pathlib import Path

import pytest
from django.apps import apps
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader

from antipodes.web.platform import schema_version

RELEASED = Path(__file__).with_name("released_migrations.txt")


def ours():
    labels = {one.label for one in apps.get_app_configs() if one.name.startswith("antipodes.")}
    found = MigrationLoader(None).disk_migrations
    return {f"{app}.{name}" for app, name in found if app in labels}


def released():
    return set(RELEASED.read_text(encoding="utf-8").split())


def test_what_was_released_is_still_there():
    assert released() <= ours()


def test_the_version_before_runs_with_every_new_migration():
    new = sorted(ours() - released())
    assert {name: found for name in new if (found := schema_version.breaking_changes(name))} == {}


def migration(*operations):
    made = type("Migration", (migrations.Migration,), {"operations": list(operations)})
    return list(schema_version.reasons(made("0002_next", "matches")))


def _room(**changes):
    return models.CharField(**{"max_length": 12, **changes})


@pytest.mark.parametrize(
    "operation",
    [
        migrations.RemoveField("matchrow", "rated"),
        migrations.DeleteModel("SeriesRow"),
        migrations.RenameField("matchrow", "rated", "counts"),
        migrations.RenameModel("SeriesRow", "Match"),
        migrations.AddField("matchrow", "weight", models.IntegerField(default=0)),
        migrations.AlterField("matchrow", "deadline", models.BigIntegerField()),
        migrations.AlterField("chatline", "room", _room(max_length=8)),
        migrations.RunSQL("DROP TABLE matches_seriesrow"),
    ],
    ids=lambda operation: type(operation).__name__,
)
def test_what_the_running_version_cannot_bear_is_found(operation):
    assert len(migration(operation)) == 1


@pytest.mark.parametrize(
    "operation",
    [
        migrations.AddField("matchrow", "weight", models.IntegerField(null=True)),
        migrations.AddField("matchrow", "weight", models.IntegerField(db_default=0)),
        migrations.AddIndex("matchrow", models.Index(fields=["rated"], name="by_rated")),
        migrations.AlterField("matchrow", "deadline", models.BigIntegerField(null=True)),
        migrations.AlterField("chatline", "room", _room(choices=[("seated", "seated")])),
        migrations.AlterField("chatline", "room", _room(max_length=20)),
    ],
    ids=str,
)
def test_what_only_adds_is_allowed(operation):
    assert migration(operation) == []


def test_a_table_that_is_new_may_be_changed_at_once():
    made = migrations.CreateModel("Thing", [("id", models.BigAutoField(primary_key=True))])
    column = migrations.AddField("thing", "name", models.TextField())
    assert migration(made, column) == []
