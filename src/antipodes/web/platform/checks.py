"""System checks: settings that are invalid, or do not work together."""

from __future__ import annotations

import os
from typing import Any

from django.conf import settings
from django.core import checks

from antipodes.errors import Fault, InvalidOptionsError
from antipodes.web.platform import limits
from antipodes.web.platform.config import env, is_sqlite
from antipodes.web.platform.logs import FORMATS, LEVELS

_REDIS = "such as REDIS_URL=redis://localhost:6379/0"
_DATABASE = "such as DATABASE_URL=postgres://antipodes:password@localhost/antipodes"


def check_sharing(command: str) -> None:
    """Refuse a command that needs a database and Redis shared by several machines.

    Raises:
        InvalidOptionsError: something has to be set first; the message says what.
    """
    faults = []
    if is_sqlite(settings.DATABASES["default"]):
        message = (
            f"{command} shares a database with other machines, and SQLite is a file of one:"
            f" set DATABASE_URL, {_DATABASE}"
        )
        faults.append(Fault("serve/needs-postgresql", message))
    if not settings.REDIS_URL:
        message = f"{command} needs Redis to reach other machines: set REDIS_URL, {_REDIS}"
        faults.append(Fault("serve/needs-redis", message))
    if faults:
        raise InvalidOptionsError(faults)


def check_environment(**_: object) -> list[checks.CheckMessage]:
    """Return errors and warnings for settings that are invalid or do not work together."""
    return [
        *_choices("LOG_FORMAT", FORMATS, "text"),
        *_choices("LOG_LEVEL", LEVELS, "WARNING"),
        *check_token(settings.METRICS_TOKEN),
        *check_key(env.str("SECRET_KEY", default=""), settings.DATABASES["default"]),
        *check_redis(settings.REDIS_URL, settings.DATABASES["default"]),
        *check_limits(),
    ]


def _choices(name: str, known: tuple[str, ...], default: str) -> list[checks.CheckMessage]:
    given: str = env.str(name, default=default)
    if given in known or given.upper() in known:
        return []
    message = f"{name} is {given!r}, but must be one of {', '.join(known)}"
    return [checks.Error(message, id="antipodes.E010")]


def check_limits() -> list[checks.CheckMessage]:
    """Refuse invalid values of limits, and unknown limits."""
    messages: list[checks.CheckMessage] = []
    known = {one.setting: one for one in limits.defined.values()}
    for name in sorted(name for name in os.environ if name.startswith("LIMIT_")):
        if name not in known:
            hint = "docs/security.md lists the limits"
            message = f"{name} is not a limit of the site"
            messages.append(checks.Error(message, hint=hint, id="antipodes.E017"))
        elif not _is_valid(known[name]):
            message = f"{name} is {os.environ[name]!r}, but must be like {known[name].default!r}"
            messages.append(checks.Error(message, id="antipodes.E016"))
    return messages


def _is_valid(limit: limits.RateLimit | limits.CountLimit) -> bool:
    try:
        found = limit.items() if isinstance(limit, limits.RateLimit) else limit.value
    except ValueError:
        return False
    return bool(found)


def check_token(token: str) -> list[checks.CheckMessage]:
    """Refuse a short token."""
    if not token or len(token) >= 16:
        return []
    message = f"METRICS_TOKEN has {len(token)} characters, but must have at least 16"
    return [checks.Error(message, id="antipodes.E011")]


def check_key(given: str, database: dict[str, Any]) -> list[checks.CheckMessage]:
    """Require a common secret key where several machines share a database."""
    if given or is_sqlite(database):
        return []
    message = "SECRET_KEY must be the same on all machines; otherwise each signs users out"
    return [checks.Error(message, id="antipodes.E012")]


def check_redis(url: str, database: dict[str, Any]) -> list[checks.CheckMessage]:
    """Warn of Redis with SQLite, which allows several processes on one machine only."""
    if not url or not is_sqlite(database):
        return []
    message = "REDIS_URL is set, but the database is SQLite: all processes must be on this machine"
    return [checks.Warning(message, hint=f"set DATABASE_URL, {_DATABASE}", id="antipodes.W010")]
