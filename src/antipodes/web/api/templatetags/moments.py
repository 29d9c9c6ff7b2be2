"""Template filters for times in milliseconds."""

from __future__ import annotations

from datetime import UTC, datetime

from django import template

register = template.Library()


@register.filter
def moment(milliseconds: int) -> datetime:
    """Return the time that is so many milliseconds after 1970 began."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
