"""What a host chooses, read from the environment; every setting has a default that works."""

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

# Without the first two and the log (WAL), moves wait for locks: writers queue at the start of a
# transaction, and readers never wait. What is committed is on the disk, also when power fails: that
# is synchronous=FULL, and for macOS fullfsync. Sorting needs no room on the disk (temp_store).
_SQLITE: dict[str, Any] = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA fullfsync=ON;"
        " PRAGMA checkpoint_fullfsync=ON; PRAGMA temp_store=MEMORY; PRAGMA foreign_keys=ON;"
    ),
}

# A statement that hangs must not hold a thread for ever, nor a process that is gone a lock. A
# machine that vanished without a word is noticed after some seconds.
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

# Where the processes of one `antipodes serve` share what they count; it tells those that it starts.
METRICS_FOLDER = "ANTIPODES_METRICS_FOLDER"

# Where `antipodes serve` listens; it tells the processes that it starts.
SERVED_AT = "ANTIPODES_SERVED_AT"

_SCHEMES = {"sqlite", "postgres", "postgresql"}

_REDIS_PATIENCE = 5  # seconds for a connection, and for an answer

_LOCMEM = "django.core.cache.backends.locmem.LocMemCache"
_A_DAY = 86_400  # seconds
_MOST_PICTURES = 100  # kept; the largest has 400 kB

# A tab that stays open for weeks shall still hear of moves.
_A_YEAR = 366 * 86_400  # seconds


def data_folder() -> Path:
    """Return the folder where the site keeps its database; make it if it is not there."""
    folder = named_data_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def named_data_folder() -> Path:
    """Return that folder whether it is there or not.

    ``ANTIPODES_DATA`` names it; by default it is the user's own folder for data of programs.
    """
    named = os.environ.get("ANTIPODES_DATA")
    return Path(named) if named else Path(platformdirs.user_data_dir("antipodes")) / "site"


def docs_folder() -> Path | None:
    """Return where the built documentation is, or ``None`` if it has not been built.

    ``ANTIPODES_DOCS`` names the folder; by default it is where ``make docs`` builds the pages of
    the checkout that the site runs from.

    Raises:
        InvalidOptionsError: there are no pages in the folder that is named.
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
    """Return a secret kept in the data folder; it is made once, whichever process comes first.

    Args:
        name: of the file.
        make: makes the secret if there is no file yet. The file appears whole or not at all.
    """
    file = data_folder() / name
    if not file.exists():
        draft = file.with_name(f"{name}.{secrets.token_hex(8)}")
        try:
            draft.touch(mode=0o600)
            draft.write_text(make(), encoding="ascii")
            os.link(draft, file)
        except FileExistsError:
            pass  # another process has just made it
        finally:
            draft.unlink(missing_ok=True)
    return file.read_text(encoding="ascii")


def secret_key() -> str:
    """Return the key that signs cookies: ``SECRET_KEY``, or one made once and kept in a file."""
    given: str = env.str("SECRET_KEY", default="")
    if given:
        return given
    return kept_secret("secret-key", lambda: secrets.token_urlsafe(50))


def site_url() -> str:
    """Return the address of the site as it stands in mail: ``SITE_URL``.

    Without it the first of those whose forms are accepted is taken, or else where this site is
    served: by ``antipodes serve`` itself or one of the processes that it has started.
    """
    found = _named_url() or os.environ.get(SERVED_AT) or "http://localhost:8000"
    return found.rstrip("/")


def site_host() -> str:
    """Return the host of the site, for addresses and names that last: not where it listens."""
    return urlsplit(_named_url()).hostname or "localhost"


def _named_url() -> str:
    """Return the address that the environment gives the site; empty if it gives none."""
    origins: list[str] = env.list("CSRF_TRUSTED_ORIGINS", default=[])
    whole = [origin for origin in origins if "*" not in origin]
    found: str = env.str("SITE_URL", default=whole[0] if whole else "")
    return found


def database() -> dict[str, Any]:
    """Return where rows are kept: ``DATABASE_URL``, or a file in the folder for data.

    Raises:
        InvalidOptionsError: the address is of no database that the site knows.
    """
    url: str = env.str("DATABASE_URL", default="") or _sqlite_url()
    if urlsplit(url).scheme not in _SCHEMES:
        message = f"DATABASE_URL is {without_password(url)!r}, but must begin with postgres:// or sqlite:///"
        raise InvalidOptionsError([Fault("serve/settings", message)])
    found: dict[str, Any] = env.db_url_config(url)
    given = found.get("OPTIONS", {})
    # Connections are kept: by the thread of sockets, and by those that make pages.
    found["CONN_MAX_AGE"] = None
    if is_sqlite(found):
        found["OPTIONS"] = _SQLITE | given
    elif found["ENGINE"].endswith("postgresql"):
        found["ENGINE"] = "antipodes.web.platform.postgresql"
        found["CONN_HEALTH_CHECKS"] = True
        found["OPTIONS"] = _POSTGRESQL | given
    return found


def _sqlite_url() -> str:
    return f"sqlite:///{named_data_folder() / 'site.sqlite3'}"


def is_sqlite(settings: dict[str, Any]) -> bool:
    """Return whether a database, by its settings, is a file of this machine."""
    return str(settings["ENGINE"]).endswith("sqlite3")


def redis_url() -> str:
    """Return the address of what several processes share beside the database, or nothing."""
    found: str = env.str("REDIS_URL", default="")
    return found


def redis_options() -> dict[str, Any]:
    """Return how connections to Redis are made, for all that make some."""
    return {
        "socket_connect_timeout": _REDIS_PATIENCE,
        "socket_timeout": _REDIS_PATIENCE,
        "health_check_interval": 30,
    }


def channel_layers() -> dict[str, Any]:
    """Return what carries messages to sockets: the memory of one process, or Redis."""
    url = redis_url()
    layer: dict[str, Any] = {
        "BACKEND": "antipodes.web.platform.channel_layer.InMemoryChannelLayer",
        "CONFIG": {"group_expiry": _A_YEAR},
    }
    if url:
        # After Redis was away it subscribes again; groups that are stored there would be lost.
        layer = {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {
                "hosts": [{"address": url, **redis_options()}],
                "prefix": "antipodes",
            },
        }
    return {"default": layer}


def caches() -> dict[str, Any]:
    """Return what may be forgotten at any time: in the memory of one process, or in Redis.

    Pictures are large, and whoever asks for many must not push out what others need: they have a
    small cache of their own in the memory of each process.
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
    """Return an address as it may be shown in messages."""
    parts = urlsplit(url)
    if parts.password is None and "password" not in dict(parse_qsl(parts.query)):
        return url
    host = parts.hostname or ""
    port = f":{parts.port}" if parts.port else ""
    user = f"{parts.username}@" if parts.username else ""
    return urlunsplit((parts.scheme, f"{user}{host}{port}", parts.path, "", ""))
