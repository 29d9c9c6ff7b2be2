"""Template tags of moderators' pages: sanctions in force, and facts about matches."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.translation import gettext as _

from antipodes.web.accounts.models import User
from antipodes.web.matches.models import MatchRow
from antipodes.web.moderation.sanctions import active_sanctions, sanction_text
from antipodes.web.platform.translations import result_text

register = template.Library()


@register.inclusion_tag("moderation/restrictions.html")
def restrictions(person: User) -> dict[str, Any]:
    """Show the mutes and suspensions of a user that are in force."""
    rows = active_sanctions(person)
    return {"texts": [sanction_text(row) for row in rows], "person": person}


@register.filter
def match_facts(row: MatchRow) -> list[str]:
    """Return whether a match is rated and private, and how it ended."""
    facts = [_("rated")] * row.rated + [_("private")] * row.is_private
    return facts if row.result is None else [*facts, result_text(row.result)]


@register.filter
def players_and_facts(row: MatchRow) -> list[str]:
    """Return the names of the players of a match before its facts."""
    return [seat.user.name for seat in row.seats.all()] + match_facts(row)
