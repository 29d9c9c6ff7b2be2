"""Dates and times in French: one format on every page."""

from __future__ import annotations

DATE_FORMAT = SHORT_DATE_FORMAT = "j F Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "j F Y, H:i"
