"""Tests of system checks and of the settings of several processes."""

import os
import stat
from pathlib import Path
from types import SimpleNamespace

import platformdirs
import pytest

from antipodes.errors import InvalidOptionsError
from antipodes.web.platform import checks, config
from antipodes.web.platform.logs import logging_to_output

SQLITE = {"ENGINE": "django.db.backends.sqlite3"}
POSTGRESQL = {"ENGINE": "antipodes.web.platform.postgresql"}


@pytest.fixture
def environment(monkeypatch):
    def make(database, redis):
        given = SimpleNamespace(DATABASES={"default": database}, REDIS_URL=redis)
        monkeypatch.setattr(checks, "settings", given)
        return given

    return make


@pytest.mark.parametrize(
    ("database", "redis", "codes"),
    [
        (POSTGRESQL, "", ["serve/needs-redis"]),
        (SQLITE, "", ["serve/needs-postgresql", "serve/needs-redis"]),
        (SQLITE, "redis://here", ["serve/needs-postgresql"]),
        (POSTGRESQL, "redis://here", []),
    ],
)
def test_processes_that_could_not_communicate_are_refused(environment, database, redis, codes):
    environment(database, redis)
    if not codes:
        checks.check_sharing("work")
        return
    with pytest.raises(InvalidOptionsError) as refused:
        checks.check_sharing("work")
    assert [fault.code for fault in refused.value.faults] == codes
    assert all("_URL=" in fault.message for fault in refused.value.faults)


def test_a_short_token_is_refused():
    assert checks.check_token("") == []
    assert checks.check_token("x" * 16) == []
    assert "7 characters" in checks.check_token("letmein")[0].msg


def test_redis_with_sqlite_serves_one_machine():
    assert checks.check_redis("", SQLITE) == []
    assert checks.check_redis("redis://here", POSTGRESQL) == []
    found = checks.check_redis("redis://here", SQLITE)[0]
    assert "on this machine" in found.msg
    assert "DATABASE_URL" in str(found.hint)


def test_machines_that_share_a_database_need_a_common_key():
    assert checks.check_key("", SQLITE) == []
    assert checks.check_key("given", POSTGRESQL) == []
    assert "SECRET_KEY" in checks.check_key("", POSTGRESQL)[0].msg


def test_the_url_of_an_unknown_database_is_shown_without_its_password(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "mysql://me:hidden@host/name")
    with pytest.raises(InvalidOptionsError, match="mysql://me@host/name"):
        config.database()


