"""All that changes clubs in the database; nothing else writes them.

Whatever counts members locks the club first, so that bounds hold over several processes.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.dispatch import Signal
from django.utils.text import slugify
from django.utils.translation import gettext as _

from antipodes.errors import InputError
from antipodes.records.texts import clean_name, clean_text
from antipodes.web.accounts.models import User
from antipodes.web.clubs.models import ClubRow, Entry, MemberRow, Role
from antipodes.web.clubs.permissions import (
    check_account,
    check_role,
    check_room_for,
    lock_person,
    locked,
    role_of,
)
from antipodes.web.platform.clock import now

# Both are sent within the transaction, before rows are deleted.
member_left = Signal()  # with ``club`` and ``user``
members_changed = Signal()  # with ``club``: who may watch its private matches changes

MOST_OWNED = 5  # clubs of one person
LONGEST_NAME = 60
LONGEST_DESCRIPTION = 2_000
_SHORTEST_NAME = 3
_LONGEST_SLUG = 40
_RESERVED = ("new", "join", "now")


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a club shall be.

    Attributes:
        name: what it is called.
        slug: its name in addresses; empty to make one of the name.
        description: plain text.
        entry: how people become members.
        is_public: whether everybody may see its page.
    """

    name: str
    slug: str = ""
    description: str = ""
    entry: Entry = Entry.OPEN
    is_public: bool = True

    def checked(self) -> Plan:
        """Return it as it may be stored.

        Raises:
            InputError: a text is too short or too long, or its address can be none.
        """
        name = clean_name(self.name)
        if not _SHORTEST_NAME <= len(name) <= LONGEST_NAME:
            message = _(
                "A club's name has %(least)d to %(most)d characters; %(name)r has %(count)d."
            )
            told = {"least": _SHORTEST_NAME, "most": LONGEST_NAME, "name": name, "count": len(name)}
            raise InputError.single("clubs/name", message % told)
        description = clean_text(self.description)
        if len(description) > LONGEST_DESCRIPTION:
            message = _("A description of %(count)d characters is too long; %(most)d are allowed.")
            told = {"count": len(description), "most": LONGEST_DESCRIPTION}
            raise InputError.single("clubs/description", message % told)
        slug = slugify(self.slug or name)[:_LONGEST_SLUG].strip("-")
        if not slug or slug in _RESERVED:
            message = _("%(slug)r can be no address; take letters a to z, digits and hyphens.")
            raise InputError.single("clubs/address", message % {"slug": self.slug or name})
        return Plan(
            name=name,
            slug=slug,
            description=description,
            entry=self.entry,
            is_public=self.is_public,
        )


def found(user: User, plan: Plan) -> ClubRow:
    """Found a club, which its founder owns.

    Raises:
        InputError: somebody may found none, or it cannot be so, or the name is taken.
    """
    check_account(user)
    plan = plan.checked()
    with transaction.atomic():
        lock_person(user)
        owned = MemberRow.objects.filter(user=user, role=Role.OWNER).count()
        if owned >= MOST_OWNED:
            message = _("You own %(count)d clubs already, which is the most that one may.")
            raise InputError.single("clubs/too-many", message % {"count": owned})
        check_room_for(user)
        club = _save(ClubRow(made_at=now()), plan)
        club.members.create(user=user, role=Role.OWNER, since=now())
    return club


def change(club: ClubRow, by: User, plan: Plan) -> ClubRow:
    """Change what a club is.

    Raises:
        InputError: only its owner may, or it cannot be so, or the name is taken.
    """
    plan = plan.checked()
    with transaction.atomic():
        row = locked(club)
        check_role(row, by, {Role.OWNER})
        return _save(row, plan)


def _save(club: ClubRow, plan: Plan) -> ClubRow:
    club.name, club.slug, club.description = plan.name, plan.slug, plan.description
    club.entry, club.is_public = plan.entry, plan.is_public
    try:
        with transaction.atomic():
            club.save()
    except IntegrityError:
        message = _(
            "There is a club called %(name)r, or almost so, or with the address %(slug)r, already."
        )
        told = {"name": plan.name, "slug": plan.slug}
        raise InputError.single("clubs/taken", message % told) from None
    return club


def close(club: ClubRow, by: User) -> None:
    """Close a club for good; its matches stay, and private ones stay for their players.

    Raises:
        InputError: only its owner may.
    """
    with transaction.atomic():
        row = locked(club)
        check_role(row, by, {Role.OWNER})
        members_changed.send(sender=ClubRow, club=row)
        row.delete()


# Those who are in.


def leave(club: ClubRow, user: User) -> None:
    """Leave a club; its owner hands it over first, or closes it.

    Raises:
        InputError: the user is no member, or owns it.
    """
    with transaction.atomic():
        row = locked(club)
        if role_of(row, user) is Role.OWNER:
            raise _owner_stays()
        _take_out(row, user)


def remove(club: ClubRow, by: User, member: User) -> None:
    """Remove somebody; officers remove members, the owner removes anybody else.

    Raises:
        InputError: one may not, or there is no such member.
    """
    with transaction.atomic():
        row = locked(club)
        allowed = {Role.OWNER} if role_of(row, member).leads else {Role.OWNER, Role.OFFICER}
        check_role(row, by, allowed)
        if by.pk == member.pk:
            raise _owner_stays()
        _take_out(row, member)


def set_officer(club: ClubRow, by: User, member: User, *, is_officer: bool) -> None:
    """Make a member an officer, or an officer a member.

    Raises:
        InputError: only the owner may, or there is no such member, or it is the owner.
    """
    with transaction.atomic():
        row = locked(club)
        check_role(row, by, {Role.OWNER})
        if role_of(row, member) is Role.OWNER:
            raise _owner_stays()
        role = Role.OFFICER if is_officer else Role.MEMBER
        row.members.filter(user=member).update(role=role)


def hand_over(club: ClubRow, by: User, member: User) -> None:
    """Let another member own the club; the owner stays as an officer.

    Raises:
        InputError: only the owner may, or there is no such member, or they own too many.
    """
    with transaction.atomic():
        row = locked(club)
        check_role(row, by, {Role.OWNER})
        role_of(row, member)
        if MemberRow.objects.filter(user=member, role=Role.OWNER).count() >= MOST_OWNED:
            message = _("%(name)s owns as many clubs as one may already.")
            raise InputError.single("clubs/too-many", message % {"name": member.name})
        row.members.filter(user=by).update(role=Role.OFFICER)
        row.members.filter(user=member).update(role=Role.OWNER)


def _owner_stays() -> InputError:
    message = _("Hand the club over to somebody, or close it, first.")
    return InputError.single("clubs/owner", message)


def heal_ownerless() -> None:
    """Give clubs whose owner is gone to the eldest officer or member; close empty ones."""
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


def _take_out(row: ClubRow, user: User) -> None:
    """Take a member out of a club, with what they had posted for its members."""
    role_of(row, user)
    row.members.filter(user=user).delete()
    member_left.send(sender=ClubRow, club=row, user=user)
    members_changed.send(sender=ClubRow, club=row)
