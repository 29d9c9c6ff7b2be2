"""Create, change and close clubs, and change the roles of members.

The club is locked before members are counted, so that limits hold across processes.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.dispatch import Signal
from django.utils.text import slugify
from django.utils.translation import gettext as _

from antipodes.errors import InputError
from antipodes.records.texts import clean_name
from antipodes.web.accounts.masking import passed_on_parts
from antipodes.web.accounts.models import User
from antipodes.web.clubs.models import ClubRow, Entry, InviteLinkRow, MemberRow, Role
from antipodes.web.clubs.permissions import (
    check_account,
    check_club_limit,
    check_role,
    lock_club,
    lock_user,
    role_of,
)
from antipodes.web.platform.clock import now

# Both are sent within the transaction.
member_left = Signal()  # with ``club`` and ``user``
members_changed = Signal()  # with ``club``; changes who may watch its private matches

MOST_OWNED = 5  # clubs per user
LONGEST_NAME = 60
LONGEST_DESCRIPTION = 2_000
_SHORTEST_NAME = 3
_LONGEST_SLUG = 40
_RESERVED = ("new", "join", "now")


@dataclass(frozen=True, kw_only=True)
class ClubDetails:
    """Name, description and settings of a club.

    Attributes:
        name: the name.
        slug: the name in URLs; derived from the name if empty.
        description: plain text.
        entry: how players become members.
        is_public: whether everyone may see the club's page.
    """

    name: str
    slug: str = ""
    description: str = ""
    entry: Entry = Entry.OPEN
    is_public: bool = True

    def cleaned(self, by: User, before: ClubRow | None = None) -> ClubDetails:
        """Return the details with normalised texts, as others may read them, and a slug.

        Args:
            by: who writes them.
            before: the club whose details they replace.

        Raises:
            InputError: the user is muted and says something new; a text is too short or too long,
                or the slug is empty or reserved.
        """
        name, address, description = passed_on_parts(
            by,
            [self.name, self.slug, self.description],
            before=() if before is None else (before.name, before.slug, before.description),
        )
        name = clean_name(name)
        if not _SHORTEST_NAME <= len(name) <= LONGEST_NAME:
            message = _(
                "A club's name must have %(least)d to %(most)d characters; %(name)r has %(count)d."
            ) % {
                "least": _SHORTEST_NAME,
                "most": LONGEST_NAME,
                "name": name,
                "count": len(name),
            }
            raise InputError.single("clubs/name", message)
        if len(description) > LONGEST_DESCRIPTION:
            message = _(
                "The description is too long: %(count)d characters; at most %(most)d are allowed."
            ) % {"count": len(description), "most": LONGEST_DESCRIPTION}
            raise InputError.single("clubs/description", message)
        slug = slugify(address or name)[:_LONGEST_SLUG].strip("-")
        if not slug or slug in _RESERVED:
            message = _("%(slug)r cannot be an address; use letters a to z, digits and hyphens.")
            raise InputError.single("clubs/address", message % {"slug": address or name})
        return ClubDetails(
            name=name,
            slug=slug,
            description=description,
            entry=self.entry,
            is_public=self.is_public,
        )


def create_club(user: User, details: ClubDetails) -> ClubRow:
    """Create a club, owned by its creator.

    Raises:
        InputError: the user is a guest or has too many clubs, the details are invalid, or the name
            is taken.
    """
    check_account(user)
    details = details.cleaned(user)
    with transaction.atomic():
        lock_user(user)
        owned = MemberRow.objects.filter(user=user, role=Role.OWNER).count()
        if owned >= MOST_OWNED:
            message = _("You own %(count)d clubs already, which is the maximum.")
            raise InputError.single("clubs/too-many", message % {"count": owned})
        check_club_limit(user)
        club = _save(ClubRow(made_at=now()), details)
        club.members.create(user=user, role=Role.OWNER, since=now())
    return club


def update_club(club: ClubRow, by: User, details: ClubDetails) -> ClubRow:
    """Change the details of a club.

    Raises:
        InputError: the acting user is not the owner, the details are invalid, or the name is taken.
    """
    with transaction.atomic():
        row = lock_club(club)
        check_role(row, by, {Role.OWNER})
        return _save(row, details.cleaned(by, row))


def _save(club: ClubRow, details: ClubDetails) -> ClubRow:
    club.name, club.slug, club.description = details.name, details.slug, details.description
    club.entry, club.is_public = details.entry, details.is_public
    try:
        with transaction.atomic():
            club.save()
    except IntegrityError:
        message = _(
            "A club with the name %(name)r, a very similar one, or the address %(slug)r exists."
        ) % {"name": details.name, "slug": details.slug}
        raise InputError.single("clubs/taken", message) from None
    return club


def close(club: ClubRow, by: User) -> None:
    """Delete a club; its matches are kept, and private ones stay visible to their players.

    Raises:
        InputError: the acting user is not the owner.
    """
    with transaction.atomic():
        row = lock_club(club)
        check_role(row, by, {Role.OWNER})
        members_changed.send(sender=ClubRow, club=row)
        row.delete()


# Members.


def leave(club: ClubRow, user: User) -> None:
    """Leave a club; the owner must transfer or close it first.

    Raises:
        InputError: the user is not a member, or owns the club.
    """
    with transaction.atomic():
        row = lock_club(club)
        if role_of(row, user) is Role.OWNER:
            raise _owner_error()
        _remove_member(row, user)


def remove(club: ClubRow, by: User, member: User) -> None:
    """Remove a member; officers may remove ordinary members, the owner also officers.

    Raises:
        InputError: the acting user may not do this, or the other is not a member.
    """
    with transaction.atomic():
        row = lock_club(club)
        allowed = {Role.OWNER} if role_of(row, member).leads else {Role.OWNER, Role.OFFICER}
        check_role(row, by, allowed)
        if by.pk == member.pk:
            raise _owner_error()
        _remove_member(row, member)


def set_officer(club: ClubRow, by: User, member: User, *, is_officer: bool) -> None:
    """Make a member an officer, or an officer an ordinary member.

    Raises:
        InputError: the acting user is not the owner, or the other is the owner or not a member.
    """
    with transaction.atomic():
        row = lock_club(club)
        check_role(row, by, {Role.OWNER})
        if role_of(row, member) is Role.OWNER:
            raise _owner_error()
        role = Role.OFFICER if is_officer else Role.MEMBER
        row.members.filter(user=member).update(role=role)


def transfer_ownership(club: ClubRow, by: User, member: User) -> None:
    """Make another member the owner; the previous owner becomes an officer.

    Raises:
        InputError: the acting user is not the owner, or the other is not a member or owns too many
            clubs.
    """
    with transaction.atomic():
        row = lock_club(club)
        check_role(row, by, {Role.OWNER})
        role_of(row, member)
        if MemberRow.objects.filter(user=member, role=Role.OWNER).count() >= MOST_OWNED:
            message = _("%(name)s already owns the maximum number of clubs.")
            raise InputError.single("clubs/too-many", message % {"name": member.name})
        row.members.filter(user=by).update(role=Role.OFFICER)
        row.members.filter(user=member).update(role=Role.OWNER)


def _owner_error() -> InputError:
    message = _("First make another member the owner, or close the club.")
    return InputError.single("clubs/owner", message)


def replace_missing_owners() -> None:
    """Give clubs without an owner to the oldest officer or member; delete empty clubs."""
    orphans = ClubRow.objects.exclude(members__role=Role.OWNER)
    for slug in orphans.values_list("slug", flat=True):
        with transaction.atomic():
            row = ClubRow.objects.select_for_update().filter(slug=slug).first()
            if row is None or row.members.filter(role=Role.OWNER).exists():
                continue
            heir = row.members.filter(role=Role.OFFICER).first() or row.members.first()
            if heir is None:
                row.delete()
            else:
                heir.role = Role.OWNER
                heir.save(update_fields=["role"])


def _remove_member(row: ClubRow, user: User) -> None:
    """Remove a member from a locked club; receivers cancel their challenges to its members."""
    role_of(row, user)
    row.members.filter(user=user).delete()
    member_left.send(sender=ClubRow, club=row, user=user)
    members_changed.send(sender=ClubRow, club=row)


def delete_expired_links() -> None:
    """Delete invite links that have expired or are used up."""
    InviteLinkRow.objects.filter(expires_at__lte=now()).delete()
    InviteLinkRow.objects.filter(uses_left=0).delete()
