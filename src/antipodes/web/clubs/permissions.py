"""What is asked before clubs change: who may, and whether there is room."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from antipodes.errors import InputError
from antipodes.web.accounts.models import User
from antipodes.web.clubs.models import ClubRow, MemberRow, Role

# Bounds that nobody meets by accident.
MOST_JOINED = 30
MOST_AT_DOOR = 100


def role_in(club: ClubRow, user: User | None) -> Role | None:
    """Return what somebody is in a club, or ``None`` for strangers."""
    row = None if user is None else club.members.filter(user=user).first()
    return None if row is None else Role(row.role)


def locked(club: ClubRow) -> ClubRow:
    """Return a club that nobody else changes until the transaction ends.

    Raises:
        InputError: it was closed.
    """
    row = ClubRow.objects.select_for_update().filter(pk=club.pk).first()
    if row is None:
        raise InputError.single("clubs/closed", _("This club was closed."))
    return row


def lock_person(user: User) -> None:
    """Let nobody else count the clubs of a person meanwhile."""
    User.objects.select_for_update().get(pk=user.pk)


def role_of(row: ClubRow, user: User) -> Role:
    """Return what a member is in a club.

    Raises:
        InputError: it is no member.
    """
    role = role_in(row, user)
    if role is None:
        message = _("%(name)s is no member.") % {"name": user.name}
        raise InputError.single("clubs/not-member", message)
    return role


def check_role(row: ClubRow, by: User, allowed: set[Role]) -> None:
    """Refuse what only some of a club may do.

    Raises:
        InputError: somebody is none of these.
    """
    if role_in(row, by) not in allowed:
        raise InputError.single("clubs/not-allowed", _("Only those who lead the club may do that."))


def check_account(user: User) -> None:
    """Refuse guests and the computer.

    Raises:
        InputError: somebody has no account.
    """
    if user.is_guest or user.is_computer:
        message = _("Clubs are for people with an account; sign up first.")
        raise InputError.single("clubs/account", message)


def check_stranger(row: ClubRow, user: User) -> None:
    """Refuse whoever is a member already.

    Raises:
        InputError: somebody is.
    """
    if role_in(row, user) is not None:
        message = _("%(name)s is a member already.") % {"name": user.name}
        raise InputError.single("clubs/member", message)


def check_door(row: ClubRow) -> None:
    """Refuse more people at the door of a club.

    Raises:
        InputError: too many wait there.
    """
    count = row.at_door.count()
    if count >= MOST_AT_DOOR:
        message = _("%(count)d people wait at the door of this club already.")
        raise InputError.single("clubs/too-many", message % {"count": count})


def check_room_for(user: User) -> None:
    """Refuse more clubs to somebody.

    Raises:
        InputError: they are in as many as one may be.
    """
    count = MemberRow.objects.filter(user=user).count()
    if count >= MOST_JOINED:
        message = ngettext(
            "%(name)s is in %(count)d club already, which is the most that one may.",
            "%(name)s is in %(count)d clubs already, which is the most that one may.",
            count,
        )
        raise InputError.single("clubs/too-many", message % {"name": user.name, "count": count})


def check_leads(club: ClubRow, by: User) -> None:
    """Refuse what only those may do who lead the club.

    Raises:
        InputError: somebody is neither its owner nor an officer.
    """
    check_role(club, by, {Role.OWNER, Role.OFFICER})


def check_name(club: ClubRow, name: str) -> None:
    """Refuse to close a club by mistake: whoever closes it writes its name.

    Raises:
        InputError: this is another name.
    """
    if name.strip() != club.name:
        message = _("To close the club, write its name as it is: %(club)s.")
        raise InputError.single("clubs/confirm", message % {"club": club.name})
