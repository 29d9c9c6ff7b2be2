"""How people come into clubs: by themselves, by asking, by invitation, or by a link.

Whatever counts members locks the club first, so that bounds hold over several processes.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import F, Q
from django.dispatch import Signal
from django.utils.translation import gettext as _

from antipodes.errors import InputError
from antipodes.records.texts import clean_line
from antipodes.web.accounts.models import User
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
    check_door,
    check_role,
    check_room_for,
    check_stranger,
    lock_person,
    locked,
)
from antipodes.web.platform.clock import now
from antipodes.web.relations.services import is_blocked

invited = Signal()  # with ``club``, ``by``, ``guest`` and ``pending``, the row of the invitation

MOST_MEMBERS = 500
MOST_LINKS = 20
LONGEST_WORDS = 300
_HOUR = 3_600_000  # milliseconds


def join(club: ClubRow, user: User) -> MemberRow:
    """Become a member of an open club, or of one to which one is invited by name.

    Raises:
        InputError: the club is not open to this person, or full.
    """
    with transaction.atomic():
        row = locked(club)
        is_invited = row.at_door.filter(user=user).exclude(by=None).exists()
        if row.entry != Entry.OPEN and not is_invited:
            raise InputError.single("clubs/not-open", _("One cannot simply join this club."))
        return _let_in(row, user)


def ask(club: ClubRow, user: User, words: str = "") -> None:
    """Ask to be let in; whoever is invited already becomes a member at once.

    Raises:
        InputError: nobody can ask this club, or too many wait.
    """
    check_account(user)
    with transaction.atomic():
        row = locked(club)
        check_stranger(row, user)
        waits = row.at_door.filter(user=user).first()
        if waits is not None and waits.by_id is not None:
            _let_in(row, user)
            return
        if row.entry != Entry.REQUEST:
            raise InputError.single("clubs/not-open", _("This club lets nobody in by request."))
        if waits is not None:
            return
        check_door(row)
        cleaned = clean_line(words)[:LONGEST_WORDS]
        row.at_door.create(user=user, words=cleaned, at=now())


def invite(club: ClubRow, by: User, guest: User) -> PendingMemberRow | None:
    """Invite somebody by name; who has asked to be let in is a member at once.

    Raises:
        InputError: only those who lead the club may, or the person is a member, a guest, or blocked
            either way.
    """
    door = _invite(club, by, guest)
    if door is not None:
        invited.send(sender=ClubRow, club=club, by=by, guest=guest, pending=door)
    return door


def _invite(club: ClubRow, by: User, guest: User) -> PendingMemberRow | None:
    with transaction.atomic():
        row = locked(club)
        check_role(row, by, {Role.OWNER, Role.OFFICER})
        if guest.is_guest or guest.is_computer:
            message = _("%(name)s has no account, and cannot be a member.")
            raise InputError.single("clubs/account", message % {"name": guest.name})
        if is_blocked(by, guest):
            message = _("you cannot invite %(name)s")
            raise InputError.single("community/not-together", message % {"name": guest.name})
        check_stranger(row, guest)
        waits = row.at_door.filter(user=guest).first()
        if waits is not None and waits.by_id is None:
            _let_in(row, guest)
            return None
        if waits is not None:
            return waits
        check_door(row)
        return row.at_door.create(user=guest, by=by, at=now())


def let_in(club: ClubRow, by: User, guest: User) -> MemberRow:
    """Let in somebody who has asked.

    Raises:
        InputError: only those who lead the club may, or nobody has asked, or the club is full.
    """
    with transaction.atomic():
        row = locked(club)
        check_role(row, by, {Role.OWNER, Role.OFFICER})
        if not row.at_door.filter(user=guest, by=None).exists():
            message = _("%(name)s does not ask to be let in.")
            raise InputError.single("clubs/not-at-door", message % {"name": guest.name})
        return _let_in(row, guest)


def send_away(club: ClubRow, by: User, guest: User) -> None:
    """Take back an invitation, decline it, or send away somebody who asks; also oneself.

    Raises:
        InputError: only those who lead the club may, or the person in question.
    """
    with transaction.atomic():
        row = locked(club)
        if by.pk != guest.pk:
            check_role(row, by, {Role.OWNER, Role.OFFICER})
        row.at_door.filter(user=guest).delete()


def _let_in(row: ClubRow, user: User) -> MemberRow:
    """Make somebody a member of a club that is locked."""
    check_account(user)
    check_stranger(row, user)
    lock_person(user)
    check_room_for(user)
    count = row.members.count()
    if count >= MOST_MEMBERS:
        message = _("This club is full: it has %(count)d members.")
        raise InputError.single("clubs/full", message % {"count": count})
    row.at_door.filter(user=user).delete()
    return row.members.create(user=user, since=now())


# Links.


def make_link(
    club: ClubRow, by: User, *, hours: int | None = None, uses: int | None = None
) -> InviteLinkRow:
    """Make a link by which people become members.

    Args:
        club: of which they become members.
        by: who makes it.
        hours: after which it is good no more; ``None`` for never.
        uses: how many people may use it; ``None`` for any number.

    Raises:
        InputError: only those who lead the club may, or there are too many links.
    """
    with transaction.atomic():
        row = locked(club)
        check_role(row, by, {Role.OWNER, Role.OFFICER})
        row.links.filter(Q(expires_at__lte=now()) | Q(uses_left=0)).delete()
        count = row.links.count()
        if count >= MOST_LINKS:
            message = _("There are %(count)d links already; revoke one of them first.")
            raise InputError.single("clubs/too-many", message % {"count": count})
        until = None if hours is None else now() + hours * _HOUR
        return row.links.create(by=by, made_at=now(), expires_at=until, uses_left=uses)


def use_link(token: str, user: User) -> ClubRow:
    """Become a member by a link.

    Raises:
        InviteLinkRow.DoesNotExist: there is no such link any more.
        InputError: the person cannot become a member.
    """
    check_account(user)
    with transaction.atomic():
        club = locked(good_link(token).club)
        link = good_link(token)
        _let_in(club, user)
        if link.uses_left is not None:
            InviteLinkRow.objects.filter(pk=link.pk).update(uses_left=F("uses_left") - 1)
    return club


def good_link(token: str) -> InviteLinkRow:
    """Return a link that is good now.

    Raises:
        InviteLinkRow.DoesNotExist: there is none.
    """
    is_good = Q(expires_at=None) | Q(expires_at__gt=now())
    return (
        InviteLinkRow.objects.select_related("club").exclude(uses_left=0).get(is_good, token=token)
    )


def revoke_link(club: ClubRow, by: User, token: str) -> None:
    """Make a link good no more.

    Raises:
        InputError: only those who lead the club may.
    """
    with transaction.atomic():
        row = locked(club)
        check_role(row, by, {Role.OWNER, Role.OFFICER})
        row.links.filter(token=token).delete()
