"""Logging: text or JSON lines on standard error.

Log lines contain no addresses, names or other personal data.
"""

from __future__ import annotations

import logging
from contextvars import ContextVar
from typing import Any

from antipodes.web.platform.env_file import source

FORMATS = ("text", "json")
_UNAVAILABLE = 503
_MOST_HOSTS = 20  # refused hosts that a process logs
_LONGEST_HOST = 300  # characters about one
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")

# The id of the current request, also sent in the response's X-Request-ID header.
request_id: ContextVar[str] = ContextVar("request_id", default="")


class RequestIdFilter(logging.Filter):
    """Adds the id of the current request to each record."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Add the id; keep every record."""
        record.request_id = request_id.get()
        return True


class AddressFilter(logging.Filter):
    """Names the view of a request that failed: its address may have names or keys in it."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Replace the address; keep every record."""
        request = getattr(record, "request", None)
        if request is not None and record.args:
            match = getattr(request, "resolver_match", None)
            what = record.getMessage().partition(":")[0]
            record.msg, record.args = f"{what}: {(match and match.view_name) or 'none'}", None
        return True


class OutageFilter(logging.Filter):
    """Logs requests that are refused for a while as warnings without a traceback.

    During an outage every request would log one. The site also answers 503 on purpose while it is
    busy.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten such a record; keep every record."""
        from antipodes.web.platform.outages import (
            outage_of,  # needs Django's settings, which need this
        )

        error = record.exc_info[1] if record.exc_info else None
        is_outage = outage_of(error) is not None
        if is_outage:
            record.msg, record.args = f"{record.getMessage()} error={error}", None
            record.exc_info = None
        if is_outage or (error is None and getattr(record, "status_code", 0) == _UNAVAILABLE):
            record.levelno, record.levelname = logging.WARNING, "WARNING"
        return True


class RefusedHostFilter(logging.Filter):
    """Logs names of hosts that the site refuses, and where its settings are from.

    Clients choose these names, so each is logged once, in a short line, and only some are.
    """

    def __init__(self) -> None:
        super().__init__()
        self._told: set[str] = set()

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten a record; keep it if its host is new."""
        message = record.getMessage()[:_LONGEST_HOST]
        if message in self._told or len(self._told) >= _MOST_HOSTS:
            return False
        self._told.add(message)
        record.levelno, record.levelname = logging.WARNING, "WARNING"
        record.msg, record.args, record.exc_info = f"{message} {source}", None, None
        return True


def logging_to_output(form: str, level: str) -> dict[str, Any]:
    """Return Django's logging settings.

    Args:
        form: one of the ``FORMATS``; the first for any other value, which a check reports.
        level: one of the ``LEVELS``, likewise.
    """
    known = level.upper() if level.upper() in LEVELS else "WARNING"
    is_json = form == "json"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {
            "request": {"()": "antipodes.web.platform.logs.RequestIdFilter"},
            "addresses": {"()": "antipodes.web.platform.logs.AddressFilter"},
            "outages": {"()": "antipodes.web.platform.logs.OutageFilter"},
            "hosts": {"()": "antipodes.web.platform.logs.RefusedHostFilter"},
        },
        "formatters": {
            "text": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
            "json": {
                "()": "pythonjsonlogger.json.JsonFormatter",
                "format": "{asctime}{levelname}{name}{message}{request_id}{process}",
                "style": "{",
                "rename_fields": {"asctime": "time", "levelname": "level", "name": "logger"},
            },
        },
        "handlers": {
            "output": {
                "class": "logging.StreamHandler",
                "formatter": "json" if is_json else "text",
                "filters": ["request"],
            }
        },
        # Libraries log network and mail addresses below the level of warnings.
        "root": {"handlers": ["output"], "level": "ERROR" if known == "ERROR" else "WARNING"},
        "loggers": {
            "antipodes": {"level": known},
            # It logs refused requests with a traceback.
            "django.security": {"level": "CRITICAL"},
            "django.security.DisallowedHost": {"level": "ERROR", "filters": ["hosts"]},
            "django.request": {"level": "ERROR", "filters": ["addresses", "outages"]},
            # One line for each request would drown other lines of the text format.
            "antipodes.requests": {"level": "INFO" if is_json else "WARNING"},
        },
    }
