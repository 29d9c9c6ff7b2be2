"""Telling followers what is played, and people what moderators have decided."""

from __future__ import annotations

from antipodes.web.community.models import MeasureRow


def tell_of(measure: MeasureRow) -> None:
    """Tell somebody what moderators have decided."""
