"""Template tags for durations and names of games."""

from __future__ import annotations

from django import template

from antipodes.web.matches.labels import duration_words, game_label
from antipodes.web.matches.models import MatchRow

register = template.Library()


@register.simple_tag
def span_words(milliseconds: int) -> str:
    """Format a duration."""
    return duration_words(milliseconds)


@register.simple_tag
def game_name(row: MatchRow) -> str:
    return game_label(row.game_id, row.options)
