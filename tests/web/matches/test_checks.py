"""System checks of database settings."""

import pytest
from django.conf import settings
from django.core.checks import run_checks

from antipodes.web.matches.checks import check_database
from antipodes.web.platform import config

# The single-machine settings, whichever database the tests use.
SQLITE = {"ENGINE": "django.db.backends.sqlite3", "CONN_MAX_AGE": None, "OPTIONS": config._SQLITE}


def test_our_own_settings_pass():
    assert check_database(SQLITE) == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"CONN_MAX_AGE": 0}, "CONN_MAX_AGE"),
        ({"transaction_mode": "DEFERRED"}, "transaction_mode"),
        ({"init_command": "PRAGMA foreign_keys=ON"}, "journal_mode"),
        ({"init_command": "PRAGMA journal_mode=WAL"}, "foreign_keys"),
    ],
)
def test_settings_that_slow_down_moves_are_reported(change, told):
    database = dict(SQLITE)
    known = {name: value for name, value in change.items() if name in database}
    options = {name: value for name, value in change.items() if name not in database}
    database |= {**known, "OPTIONS": {**config._SQLITE, **options}}
    assert any(told in error.msg for error in check_database(database))


def test_other_databases_are_not_checked():
    assert check_database({"ENGINE": "django.db.backends.postgresql"}) == []


def test_the_settings_are_checked_with_the_whole_site(monkeypatch):
    slow = {**settings.DATABASES["default"], **SQLITE, "CONN_MAX_AGE": 60}
    monkeypatch.setitem(settings.DATABASES, "default", slow)
    assert "antipodes.E001" in {fault.id for fault in run_checks()}
