"""Schemas of challenges."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, ValidationError, ValidatorFunctionWrapHandler, WrapValidator

from antipodes.web.api.schemas.matches import ControlIn, FairOptionsIn, GameIn, MatchSummaryOut
from antipodes.web.api.schemas.people import PersonOut
from antipodes.web.challenges.services import Opponent
from antipodes.web.matches.schemas import Options, Seat
from antipodes.web.platform.schemas import (
    ByValue,
    Milliseconds,
    Name,
    RequestSchema,
    ResponseSchema,
    Slug,
    Whole,
)
from antipodes.web.ratings.ranges import MOST_RATING

ChallengeSpeed = Literal["blitz", "rapid", "correspondence", "unlimited"]


def _read_level(value: object, check: ValidatorFunctionWrapHandler) -> int | str:
    """Return a level; pydantic alone would report an error for each of the two types."""
    try:
        level: int | str = check(value)
    except ValidationError:
        raise ValueError("a level is a number from 1 to 9, or 'pairing'") from None
    return level


LevelText = Annotated[
    Annotated[int, Field(ge=1, le=9)] | Literal["pairing"],
    WrapValidator(_read_level),
    Field(description="a level of the computer, or its pairing strategy where that applies"),
]
Rating = Annotated[int, Field(ge=0, le=MOST_RATING, description="rating of a player who joins")]


class ComputerSeatOut(ResponseSchema):
    """A seat of the computer."""

    seat: Seat
    level: str


class JoinOut(ResponseSchema):
    """A player who has joined a challenge, with the seat that they chose."""

    person: PersonOut
    seat: Seat | None


class ChallengeOut(ResponseSchema):
    """A challenge, open until all seats are taken."""

    slug: Slug
    game: str
    title: str
    options: Options
    control: str
    speed: str = Field(description="of the clock: blitz, rapid, correspondence or unlimited")
    rated: bool
    analysis: bool
    points: Whole | None
    by: PersonOut
    seat: Seat | None = Field(description="the seat that the challenger chose")
    computers: list[ComputerSeatOut]
    joined: list[JoinOut]
    invited: list[PersonOut]
    listed: bool
    private: bool
    club: str | None
    lowest: int | None
    highest: int | None
    accounts_only: bool
    established_only: bool
    expires: Milliseconds | None
    may_join: bool = Field(description="whether you may join it")
    seats: Whole
    free: list[Seat] = Field(description="seats that no player has chosen")
    made: Milliseconds
    match: str | None = Field(description="the match, once it has begun")
    is_mine: bool = Field(description="whether you have made it or joined it")


class MatchOrChallengeOut(ResponseSchema):
    """The match, if it has begun, else the challenge."""

    match: MatchSummaryOut | None
    challenge: ChallengeOut | None


class ComputerSeatIn(RequestSchema):
    """A seat for the computer."""

    seat: Seat
    level: LevelText


class ChallengeIn(RequestSchema):
    """A new challenge: the game and its opponents."""

    game: GameIn
    options: FairOptionsIn = {}
    opponent: ByValue[Opponent] = Opponent.ANYBODY
    level: LevelText = 3
    people: Annotated[
        list[Name], Field(max_length=8, description="usernames, if the opponent is people")
    ] = []
    seat: Seat | None = None
    computers: Annotated[list[ComputerSeatIn], Field(max_length=3)] = []
    control: ControlIn = "unlimited"
    rated: bool = False
    analysis: bool = True
    points: Annotated[int, Field(ge=1, le=100)] | None = None
    private: Annotated[
        bool, Field(description="only the players, and members of the club, may watch")
    ] = False
    club: Annotated[
        str | None, Field(max_length=60, description="slug of the club whose members may join")
    ] = None
    lowest: Rating | None = None
    highest: Rating | None = None
    within: Annotated[int, Field(ge=0, le=MOST_RATING, description="of your own rating")] | None = (
        None
    )
    accounts_only: bool = False
    established_only: bool = False
    uses: Annotated[int, Field(ge=1, le=100, description="matches that a link may begin")] = 1
    hours: Annotated[int, Field(ge=1, le=8_760, description="until it expires")] | None = None


class JoinIn(RequestSchema):
    """The seat to join on; null for any."""

    seat: Seat | None = None


class FillSeatsIn(RequestSchema):
    """The level of the computer for all free seats."""

    level: LevelText = 3
