"""Laws of the checks that guard settings."""

import pytest

from antipodes.web.matches.checks import check_database


def test_our_own_settings_pass(settings):
    settings.DATABASES["default"].setdefault("CONN_MAX_AGE", None)
    assert check_database() == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"CONN_MAX_AGE": 0}, "CONN_MAX_AGE"),
        ({"transaction_mode": "DEFERRED"}, "transaction_mode"),
        ({"init_command": "PRAGMA foreign_keys=ON"}, "journal_mode"),
        ({"init_command": "PRAGMA journal_mode=WAL"}, "foreign_keys"),
    ],
)
def test_what_would_make_moves_wait_is_told(settings, change, told):
    database = dict(settings.DATABASES["default"])
    known = {name: value for name, value in change.items() if name in database}
    options = {name: value for name, value in change.items() if name not in database}
    database |= {**known, "OPTIONS": {**database["OPTIONS"], **options}}
    settings.DATABASES = {**settings.DATABASES, "default": database}
    assert any(told in error.msg for error in check_database())


def test_other_databases_need_none_of_it(settings):
    settings.DATABASES = {"default": {"ENGINE": "django.db.backends.postgresql"}}
    assert check_database() == []
