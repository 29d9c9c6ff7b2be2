"""Schemas of tournaments."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from antipodes.tournaments import BOUTS, FORMATS, TieBreak
from antipodes.web.api.schemas.challenges import Rating
from antipodes.web.api.schemas.people import PersonOut
from antipodes.web.matches.schemas import Options
from antipodes.web.platform.schemas import (
    ByValue,
    Milliseconds,
    RequestSchema,
    ResponseSchema,
    Slug,
    Whole,
)
from antipodes.web.tournaments.models import Repeat, TournamentState
from antipodes.web.tournaments.openings import LONGEST_TEXT
from antipodes.web.tournaments.plans import MOST_CHECK_IN, MOST_GAMES, MOST_PLAYERS

FormatName = Annotated[str, Field(json_schema_extra={"enum": [*FORMATS]})]
BoutName = Annotated[str, Field(json_schema_extra={"enum": [*BOUTS]})]

_Text = Annotated[str, Field(max_length=2_000)]


class TournamentOut(ResponseSchema):
    """A tournament with its rules."""

    slug: Slug
    title: str
    description: str
    host: PersonOut
    club: str | None = Field(description="the slug of the club whose members may join")
    guest_club: str | None = Field(
        description="the slug of the club that plays against it, in a team match"
    )
    private: bool
    format: FormatName
    rules: Options = Field(description="of the format")
    state: TournamentState
    game: str
    options: Options
    control: str
    rated: bool
    games: BoutName = Field(description="of a pairing")
    openings: list[str] = Field(description="of the games: moves with spaces between them")
    tie_breaks: list[TieBreak]
    columns: list[str] = Field(description="names of the values in `tieBreaks` of the standings")
    opens_at: Milliseconds | None
    starts_at: Milliseconds | None
    check_in: Whole = Field(description="minutes before the start")
    starts_when_full: bool
    players: Whole
    most_players: Whole
    lowest: Whole | None
    highest: Whole | None
    least_games: Whole = Field(description="rated games of players")
    by_invitation: bool = Field(description="whether only invited players may join")
    filler: str = Field(description="level of the computer that evens out the players, or empty")
    repeats: Repeat
    bots: bool = Field(description="whether bots may play")
    round: Whole = Field(description="the latest that is paired")
    rounds: Whole | None = Field(description="known when it has begun")
    version: Whole = Field(description="grows with each step")


class StandingOut(ResponseSchema):
    """A player of a tournament with rank and points."""

    person: PersonOut
    number: Whole | None = Field(description="pairing number; known when it has begun")
    rating: Whole
    rank: Whole | None
    points: float
    performance: int | None = Field(
        description="rating that fits the results; only in rated tournaments"
    )
    tie_breaks: list[float]
    checked_in: bool
    withdrawn: bool
    team: Whole | None = Field(description="in a team match: 1 for the club, 2 for its guests")


class PairingOut(ResponseSchema):
    """A pairing of a round; a bye has no second player."""

    round: Whole
    table: Whole
    first: str
    second: str | None
    players: list[str] = Field(description="all players, in the order of their seats")
    opening: str = Field(description="moves given in the first games, or empty")
    points: list[float] | None = Field(description="of the players; null while they are playing")
    score: list[float] | None = Field(
        description="the points of two players in the games that are over"
    )
    forfeit: bool
    adjudicated: bool
    games: list[str] = Field(description="slugs of the matches, in order")


class SeasonLineOut(ResponseSchema):
    """A player in the table of a season."""

    rank: Whole
    person: PersonOut
    points: float
    events: Whole = Field(description="in which the player took part")
    wins: Whole = Field(description="events in which the player was first")


class SeasonOut(ResponseSchema):
    """The table of a year of a series of tournaments."""

    year: Whole
    years: list[Whole] = Field(description="with tournaments that count, the latest first")
    tournaments: list[Slug] = Field(description="those that count, in the order of their ends")
    standings: list[SeasonLineOut]


class LadderChallengeIn(RequestSchema):
    """A player of a ladder to challenge."""

    username: Annotated[str, Field(max_length=150)]


class DirectionIn(RequestSchema):
    """An action of a director; each needs some of the other parts."""

    action: Literal[
        "change",
        "start",
        "pause",
        "resume",
        "finish",
        "cancel",
        "withdraw",
        "adjudicate",
        "prove",
        "invite",
        "add-computer",
    ]
    reason: Annotated[str, Field(max_length=300)] = ""
    name: Annotated[str, Field(max_length=150, description="of a player")] = ""
    pairing: Annotated[str, Field(max_length=20, description="round and table, such as 2.1")] = ""
    result: Literal["", "1-0", "0-1", "draw", "0-0", "1", "2", "3", "4"] = ""
    level: Annotated[str, Field(max_length=10, description="of the computer")] = ""
    title: Annotated[str | None, Field(max_length=200)] = None
    description: _Text | None = None
    starts_at: Milliseconds | None = None


class TournamentEvent(ResponseSchema):
    """A line of the stream of a tournament: its state, at the start and after each change."""

    type: Literal["tournament"]
    tournament: TournamentOut


class PairingEvent(ResponseSchema):
    """A line of the stream of a tournament: a pairing that is new or has changed."""

    type: Literal["pairing"]
    pairing: PairingOut


class TournamentIn(RequestSchema):
    """A new tournament; parts that are left out have the usual values."""

    title: Annotated[str, Field(max_length=200)]
    description: _Text = ""
    format: FormatName
    rules: Options = Field(default_factory=dict, description="of the format, by name")
    game: Annotated[str, Field(max_length=40)]
    options: Options = Field(
        default_factory=dict,
        description="where a colour is favoured, those that are left out are fair",
    )
    control: Annotated[str, Field(max_length=60)]
    rated: bool = False
    games: BoutName | None = Field(
        default=None,
        description="of a pairing: if left out, single, or mirrored where a colour is favoured",
    )
    openings: Annotated[str, Field(max_length=LONGEST_TEXT)] = Field(
        default="", description="`fair`, or a line of moves for each opening"
    )
    tie_breaks: list[ByValue[TieBreak]] | None = None
    opens_at: Milliseconds | None = None
    starts_at: Milliseconds | None = None
    check_in: Annotated[int, Field(ge=0, le=MOST_CHECK_IN, description="minutes")] = 0
    starts_when_full: bool = False
    most_players: Annotated[int, Field(ge=2, le=MOST_PLAYERS)] = 64
    lowest: Rating | None = None
    highest: Rating | None = None
    least_games: Annotated[int, Field(ge=0, le=MOST_GAMES)] = 0
    bots: bool = False
    by_invitation: bool = False
    filler: Annotated[str, Field(max_length=8)] = Field(
        default="", description="level of the computer that evens out the players"
    )
    repeats: ByValue[Repeat] = Repeat.NEVER
    club: Annotated[str, Field(max_length=60)] | None = Field(
        default=None, description="the slug of a club; then only its members may join"
    )
    guest_club: Annotated[str, Field(max_length=60)] | None = Field(
        default=None, description="the slug of the other club of a team match"
    )
    private: bool = False
