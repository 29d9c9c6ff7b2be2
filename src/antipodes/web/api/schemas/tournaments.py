"""Schemas of tournaments."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from antipodes.tournaments import TieBreak
from antipodes.web.api.schemas.challenges import Rating
from antipodes.web.api.schemas.matches import ControlIn, FairOptionsIn, GameIn, OptionsIn
from antipodes.web.api.schemas.people import PersonOut
from antipodes.web.platform.schemas import (
    ByValue,
    Milliseconds,
    RequestSchema,
    ResponseSchema,
    Slug,
    Whole,
    about,
    closed,
)
from antipodes.web.tournaments.models import Repeat
from antipodes.web.tournaments.openings import LONGEST_TEXT
from antipodes.web.tournaments.plans import MOST_CHECK_IN, MOST_GAMES, MOST_PLAYERS
from antipodes.web.tournaments.schemas import BoutName, EventOut, FormatName, PairingOut, PlaceOut

_Text = Annotated[str, Field(max_length=2_000)]


@closed
class TournamentOut(EventOut):
    """A tournament with its rules."""

    description: str
    host: PersonOut
    club: Annotated[str | None, about("the slug of the club whose members may join")]
    guestClub: Annotated[
        str | None, about("the slug of the club that plays against it, in a team match")
    ]
    private: bool
    opensAt: Milliseconds | None
    checkIn: Annotated[Whole, about("minutes before the start")]
    startsWhenFull: bool
    players: Whole
    mostPlayers: Whole
    lowest: Whole | None
    highest: Whole | None
    leastGames: Annotated[Whole, about("rated games of players")]
    byInvitation: Annotated[bool, about("whether only invited players may join")]
    filler: Annotated[str, about("level of the computer that evens out the players, or empty")]
    repeats: Repeat
    bots: Annotated[bool, about("whether bots may play")]
    version: Annotated[Whole, about("grows with each step")]


@closed
class StandingOut(PlaceOut):
    """A player of a tournament with rank and points."""

    person: PersonOut
    checkedIn: bool


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
    rules: Annotated[OptionsIn, Field(description="of the format, by name")] = {}
    game: GameIn
    options: FairOptionsIn = {}
    control: ControlIn
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
