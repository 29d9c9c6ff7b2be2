"""Clubs: founded, changed and closed; who comes in, who leads, who goes.

They share the router of the other operations with clubs, since they share addresses with them.
"""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from ninja import Path, Query, Status

from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.accounts.models import User
from antipodes.web.api.auth import caller
from antipodes.web.api.endpoints.clubs import ClubSlug, club_shape, find_club, router
from antipodes.web.api.endpoints.people import PersonName, find_person
from antipodes.web.api.operations import operation, to_readers
from antipodes.web.api.schemas.clubs import (
    AskWanted,
    ClubChange,
    ClubWanted,
    DoorShape,
    LinkShape,
    LinkWanted,
    RoleWanted,
)
from antipodes.web.api.schemas.community import ClubShape, MemberShape
from antipodes.web.api.schemas.people import person_shape
from antipodes.web.clubs import membership, permissions, services
from antipodes.web.clubs.models import ClubRow, Entry, InviteLinkRow, PendingMemberRow
from antipodes.web.clubs.selectors import good_links

LinkToken = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,32}$", description="of the link")]


def _known(request: HttpRequest, slug: str) -> tuple[ClubRow, User]:
    """Return a club that whoever asks may see, and who that is."""
    user = caller(request).person
    return find_club(slug, user), user


def _done() -> HttpResponse:
    return HttpResponse(status=204)


@operation(router, "POST", "/clubs", Scope.CLUBS, ClubShape, status=201, errors=(409,))
def found_club(request: HttpRequest, wanted: ClubWanted) -> Status[ClubShape]:
    """Found a club, which one owns then."""
    user = caller(request).person
    plan = services.Plan(
        name=wanted.name,
        slug=wanted.slug,
        description=wanted.description,
        entry=Entry(wanted.entry),
        is_public=wanted.public,
    )
    return Status(201, club_shape(services.found(user, plan), user))


@operation(
    router, "PATCH", "/clubs/{slug}", Scope.CLUBS, ClubShape, errors=(404, 409), tells_own=True
)
def change_club(
    request: HttpRequest, slug: ClubSlug, wanted: ClubChange
) -> ClubShape | HttpResponse:
    """Change what one's club is; what is left out stays."""
    club, user = _known(request, slug)
    plan = services.Plan(
        name=club.name if wanted.name is None else wanted.name,
        slug=club.slug if wanted.slug is None else wanted.slug,
        description=club.description if wanted.description is None else wanted.description,
        entry=Entry(wanted.entry or club.entry),
        is_public=club.is_public if wanted.public is None else wanted.public,
    )
    changed = services.change(club, user, plan)
    return to_readers(request, lambda: club_shape(changed, user))


@operation(router, "DELETE", "/clubs/{slug}", Scope.CLUBS, None, status=204, errors=(404, 409))
def close_club(
    request: HttpRequest,
    slug: ClubSlug,
    name: Annotated[str, Query(max_length=200, description="its name as it is, to be sure")],
) -> HttpResponse:
    """Close one's club for good; its matches stay."""
    club, user = _known(request, slug)
    permissions.check_leads(club, user)
    permissions.check_name(club, name)
    services.close(club, user)
    return _done()


# At the door.


@operation(router, "GET", "/clubs/{slug}/door", Scope.READ, list[DoorShape], errors=(404,))
def list_door(request: HttpRequest, slug: ClubSlug) -> list[DoorShape]:
    """List who asks to be let in and who is invited, to those who lead the club."""
    club, user = _known(request, slug)
    permissions.check_leads(club, user)
    return [_waiting(row) for row in club.at_door.select_related("user", "by")]


def _waiting(row: PendingMemberRow) -> DoorShape:
    return DoorShape(
        person=person_shape(row.user),
        words=row.words,
        invited_by=None if row.by is None else person_shape(row.by),
        at=row.at,
    )


@operation(
    router, "PUT", "/clubs/{slug}/door", Scope.CLUBS, ClubShape, errors=(404, 409), tells_own=True
)
def ask_club(request: HttpRequest, slug: ClubSlug, wanted: AskWanted) -> ClubShape | HttpResponse:
    """Ask to be let in; whoever is invited already is a member at once."""
    club, user = _known(request, slug)
    membership.ask(club, user, wanted.words)
    return to_readers(request, lambda: club_shape(club, user))


