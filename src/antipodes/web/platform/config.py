"""Settings read from environment variables; each has a working default."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

import environ
import platformdirs

from antipodes.errors import Fault, InvalidOptionsError

env = environ.Env()

# With immediate transactions and WAL, writers queue at the start of a transaction and readers never
# wait. secure_delete overwrites deleted rows, which some builds of SQLite leave in the file.
# synchronous=FULL, and fullfsync on macOS, keep committed data when the power fails. With
# temp_store=MEMORY, sorting needs no disk space.
_SQLITE: dict[str, Any] = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA fullfsync=ON;"
        " PRAGMA checkpoint_fullfsync=ON; PRAGMA temp_store=MEMORY; PRAGMA foreign_keys=ON;"
        " PRAGMA secure_delete=ON;"
    ),
}

# Timeouts free the threads of hanging statements and the locks of killed processes; keepalives
# detect lost connections within seconds.
_POSTGRESQL: dict[str, Any] = {
    "options": (
        "-c statement_timeout=30s -c lock_timeout=10s -c idle_in_transaction_session_timeout=60s"
    ),
    "application_name": "antipodes",
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}

# The address at which `antipodes serve` listens; set for child processes.
SERVED_AT = "ANTIPODES_SERVED_AT"

_SCHEMES = {"sqlite", "postgres", "postgresql"}

_REDIS_TIMEOUT = 5  # seconds for a connection, and for an answer

_LOCMEM = "django.core.cache.backends.locmem.LocMemCache"
_A_DAY = 86_400  # seconds
_MOST_PICTURES = 100  # kept; the largest has 400 kB

# Longer than any tab stays open.
_A_YEAR = 366 * 86_400  # seconds


def data_folder() -> Path:
    """Return the data folder; create it if it does not exist."""
    folder = named_data_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def named_data_folder() -> Path:
    """Return the path of the data folder, which may not exist.

    ``ANTIPODES_DATA`` names it; the default is the user's application data folder.
    """
    named = os.environ.get("ANTIPODES_DATA")
    return Path(named) if named else Path(platformdirs.user_data_dir("antipodes")) / "site"


def docs_folder() -> Path | None:
    """Return the folder of the built documentation, or ``None`` if it has not been built.

    ``ANTIPODES_DOCS`` names the folder; by default it is where ``make docs`` builds the pages of
    the checkout that the site runs from.

    Raises:
        InvalidOptionsError: the named folder has no pages.
    """
    named: str = env.str("ANTIPODES_DOCS", default="")
    folder = Path(named) if named else Path(__file__).parents[4] / "docs" / "_build" / "html"
    if (folder / "index.html").is_file():
        return folder
    if named:
        message = f"ANTIPODES_DOCS is {named!r}, but has no index.html; build it by `make docs`"
        raise InvalidOptionsError([Fault("serve/settings", message)])
    return None


def kept_secret(name: str, make: Callable[[], str]) -> str:
    """Return a secret from a file of the data folder; the first process creates it.

    Args:
        name: of the file.
        make: creates the secret. The file is written atomically.
    """
    file = data_folder() / name
    if not file.exists():
        draft = file.with_name(f"{name}.{secrets.token_hex(8)}")
        try:
            draft.touch(mode=0o600)
            draft.write_text(make(), encoding="ascii")
            os.link(draft, file)
        except FileExistsError:
            pass  # another process was first
        finally:
            draft.unlink(missing_ok=True)
    return file.read_text(encoding="ascii")


def secret_key() -> str:
    """Return the key that signs cookies: ``SECRET_KEY``, or one kept in a file."""
    given: str = env.str("SECRET_KEY", default="")
    if given:
        return given
    return kept_secret("secret-key", lambda: secrets.token_urlsafe(50))


def site_url() -> str:
    """Return the URL of the site for links in mail: ``SITE_URL``.

    The default is the first of ``CSRF_TRUSTED_ORIGINS``, else the address at which
    ``antipodes serve`` listens.
    """
    found = _named_url() or os.environ.get(SERVED_AT) or "http://localhost:8000"
    return found.rstrip("/")


def site_host() -> str:
    """Return the host name of the site; ``localhost`` if none is configured."""
    return urlsplit(_named_url()).hostname or "localhost"


def _named_url() -> str:
    """Return the configured URL of the site, or an empty string."""
    origins: list[str] = env.list("CSRF_TRUSTED_ORIGINS", default=[])
    whole = [origin for origin in origins if "*" not in origin]
    found: str = env.str("SITE_URL", default=whole[0] if whole else "")
    return found


def database() -> dict[str, Any]:
    """Return Django's settings of the database: ``DATABASE_URL``, or SQLite in the data folder.

    Raises:
        InvalidOptionsError: the URL has another scheme.
    """
    url: str = env.str("DATABASE_URL", default="") or _sqlite_url()
    if urlsplit(url).scheme not in _SCHEMES:
        message = f"DATABASE_URL is {without_password(url)!r}, but must begin with postgres:// or sqlite:///"
        raise InvalidOptionsError([Fault("serve/settings", message)])
    config: dict[str, Any] = env.db_url_config(url)
    given = config.get("OPTIONS", {})
    # Persistent connections, for the threads of sockets and requests.
    config["CONN_MAX_AGE"] = None
    if is_sqlite(config):
        config["OPTIONS"] = _SQLITE | given
    elif config["ENGINE"].endswith("postgresql"):
        config["ENGINE"] = "antipodes.web.platform.postgresql"
        config["CONN_HEALTH_CHECKS"] = True
        config["OPTIONS"] = _POSTGRESQL | given
    return config


def _sqlite_url() -> str:
    return f"sqlite:///{named_data_folder() / 'site.sqlite3'}"


def is_sqlite(settings: dict[str, Any]) -> bool:
    """Return whether settings of a database are those of SQLite."""
    return str(settings["ENGINE"]).endswith("sqlite3")


def redis_url() -> str:
    """Return the URL of Redis, or an empty string."""
    found: str = env.str("REDIS_URL", default="")
    return found


def redis_options() -> dict[str, Any]:
    return {
        "socket_connect_timeout": _REDIS_TIMEOUT,
        "socket_timeout": _REDIS_TIMEOUT,
        "health_check_interval": 30,
    }


def channel_layers() -> dict[str, Any]:
    """Return Django's settings of channel layers: in memory, or in Redis."""
    url = redis_url()
    layer: dict[str, Any] = {
        "BACKEND": "antipodes.web.platform.channel_layer.InMemoryChannelLayer",
        "CONFIG": {"group_expiry": _A_YEAR},
    }
    if url:
        # Pub/sub subscribes again after an outage; groups stored in Redis would be lost.
        layer = {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {
                "hosts": [{"address": url, **redis_options()}],
                "prefix": "antipodes",
            },
        }
    return {"default": layer}


def caches() -> dict[str, Any]:
    """Return Django's settings of caches: in the memory of one process, or in Redis.

    Pictures are large and would evict other entries, so that they have a small cache of their own
    in the memory of each process.
    """
    url = redis_url()
    pictures: dict[str, Any] = {
        "BACKEND": _LOCMEM,
        "LOCATION": "pictures",
        "TIMEOUT": _A_DAY,
        "OPTIONS": {"MAX_ENTRIES": _MOST_PICTURES},
    }
    if not url:
        return {"default": {"BACKEND": _LOCMEM}, "pictures": pictures}
    return {
        "pictures": pictures,
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": url,
            "KEY_PREFIX": "antipodes",
            "OPTIONS": redis_options(),
        },
    }


def without_password(url: str) -> str:
    """Return a URL without its password, for messages."""
    parts = urlsplit(url)
    if parts.password is None and "password" not in dict(parse_qsl(parts.query)):
        return url
    host = parts.hostname or ""
    port = f":{parts.port}" if parts.port else ""
    user = f"{parts.username}@" if parts.username else ""
    return urlunsplit((parts.scheme, f"{user}{host}{port}", parts.path, "", ""))
