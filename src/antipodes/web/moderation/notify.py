"""Notify players of what moderators have decided about them."""

from __future__ import annotations

from django.urls import reverse

from antipodes.web.moderation.models import SanctionRow
from antipodes.web.notifications.kinds import Kind
from antipodes.web.notifications.services import notify


def tell_of(measure: SanctionRow) -> None:
    """Tell somebody what moderators have decided."""
    notify(
        measure.user,
        Kind.MODERATION,
        key=f"measure {measure.pk}",
        path=reverse("measures"),
        act=measure.kind,
        text=measure.reason,
    )


def tell_of_lifting(measure: SanctionRow, reason: str) -> None:
    """Tell somebody that a decision holds no longer."""
    notify(
        measure.user,
        Kind.MODERATION,
        key=f"measure {measure.pk} lifted",
        path=reverse("measures"),
        act="counted" if measure.kind == SanctionRow.Kind.VOID else "lifted",
        text=reason,
    )
