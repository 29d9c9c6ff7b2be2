"""Template tag: the ratings of a match's players."""

from __future__ import annotations

from django import template
from django.utils.html import json_script
from django.utils.safestring import SafeString

from antipodes.web.matches.models import MatchRow
from antipodes.web.ratings.match_ratings import ratings_at

register = template.Library()


@register.simple_tag
def match_ratings(row: MatchRow) -> SafeString:
    """Write the ratings of a match into its page, so that they stand beside the names at once."""
    return json_script(ratings_at(row), "match-ratings")
