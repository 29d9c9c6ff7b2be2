"""Operations on clubs, for all members and for owners and officers."""

from __future__ import annotations

from typing import Annotated, Literal

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from ninja import Path, Query, Router
from pydantic import Field

from antipodes.notation.text import shorten
from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.accounts.models import User
from antipodes.web.api.auth import caller, no_token_error
from antipodes.web.api.endpoints.people import PersonName, find_person
from antipodes.web.api.operations import PUBLIC, operation, private_response
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.people import PersonOut, person_out
from antipodes.web.clubs import membership, permissions, services
from antipodes.web.clubs.models import (
    ClubRow,
    Entry,
    InviteLinkRow,
    MemberRow,
    PendingMemberRow,
    Role,
)
from antipodes.web.clubs.selectors import clubs_of, valid_links, visible_clubs
from antipodes.web.platform.schemas import (
    ByValue,
    Milliseconds,
    RequestSchema,
    ResponseSchema,
    Whole,
)

_Name = Annotated[str, Field(max_length=200, description="name of the club")]
_Address = Annotated[
    str, Field(max_length=60, description="slug in its address; made from the name if empty")
]
_Description = Annotated[str, Field(max_length=4_000, description="plain text")]
_Public = Annotated[bool, Field(description="whether everyone may see it, or members only")]


class ClubOut(ResponseSchema):
    """A club."""

    slug: str
    name: str
    description: str
    entry: Entry
    public: bool
    members: Whole
    role: Role | None = Field(description="your role, if you are a member")
    pending: Literal["asked", "invited"] | None = Field(
        alias="door", description="whether you have requested membership or are invited by name"
    )


class MemberOut(ResponseSchema):
    """A member of a club."""

    person: PersonOut
    role: Role
    since: Milliseconds


class ClubIn(RequestSchema):
    """A new club."""

    name: _Name
    slug: _Address = ""
    description: _Description = ""
    entry: ByValue[Entry] = Entry.OPEN
    public: _Public = True


class ClubPatch(RequestSchema):
    """Changes of a club; omitted fields do not change."""

    name: _Name | None = None
    slug: _Address | None = None
    description: _Description | None = None
    entry: ByValue[Entry] | None = None
    public: _Public | None = None


class MembershipRequestIn(RequestSchema):
    """The message of a membership request."""

    words: Annotated[str, Field(max_length=300)] = ""


class PendingMemberOut(ResponseSchema):
    """A player who has requested membership or is invited by name."""

    person: PersonOut
    words: str
    invited_by: PersonOut | None = Field(description="null for a request")
    at: Milliseconds


class RoleIn(RequestSchema):
    """The new role of a member; a new owner replaces the old one."""

    role: ByValue[Role]


class InviteLinkIn(RequestSchema):
    """How long a new invitation link works, and how often."""

    hours: Annotated[int, Field(ge=1, le=8_760, description="null: no limit")] | None = 168
    uses: Annotated[int, Field(ge=1, le=1_000, description="null: no limit")] | None = None


class InviteLinkOut(ResponseSchema):
    """An invitation link."""

    token: str
    path: str = Field(description="the page that invited players open")
    by: PersonOut
    made: Milliseconds
    expires: Milliseconds | None
    uses_left: Whole | None


router = Router(tags=["clubs"])

ClubSlug = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,40}$", description="of the club")]

_MAX_CLUBS = 100
_MAX_MEMBERS = 500


def find_club(slug: str, user: User | None) -> ClubRow:
    """Return a club that a user may see.

    Raises:
        ApiError: there is none, or it is private to others.
    """
    row = ClubRow.objects.filter(visible_clubs(user), slug=slug).first()
    if row is None:
        raise not_found(_("There is no club %(slug)s.") % {"slug": shorten(slug)})
    return row


def club_out(row: ClubRow, user: User | None, size: int | None = None) -> ClubOut:
    """Return a club as response data for a user."""
    role = permissions.role_in(row, user)
    return ClubOut(
        slug=row.slug,
        name=row.name,
        description=row.description,
        entry=Entry(row.entry),
        public=row.is_public,
        members=row.members.count() if size is None else size,
        role=role,
        door=_pending(row, user) if role is None and user is not None else None,
    )


def _pending(row: ClubRow, user: User) -> Literal["asked", "invited"] | None:
    pending = row.pending_members.filter(user=user).first()
    if pending is None:
        return None
    return "asked" if pending.by_id is None else "invited"


def member_out(row: MemberRow) -> MemberOut:
    """Return a member as response data."""
    return MemberOut(person=person_out(row.user), role=Role(row.role), since=row.since)


@operation(router, "GET", "/clubs", PUBLIC, list[ClubOut])
def list_clubs(
    request: HttpRequest,
    mine: bool = False,
    words: Annotated[str, Query(max_length=60, description="part of the name")] = "",
) -> list[ClubOut]:
    """List clubs that you may see, or only yours, the largest first."""
    viewer = caller(request).viewer
    if not mine:
        rows = ClubRow.objects.filter(visible_clubs(viewer))
    elif viewer is None:
        raise no_token_error()
    else:
        rows = clubs_of(viewer)
    if cleaned := words.replace("\0", "").strip():
        rows = rows.filter(name__icontains=cleaned)
    counted = rows.annotate(size=Count("members"))
    largest = counted.order_by("-size", "name")[:_MAX_CLUBS]
    return [club_out(row, viewer, row.size) for row in largest]


