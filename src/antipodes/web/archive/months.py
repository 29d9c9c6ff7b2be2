"""Months in UTC, the periods of open data files."""

from __future__ import annotations

import calendar
from datetime import UTC, datetime


def month_of(at: int) -> str:
    """Return the month of a time in milliseconds since 1970, such as ``2026-11``."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m")


def bounds(month: str) -> tuple[int, int]:
    """Return the starts of a month and of the next one, in milliseconds since 1970."""
    year, number = map(int, month.split("-"))
    begin = calendar.timegm((year, number, 1, 0, 0, 0))
    following = (year + 1, 1) if number == 12 else (year, number + 1)
    return begin * 1000, calendar.timegm((*following, 1, 0, 0, 0)) * 1000
