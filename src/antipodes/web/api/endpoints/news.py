"""What one was told."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router

from antipodes.web.api.doors import caller
from antipodes.web.api.operations import operation
from antipodes.web.api.shapes.community import Notices, NoticeShape, SeenWanted
from antipodes.web.api.tokens import Scope
from antipodes.web.notices import selectors, services
from antipodes.web.people.models import User

router = Router(tags=["notices"])


def _notices(user: User, count: int) -> Notices:
    lines = [selectors.line(row) for row in selectors.notices_of(user)[:count]]
    return Notices(
        unseen=selectors.unseen(user),
        notices=[
            NoticeShape(
                id=line.row.pk,
                kind=line.row.kind,
                words=line.words,
                path=line.target,
                at=line.row.made_at,
                seen=line.row.seen_at is not None,
            )
            for line in lines
        ],
    )


@operation(router, "GET", "/notices", Scope.READ, Notices)
def list_notices(
    request: HttpRequest,
    count: Annotated[int, Query(ge=1, le=100, description="how many at most")] = 50,
) -> Notices:
    """List what one was told, the latest first."""
    return _notices(caller(request).person, count)


@operation(router, "POST", "/notices/seen", Scope.PROFILE, Notices)
def see_notices(request: HttpRequest, seen: SeenWanted) -> Notices:
    """Note which notices one has seen: some, or all."""
    user = caller(request).person
    if seen.ids is None:
        services.see_all(user)
    else:
        services.see(user, seen.ids)
    return _notices(user, 50)
