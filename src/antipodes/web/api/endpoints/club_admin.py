"""Operations of club leaders: clubs, pending members, roles and invitation links.

They share a router with the other operations on clubs, whose addresses they share.
"""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from ninja import Path, Query, Status

from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.accounts.models import User
from antipodes.web.api.auth import caller
from antipodes.web.api.endpoints.clubs import ClubSlug, club_out, find_club, member_out, router
from antipodes.web.api.endpoints.people import PersonName, find_person
from antipodes.web.api.operations import operation, private_response
from antipodes.web.api.schemas.clubs import (
    ClubIn,
    ClubOut,
    ClubPatch,
    InviteLinkIn,
    InviteLinkOut,
    MemberOut,
    MembershipRequestIn,
    PendingMemberOut,
    RoleIn,
)
from antipodes.web.api.schemas.people import person_out
from antipodes.web.clubs import membership, permissions, services
from antipodes.web.clubs.models import ClubRow, Entry, InviteLinkRow, PendingMemberRow
from antipodes.web.clubs.selectors import valid_links

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


def _no_content() -> HttpResponse:
    return HttpResponse(status=204)


@operation(router, "POST", "/clubs", Scope.CLUBS, ClubOut, status=201, errors=(409,))
def found_club(request: HttpRequest, data: ClubIn) -> Status[ClubOut]:
    """Found a club; you become its owner."""
    user = caller(request).account
    plan = services.ClubDetails(
        name=data.name,
        slug=data.slug,
        description=data.description,
        entry=Entry(data.entry),
        is_public=data.public,
    )
    return Status(201, club_out(services.create_club(user, plan), user))


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
        entry=Entry(data.entry or club.entry),
        is_public=club.is_public if data.public is None else data.public,
    )
    changed = services.update_club(club, user, plan)
    return private_response(request, lambda: club_out(changed, user))


@operation(router, "DELETE", "/clubs/{slug}", Scope.CLUBS, None, status=204, errors=(404, 409))
def close_club(
    request: HttpRequest,
    slug: ClubSlug,
    name: Annotated[str, Query(max_length=200, description="its exact name, as confirmation")],
) -> HttpResponse:
    """Close your club for good; its matches remain."""
    club, user = _club_and_leader(request, slug)
    permissions.check_name(club, name)
    services.close(club, user)
    return _no_content()


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


@operation(router, "DELETE", "/clubs/{slug}/door", Scope.CLUBS, None, status=204, errors=(404, 409))
def decline_club(request: HttpRequest, slug: ClubSlug) -> HttpResponse:
    """Decline an invitation to a club, or withdraw your request."""
    club, user = _club_and_user(request, slug)
    membership.remove_pending(club, user, user)
    return _no_content()


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


@operation(
    router,
    "DELETE",
    "/clubs/{slug}/door/{name}",
    Scope.CLUBS,
    None,
    status=204,
    errors=(404, 409),
)
def send_from_door(request: HttpRequest, slug: ClubSlug, name: PersonName) -> HttpResponse:
    """Withdraw an invitation, or decline a membership request."""
    club, user = _club_and_leader(request, slug)
    membership.remove_pending(club, user, find_person(name))
    return _no_content()


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
    if data.role == "owner":
        services.transfer_ownership(club, user, member)
    else:
        services.set_officer(club, user, member, is_officer=data.role == "officer")
    return private_response(request, lambda: member_out(club.members.get(user=member)))


@operation(
    router,
    "DELETE",
    "/clubs/{slug}/members/{name}",
    Scope.CLUBS,
    None,
    status=204,
    errors=(404, 409),
)
def remove_member(request: HttpRequest, slug: ClubSlug, name: PersonName) -> HttpResponse:
    """Remove a member; only the owner may remove officers."""
    club, user = _club_and_leader(request, slug)
    services.remove(club, user, find_person(name))
    return _no_content()


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
def make_club_link(
    request: HttpRequest, slug: ClubSlug, data: InviteLinkIn
) -> Status[InviteLinkOut]:
    """Make an invitation link."""
    club, user = _club_and_user(request, slug)
    row = membership.make_link(club, user, hours=data.hours, uses=data.uses)
    return Status(201, _link_out(row))


@operation(
    router,
    "DELETE",
    "/clubs/{slug}/links/{token}",
    Scope.CLUBS,
    None,
    status=204,
    errors=(404, 409),
)
def revoke_club_link(request: HttpRequest, slug: ClubSlug, token: LinkToken) -> HttpResponse:
    """Revoke an invitation link."""
    club, user = _club_and_user(request, slug)
    membership.revoke_link(club, user, token)
    return _no_content()


@operation(
    router, "POST", "/club-links/{token}", Scope.CLUBS, ClubOut, errors=(404, 409), is_private=True
)
def use_club_link(request: HttpRequest, token: LinkToken) -> ClubOut | HttpResponse:
    """Join a club by an invitation link."""
    user = caller(request).account
    club = membership.use_link(token, user)
    return private_response(request, lambda: club_out(club, user))