@operation(router, "DELETE", "/clubs/{slug}/door", Scope.CLUBS, None, status=204, errors=(404, 409))
def decline_club(request: HttpRequest, slug: ClubSlug) -> HttpResponse:
    """Decline an invitation to a club, or no longer ask to be let in."""
    club, user = _known(request, slug)
    membership.send_away(club, user, user)
    return _done()


@operation(
    router,
    "PUT",
    "/clubs/{slug}/door/{name}",
    Scope.CLUBS,
    ClubShape,
    errors=(404, 409),
    tells_own=True,
)
def invite_to_club(
    request: HttpRequest, slug: ClubSlug, name: PersonName
) -> ClubShape | HttpResponse:
    """Invite somebody by name; whoever has asked to be let in is a member at once."""
    club, user = _known(request, slug)
    permissions.check_leads(club, user)
    membership.invite(club, user, find_person(name))
    return to_readers(request, lambda: club_shape(club, user))


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
    """Take an invitation back, or send away somebody who asks to be let in."""
    club, user = _known(request, slug)
    permissions.check_leads(club, user)
    membership.send_away(club, user, find_person(name))
    return _done()


# Members.


@operation(
    router,
    "PUT",
    "/clubs/{slug}/members/{name}",
    Scope.CLUBS,
    MemberShape,
    errors=(404, 409),
    tells_own=True,
)
def let_into_club(
    request: HttpRequest, slug: ClubSlug, name: PersonName
) -> MemberShape | HttpResponse:
    """Let in somebody who asks."""
    club, user = _known(request, slug)
    permissions.check_leads(club, user)
    guest = find_person(name)
    membership.let_in(club, user, guest)
    return to_readers(request, lambda: _member(club, guest))


@operation(
    router,
    "PATCH",
    "/clubs/{slug}/members/{name}",
    Scope.CLUBS,
    MemberShape,
    errors=(404, 409),
    tells_own=True,
)
def change_member(
    request: HttpRequest, slug: ClubSlug, name: PersonName, wanted: RoleWanted
) -> MemberShape | HttpResponse:
    """Make a member an officer, or an officer a member, or hand one's club over."""
    club, user = _known(request, slug)
    permissions.check_leads(club, user)
    member = find_person(name)
    if wanted.role == "owner":
        services.hand_over(club, user, member)
    else:
        services.set_officer(club, user, member, is_officer=wanted.role == "officer")
    return to_readers(request, lambda: _member(club, member))


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
    """Remove a member; officers remove members, the owner removes officers, too."""
    club, user = _known(request, slug)
    permissions.check_leads(club, user)
    services.remove(club, user, find_person(name))
    return _done()


def _member(club: ClubRow, user: User) -> MemberShape:
    row = club.members.get(user=user)
    return MemberShape(person=person_shape(user), role=row.role, since=row.since)


# Links.


@operation(router, "GET", "/clubs/{slug}/links", Scope.READ, list[LinkShape], errors=(404,))
def list_club_links(request: HttpRequest, slug: ClubSlug) -> list[LinkShape]:
    """List the links that are good now, to those who lead the club."""
    club, user = _known(request, slug)
    permissions.check_leads(club, user)
    return [_link(row) for row in good_links(club)]


def _link(row: InviteLinkRow) -> LinkShape:
    return LinkShape(
        token=row.token,
        path=reverse("club-link", args=[row.token]),
        by=person_shape(row.by),
        made=row.made_at,
        expires=row.expires_at,
        uses_left=row.uses_left,
    )


@operation(
    router, "POST", "/clubs/{slug}/links", Scope.CLUBS, LinkShape, status=201, errors=(404, 409)
)
def make_club_link(request: HttpRequest, slug: ClubSlug, wanted: LinkWanted) -> Status[LinkShape]:
    """Make a link by which people become members."""
    club, user = _known(request, slug)
    row = membership.make_link(club, user, hours=wanted.hours, uses=wanted.uses)
    return Status(201, _link(row))


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
    """Make a link good no more."""
    club, user = _known(request, slug)
    membership.revoke_link(club, user, token)
    return _done()


@operation(
    router, "POST", "/club-links/{token}", Scope.CLUBS, ClubShape, errors=(404, 409), tells_own=True
)
def use_club_link(request: HttpRequest, token: LinkToken) -> ClubShape | HttpResponse:
    """Become a member by a link."""
    user = caller(request).person
    club = membership.use_link(token, user)
    return to_readers(request, lambda: club_shape(club, user))
