"""Operations on clubs and your membership."""

from __future__ import annotations

from typing import Annotated, Literal

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import Path, Query, Router

from antipodes.notation.text import shorten
from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.accounts.models import User
from antipodes.web.api.auth import caller, no_token_error
from antipodes.web.api.operations import PUBLIC, operation, private_response
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.clubs import ClubOut, MemberOut
from antipodes.web.api.schemas.people import person_out
from antipodes.web.clubs import membership, permissions, services
from antipodes.web.clubs.models import ClubRow, MemberRow
from antipodes.web.clubs.selectors import clubs_of, visible_clubs

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
        entry=row.entry,
        public=row.is_public,
        members=row.members.count() if size is None else size,
        role=None if role is None else role.value,
        door=_pending(row, user) if role is None and user is not None else None,
    )


def _pending(row: ClubRow, user: User) -> Literal["asked", "invited"] | None:
    pending = row.pending_members.filter(user=user).first()
    if pending is None:
        return None
    return "asked" if pending.by_id is None else "invited"


def member_out(row: MemberRow) -> MemberOut:
    """Return a member as response data."""
    return MemberOut(person=person_out(row.user), role=row.role, since=row.since)


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
