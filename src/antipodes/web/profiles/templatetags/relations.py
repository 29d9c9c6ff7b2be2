"""Template tags: buttons to follow, block and report."""

from __future__ import annotations

from typing import Any

from django import template

from antipodes.web.accounts.models import User
from antipodes.web.matches.models import MatchRow
from antipodes.web.relations import services

register = template.Library()


def _viewer(context: template.Context) -> User | None:
    user = context["request"].user
    return user if isinstance(user, User) else None


@register.inclusion_tag("relations/buttons.html", takes_context=True)
def person_buttons(context: template.Context, person: User) -> dict[str, Any]:
    """Show buttons to follow, block and report a player other than the user and the computer."""
    viewer = _viewer(context)
    return {
        "request": context["request"],
        "person": person,
        "viewer": viewer,
        "is_other": person != viewer and not person.is_computer,
        "may_follow": not person.is_guest,
        "is_followed": services.follows(viewer, person),
        "is_blocked": viewer is not None and viewer.blocks.filter(whom=person).exists(),
    }


@register.inclusion_tag("relations/match_buttons.html", takes_context=True)
def match_buttons(context: template.Context, row: MatchRow) -> dict[str, Any]:
    """Show buttons to follow and report a match."""
    viewer = _viewer(context)
    seats = list(row.seats.select_related("user"))
    players = list({seat.user_id: seat.user for seat in seats}.values())
    watch = None if viewer is None else row.watchers.filter(user=viewer).first()
    return {
        "request": context["request"],
        "row": row,
        "watch": watch,
        "pair": players if len(players) == 2 else None,
        "may_follow": row.ended_at is None and all(seat.user != viewer for seat in seats),
        "may_report": any(seat.user != viewer and not seat.user.is_computer for seat in seats),
    }
