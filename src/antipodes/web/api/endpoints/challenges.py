"""Challenges: made, found, joined, declined and taken back."""

from __future__ import annotations

from typing import Annotated, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query, Router, Status

from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.accounts.models import User
from antipodes.web.api.auth import caller, no_token
from antipodes.web.api.challenges import (
    challenge_shape,
    challenges,
    find_challenge,
    made_shape,
    of_others,
    own,
    wish_of,
)
from antipodes.web.api.operations import PUBLIC, operation, to_readers
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.challenges import (
    ChallengeShape,
    ChallengeWanted,
    FillWanted,
    JoinWanted,
    MadeShape,
)
from antipodes.web.challenges import services

router = Router(tags=["challenges"])

ChallengeSlug = Annotated[
    str, Path(pattern=r"^[A-Za-z0-9_-]{1,16}$", description="of the challenge")
]
Game = Annotated[str | None, Query(max_length=40, description="only challenges of this game")]
SpeedName = Literal["blitz", "rapid", "correspondence"]


@operation(router, "GET", "/challenges", PUBLIC, list[ChallengeShape])
def list_challenges(
    request: HttpRequest,
    which: Literal["open", "mine", "all"] = "all",
    game: Game = None,
    rated: bool | None = None,
    speed: SpeedName | None = None,
    count: Annotated[int, Query(ge=1, le=100, description="how many at most")] = 100,
) -> list[ChallengeShape]:
    """List challenges, the newest first.

    Open ones are those in the lobby. One's own are those that one has made, joined, or is invited
    to; for these a token with the scope read is needed.
    """
    viewer = caller(request).viewer
    if which == "mine" and viewer is None:
        raise no_token()
    condition = of_others(viewer)
    if viewer is not None and which != "open":
        condition = own(viewer) if which == "mine" else condition | own(viewer)
    rows = challenges().filter(condition).distinct().order_by("-made_at", "-pk")
    if game is not None:
        rows = rows.filter(game_id=game)
    if rated is not None:
        rows = rows.filter(rated=rated)
    shapes = (challenge_shape(row, viewer) for row in rows[: 4 * count])
    return [one for one in shapes if speed is None or one.speed == speed][:count]


@operation(router, "GET", "/challenges/{slug}", PUBLIC, ChallengeShape, errors=(404,))
def get_challenge(request: HttpRequest, slug: ChallengeSlug) -> ChallengeShape:
    """Tell how a challenge stands; once its match has begun, which it is."""
    viewer = caller(request).viewer
    return challenge_shape(find_challenge(slug, viewer), viewer)


@operation(router, "POST", "/challenges", Scope.CHALLENGE, MadeShape, status=201, errors=(409,))
def make_challenge(request: HttpRequest, wanted: ChallengeWanted) -> Status[MadeShape]:
    """Make a challenge; where nobody need be asked, such as the computer, the match begins."""
    user = caller(request).person
    return Status(201, made_shape(services.request_game(user, wish_of(user, wanted)), user))


@operation(router, "POST", "/challenges/{slug}/join", Scope.CHALLENGE, MadeShape, errors=(404, 409))
def join_challenge(request: HttpRequest, slug: ChallengeSlug, wanted: JoinWanted) -> MadeShape:
    """Join a challenge; with the last one who joins the match begins."""
    user = caller(request).person
    find_challenge(slug, user)
    match = services.join(slug, user, wanted.seat)
    return made_shape(match or find_challenge(slug, user), user)


@operation(
    router,
    "POST",
    "/challenges/{slug}/leave",
    Scope.CHALLENGE,
    ChallengeShape,
    errors=(404, 409),
    tells_own=True,
)
def leave_challenge(request: HttpRequest, slug: ChallengeSlug) -> ChallengeShape | HttpResponse:
    """Leave a challenge that one has joined."""
    user = caller(request).person
    find_challenge(slug, user)
    services.leave(slug, user)
    return to_readers(request, lambda: challenge_shape(find_challenge(slug, user), user))


@operation(
    router,
    "POST",
    "/challenges/{slug}/decline",
    Scope.CHALLENGE,
    None,
    status=204,
    errors=(404, 409),
)
def decline_challenge(request: HttpRequest, slug: ChallengeSlug) -> HttpResponse:
    """Decline an invitation."""
    user = caller(request).person
    _check_is_there(slug, user)
    services.decline(slug, user)
    return HttpResponse(status=204)


@operation(router, "POST", "/challenges/{slug}/fill", Scope.CHALLENGE, MadeShape, errors=(404, 409))
def fill_challenge(request: HttpRequest, slug: ChallengeSlug, wanted: FillWanted) -> MadeShape:
    """Let the computer take all seats of one's challenge that are free, and begin."""
    user = caller(request).person
    _check_is_there(slug, user)
    return made_shape(services.fill(slug, user, str(wanted.level)), user)


@operation(
    router, "DELETE", "/challenges/{slug}", Scope.CHALLENGE, None, status=204, errors=(404, 409)
)
def cancel_challenge(request: HttpRequest, slug: ChallengeSlug) -> HttpResponse:
    """Take one's own challenge back."""
    user = caller(request).person
    _check_is_there(slug, user)
    services.cancel(slug, user)
    return HttpResponse(status=204)


def _check_is_there(slug: str, user: User) -> None:
    """Refuse what is not there for somebody who has made it or is invited."""
    row = find_challenge(slug, user)
    if row.by_id != user.pk and user not in row.invited.all():
        raise not_found(f"The challenge {slug} is not yours, and you are not invited.")
