"""Schemas of players, their profiles and ratings."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from antipodes.web.accounts.models import ProfileRow, User
from antipodes.web.platform.schemas import (
    ByValue,
    Milliseconds,
    RequestSchema,
    ResponseSchema,
    Whole,
)
from antipodes.web.ratings.classes import BoardClass, Speed

Kind = Literal["account", "bot", "guest", "computer"]
SPEEDS = "pool of ratings; games without a clock share one with those by correspondence"


class PersonOut(ResponseSchema):
    """A player.

    ``name`` is used in addresses and invitations, ``shown`` on pages.
    """

    name: str
    shown: str
    kind: Kind


class AccountOut(PersonOut):
    """The account of a token."""

    since: Milliseconds
    scopes: list[str]
    matches: Whole


class ProfileOut(ResponseSchema):
    """A public profile."""

    about: str
    availability: ProfileRow.Availability
    country: str
    languages: str


class ScoreOut(ResponseSchema):
    """Games of two players, as the first one sees them; draws have no winner."""

    won: Whole
    drawn: Whole
    lost: Whole


class GameScoreOut(ScoreOut):
    """The score of two players at one game."""

    game: str


class CrosstableOut(ScoreOut):
    """The score of two players: of all games together, and of each game."""

    player: str
    opponent: str
    games: list[GameScoreOut]


class ProfilePatch(RequestSchema):
    """Changes of your profile; omitted fields do not change."""

    about: Annotated[str, Field(max_length=4_000)] | None = None
    availability: ByValue[ProfileRow.Availability] | None = None
    country: Annotated[str, Field(max_length=200)] | None = None
    languages: Annotated[str, Field(max_length=200)] | None = None


class RatingOut(ResponseSchema):
    """A rating in one pool: game, speed and size of the board."""

    game: str
    speed: Speed = Field(description=SPEEDS)
    board: BoardClass
    value: float
    deviation: float
    provisional: bool
    games: Whole
    latest: Milliseconds


class PersonProfileOut(PersonOut, ProfileOut):
    """A player with profile and ratings, and whether you follow or block them."""

    since: Milliseconds
    ratings: list[RatingOut]
    followed: bool
    blocked: bool


class LeaderboardEntryOut(ResponseSchema):
    """An entry of a leaderboard."""

    rank: int
    person: PersonOut
    value: float
    deviation: float
    provisional: bool
    games: Whole


class LeaderboardOut(ResponseSchema):
    """A page of a leaderboard, the best first, with your own entry."""

    lines: list[LeaderboardEntryOut]
    count: Whole
    page: int
    pages: int
    own: LeaderboardEntryOut | None


def kind_of(user: User) -> Kind:
    if user.is_computer:
        return "computer"
    if user.is_bot:
        return "bot"
    return "guest" if user.is_guest else "account"


def person_out(user: User) -> PersonOut:
    """Return a player as response data."""
    return PersonOut(name=user.username, shown=user.name, kind=kind_of(user))


def profile_out(row: ProfileRow) -> ProfileOut:
    """Return a profile as response data."""
    return ProfileOut.model_validate({name: getattr(row, name) for name in ProfileOut.model_fields})
