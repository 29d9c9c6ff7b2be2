"""What is written to the output: lines for people, or JSON for programs that collect logs.

Neither has addresses, names or anything else of people: only what went wrong, and for which
request.
"""

from __future__ import annotations

import logging
from contextvars import ContextVar
from typing import Any

FORMATS = ("text", "json")
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")

# The name of the request that is answered, which also stands in its answer's header.
request_id: ContextVar[str] = ContextVar("request_id", default="")


class WithRequest(logging.Filter):
    """Notes in each record for which request it was written."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Note it; nothing is left out."""
        record.request_id = request_id.get()
        return True


class OutagesInOneLine(logging.Filter):
    """Logs requests that an outage has failed as warnings without a traceback.

    An outage is no fault of the program, and while it lasts every request would write one.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten such a record; nothing is left out."""
        from antipodes.web.platform.outages import (
            outage_of,  # needs Django's settings, which need this
        )

        error = record.exc_info[1] if record.exc_info else None
        if outage_of(error):
            record.msg, record.args = f"{record.getMessage()} error={error}", None
            record.exc_info = None
            record.levelno, record.levelname = logging.WARNING, "WARNING"
        return True


def logging_to_output(form: str, level: str) -> dict[str, Any]:
    """Return Django's settings for logs.

    Args:
        form: one of the ``FORMATS``; what is none counts as the first, and a check tells.
        level: one of the ``LEVELS``, likewise.
    """
    known = level.upper() if level.upper() in LEVELS else "WARNING"
    is_json = form == "json"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {
            "request": {"()": "antipodes.web.platform.logs.WithRequest"},
            "outages": {"()": "antipodes.web.platform.logs.OutagesInOneLine"},
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
        # Libraries tell addresses, of networks as well as of mail, in what is less than a warning.
        "root": {"handlers": ["output"], "level": "ERROR" if known == "ERROR" else "WARNING"},
        "loggers": {
            "antipodes": {"level": known},
            # Requests that are refused, each with a traceback, and names of hosts by strangers.
            "django.security": {"level": "CRITICAL"},
            "django.request": {"level": "ERROR", "filters": ["outages"]},
            # One line for each request; people who read the output would find nothing else in it.
            "antipodes.requests": {"level": "INFO" if is_json else "WARNING"},
        },
    }
