"""Checks before clubs change: roles of the acting user, and limits."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from antipodes.errors import InputError
from antipodes.web.accounts.models import User
from antipodes.web.clubs.models import ClubRow, MemberRow, Role

MOST_JOINED = 30  # clubs per user
MOST_PENDING = 100  # invitations and requests per club


def role_in(club: ClubRow, user: User | None) -> Role | None:
    """Return the role of a user in a club, or ``None`` if they are not a member."""
    row = None if user is None else club.members.filter(user=user).first()
    return None if row is None else Role(row.role)


def lock_club(club: ClubRow) -> ClubRow:
    """Lock a club until the transaction ends, and return its current row.

    Raises:
        InputError: the club has been closed.
    """
    row = ClubRow.objects.select_for_update().filter(pk=club.pk).first()
    if row is None:
        raise InputError.single("clubs/closed", _("This club has been closed."))
    return row


def lock_user(user: User) -> None:
    """Lock a user until the transaction ends, before their clubs are counted."""
    User.objects.select_for_update().get(pk=user.pk)


def role_of(row: ClubRow, user: User) -> Role:
    """Return the role of a member.

    Raises:
        InputError: the user is not a member.
    """
    role = role_in(row, user)
    if role is None:
        message = _("%(name)s is not a member.") % {"name": user.name}
        raise InputError.single("clubs/not-member", message)
    return role


def check_role(row: ClubRow, by: User, allowed: set[Role]) -> None:
    """Check that the acting user has one of the allowed roles.

    Raises:
        InputError: they have not.
    """
    if role_in(row, by) not in allowed:
        message = _("Only the owner or an officer of the club can do this.")
        raise InputError.single("clubs/not-allowed", message)


def check_account(user: User) -> None:
    """Check that a user is neither a guest nor the computer.

    Raises:
        InputError: the user has no account.
    """
    if user.is_guest or user.is_computer:
        message = _("You need an account to join clubs; sign up first.")
        raise InputError.single("clubs/account", message)


def check_not_member(row: ClubRow, user: User) -> None:
    """Check that a user is not a member yet.

    Raises:
        InputError: the user is a member.
    """
    if role_in(row, user) is not None:
        message = _("%(name)s is already a member.") % {"name": user.name}
        raise InputError.single("clubs/member", message)


def check_pending_limit(row: ClubRow) -> None:
    """Check the limit of pending invitations and requests of a club.

    Raises:
        InputError: the limit is reached.
    """
    count = row.pending_members.count()
    if count >= MOST_PENDING:
        message = _("This club has %(count)d pending invitations and requests already.")
        raise InputError.single("clubs/too-many", message % {"count": count})


def check_club_limit(user: User) -> None:
    """Check the limit of clubs that a user may join.

    Raises:
        InputError: the limit is reached.
    """
    count = MemberRow.objects.filter(user=user).count()
    if count >= MOST_JOINED:
        message = ngettext(
            "%(name)s is in %(count)d club already, which is the maximum.",
            "%(name)s is in %(count)d clubs already, which is the maximum.",
            count,
        )
        raise InputError.single("clubs/too-many", message % {"name": user.name, "count": count})


def check_leads(club: ClubRow, by: User) -> None:
    """Check that the acting user is the owner or an officer.

    Raises:
        InputError: they are neither.
    """
    check_role(club, by, {Role.OWNER, Role.OFFICER})


def check_name(club: ClubRow, name: str) -> None:
    """Check the name that confirms closing a club.

    Raises:
        InputError: the club has another name.
    """
    if name.strip() != club.name:
        message = _("To close the club, type its exact name: %(club)s.")
        raise InputError.single("clubs/confirm", message % {"club": club.name})
