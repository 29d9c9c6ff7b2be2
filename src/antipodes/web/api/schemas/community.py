"""Shapes of people's pages, ratings, clubs, news, finished games and analyses."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from antipodes.web.api.schemas.base import FARTHEST, Milliseconds, Shape, Wanted, Whole
from antipodes.web.api.schemas.people import PersonShape, ProfileShape

SpeedName = Literal["blitz", "rapid", "correspondence"]
BoardName = Literal["small", "standard", "large"]


class RatingShape(Shape):
    """What is believed of somebody's strength in one pool: game, speed and size of the board."""

    game: str
    speed: SpeedName
    board: BoardName
    value: float
    deviation: float
    provisional: bool
    games: Whole
    latest: Milliseconds


class PersonPage(PersonShape, ProfileShape):
    """Somebody with their ratings; what is between them and the one who asks."""

    since: Milliseconds
    ratings: list[RatingShape]
    followed: bool
    blocked: bool


class LeaderShape(Shape):
    """A line of a leaderboard."""

    rank: int
    person: PersonShape
    value: float
    deviation: float
    provisional: bool
    games: Whole


class LeaderboardShape(Shape):
    """A page of a leaderboard, the best first."""

    lines: list[LeaderShape]
    count: Whole
    page: int
    pages: int
    own: LeaderShape | None


class ClubShape(Shape):
    """A club."""

    slug: str
    name: str
    description: str
    entry: str
    public: bool
    members: Whole
    role: str | None = Field(description="one's own, if one is a member")
    door: Literal["asked", "invited"] | None = Field(
        description="whether one has asked to be let in, or is invited by name"
    )


class MemberShape(Shape):
    """A member of a club."""

    person: PersonShape
    role: str
    since: Milliseconds


class NoticeShape(Shape):
    """Something that one was told."""

    id: Whole
    kind: str
    words: str
    path: str = Field(description="the page that it is about; empty where there is none")
    at: Milliseconds
    seen: bool


class Notices(Shape):
    """What one was told, the latest first."""

    unseen: Whole
    notices: list[NoticeShape]


class SeenWanted(Wanted):
    """Which notices one has seen; all of them where none is named."""

    ids: Annotated[list[Annotated[int, Field(ge=0, le=FARTHEST)]] | None, Field(max_length=200)] = (
        None
    )


_Words = Annotated[str, Field(max_length=150, pattern=r"^[^\x00]*$")]


class GameSearch(BaseModel):
    """What finished games are asked for; what is left out is not asked."""

    player: _Words = ""
    opponent: _Words = ""
    game: _Words = ""
    options: _Words = ""
    speed: _Words = ""
    board: _Words = ""
    rated: Literal["", "yes", "no"] = ""
    result: _Words = ""
    ending: _Words = ""
    opening: _Words = ""
    since: _Words = ""
    until: _Words = ""
    after: _Words = ""
    count: Annotated[int, Field(ge=1, le=100, description="how many at most")] = 50


class FoundGames(Shape):
    """Finished games, the latest first; ``after`` asks for those that come next."""

    games: list[dict[str, Any]]
    count: int | None
    after: str | None


class AnalysisWanted(Wanted):
    """A position to analyse: a game and the moves that lead there, by number or as text."""

    game: Annotated[str, Field(min_length=1, max_length=40)]
    options: Annotated[
        dict[
            Annotated[str, Field(max_length=40)],
            Annotated[int, Field(ge=-(2**31), le=2**31)] | Annotated[str, Field(max_length=40)],
        ],
        Field(max_length=20),
    ] = {}
    moves: Annotated[
        list[
            Annotated[int, Field(ge=0, le=999_999_999)]
            | Annotated[str, Field(min_length=1, max_length=100, pattern="^[^,]+$")]
        ],
        Field(max_length=1_500),
    ] = []
    effort: Literal["glance", "look", "study"] = "glance"


class AnalysisShape(Shape):
    """How far an analysis is, and what is known; `found` grows until `isOver`.

    `wait` is about how many seconds it waits for its turn, if that is more than a moment.
    """

    slug: str
    state: str
    is_over: bool
    found: dict[str, Any] | None
    wait: int | None


class ReviewShape(Shape):
    """What the computer thinks of each position of a finished match, as far as it has got."""

    state: str | None
    estimates: list[dict[str, Any]]
    turns: list[Any]
