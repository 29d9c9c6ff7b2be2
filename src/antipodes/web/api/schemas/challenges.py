"""Shapes of challenges."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from antipodes.web.api.schemas.base import Milliseconds, Shape, Slug, Wanted, Whole
from antipodes.web.api.schemas.games import Options
from antipodes.web.api.schemas.matches import MatchLineShape, Seat
from antipodes.web.api.schemas.people import PersonShape

LevelText = Annotated[
    Annotated[int, Field(ge=1, le=9)] | Literal["pairing"],
    Field(description="a level of the computer, or its pairing strategy where that applies"),
]
Rating = Annotated[int, Field(ge=0, le=5_000, description="rating of whoever joins")]
_Name = Annotated[str, Field(min_length=1, max_length=150)]


class ComputerSeat(Shape):
    """A seat that the computer takes."""

    seat: Seat
    level: str


class JoinedShape(Shape):
    """Somebody who has joined a challenge, and the seat that they chose."""

    person: PersonShape
    seat: Seat | None


class ChallengeShape(Shape):
    """What somebody wants to play, until all seats are taken."""

    slug: Slug
    game: str
    title: str
    options: Options
    control: str
    speed: str
    rated: bool
    analysis: bool
    points: Whole | None
    by: PersonShape
    seat: Seat | None = Field(description="the seat that the challenger wants")
    computers: list[ComputerSeat]
    joined: list[JoinedShape]
    invited: list[PersonShape]
    listed: bool
    private: bool
    club: str | None
    lowest: int | None
    highest: int | None
    accounts_only: bool
    established_only: bool
    expires: Milliseconds | None
    may_join: bool = Field(description="whether it is meant for the one who asks")
    seats: Whole
    free: list[Seat] = Field(description="seats that nobody has chosen")
    made: Milliseconds
    match: str | None = Field(description="the match, once it has begun")
    is_mine: bool = Field(description="whether one has made it or joined it")


class MadeShape(Shape):
    """What came of a challenge: the match, if it has begun; else how the challenge stands."""

    match: MatchLineShape | None
    challenge: ChallengeShape | None


class WantedComputer(Wanted):
    """A seat for the computer."""

    seat: Annotated[int, Field(ge=0, le=3)]
    level: LevelText


class ChallengeWanted(Wanted):
    """What to play, and with whom."""

    game: Annotated[str, Field(min_length=1, max_length=40)]
    options: Annotated[
        dict[
            Annotated[str, Field(max_length=40)],
            Annotated[int, Field(ge=-(2**31), le=2**31)] | Annotated[str, Field(max_length=40)],
        ],
        Field(max_length=30),
    ] = {}
    opponent: Literal["computer", "anybody", "people", "link", "club"] = "anybody"
    level: LevelText = 3
    people: Annotated[
        list[_Name], Field(max_length=8, description="names, where the opponent is people")
    ] = []
    seat: Annotated[int, Field(ge=0, le=3)] | None = None
    computers: Annotated[list[WantedComputer], Field(max_length=3)] = []
    control: Annotated[str, Field(max_length=60, description="such as 5m+3s or 3d/move+10d")] = (
        "unlimited"
    )
    rated: bool = False
    analysis: bool = True
    points: Annotated[int, Field(ge=1, le=100)] | None = None
    private: Annotated[bool, Field(description="only the players may watch, and the club")] = False
    club: Annotated[
        str | None, Field(max_length=60, description="address of the club, for its members alone")
    ] = None
    lowest: Rating | None = None
    highest: Rating | None = None
    within: Annotated[int, Field(ge=0, le=5_000, description="of one's own rating")] | None = None
    accounts_only: bool = False
    established_only: bool = False
    uses: Annotated[int, Field(ge=1, le=100, description="matches that a link may begin")] = 1
    hours: Annotated[int, Field(ge=1, le=8_760, description="until it runs out")] | None = None


class JoinWanted(Wanted):
    """How to join: on a seat of one's choice, or on any."""

    seat: Annotated[int, Field(ge=0, le=3)] | None = None


class FillWanted(Wanted):
    """The level of the computer for all seats that are free."""

    level: LevelText = 3
