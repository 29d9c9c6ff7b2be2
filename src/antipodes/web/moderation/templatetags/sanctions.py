"""Template tag that shows sanctions in force."""

from __future__ import annotations

from typing import Any

from django import template

from antipodes.web.accounts.models import User
from antipodes.web.moderation.sanctions import active_sanctions, sanction_text

register = template.Library()


@register.inclusion_tag("moderation/restrictions.html")
def restrictions(person: User) -> dict[str, Any]:
    """Show the mutes and suspensions of a user that are in force."""
    rows = active_sanctions(person)
    return {"texts": [sanction_text(row) for row in rows], "person": person}
