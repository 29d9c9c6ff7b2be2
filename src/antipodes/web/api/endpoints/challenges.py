"""Operations on challenges."""

from __future__ import annotations

from typing import Annotated, Literal

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import Path, Query, Router

from antipodes.notation.text import shorten
from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.accounts.models import User
from antipodes.web.api.auth import caller, no_token_error
from antipodes.web.api.challenges import (
    challenge_out,
    challenges,
    find_challenge,
    game_request,
    listed_for,
    match_or_challenge_out,
    own,
)
from antipodes.web.api.operations import PUBLIC, operation, private_response
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.challenges import (
    ChallengeIn,
    ChallengeOut,
    ChallengeSpeed,
    FillSeatsIn,
    JoinIn,
    MatchOrChallengeOut,
)
from antipodes.web.challenges import services
from antipodes.web.platform.schemas import SLUG

router = Router(tags=["challenges"])

ChallengeSlug = Annotated[str, Path(pattern=SLUG, description="of the challenge")]
Game = Annotated[str | None, Query(max_length=40, description="only challenges of this game")]


@operation(router, "GET", "/challenges", PUBLIC, list[ChallengeOut])
def list_challenges(
    request: HttpRequest,
    which: Literal["open", "mine", "all"] = "all",
    game: Game = None,
    rated: bool | None = None,
    speed: ChallengeSpeed | None = None,
    count: Annotated[int, Query(ge=1, le=100, description="the maximum number")] = 100,
) -> list[ChallengeOut]:
    """List challenges, the newest first.

    Open challenges are those in the lobby. Yours are those that you have made or joined, or are
    invited to; they need a token with the scope read.
    """
    viewer = caller(request).viewer
    if which == "mine" and viewer is None:
        raise no_token_error()
    condition = listed_for(viewer)
    if viewer is not None and which != "open":
        condition = own(viewer) if which == "mine" else condition | own(viewer)
    rows = challenges().filter(condition).distinct().order_by("-made_at", "-pk")
    if game is not None:
        rows = rows.filter(game_id=game)
    if rated is not None:
        rows = rows.filter(rated=rated)
    listed = (challenge_out(row, viewer) for row in rows[: 4 * count])
    return [one for one in listed if speed is None or one.speed == speed][:count]


@operation(router, "GET", "/challenges/{slug}", PUBLIC, ChallengeOut, errors=(404,))
def get_challenge(request: HttpRequest, slug: ChallengeSlug) -> ChallengeOut:
    """Return a challenge, with its match once that has begun."""
    viewer = caller(request).viewer
    return challenge_out(find_challenge(slug, viewer), viewer)


@operation(
    router, "POST", "/challenges", Scope.CHALLENGE, MatchOrChallengeOut, status=201, errors=(409,)
)
def make_challenge(request: HttpRequest, data: ChallengeIn) -> MatchOrChallengeOut:
    """Make a challenge; if no opponent has to accept, as against the computer, a match begins."""
    user = caller(request).account
    row = services.request_game(user, game_request(user, data))
    return match_or_challenge_out(row, user)


@operation(
    router,
    "POST",
    "/challenges/{slug}/join",
    Scope.CHALLENGE,
    MatchOrChallengeOut,
    errors=(404, 409),
)
def join_challenge(request: HttpRequest, slug: ChallengeSlug, data: JoinIn) -> MatchOrChallengeOut:
    """Join a challenge; the match begins when all seats are taken."""
    user = caller(request).account
    find_challenge(slug, user)
    match = services.join(slug, user, data.seat)
    return match_or_challenge_out(match or find_challenge(slug, user), user)


@operation(
    router,
    "POST",
    "/challenges/{slug}/leave",
    Scope.CHALLENGE,
    ChallengeOut,
    errors=(404, 409),
    is_private=True,
)
def leave_challenge(request: HttpRequest, slug: ChallengeSlug) -> ChallengeOut | HttpResponse:
    """Leave a challenge that you have joined."""
    user = caller(request).account
    find_challenge(slug, user)
    services.leave(slug, user)
    return private_response(request, lambda: challenge_out(find_challenge(slug, user), user))


@operation(router, "POST", "/challenges/{slug}/decline", Scope.CHALLENGE, None, errors=(404, 409))
def decline_challenge(request: HttpRequest, slug: ChallengeSlug) -> None:
    """Decline an invitation."""
    user = caller(request).account
    _check_concerns(slug, user)
    services.decline(slug, user)


@operation(
    router,
    "POST",
    "/challenges/{slug}/fill",
    Scope.CHALLENGE,
    MatchOrChallengeOut,
    errors=(404, 409),
)
def fill_challenge(
    request: HttpRequest, slug: ChallengeSlug, data: FillSeatsIn
) -> MatchOrChallengeOut:
    """Fill the free seats of your challenge with the computer, and begin."""
    user = caller(request).account
    _check_concerns(slug, user)
    return match_or_challenge_out(services.fill(slug, user, str(data.level)), user)


@operation(router, "DELETE", "/challenges/{slug}", Scope.CHALLENGE, None, errors=(404, 409))
def cancel_challenge(request: HttpRequest, slug: ChallengeSlug) -> None:
    """Cancel your challenge."""
    user = caller(request).account
    _check_concerns(slug, user)
    services.cancel(slug, user)


def _check_concerns(slug: str, user: User) -> None:
    """Check that a user has made a challenge or is invited to it.

    Raises:
        ApiError: they have not and are not, or there is no such challenge.
    """
    row = find_challenge(slug, user)
    if row.by_id != user.pk and user not in row.invited.all():
        message = _("The challenge %(slug)s is not yours, and you are not invited.")
        raise not_found(message % {"slug": shorten(slug)})
