"""Ways to become a member of a club: joining, requests, invitations and invite links.

The club is locked before members are counted, so that limits hold across processes.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import F, Q
from django.dispatch import Signal
from django.utils.translation import gettext as _

from antipodes.clocks import HOUR
from antipodes.errors import InputError
from antipodes.records.texts import clean_line
from antipodes.web.accounts.masking import passed_on
from antipodes.web.accounts.models import User
from antipodes.web.accounts.restrictions import check_may_speak
from antipodes.web.clubs.models import (
    ClubRow,
    Entry,
    InviteLinkRow,
    MemberRow,
    PendingMemberRow,
    Role,
)
from antipodes.web.clubs.permissions import (
    check_account,
    check_club_limit,
    check_not_member,
    check_pending_limit,
    check_role,
    lock_club,
    lock_user,
)
from antipodes.web.platform.clock import now
from antipodes.web.relations.services import is_blocked

invited = Signal()  # with ``club``, ``by``, ``guest`` and ``pending``, the invitation's row

MOST_MEMBERS = 500
MOST_LINKS = 20
LONGEST_MESSAGE = 300


def join(club: ClubRow, user: User) -> MemberRow:
    """Join an open club, or accept an invitation by name.

    Raises:
        InputError: the club is full, or the user is not invited and the club is not open.
    """
    with transaction.atomic():
        row = lock_club(club)
        is_invited = row.pending_members.filter(user=user).exclude(by=None).exists()
        if row.entry != Entry.OPEN and not is_invited:
            raise InputError.single("clubs/not-open", _("This club is not open to everyone."))
        return _add_member(row, user)


def ask(club: ClubRow, user: User, message: str = "") -> None:
    """Request membership; an invited user becomes a member at once.

    Raises:
        InputError: the club accepts no requests, or too many are pending.
    """
    check_account(user)
    with transaction.atomic():
        row = lock_club(club)
        check_not_member(row, user)
        pending = row.pending_members.filter(user=user).first()
        if pending is not None and pending.by_id is not None:
            _add_member(row, user)
            return
        if row.entry != Entry.REQUEST:
            raise InputError.single("clubs/not-open", _("This club does not accept requests."))
        if pending is not None:
            return
        check_pending_limit(row)
        cleaned = clean_line(passed_on(user, message))[:LONGEST_MESSAGE]
        row.pending_members.create(user=user, message=cleaned, at=now())


def invite(club: ClubRow, by: User, guest: User) -> PendingMemberRow | None:
    """Invite a user by name; a user who has requested membership becomes a member at once.

    Raises:
        InputError: the inviter is muted, or neither owner nor officer, the user is a member or a
            guest, or one of both blocks the other.
    """
    pending = _invite(club, by, guest)
    if pending is not None:
        invited.send(sender=ClubRow, club=club, by=by, guest=guest, pending=pending)
    return pending


def _invite(club: ClubRow, by: User, guest: User) -> PendingMemberRow | None:
    with transaction.atomic():
        row = lock_club(club)
        check_role(row, by, {Role.OWNER, Role.OFFICER})
        check_may_speak(by)
        if guest.is_guest or guest.is_computer:
            message = _("%(name)s has no account, and cannot be a member.")
            raise InputError.single("clubs/account", message % {"name": guest.name})
        if is_blocked(by, guest):
            message = _("you cannot invite %(name)s")
            raise InputError.single("community/not-together", message % {"name": guest.name})
        check_not_member(row, guest)
        pending = row.pending_members.filter(user=guest).first()
        if pending is not None and pending.by_id is None:
            _add_member(row, guest)
            return None
        if pending is not None:
            return pending
        check_pending_limit(row)
        return row.pending_members.create(user=guest, by=by, at=now())


def accept_request(club: ClubRow, by: User, guest: User) -> MemberRow:
    """Accept a request for membership.

    Raises:
        InputError: the acting user is neither owner nor officer, there is no request, or the club
            is full.
    """
    with transaction.atomic():
        row = lock_club(club)
        check_role(row, by, {Role.OWNER, Role.OFFICER})
        if not row.pending_members.filter(user=guest, by=None).exists():
            message = _("%(name)s has not asked to join.")
            raise InputError.single("clubs/no-request", message % {"name": guest.name})
        return _add_member(row, guest)


def remove_pending(club: ClubRow, by: User, guest: User) -> None:
    """Decline or withdraw an invitation or a request.

    Raises:
        InputError: the acting user is neither the pending user nor owner or officer of the club.
    """
    with transaction.atomic():
        row = lock_club(club)
        if by.pk != guest.pk:
            check_role(row, by, {Role.OWNER, Role.OFFICER})
        row.pending_members.filter(user=guest).delete()


def _add_member(row: ClubRow, user: User) -> MemberRow:
    """Add a member to a locked club."""
    check_account(user)
    check_not_member(row, user)
    lock_user(user)
    check_club_limit(user)
    count = row.members.count()
    if count >= MOST_MEMBERS:
        message = _("This club is full: it has %(count)d members.")
        raise InputError.single("clubs/full", message % {"count": count})
    row.pending_members.filter(user=user).delete()
    return row.members.create(user=user, since=now())


# Invite links.


def make_link(
    club: ClubRow, by: User, *, hours: int | None = None, uses: int | None = None
) -> InviteLinkRow:
    """Create an invite link.

    Args:
        club: the club.
        by: the acting user.
        hours: validity of the link; ``None`` if it does not expire.
        uses: how many users it can admit; ``None`` for any number.

    Raises:
        InputError: the acting user is neither owner nor officer, or there are too many links.
    """
    with transaction.atomic():
        row = lock_club(club)
        check_role(row, by, {Role.OWNER, Role.OFFICER})
        row.links.filter(Q(expires_at__lte=now()) | Q(uses_left=0)).delete()
        count = row.links.count()
        if count >= MOST_LINKS:
            message = _("The club has %(count)d links already; revoke one first.")
            raise InputError.single("clubs/too-many", message % {"count": count})
        until = None if hours is None else now() + hours * HOUR
        return row.links.create(by=by, made_at=now(), expires_at=until, uses_left=uses)


def use_link(token: str, user: User) -> ClubRow:
    """Join the club of an invite link, and return it.

    Raises:
        InviteLinkRow.DoesNotExist: the link is unknown, expired or used up.
        InputError: the user cannot become a member.
    """
    check_account(user)
    with transaction.atomic():
        club = lock_club(valid_link(token).club)
        link = valid_link(token)  # read again: it may have been used up before the lock
        _add_member(club, user)
        if link.uses_left is not None:
            InviteLinkRow.objects.filter(pk=link.pk).update(uses_left=F("uses_left") - 1)
    return club


def valid_link(token: str) -> InviteLinkRow:
    """Return the invite link with a token.

    Raises:
        InviteLinkRow.DoesNotExist: the link is unknown, expired or used up.
    """
    unexpired = Q(expires_at=None) | Q(expires_at__gt=now())
    links = InviteLinkRow.objects.select_related("club").exclude(uses_left=0)
    return links.get(unexpired, token=token)


def revoke_link(club: ClubRow, by: User, token: str) -> None:
    """Revoke an invite link.

    Raises:
        InputError: the acting user is neither owner nor officer.
    """
    with transaction.atomic():
        row = lock_club(club)
        check_role(row, by, {Role.OWNER, Role.OFFICER})
        row.links.filter(token=token).delete()