@operation(router, "GET", "/clubs/{slug}", PUBLIC, ClubOut, errors=(404,))
def get_club(request: HttpRequest, slug: ClubSlug) -> ClubOut:
    """Return a club."""
    viewer = caller(request).viewer
    return club_out(find_club(slug, viewer), viewer)


@operation(router, "GET", "/clubs/{slug}/members", PUBLIC, list[MemberOut], errors=(404,))
def list_members(request: HttpRequest, slug: ClubSlug) -> list[MemberOut]:
    """List the members of a club, the earliest first."""
    club = find_club(slug, caller(request).viewer)
    return [member_out(row) for row in club.members.select_related("user")[:_MAX_MEMBERS]]


@operation(
    router,
    "PUT",
    "/clubs/{slug}/membership",
    Scope.CLUBS,
    ClubOut,
    errors=(404, 409),
    is_private=True,
)
def join_club(request: HttpRequest, slug: ClubSlug) -> ClubOut | HttpResponse:
    """Join an open club, or accept an invitation to a club."""
    user = caller(request).account
    club = find_club(slug, user)
    membership.join(club, user)
    return private_response(request, lambda: club_out(club, user))


@operation(
    router,
    "DELETE",
    "/clubs/{slug}/membership",
    Scope.CLUBS,
    ClubOut,
    errors=(404, 409),
    is_private=True,
)
def leave_club(request: HttpRequest, slug: ClubSlug) -> ClubOut | HttpResponse:
    """Leave a club; its owner must make another member the owner first."""
    user = caller(request).account
    club = find_club(slug, user)
    services.leave(club, user)
    return private_response(request, lambda: club_out(club, user))


LinkToken = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,32}$", description="of the link")]


def _club_and_user(request: HttpRequest, slug: str) -> tuple[ClubRow, User]:
    """Return a club that the caller may see, and the caller."""
    user = caller(request).account
    return find_club(slug, user), user


def _club_and_leader(request: HttpRequest, slug: str) -> tuple[ClubRow, User]:
    """Return a club that the caller leads, and the caller.

    Raises:
        MatchError: the caller does not lead the club.
    """
    club, user = _club_and_user(request, slug)
    permissions.check_leads(club, user)
    return club, user


@operation(router, "POST", "/clubs", Scope.CLUBS, ClubOut, status=201, errors=(409,))
def found_club(request: HttpRequest, data: ClubIn) -> ClubOut:
    """Found a club; you become its owner."""
    user = caller(request).account
    plan = services.ClubDetails(
        name=data.name,
        slug=data.slug,
        description=data.description,
        entry=data.entry,
        is_public=data.public,
    )
    return club_out(services.create_club(user, plan), user)


@operation(
    router, "PATCH", "/clubs/{slug}", Scope.CLUBS, ClubOut, errors=(404, 409), is_private=True
)
def change_club(request: HttpRequest, slug: ClubSlug, data: ClubPatch) -> ClubOut | HttpResponse:
    """Change your club; omitted fields do not change."""
    club, user = _club_and_user(request, slug)
    plan = services.ClubDetails(
        name=club.name if data.name is None else data.name,
        slug=club.slug if data.slug is None else data.slug,
        description=club.description if data.description is None else data.description,
        entry=data.entry or Entry(club.entry),
        is_public=club.is_public if data.public is None else data.public,
    )
    changed = services.update_club(club, user, plan)
    return private_response(request, lambda: club_out(changed, user))


@operation(router, "DELETE", "/clubs/{slug}", Scope.CLUBS, None, errors=(404, 409))
def close_club(
    request: HttpRequest,
    slug: ClubSlug,
    name: Annotated[str, Query(max_length=200, description="its exact name, as confirmation")],
) -> None:
    """Close your club for good; its matches remain."""
    club, user = _club_and_leader(request, slug)
    permissions.check_name(club, name)
    services.close(club, user)


# Pending members.


@operation(router, "GET", "/clubs/{slug}/door", Scope.READ, list[PendingMemberOut], errors=(404,))
def list_door(request: HttpRequest, slug: ClubSlug) -> list[PendingMemberOut]:
    """List membership requests and invitations, for leaders of the club."""
    club, _user = _club_and_leader(request, slug)
    return [_pending_member_out(row) for row in club.pending_members.select_related("user", "by")]


def _pending_member_out(row: PendingMemberRow) -> PendingMemberOut:
    return PendingMemberOut(
        person=person_out(row.user),
        words=row.message,
        invited_by=None if row.by is None else person_out(row.by),
        at=row.at,
    )


