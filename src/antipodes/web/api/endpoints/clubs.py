"""Clubs: looked for, joined and left."""

from __future__ import annotations

from typing import Annotated, Literal

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import Path, Query, Router

from antipodes.notation.text import shorten
from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.accounts.models import User
from antipodes.web.api.auth import caller, no_token
from antipodes.web.api.operations import PUBLIC, operation, to_readers
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.community import ClubShape, MemberShape
from antipodes.web.api.schemas.people import person_shape
from antipodes.web.clubs import membership, permissions, services
from antipodes.web.clubs.models import ClubRow
from antipodes.web.clubs.selectors import visible_clubs

router = Router(tags=["clubs"])

ClubSlug = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,40}$", description="of the club")]

_MOST = 100


def find_club(slug: str, user: User | None) -> ClubRow:
    """Return a club that somebody may see.

    Raises:
        InterfaceError: there is none for them.
    """
    row = ClubRow.objects.filter(visible_clubs(user), slug=slug).first()
    if row is None:
        raise not_found(_("There is no club %(slug)s.") % {"slug": shorten(slug)})
    return row


def club_shape(row: ClubRow, user: User | None, size: int | None = None) -> ClubShape:
    """Return the shape of a club, as somebody sees it."""
    role = permissions.role_in(row, user)
    return ClubShape(
        slug=row.slug,
        name=row.name,
        description=row.description,
        entry=row.entry,
        public=row.is_public,
        members=row.members.count() if size is None else size,
        role=None if role is None else role.value,
        door=_door(row, user) if role is None and user is not None else None,
    )


def _door(row: ClubRow, user: User) -> Literal["asked", "invited"] | None:
    door = row.at_door.filter(user=user).first()
    if door is None:
        return None
    return "asked" if door.by_id is None else "invited"


@operation(router, "GET", "/clubs", PUBLIC, list[ClubShape])
def list_clubs(
    request: HttpRequest,
    mine: bool = False,
    words: Annotated[str, Query(max_length=60, description="that stand in the name")] = "",
) -> list[ClubShape]:
    """List clubs, the largest first: those that one may see, or one's own."""
    viewer = caller(request).viewer
    if mine and viewer is None:
        raise no_token()
    rows = ClubRow.objects.filter(visible_clubs(viewer))
    if mine:
        rows = ClubRow.objects.filter(members__user=viewer)
    if cleaned := words.replace("\0", "").strip():
        rows = rows.filter(name__icontains=cleaned)
    keys = list(rows.values_list("pk", flat=True).distinct())
    counted = ClubRow.objects.filter(pk__in=keys).annotate(size=Count("members"))
    return [club_shape(row, viewer, row.size) for row in counted.order_by("-size", "name")[:_MOST]]


@operation(router, "GET", "/clubs/{slug}", PUBLIC, ClubShape, errors=(404,))
def get_club(request: HttpRequest, slug: ClubSlug) -> ClubShape:
    """Describe a club."""
    viewer = caller(request).viewer
    return club_shape(find_club(slug, viewer), viewer)


@operation(router, "GET", "/clubs/{slug}/members", PUBLIC, list[MemberShape], errors=(404,))
def list_members(request: HttpRequest, slug: ClubSlug) -> list[MemberShape]:
    """List the members of a club, the earliest first."""
    club = find_club(slug, caller(request).viewer)
    return [
        MemberShape(person=person_shape(one.user), role=one.role, since=one.since)
        for one in club.members.select_related("user")[:500]
    ]


@operation(
    router,
    "PUT",
    "/clubs/{slug}/membership",
    Scope.CLUBS,
    ClubShape,
    errors=(404, 409),
    tells_own=True,
)
def join_club(request: HttpRequest, slug: ClubSlug) -> ClubShape | HttpResponse:
    """Become a member of an open club, or of one that has invited one."""
    user = caller(request).person
    club = find_club(slug, user)
    membership.join(club, user)
    return to_readers(request, lambda: club_shape(club, user))


@operation(
    router,
    "DELETE",
    "/clubs/{slug}/membership",
    Scope.CLUBS,
    ClubShape,
    errors=(404, 409),
    tells_own=True,
)
def leave_club(request: HttpRequest, slug: ClubSlug) -> ClubShape | HttpResponse:
    """Leave a club; its owner hands it over first."""
    user = caller(request).person
    club = find_club(slug, user)
    services.leave(club, user)
    return to_readers(request, lambda: club_shape(club, user))
