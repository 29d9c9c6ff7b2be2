"""What one was told, how one wants to be told, and whether one is away."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.accounts.models import User
from antipodes.web.api.auth import caller
from antipodes.web.api.notifications import away_of, choices_of, choose, go_away, notice_shape
from antipodes.web.api.operations import operation, to_readers
from antipodes.web.api.schemas.community import Notices, SeenWanted
from antipodes.web.api.schemas.preferences import AwayShape, AwayWanted, ChoicesChange, ChoicesShape
from antipodes.web.notifications import selectors, services, vacations

router = Router(tags=["notices"])


def _notices(user: User, count: int) -> Notices:
    return Notices(
        unseen=selectors.unread_count(user),
        notices=[notice_shape(row) for row in selectors.notifications_of(user)[:count]],
    )


@operation(router, "GET", "/notices", Scope.READ, Notices)
def list_notices(
    request: HttpRequest,
    count: Annotated[int, Query(ge=1, le=100, description="how many at most")] = 50,
) -> Notices:
    """List what one was told, the latest first."""
    return _notices(caller(request).person, count)


@operation(router, "POST", "/notices/seen", Scope.PROFILE, Notices, tells_own=True)
def see_notices(request: HttpRequest, seen: SeenWanted) -> Notices | HttpResponse:
    """Note which notices one has seen: some, or all."""
    user = caller(request).person
    if seen.ids is None:
        services.mark_all_seen(user)
    else:
        services.mark_seen(user, seen.ids)
    return to_readers(request, lambda: _notices(user, 50))


@operation(router, "GET", "/account/notices", Scope.READ, ChoicesShape)
def get_notice_choices(request: HttpRequest) -> ChoicesShape:
    """Tell by which ways one is told what, and how often by mail."""
    return choices_of(caller(request).person)


@operation(router, "PATCH", "/account/notices", Scope.PROFILE, ChoicesShape, tells_own=True)
def choose_notices(request: HttpRequest, wanted: ChoicesChange) -> ChoicesShape | HttpResponse:
    """Change by which ways one is told what; what is left out stays."""
    user = caller(request).person
    choose(user, wanted)
    return to_readers(request, lambda: choices_of(user))


@operation(router, "GET", "/account/away", Scope.READ, AwayShape)
def get_away(request: HttpRequest) -> AwayShape:
    """Tell whether one is away, and until when."""
    return away_of(caller(request).person)


@operation(router, "PUT", "/account/away", Scope.PLAY, AwayShape)
def be_away(request: HttpRequest, wanted: AwayWanted) -> AwayShape:
    """Be away: go on vacation in all games by correspondence, and in those that begin."""
    user = caller(request).person
    go_away(user, wanted.until)
    return away_of(user)


@operation(router, "DELETE", "/account/away", Scope.PLAY, AwayShape)
def be_back(request: HttpRequest) -> AwayShape:
    """Be back: the clocks that stood still run again."""
    user = caller(request).person
    vacations.end_vacation(user)
    return away_of(user)