def test_options_in_the_url_of_postgresql_override_single_defaults(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://me:hidden@host/name?connect_timeout=2")
    found = config.database()
    assert found["ENGINE"] == "antipodes.web.platform.postgresql"
    assert found["CONN_MAX_AGE"] is None
    assert found["OPTIONS"]["connect_timeout"] == 2
    assert "statement_timeout" in found["OPTIONS"]["options"]


def test_redis_is_used_for_messages_and_the_cache_if_configured(monkeypatch):
    monkeypatch.setenv("REDIS_URL", "")
    assert "InMemory" in config.channel_layers()["default"]["BACKEND"]
    monkeypatch.setenv("REDIS_URL", "redis://host/0")
    assert "PubSub" in config.channel_layers()["default"]["BACKEND"]
    assert config.caches()["default"]["LOCATION"] == "redis://host/0"


def test_log_lines_can_be_json(capsys):
    import json
    import logging
    import logging.config

    made = logging_to_output("json", "warning")
    formatter = logging.config.DictConfigurator(made).configure_formatter(
        made["formatters"]["json"]
    )
    record = logging.LogRecord("antipodes", logging.WARNING, "x.py", 1, "an %s", ("egg",), None)
    record.request_id = "abc"
    line = json.loads(formatter.format(record))
    assert (line["level"], line["message"], line["request_id"]) == ("WARNING", "an egg", "abc")


@pytest.mark.parametrize(
    ("settings", "url", "host"),
    [
        ({}, "http://localhost:8000", "localhost"),
        ({config.SERVED_AT: "http://127.0.0.1:8080/"}, "http://127.0.0.1:8080", "localhost"),
        ({"SITE_URL": "https://play.org/"}, "https://play.org", "play.org"),
        (
            {"CSRF_TRUSTED_ORIGINS": "https://*.org,https://b.org", config.SERVED_AT: "http://c"},
            "https://b.org",
            "b.org",
        ),
    ],
)
def test_the_url_of_the_site_is_set_or_that_at_which_it_is_served(monkeypatch, settings, url, host):
    for name in ("SITE_URL", "CSRF_TRUSTED_ORIGINS", config.SERVED_AT):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert (config.site_url(), config.site_host()) == (url, host)


def test_a_secret_key_that_is_not_set_is_kept_in_a_file(monkeypatch, tmp_path):
    monkeypatch.setenv("ANTIPODES_DATA", str(tmp_path))
    monkeypatch.setenv("SECRET_KEY", "given")
    assert config.secret_key() == "given"
    monkeypatch.setenv("SECRET_KEY", "")
    kept = config.secret_key()
    assert len(kept) == 67  # 50 bytes
    assert config.secret_key() == kept == (tmp_path / "secret-key").read_text()


def test_a_data_folder_is_created_with_its_parents_and_private(monkeypatch, tmp_path):
    folder = tmp_path / "a" / "b"
    monkeypatch.setenv("ANTIPODES_DATA", str(folder))
    assert config.named_data_folder() == folder
    assert not folder.exists()
    assert config.data_folder() == config.data_folder() == folder
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    monkeypatch.setenv("ANTIPODES_DATA", "")
    assert config.named_data_folder() == Path(platformdirs.user_data_dir("antipodes")) / "site"


def test_the_documentation_is_that_of_the_checkout_unless_a_folder_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("ANTIPODES_DOCS", "")
    monkeypatch.setattr(Path, "is_file", lambda file: file.name == "index.html")
    checkout = Path(config.__file__).parents[4]
    assert config.docs_folder() == checkout / "docs" / "_build" / "html"
    monkeypatch.setenv("ANTIPODES_DOCS", str(tmp_path))
    assert config.docs_folder() == tmp_path
    monkeypatch.setattr(Path, "is_file", lambda _file: False)
    monkeypatch.setenv("ANTIPODES_DOCS", "")
    assert config.docs_folder() is None


def test_sqlite_in_the_data_folder_is_the_usual_database(monkeypatch, tmp_path):
    monkeypatch.setenv("ANTIPODES_DATA", str(tmp_path))
    monkeypatch.setenv("DATABASE_URL", "")
    found = config.database()
    assert config.is_sqlite(found)
    assert found["NAME"] == str(tmp_path / "site.sqlite3")
    assert (found["CONN_MAX_AGE"], found["OPTIONS"]) == (None, config._SQLITE)
    assert "CONN_HEALTH_CHECKS" not in found
    monkeypatch.setenv("DATABASE_URL", "sqlite:////srv/other.sqlite3?timeout=5")
    found = config.database()
    assert (found["NAME"], found["OPTIONS"]) == (
        "/srv/other.sqlite3",
        {**config._SQLITE, "timeout": 5},
    )


@pytest.mark.parametrize("scheme", ["postgres", "postgresql"])
def test_postgresql_has_persistent_connections_that_are_checked(monkeypatch, scheme):
    monkeypatch.setenv("DATABASE_URL", f"{scheme}://me:hidden@host/name")
    found = config.database()
    assert not config.is_sqlite(found)
    assert (found["CONN_MAX_AGE"], found["CONN_HEALTH_CHECKS"]) == (None, True)
    assert found["OPTIONS"] == config._POSTGRESQL


def test_redis_has_timeouts_and_pictures_stay_in_memory(monkeypatch):
    options = {"socket_connect_timeout": 5, "socket_timeout": 5, "health_check_interval": 30}
    pictures = {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "pictures",
        "TIMEOUT": 86_400,
        "OPTIONS": {"MAX_ENTRIES": config._MOST_PICTURES},
    }
    monkeypatch.setenv("REDIS_URL", "")
    assert config.caches() == {"default": {"BACKEND": pictures["BACKEND"]}, "pictures": pictures}
    assert config.channel_layers()["default"]["CONFIG"] == {"group_expiry": config._A_YEAR}
    monkeypatch.setenv("REDIS_URL", "redis://host/0")
    assert config.caches()["pictures"] == pictures
    assert config.caches()["default"]["OPTIONS"] == options
    assert config.caches()["default"]["KEY_PREFIX"] == "antipodes"
    assert config.channel_layers()["default"]["CONFIG"] == {
        "hosts": [{"address": "redis://host/0", **options}],
        "prefix": "antipodes",
    }


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://host:6379/0", "redis://host:6379/0"),
        ("redis://me@host/0?timeout=1", "redis://me@host/0?timeout=1"),
        ("redis://:hidden@host:6379/0", "redis://host:6379/0"),
        ("postgres://me:hidden@host/name?x=1", "postgres://me@host/name"),
        ("redis://host/0?password=hidden", "redis://host/0"),
        ("smtp://me:hidden@", "smtp://me@"),
    ],
)
def test_urls_are_shown_without_their_password(url, shown):
    assert config.without_password(url) == shown


def ids_of(found):
    """Return the ids of messages of checks."""
    return [one.id for one in found]


def test_every_setting_is_checked(monkeypatch, environment):
    for name in [name for name in os.environ if name.startswith("LIMIT_")]:
        monkeypatch.delenv(name)
    for name, value in (("LOG_FORMAT", "json"), ("LOG_LEVEL", "warning"), ("SECRET_KEY", "x")):
        monkeypatch.setenv(name, value)
    settings = environment(POSTGRESQL, "redis://here")
    settings.METRICS_TOKEN = ""
    assert checks.check_environment() == []
    monkeypatch.setenv("LIMIT_NEW_GUEST", "3/hour")
    for name, value in (("LOG_FORMAT", "xml"), ("LOG_LEVEL", "LOUD"), ("SECRET_KEY", "")):
        monkeypatch.setenv(name, value)
    settings.METRICS_TOKEN = "x" * 15
    numbers = (10, 10, 11, 12, 17)
    found = checks.check_environment()
    assert ids_of(found) == [f"antipodes.E0{number}" for number in numbers]
    assert [one.msg for one in found[:3]] == [
        "LOG_FORMAT is 'xml', but must be one of text, json",
        "LOG_LEVEL is 'LOUD', but must be one of DEBUG, INFO, WARNING, ERROR",
        "METRICS_TOKEN has 15 characters, but must have at least 16",
    ]
    assert found[-1].msg == "LIMIT_NEW_GUEST is not a limit of the site"
    assert found[-1].hint == "docs/security.md lists the limits"
    environment(SQLITE, "redis://here").METRICS_TOKEN = ""
    assert "antipodes.W010" in ids_of(checks.check_environment())
