"""People: their pages, ratings, leaderboards; following and blocking."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import Path, Query, Router

from antipodes.errors import UnknownGameError
from antipodes.games.registry import game_class
from antipodes.notation.text import shorten
from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.accounts.models import User
from antipodes.web.accounts.profile_services import profile_of
from antipodes.web.api.auth import caller
from antipodes.web.api.operations import PUBLIC, operation, to_readers
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.community import (
    BoardName,
    LeaderboardShape,
    LeaderShape,
    PersonPage,
    RatingShape,
    SpeedName,
)
from antipodes.web.api.schemas.people import kind_of, person_shape, profile_shape
from antipodes.web.ratings.classes import BoardClass, Speed
from antipodes.web.ratings.selectors import (
    Also,
    LeaderLine,
    PoolStanding,
    leaderboard,
    ratings_of,
)
from antipodes.web.relations import services as community

router = Router(tags=["people"])

PersonName = Annotated[
    str, Path(min_length=1, max_length=150, pattern=r"^[A-Za-z0-9_ -]+$", description="of a user")
]


def find_person(name: str) -> User:
    """Return who has a name.

    Raises:
        InterfaceError: nobody has it.
    """
    user = User.objects.filter(username__iexact=name, is_active=True).first()
    if user is None:
        raise not_found(_("Nobody here is called %(name)s.") % {"name": shorten(name)})
    return user


def _page(user: User, viewer: User | None) -> PersonPage:
    blocks = viewer is not None and viewer.blocks.filter(whom=user).exists()
    return PersonPage(
        name=user.username,
        shown=user.name,
        kind=kind_of(user),
        since=int(user.date_joined.timestamp() * 1000),
        ratings=[_rating(one) for one in ratings_of(user)],
        followed=community.follows(viewer, user),
        blocked=blocks,
        **profile_shape(profile_of(user)).model_dump(),
    )


def _rating(one: PoolStanding) -> RatingShape:
    return RatingShape(
        game=one.game_id,
        speed=one.speed.value,
        board=one.board_class.value,
        value=one.standing.value,
        deviation=one.standing.deviation,
        provisional=one.standing.is_provisional,
        games=one.standing.games,
        latest=one.latest,
    )


@operation(router, "GET", "/people/{name}", PUBLIC, PersonPage, errors=(404,))
def get_person(request: HttpRequest, name: PersonName) -> PersonPage:
    """Tell who somebody is, and how strong in each pool."""
    return _page(find_person(name), caller(request).viewer)


@operation(
    router, "PUT", "/people/{name}/follow", Scope.PROFILE, PersonPage, errors=(404,), tells_own=True
)
def follow(request: HttpRequest, name: PersonName) -> PersonPage | HttpResponse:
    """Follow somebody: one is told when they play."""
    user, other = caller(request).person, find_person(name)
    community.follow(user, other)
    return to_readers(request, lambda: _page(other, user))


@operation(
    router,
    "DELETE",
    "/people/{name}/follow",
    Scope.PROFILE,
    PersonPage,
    errors=(404,),
    tells_own=True,
)
def unfollow(request: HttpRequest, name: PersonName) -> PersonPage | HttpResponse:
    """Follow somebody no longer."""
    user, other = caller(request).person, find_person(name)
    community.unfollow(user, other)
    return to_readers(request, lambda: _page(other, user))


@operation(
    router, "PUT", "/people/{name}/block", Scope.PROFILE, PersonPage, errors=(404,), tells_own=True
)
def block(request: HttpRequest, name: PersonName) -> PersonPage | HttpResponse:
    """Have nothing to do with somebody any more."""
    user, other = caller(request).person, find_person(name)
    community.block(user, other)
    return to_readers(request, lambda: _page(other, user))


@operation(
    router,
    "DELETE",
    "/people/{name}/block",
    Scope.PROFILE,
    PersonPage,
    errors=(404,),
    tells_own=True,
)
def unblock(request: HttpRequest, name: PersonName) -> PersonPage | HttpResponse:
    """Take a block back."""
    user, other = caller(request).person, find_person(name)
    community.unblock(user, other)
    return to_readers(request, lambda: _page(other, user))


@operation(router, "GET", "/leaderboards/{game_id}", PUBLIC, LeaderboardShape, errors=(404,))
def get_leaderboard(
    request: HttpRequest,
    game_id: Annotated[str, Path(min_length=1, max_length=40, description="such as hex")],
    speed: SpeedName = "correspondence",
    board: BoardName = "standard",
    provisional: bool = False,
    bots: bool = False,
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
) -> LeaderboardShape:
    """List the strongest in a pool, of those who have played there within a year."""
    try:
        game = game_class(game_id).id
    except UnknownGameError as error:
        raise not_found(str(error)) from None
    also = {Also.PROVISIONAL: provisional, Also.BOTS: bots}
    found = leaderboard(
        game,
        Speed(speed),
        BoardClass(board),
        viewer=caller(request).viewer,
        also=[one for one, is_wanted in also.items() if is_wanted],
        page=page,
    )
    return LeaderboardShape(
        lines=[_leader(line) for line in found.lines],
        count=found.count,
        page=found.page,
        pages=found.pages,
        own=None if found.own is None else _leader(found.own),
    )


def _leader(line: LeaderLine) -> LeaderShape:
    return LeaderShape(
        rank=line.rank,
        person=person_shape(line.user),
        value=line.standing.value,
        deviation=line.standing.deviation,
        provisional=line.standing.is_provisional,
        games=line.standing.games,
    )
