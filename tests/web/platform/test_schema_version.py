"""Tests of tables of another version: what hosts are told, and what requests get."""

import logging
import os
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from django.db import OperationalError, ProgrammingError, connection

from antipodes.errors import InvalidOptionsError
from antipodes.web.platform import data_files, heartbeats, schema_version
from antipodes.web.platform.outages import outage_of
from antipodes.web.server import doctor, serve, upgrades
from antipodes.web.server.doctor import Finding, Status
from tests.live import database

pytestmark = pytest.mark.django_db

RENAMED = "ALTER TABLE simuls_simulrow RENAME COLUMN control TO clock"
NO_CONTROL = "the table simuls_simulrow has no column control"


def run(statement):
    with connection.cursor() as cursor:
        cursor.execute(statement)


def sentence(difference):
    return (
        f"another version of Antipodes made the tables of the database: {difference}; install that"
        " version again, restore a backup that this version made, or begin with a new database"
    )


def test_the_tables_of_migrations_are_those_of_the_models():
    assert schema_version.difference() == ""


@pytest.mark.parametrize(
    ("statement", "difference"),
    [
        (RENAMED, NO_CONTROL),
        ("ALTER TABLE simuls_simulrow RENAME TO simuls", "there is no table simuls_simulrow"),
        ("DROP TABLE ratings_ratedmatch", "there is no table ratings_ratedmatch"),
        (
            "ALTER TABLE simuls_simulrow ADD COLUMN weight integer NOT NULL DEFAULT 1",
            "",
        ),
        ("ALTER TABLE simuls_simulrow ADD COLUMN weight integer", ""),
        (
            "DELETE FROM django_migrations WHERE app = 'studies'",
            "moderation.0001_initial is applied before its dependency studies.0001_initial",
        ),
        ("CREATE TABLE of_another_program (id integer NOT NULL)", ""),
    ],
)
def test_the_first_difference_is_named_and_additions_are_none(statement, difference, monkeypatch):
    monkeypatch.setattr(schema_version, "_complete", set())
    run(statement)
    assert schema_version.difference() == difference


def test_columns_that_refuse_the_rows_of_this_version_are_differences():
    columns = {name: dict(row) for name, row in schema_version._tables().items()}
    control = columns["simuls_simulrow"]["control"]
    assert control == (False, False)

    def difference(**changed):
        tables = {**columns, "simuls_simulrow": {**columns["simuls_simulrow"], **changed}}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(schema_version, "_tables", lambda: tables)
            return schema_version.difference()

    must = "the table simuls_simulrow has a column weight, which must have a value"
    assert difference(weight=schema_version.Column(False, False)) == must
    assert difference(weight=schema_version.Column(False, True)) == ""
    assert difference(weight=schema_version.Column(True, False)) == ""
    required = schema_version.Column(False, False)
    nullable = next(name for name, one in columns["simuls_simulrow"].items() if one.is_nullable)
    refuses = f"the column {nullable} of the table simuls_simulrow cannot be NULL"
    assert difference(**{nullable: required}) == refuses


def test_pending_migrations_are_no_difference_and_other_tables_before_them_are(monkeypatch):
    monkeypatch.setattr(schema_version, "_complete", set())
    run("DELETE FROM django_migrations WHERE app = 'jobs'")
    run("DROP TABLE jobs_jobrow")
    assert schema_version.missing() == ["jobs.0001_initial"]
    assert schema_version.difference() == ""
    run(RENAMED)
    assert schema_version.difference() == NO_CONTROL


def test_the_comparison_takes_one_query(django_assert_num_queries):
    schema_version.missing()
    with django_assert_num_queries(1):
        schema_version.difference()


@pytest.mark.parametrize("is_shared", [False, True])
def test_serve_and_migrate_refuse_other_tables_and_change_nothing(monkeypatch, is_shared):
    monkeypatch.setattr(heartbeats, "is_shared", lambda: is_shared)
    monkeypatch.setattr(serve, "run_checks", lambda tags: [])
    monkeypatch.setattr(data_files, "require_database", lambda: None)
    monkeypatch.setattr(serve, "call_command", lambda *_, **__: pytest.fail("it migrates"))
    run(RENAMED)
    for call in (serve.prepare, upgrades.pending_migrations, upgrades.migrate):
        with pytest.raises(InvalidOptionsError) as refused:
            call()
        assert [(one.code, one.message) for one in refused.value.faults] == [
            ("serve/other-tables", sentence(NO_CONTROL))
        ]


def test_the_doctor_names_the_difference():
    run(RENAMED)
    findings, _ = doctor._run("database", doctor._CHECKS["database"])
    assert findings == [Finding("database", Status.FAILED, sentence(NO_CONTROL))]


def test_tables_that_exist_before_their_migration_are_refused(monkeypatch):
    def migrate(*_, **__):
        run("CREATE TABLE simuls_simulrow (id integer)")

    monkeypatch.setattr(serve, "call_command", migrate)
    with pytest.raises(InvalidOptionsError, match="already exists; install that version again"):
        serve.apply_migrations()


@pytest.mark.parametrize("statement", ["SELECT gone FROM simuls_simulrow", "SELECT * FROM gone"])
def test_a_missing_table_or_column_is_no_outage(statement):
    with pytest.raises((OperationalError, ProgrammingError)) as failed:
        run(statement)
    assert outage_of(failed.value) is None


@pytest.mark.parametrize(
    ("path", "kind"), [("/simuls/", "text/html"), ("/api/v1/simuls", "application/json")]
)
def test_a_request_that_misses_a_column_fails_and_is_logged_once(client, caplog, path, kind):
    run(RENAMED)
    client.raise_request_exception = False
    response = client.get(path, headers={"accept": kind})
    assert response.status_code == 500
    assert "Retry-After" not in response.headers
    (record,) = [one for one in caplog.records if one.levelno >= logging.WARNING]
    assert (record.levelname, record.name) == ("ERROR", "django.request")
    assert record.exc_info is not None


def antipodes(folder, *arguments):
    """Run a command for the site in a folder; return the process, which has ended."""
    clean = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    settings = {**clean, "ANTIPODES_DATA": str(folder), "DATABASE_URL": "", "REDIS_URL": ""}
    command = [sys.executable, "-m", "antipodes", *arguments]
    return subprocess.run(
        command, env=settings, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.slow
def test_commands_tell_the_host_of_other_tables_in_one_sentence(tmp_path):
    database.copy_to(tmp_path)
    with closing(sqlite3.connect(tmp_path / database.NAME)) as file:
        file.execute(RENAMED)
    for command in (("serve", "--port", "0"), ("migrate", "--check"), ("manage", "check")):
        done = antipodes(tmp_path, *command)
        assert (done.returncode, done.stderr) == (2, f"antipodes: error: {sentence(NO_CONTROL)}\n")
    done = antipodes(tmp_path, "doctor")
    assert done.returncode == 1
    assert f"database: {sentence(NO_CONTROL)}" in done.stdout
