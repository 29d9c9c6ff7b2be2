"""The form for a match from a position, for pages of lessons and puzzles."""

from __future__ import annotations

from typing import Any

from django import template

from antipodes.web.analysis.position_queries import Line
from antipodes.web.challenges.practice import PracticeForm

register = template.Library()


@register.inclusion_tag("challenges/practice_form.html")
def practice_form(line: Line) -> dict[str, Any]:
    """Show a form that starts a match against the computer from the end of a line."""
    return {"form": PracticeForm(line)}
