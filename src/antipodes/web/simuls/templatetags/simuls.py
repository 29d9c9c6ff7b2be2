"""Template tag: the simul that a match belongs to."""

from __future__ import annotations

from typing import Any

from django import template

from antipodes.web.matches.models import MatchRow
from antipodes.web.simuls.selectors import board_of

register = template.Library()


@register.inclusion_tag("simuls/match_links.html", takes_context=True)
def simul_links(context: template.Context, row: MatchRow) -> dict[str, Any]:
    """Show links to the simul of a match, and for its host to the next board."""
    board = board_of(row)
    return {"board": board, "is_host": board and board.simul.by == context["request"].user}
