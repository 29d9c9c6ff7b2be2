"""Notifications of sanctions."""

from __future__ import annotations

from django.urls import reverse

from antipodes.web.moderation.models import SanctionRow
from antipodes.web.notifications.kinds import Kind
from antipodes.web.notifications.services import notify


def notify_of_sanction(sanction: SanctionRow) -> None:
    """Notify a user of a sanction."""
    notify(
        sanction.user,
        Kind.MODERATION,
        key=f"sanction {sanction.pk}",
        path=reverse("sanctions"),
        act=sanction.kind,
        text=sanction.reason,
    )


def notify_of_lifting(sanction: SanctionRow, reason: str) -> None:
    """Notify a user that a sanction has been lifted."""
    notify(
        sanction.user,
        Kind.MODERATION,
        key=f"sanction {sanction.pk} lifted",
        path=reverse("sanctions"),
        act="counted" if sanction.kind == SanctionRow.Kind.VOID else "lifted",
        text=reason,
    )
