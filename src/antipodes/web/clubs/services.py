"""All that changes clubs in the database; nothing else writes them.

Whatever counts members locks the club first, so that bounds hold over several processes.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from antipodes.errors import Fault, InputError
from antipodes.records.texts import clean_line, clean_text
from antipodes.web import wake
from antipodes.web.clubs.models import ClubRow, DoorRow, Entry, LinkRow, MemberRow, Role
from antipodes.web.community.services import is_blocked
from antipodes.web.matches.models import ChallengeRow, MatchRow
from antipodes.web.matches.services import group_of, now
from antipodes.web.notices.kinds import Kind
from antipodes.web.notices.services import tell
from antipodes.web.people.models import User

# Bounds that nobody meets by accident.
MOST_OWNED = 5
MOST_JOINED = 30
MOST_MEMBERS = 500
MOST_AT_DOOR = 100
MOST_LINKS = 20
LONGEST_NAME = 60
LONGEST_DESCRIPTION = 2_000
LONGEST_WORDS = 300
_SHORTEST_NAME = 3
_LONGEST_SLUG = 40
_HOUR = 3_600_000  # milliseconds
_RESERVED = ("new", "join", "now")


def refused(code: str, message: str) -> InputError:
    """Return the error for what cannot be done to a club."""
    return InputError([Fault(code, message)])


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
        name = clean_line(self.name)
        if not _SHORTEST_NAME <= len(name) <= LONGEST_NAME:
            message = _(
                "A club's name has %(least)d to %(most)d characters; %(name)r has %(count)d."
            )
            told = {"least": _SHORTEST_NAME, "most": LONGEST_NAME, "name": name, "count": len(name)}
            raise refused("clubs/name", message % told)
        description = clean_text(self.description)
        if len(description) > LONGEST_DESCRIPTION:
            message = _("A description of %(count)d characters is too long; %(most)d are allowed.")
            told = {"count": len(description), "most": LONGEST_DESCRIPTION}
            raise refused("clubs/description", message % told)
        slug = slugify(self.slug or name)[:_LONGEST_SLUG].strip("-")
        if not slug or slug in _RESERVED:
            message = _("%(slug)r can be no address; take letters a to z, digits and hyphens.")
            raise refused("clubs/address", message % {"slug": self.slug or name})
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
    _check_account(user)
    plan = plan.checked()
    with transaction.atomic():
        _lock_person(user)
        owned = MemberRow.objects.filter(user=user, role=Role.OWNER).count()
        if owned >= MOST_OWNED:
            message = _("You own %(count)d clubs already, which is the most that one may.")
            raise refused("clubs/too-many", message % {"count": owned})
        _check_room_for(user)
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
        row = _locked(club)
        _check_role(row, by, {Role.OWNER})
        return _save(row, plan)


def _save(club: ClubRow, plan: Plan) -> ClubRow:
    club.name, club.slug, club.description = plan.name, plan.slug, plan.description
    club.entry, club.is_public = plan.entry, plan.is_public
    try:
        with transaction.atomic():
            club.save()
    except IntegrityError:
        message = _("There is a club called %(name)r, or with the address %(slug)r, already.")
        told = {"name": plan.name, "slug": plan.slug}
        raise refused("clubs/taken", message % told) from None
    return club


def close(club: ClubRow, by: User) -> None:
    """Close a club for good; its matches stay, and private ones stay for their players.

    Raises:
        InputError: only its owner may.
    """
    with transaction.atomic():
        row = _locked(club)
        _check_role(row, by, {Role.OWNER})
        guarded = _guarded_matches(row)
        row.delete()
    _look_again(guarded)


# How people come.


def join(club: ClubRow, user: User) -> MemberRow:
    """Become a member of an open club, or of one to which one is invited by name.

    Raises:
        InputError: the club is not open to this person, or full.
    """
    with transaction.atomic():
        row = _locked(club)
        is_invited = row.at_door.filter(user=user).exclude(by=None).exists()
        if row.entry != Entry.OPEN and not is_invited:
            raise refused("clubs/not-open", _("One cannot simply join this club."))
        return _let_in(row, user)


def ask(club: ClubRow, user: User, words: str = "") -> None:
    """Ask to be let in; whoever is invited already becomes a member at once.

    Raises:
        InputError: nobody can ask this club, or too many wait.
    """
    _check_account(user)
    with transaction.atomic():
        row = _locked(club)
        _check_stranger(row, user)
        waits = row.at_door.filter(user=user).first()
        if waits is not None and waits.by_id is not None:
            _let_in(row, user)
            return
        if row.entry != Entry.REQUEST:
            raise refused("clubs/not-open", _("This club lets nobody in by request."))
        if waits is not None:
            return
        _check_door(row)
        cleaned = clean_line(words)[:LONGEST_WORDS]
        row.at_door.create(user=user, words=cleaned, at=now())


def invite(club: ClubRow, by: User, guest: User) -> DoorRow | None:
    """Invite somebody by name; who has asked to be let in is a member at once.

    Raises:
        InputError: only those who lead the club may, or the person is a member, a guest, or blocked
            either way.
    """
    door = _invite(club, by, guest)
    if door is not None:
        tell(
            guest,
            Kind.INVITED,
            key=f"club {club.pk} {door.pk}",
            by=by,
            path=f"/clubs/{club.slug}/",
            club=club.name,
        )
    return door


def _invite(club: ClubRow, by: User, guest: User) -> DoorRow | None:
    with transaction.atomic():
        row = _locked(club)
        _check_role(row, by, {Role.OWNER, Role.OFFICER})
        if guest.is_guest or guest.is_computer:
            message = _("%(name)s has no account, and cannot be a member.")
            raise refused("clubs/account", message % {"name": guest.name})
        if is_blocked(by, guest):
            message = _("you cannot invite %(name)s")
            raise refused("community/not-together", message % {"name": guest.name})
        _check_stranger(row, guest)
        waits = row.at_door.filter(user=guest).first()
        if waits is not None and waits.by_id is None:
            _let_in(row, guest)
            return None
        if waits is not None:
            return waits
        _check_door(row)
        return row.at_door.create(user=guest, by=by, at=now())


def let_in(club: ClubRow, by: User, guest: User) -> MemberRow:
    """Let in somebody who has asked.

    Raises:
        InputError: only those who lead the club may, or nobody has asked, or the club is full.
    """
    with transaction.atomic():
        row = _locked(club)
        _check_role(row, by, {Role.OWNER, Role.OFFICER})
        if not row.at_door.filter(user=guest, by=None).exists():
            message = _("%(name)s does not ask to be let in.")
            raise refused("clubs/not-at-door", message % {"name": guest.name})
        return _let_in(row, guest)


def send_away(club: ClubRow, by: User, guest: User) -> None:
    """Take back an invitation, decline it, or send away somebody who asks; also oneself.

    Raises:
        InputError: only those who lead the club may, or the person in question.
    """
    with transaction.atomic():
        row = _locked(club)
        if by.pk != guest.pk:
            _check_role(row, by, {Role.OWNER, Role.OFFICER})
        row.at_door.filter(user=guest).delete()


def _let_in(row: ClubRow, user: User) -> MemberRow:
    """Make somebody a member of a club that is locked."""
    _check_account(user)
    _check_stranger(row, user)
    _lock_person(user)
    _check_room_for(user)
    count = row.members.count()
    if count >= MOST_MEMBERS:
        message = _("This club is full: it has %(count)d members.")
        raise refused("clubs/full", message % {"count": count})
    row.at_door.filter(user=user).delete()
    return row.members.create(user=user, since=now())


# Links.


def make_link(
    club: ClubRow, by: User, *, hours: int | None = None, uses: int | None = None
) -> LinkRow:
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
        row = _locked(club)
        _check_role(row, by, {Role.OWNER, Role.OFFICER})
        row.links.filter(Q(expires_at__lte=now()) | Q(uses_left=0)).delete()
        count = row.links.count()
        if count >= MOST_LINKS:
            message = _("There are %(count)d links already; revoke one of them first.")
            raise refused("clubs/too-many", message % {"count": count})
        until = None if hours is None else now() + hours * _HOUR
        return row.links.create(by=by, made_at=now(), expires_at=until, uses_left=uses)


def use_link(token: str, user: User) -> ClubRow:
    """Become a member by a link.

    Raises:
        LinkRow.DoesNotExist: there is no such link any more.
        InputError: the person cannot become a member.
    """
    _check_account(user)
    with transaction.atomic():
        club = _locked(good_link(token).club)
        link = good_link(token)
        _let_in(club, user)
        if link.uses_left is not None:
            LinkRow.objects.filter(pk=link.pk).update(uses_left=F("uses_left") - 1)
    return club


def good_link(token: str) -> LinkRow:
    """Return a link that is good now.

    Raises:
        LinkRow.DoesNotExist: there is none.
    """
    is_good = Q(expires_at=None) | Q(expires_at__gt=now())
    return LinkRow.objects.select_related("club").exclude(uses_left=0).get(is_good, token=token)


def revoke_link(club: ClubRow, by: User, token: str) -> None:
    """Make a link good no more.

    Raises:
        InputError: only those who lead the club may.
    """
    with transaction.atomic():
        row = _locked(club)
        _check_role(row, by, {Role.OWNER, Role.OFFICER})
        row.links.filter(token=token).delete()


# Those who are in.


def leave(club: ClubRow, user: User) -> None:
    """Leave a club; its owner hands it over first, or closes it.

    Raises:
        InputError: the user is no member, or owns it.
    """
    with transaction.atomic():
        row = _locked(club)
        if _role(row, user) is Role.OWNER:
            raise refused("clubs/owner", _("Hand the club over to somebody, or close it, first."))
        _take_out(row, user)
        guarded = _guarded_matches(row)
    _look_again(guarded)


def remove(club: ClubRow, by: User, member: User) -> None:
    """Remove somebody; officers remove members, the owner removes anybody else.

    Raises:
        InputError: one may not, or there is no such member.
    """
    with transaction.atomic():
        row = _locked(club)
        allowed = {Role.OWNER} if _role(row, member).leads else {Role.OWNER, Role.OFFICER}
        _check_role(row, by, allowed)
        if by.pk == member.pk:
            raise refused("clubs/owner", _("Hand the club over to somebody, or close it, first."))
        _take_out(row, member)
        guarded = _guarded_matches(row)
    _look_again(guarded)


def set_officer(club: ClubRow, by: User, member: User, *, is_officer: bool) -> None:
    """Make a member an officer, or an officer a member.

    Raises:
        InputError: only the owner may, or there is no such member, or it is the owner.
    """
    with transaction.atomic():
        row = _locked(club)
        _check_role(row, by, {Role.OWNER})
        if _role(row, member) is Role.OWNER:
            raise refused("clubs/owner", _("Hand the club over to somebody, or close it, first."))
        role = Role.OFFICER if is_officer else Role.MEMBER
        row.members.filter(user=member).update(role=role)


def hand_over(club: ClubRow, by: User, member: User) -> None:
    """Let another member own the club; the owner stays as an officer.

    Raises:
        InputError: only the owner may, or there is no such member, or they own too many.
    """
    with transaction.atomic():
        row = _locked(club)
        _check_role(row, by, {Role.OWNER})
        _role(row, member)
        if MemberRow.objects.filter(user=member, role=Role.OWNER).count() >= MOST_OWNED:
            message = _("%(name)s owns as many clubs as one may already.")
            raise refused("clubs/too-many", message % {"name": member.name})
        row.members.filter(user=by).update(role=Role.OFFICER)
        row.members.filter(user=member).update(role=Role.OWNER)


def check_leads(club: ClubRow, by: User) -> None:
    """Refuse what only those may do who lead the club.

    Raises:
        InputError: somebody is neither its owner nor an officer.
    """
    _check_role(club, by, {Role.OWNER, Role.OFFICER})


def check_name(club: ClubRow, name: str) -> None:
    """Refuse to close a club by mistake: whoever closes it writes its name.

    Raises:
        InputError: this is another name.
    """
    if name.strip() != club.name:
        message = _("To close the club, write its name as it is: %(club)s.")
        raise refused("clubs/confirm", message % {"club": club.name})


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
    _role(row, user)
    row.members.filter(user=user).delete()
    ChallengeRow.objects.filter(club=row, by=user, match=None).delete()


def _guarded_matches(row: ClubRow) -> list[str]:
    going_on = MatchRow.objects.filter(club=row, is_private=True, ended_at=None)
    return list(going_on.values_list("slug", flat=True))


def _look_again(slugs: list[str]) -> None:
    """Let sockets of matches look again who may watch."""
    for slug in slugs:
        wake.tell(group_of(slug), {"type": "match.guarded"})


# What is asked before.


def role_in(club: ClubRow, user: User | None) -> Role | None:
    """Return what somebody is in a club, or ``None`` for strangers."""
    row = None if user is None else club.members.filter(user=user).first()
    return None if row is None else Role(row.role)


def _locked(club: ClubRow) -> ClubRow:
    row = ClubRow.objects.select_for_update().filter(pk=club.pk).first()
    if row is None:
        raise refused("clubs/closed", _("This club was closed."))
    return row


def _lock_person(user: User) -> None:
    """Let nobody else count the clubs of a person meanwhile."""
    User.objects.select_for_update().get(pk=user.pk)


def _role(row: ClubRow, user: User) -> Role:
    role = role_in(row, user)
    if role is None:
        raise refused("clubs/not-member", _("%(name)s is no member.") % {"name": user.name})
    return role


def _check_role(row: ClubRow, by: User, allowed: set[Role]) -> None:
    if role_in(row, by) not in allowed:
        raise refused("clubs/not-allowed", _("Only those who lead the club may do that."))


def _check_account(user: User) -> None:
    if user.is_guest or user.is_computer:
        raise refused("clubs/account", _("Clubs are for people with an account; sign up first."))


def _check_stranger(row: ClubRow, user: User) -> None:
    if role_in(row, user) is not None:
        raise refused("clubs/member", _("%(name)s is a member already.") % {"name": user.name})


def _check_door(row: ClubRow) -> None:
    count = row.at_door.count()
    if count >= MOST_AT_DOOR:
        message = _("%(count)d people wait at the door of this club already.")
        raise refused("clubs/too-many", message % {"count": count})


def _check_room_for(user: User) -> None:
    count = MemberRow.objects.filter(user=user).count()
    if count >= MOST_JOINED:
        message = ngettext(
            "%(name)s is in %(count)d club already, which is the most that one may.",
            "%(name)s is in %(count)d clubs already, which is the most that one may.",
            count,
        )
        raise refused("clubs/too-many", message % {"name": user.name, "count": count})
