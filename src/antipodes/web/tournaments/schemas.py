"""Schemas of tournaments: in the API, in files, and in the messages of their WebSockets."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from antipodes.tournaments import BOUTS, FORMATS, TieBreak
from antipodes.web.matches.schemas import Options
from antipodes.web.platform.schemas import Milliseconds, Slug, Whole, about, closed
from antipodes.web.tournaments.models import TournamentState

FormatName = Annotated[str, Field(json_schema_extra={"enum": [*FORMATS]})]
BoutName = Annotated[str, Field(json_schema_extra={"enum": [*BOUTS]})]


class EventOut(TypedDict):
    """A tournament with the rules of its games."""

    slug: Slug
    title: str
    format: FormatName
    rules: Annotated[Options, about("of the format")]
    state: TournamentState
    game: str
    options: Options
    control: str
    rated: bool
    games: Annotated[BoutName, about("of a pairing")]
    openings: Annotated[list[str], about("of the games: moves with spaces between them")]
    startsAt: Milliseconds | None
    round: Annotated[Whole, about("the latest that is paired")]
    rounds: Annotated[Whole | None, about("known when it has begun")]
    tieBreaks: list[TieBreak]
    columns: Annotated[list[str], about("names of the values in `tieBreaks` of the standings")]


class PlaceOut(TypedDict):
    """The place of a player of a tournament."""

    rank: Whole | None
    number: Annotated[Whole | None, about("pairing number; known when it has begun")]
    rating: Whole
    points: float
    performance: Annotated[
        int | None, about("rating that fits the results; only in rated tournaments")
    ]
    tieBreaks: list[float]
    withdrawn: bool
    team: Annotated[Whole | None, about("in a team match: 1 for the club, 2 for its guests")]


@closed
class PairingOut(TypedDict):
    """A pairing of a round; a bye has no second player."""

    round: Whole
    table: Whole
    first: str
    second: str | None
    players: Annotated[list[str], about("all players, in the order of their seats")]
    opening: Annotated[str, about("moves given in the first games, or empty")]
    points: Annotated[list[float] | None, about("of the players; null while they are playing")]
    score: Annotated[
        list[float] | None, about("the points of two players in the games that are over")
    ]
    forfeit: bool
    adjudicated: bool
    games: Annotated[list[str], about("slugs of the matches, in order")]


@closed
class VersionMessage(TypedDict):
    """The version of the event, on connection and after each change."""

    version: Whole