@operation(
    router, "PUT", "/clubs/{slug}/door", Scope.CLUBS, ClubOut, errors=(404, 409), is_private=True
)
def ask_club(
    request: HttpRequest, slug: ClubSlug, data: MembershipRequestIn
) -> ClubOut | HttpResponse:
    """Request membership; if you are invited already, you become a member at once."""
    club, user = _club_and_user(request, slug)
    membership.ask(club, user, data.words)
    return private_response(request, lambda: club_out(club, user))


@operation(router, "DELETE", "/clubs/{slug}/door", Scope.CLUBS, None, errors=(404, 409))
def decline_club(request: HttpRequest, slug: ClubSlug) -> None:
    """Decline an invitation to a club, or withdraw your request."""
    club, user = _club_and_user(request, slug)
    membership.remove_pending(club, user, user)


@operation(
    router,
    "PUT",
    "/clubs/{slug}/door/{name}",
    Scope.CLUBS,
    ClubOut,
    errors=(404, 409),
    is_private=True,
)
def invite_to_club(
    request: HttpRequest, slug: ClubSlug, name: PersonName
) -> ClubOut | HttpResponse:
    """Invite a player by name; with a pending request they become a member at once."""
    club, user = _club_and_leader(request, slug)
    membership.invite(club, user, find_person(name))
    return private_response(request, lambda: club_out(club, user))


@operation(router, "DELETE", "/clubs/{slug}/door/{name}", Scope.CLUBS, None, errors=(404, 409))
def send_from_door(request: HttpRequest, slug: ClubSlug, name: PersonName) -> None:
    """Withdraw an invitation, or decline a membership request."""
    club, user = _club_and_leader(request, slug)
    membership.remove_pending(club, user, find_person(name))


# Members.


@operation(
    router,
    "PUT",
    "/clubs/{slug}/members/{name}",
    Scope.CLUBS,
    MemberOut,
    errors=(404, 409),
    is_private=True,
)
def let_into_club(
    request: HttpRequest, slug: ClubSlug, name: PersonName
) -> MemberOut | HttpResponse:
    """Accept a membership request."""
    club, user = _club_and_leader(request, slug)
    player = find_person(name)
    membership.accept_request(club, user, player)
    return private_response(request, lambda: member_out(club.members.get(user=player)))


@operation(
    router,
    "PATCH",
    "/clubs/{slug}/members/{name}",
    Scope.CLUBS,
    MemberOut,
    errors=(404, 409),
    is_private=True,
)
def change_member(
    request: HttpRequest, slug: ClubSlug, name: PersonName, data: RoleIn
) -> MemberOut | HttpResponse:
    """Change the role of a member, or make them the owner of your club."""
    club, user = _club_and_leader(request, slug)
    member = find_person(name)
    if data.role is Role.OWNER:
        services.transfer_ownership(club, user, member)
    else:
        services.set_officer(club, user, member, is_officer=data.role is Role.OFFICER)
    return private_response(request, lambda: member_out(club.members.get(user=member)))


@operation(router, "DELETE", "/clubs/{slug}/members/{name}", Scope.CLUBS, None, errors=(404, 409))
def remove_member(request: HttpRequest, slug: ClubSlug, name: PersonName) -> None:
    """Remove a member; only the owner may remove officers."""
    club, user = _club_and_leader(request, slug)
    services.remove(club, user, find_person(name))


# Invitation links.


@operation(router, "GET", "/clubs/{slug}/links", Scope.READ, list[InviteLinkOut], errors=(404,))
def list_club_links(request: HttpRequest, slug: ClubSlug) -> list[InviteLinkOut]:
    """List the valid invitation links, for leaders of the club."""
    club, _user = _club_and_leader(request, slug)
    return [_link_out(row) for row in valid_links(club)]


def _link_out(row: InviteLinkRow) -> InviteLinkOut:
    return InviteLinkOut(
        token=row.token,
        path=reverse("club-link", args=[row.token]),
        by=person_out(row.by),
        made=row.made_at,
        expires=row.expires_at,
        uses_left=row.uses_left,
    )


@operation(
    router, "POST", "/clubs/{slug}/links", Scope.CLUBS, InviteLinkOut, status=201, errors=(404, 409)
)
def make_club_link(request: HttpRequest, slug: ClubSlug, data: InviteLinkIn) -> InviteLinkOut:
    """Make an invitation link."""
    club, user = _club_and_user(request, slug)
    row = membership.make_link(club, user, hours=data.hours, uses=data.uses)
    return _link_out(row)


@operation(router, "DELETE", "/clubs/{slug}/links/{token}", Scope.CLUBS, None, errors=(404, 409))
def revoke_club_link(request: HttpRequest, slug: ClubSlug, token: LinkToken) -> None:
    """Revoke an invitation link."""
    club, user = _club_and_user(request, slug)
    membership.revoke_link(club, user, token)


@operation(
    router, "POST", "/club-links/{token}", Scope.CLUBS, ClubOut, errors=(404, 409), is_private=True
)
def use_club_link(request: HttpRequest, token: LinkToken) -> ClubOut | HttpResponse:
    """Join a club by an invitation link."""
    user = caller(request).account
    club = membership.use_link(token, user)
    return private_response(request, lambda: club_out(club, user))
