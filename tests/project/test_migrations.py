"""Tests of migrations: the previous version can run with those of a release."""

from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import migrations, models
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState

from antipodes.web.platform import schema_version
from tests.upgrades.versions import latest_migrations


def ours():
    labels = {one.label for one in apps.get_app_configs() if one.name.startswith("antipodes.")}
    found = MigrationLoader(None).disk_migrations
    return {f"{app}.{name}" for app, name in found if app in labels}


def test_migrations_make_the_tables_that_models_describe():
    loader = MigrationLoader(None)
    wanted = MigrationAutodetector(loader.project_state(), ProjectState.from_apps(apps))
    changes = wanted.changes(graph=loader.graph)
    assert {app: [str(one) for one in found[0].operations] for app, found in changes.items()} == {}


def test_released_migrations_still_exist():
    assert latest_migrations() <= schema_version.known()


def test_the_previous_version_runs_with_every_new_migration():
    new = sorted(ours() - latest_migrations())
    assert {name: found for name in new if (found := schema_version.breaking_changes(name))} == {}


def migration(*operations):
    created = type("Migration", (migrations.Migration,), {"operations": list(operations)})
    return list(schema_version.reasons(created("0002_next", "matches")))


def _room(**changes):
    return models.CharField(**{"max_length": 12, **changes})


_LIVELY = models.CheckConstraint(condition=models.Q(version__gt=0), name="lively")


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
        migrations.AddConstraint("matchrow", _LIVELY),
        migrations.RunSQL("DROP TABLE matches_seriesrow"),
    ],
    ids=lambda operation: type(operation).__name__,
)
def test_breaking_changes_are_found(operation):
    assert len(migration(operation)) == 1


@pytest.mark.parametrize(
    ("operation", "reason"),
    [
        (
            migrations.RemoveField("matchrow", "rated"),
            "the running version still uses what this removes: Remove field rated from matchrow",
        ),
        (
            migrations.RenameModel("SeriesRow", "Match"),
            "the running version only knows the old name: Rename model SeriesRow to Match",
        ),
        (
            migrations.AlterModelTable("matchrow", "games"),
            "the running version only knows the old name: Rename table for matchrow to games",
        ),
        (
            migrations.AddField("matchrow", "weight", models.IntegerField(default=0)),
            (
                "the running version writes rows without it; it needs null or db_default:"
                " Add field weight to matchrow"
            ),
        ),
        (
            migrations.AlterField("matchrow", "deadline", models.BigIntegerField()),
            (
                "the running version may write values that no longer fit:"
                " Alter field deadline on matchrow"
            ),
        ),
        (
            migrations.RunSQL("DROP TABLE matches_seriesrow"),
            "its effect on the running version is unknown: Raw SQL operation",
        ),
        (
            migrations.AddConstraint("matchrow", _LIVELY),
            (
                "the running version may write rows that the constraint forbids:"
                " Create constraint lively on model matchrow"
            ),
        ),
    ],
)
def test_the_reason_says_what_the_running_version_cannot_do(operation, reason):
    assert migration(operation) == [reason]


@pytest.mark.parametrize(
    "operation",
    [
        migrations.AddField("matchrow", "weight", models.IntegerField(null=True)),
        migrations.AddField("matchrow", "weight", models.IntegerField(db_default=0)),
        migrations.AddIndex("matchrow", models.Index(fields=["rated"], name="by_rated")),
        migrations.AlterField("matchrow", "deadline", models.BigIntegerField(null=True)),
        migrations.AlterField("chatline", "room", _room(choices=[("seated", "seated")])),
        migrations.AlterField("chatline", "room", _room(max_length=20)),
        migrations.AlterField("chatline", "room", _room(db_default="x", max_length=8)),
        migrations.AddField("matchrow", "watchers", models.ManyToManyField("matches.MatchRow")),
        migrations.RunPython(migrations.RunPython.noop),
    ],
    ids=lambda operation: operation.describe(),
)
def test_additions_are_allowed(operation):
    assert migration(operation) == []


def test_a_new_table_may_be_changed_in_the_same_migration():
    table = migrations.CreateModel("Thing", [("id", models.BigAutoField(primary_key=True))])
    column = migrations.AddField("thing", "name", models.TextField())
    assert migration(table, column) == []


def test_missing_migrations_are_named_until_there_are_none(monkeypatch):
    asked = []

    class Executor:
        def __init__(self, _connection):
            self.loader = SimpleNamespace(graph=SimpleNamespace(leaf_nodes=lambda: "leaves"))

        def migration_plan(self, targets):
            asked.append(targets)
            return [(SimpleNamespace(app_label="matches", name=name), False) for name in plan]

    plan = ["0002_more", "0003_less"]
    monkeypatch.setattr(schema_version, "_complete", set())
    monkeypatch.setattr(schema_version, "MigrationExecutor", Executor)
    for _ in range(2):
        assert schema_version.missing() == ["matches.0002_more", "matches.0003_less"]
    plan.clear()
    for _ in range(2):
        assert schema_version.missing() == []
    assert asked == ["leaves"] * 3


def test_all_migrations_of_this_version_are_known():
    assert ours() <= schema_version.known()
    assert {name for name in schema_version.known() if name.startswith("auth.")}
