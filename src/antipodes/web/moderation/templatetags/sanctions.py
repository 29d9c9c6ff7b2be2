"""Template tags: sanctions in force."""

from __future__ import annotations

from typing import Any

from django import template

from antipodes.web.accounts.models import User
from antipodes.web.moderation.sanctions import active_sanctions, sanction_text

register = template.Library()


@register.inclusion_tag("moderation/held_back.html")
def held_back(person: User) -> dict[str, Any]:
    """Show what moderators keep somebody from now, why, and until when."""
    rows = active_sanctions(person)
    return {"words": [sanction_text(row) for row in rows], "person": person}
