"""Notifications of invitations to clubs."""

from __future__ import annotations

from antipodes.web.accounts.models import User
from antipodes.web.clubs.models import ClubRow, PendingMemberRow
from antipodes.web.notifications.kinds import Kind
from antipodes.web.notifications.services import notify


def notify_invited(
    club: ClubRow, by: User, guest: User, pending: PendingMemberRow, **_: object
) -> None:
    """Notify a player who is invited to a club."""
    notify(
        guest,
        Kind.INVITED,
        key=f"club {club.pk} {pending.pk}",
        by=by,
        path=f"/clubs/{club.slug}/",
        club=club.name,
    )
