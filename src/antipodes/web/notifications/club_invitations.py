"""Notify players who are invited to a club."""

from __future__ import annotations

from antipodes.web.accounts.models import User
from antipodes.web.clubs.models import ClubRow, PendingMemberRow
from antipodes.web.notifications.kinds import Kind
from antipodes.web.notifications.services import tell


def notify_invited(
    club: ClubRow, by: User, guest: User, pending: PendingMemberRow, **_: object
) -> None:
    """Notify a player of an invitation."""
    tell(
        guest,
        Kind.INVITED,
        key=f"club {club.pk} {pending.pk}",
        by=by,
        path=f"/clubs/{club.slug}/",
        club=club.name,
    )
