"""Operations on players: profiles, ratings, leaderboards, following and blocking."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import Path, Query, Router

from antipodes.notation.text import shorten
from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.accounts.models import User
from antipodes.web.accounts.profile_services import profile_of
from antipodes.web.accounts.services import users_named
from antipodes.web.api.auth import caller
from antipodes.web.api.endpoints.games import GameId, find_game
from antipodes.web.api.operations import PUBLIC, operation, private_response
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.people import (
    CrosstableOut,
    GameScoreOut,
    LeaderboardEntryOut,
    LeaderboardOut,
    PersonProfileOut,
    RatingOut,
    kind_of,
    person_out,
    profile_out,
)
from antipodes.web.archive.crosstable import Score, crosstable
from antipodes.web.ratings.classes import BoardClass, Speed
from antipodes.web.ratings.selectors import (
    Include,
    LeaderLine,
    PoolRating,
    leaderboard,
    ratings_of,
)
from antipodes.web.relations import services as relations

router = Router(tags=["people"])

PersonName = Annotated[
    str, Path(min_length=1, max_length=150, pattern=r"^[A-Za-z0-9_ -]+$", description="a username")
]


def find_person(name: str) -> User:
    """Return the user with a name.

    Raises:
        ApiError: there is none.
    """
    user = users_named(name).filter(is_active=True).first()
    if user is None:
        raise not_found(_("There is no player %(name)s.") % {"name": shorten(name)})
    return user


def _person_profile_out(user: User, viewer: User | None) -> PersonProfileOut:
    blocks = viewer is not None and viewer.blocks.filter(whom=user).exists()
    return PersonProfileOut(
        name=user.username,
        shown=user.name,
        kind=kind_of(user),
        since=int(user.date_joined.timestamp() * 1000),
        ratings=[_rating_out(rating) for rating in ratings_of(user)],
        followed=relations.follows(viewer, user),
        blocked=blocks,
        **profile_out(profile_of(user)).model_dump(),
    )


def _rating_out(rating: PoolRating) -> RatingOut:
    return RatingOut(
        game=rating.game_id,
        speed=rating.speed,
        board=rating.board_class,
        value=rating.rating.value,
        deviation=rating.rating.deviation,
        provisional=rating.rating.is_provisional,
        games=rating.rating.games,
        latest=rating.latest,
    )


@operation(router, "GET", "/people/{name}", PUBLIC, PersonProfileOut, errors=(404,))
def get_person(request: HttpRequest, name: PersonName) -> PersonProfileOut:
    """Return a player with profile and ratings."""
    return _person_profile_out(find_person(name), caller(request).viewer)


@operation(router, "GET", "/people/{name}/against/{other}", PUBLIC, CrosstableOut, errors=(404,))
def get_crosstable(request: HttpRequest, name: PersonName, other: PersonName) -> CrosstableOut:
    """Return the score of all finished games of two players against each other, for each game."""
    table = crosstable(find_person(name), find_person(other), caller(request).viewer)
    return CrosstableOut(
        player=table.first.username,
        opponent=table.second.username,
        **_score_out(table.total),
        games=[GameScoreOut(game=one.game.id, **_score_out(one.score)) for one in table.scores],
    )


def _score_out(score: Score) -> dict[str, int]:
    return {"won": score.won, "drawn": score.drawn, "lost": score.lost}


@operation(
    router,
    "PUT",
    "/people/{name}/follow",
    Scope.PROFILE,
    PersonProfileOut,
    errors=(404,),
    is_private=True,
)
def follow(request: HttpRequest, name: PersonName) -> PersonProfileOut | HttpResponse:
    """Follow a player, to be notified when they play."""
    user, other = caller(request).account, find_person(name)
    relations.follow(user, other)
    return private_response(request, lambda: _person_profile_out(other, user))


@operation(
    router,
    "DELETE",
    "/people/{name}/follow",
    Scope.PROFILE,
    PersonProfileOut,
    errors=(404,),
    is_private=True,
)
def unfollow(request: HttpRequest, name: PersonName) -> PersonProfileOut | HttpResponse:
    """Unfollow a player."""
    user, other = caller(request).account, find_person(name)
    relations.unfollow(user, other)
    return private_response(request, lambda: _person_profile_out(other, user))


@operation(
    router,
    "PUT",
    "/people/{name}/block",
    Scope.PROFILE,
    PersonProfileOut,
    errors=(404,),
    is_private=True,
)
def block(request: HttpRequest, name: PersonName) -> PersonProfileOut | HttpResponse:
    """Block a player."""
    user, other = caller(request).account, find_person(name)
    relations.block(user, other)
    return private_response(request, lambda: _person_profile_out(other, user))


@operation(
    router,
    "DELETE",
    "/people/{name}/block",
    Scope.PROFILE,
    PersonProfileOut,
    errors=(404,),
    is_private=True,
)
def unblock(request: HttpRequest, name: PersonName) -> PersonProfileOut | HttpResponse:
    """Unblock a player."""
    user, other = caller(request).account, find_person(name)
    relations.unblock(user, other)
    return private_response(request, lambda: _person_profile_out(other, user))


@operation(router, "GET", "/leaderboards/{game_id}", PUBLIC, LeaderboardOut, errors=(404,))
def get_leaderboard(
    request: HttpRequest,
    game_id: GameId,
    speed: Speed = Speed.CORRESPONDENCE,
    board: BoardClass = BoardClass.STANDARD,
    provisional: bool = False,
    bots: bool = False,
    page: Annotated[int, Query(ge=1, le=100_000)] = 1,
) -> LeaderboardOut:
    """List the best players of a pool who have played there within a year."""
    include = {Include.PROVISIONAL: provisional, Include.BOTS: bots}
    ranking = leaderboard(
        find_game(game_id).id,
        speed,
        board,
        viewer=caller(request).viewer,
        include=[one for one, is_wanted in include.items() if is_wanted],
        page=page,
    )
    return LeaderboardOut(
        lines=[_entry_out(line) for line in ranking.lines],
        count=ranking.count,
        page=ranking.page,
        pages=ranking.pages,
        own=None if ranking.own is None else _entry_out(ranking.own),
    )


def _entry_out(line: LeaderLine) -> LeaderboardEntryOut:
    return LeaderboardEntryOut(
        rank=line.rank,
        person=person_out(line.user),
        value=line.rating.value,
        deviation=line.rating.deviation,
        provisional=line.rating.is_provisional,
        games=line.rating.games,
    )
