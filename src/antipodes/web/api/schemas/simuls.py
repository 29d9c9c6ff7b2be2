"""Schemas of simuls."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from antipodes.web.api.schemas.matches import MatchSummaryOut
from antipodes.web.api.schemas.people import BoardName, PersonOut, ScoreOut
from antipodes.web.matchmaking.presets import DEFAULT_CLOCK
from antipodes.web.platform.schemas import (
    Milliseconds,
    RequestSchema,
    ResponseSchema,
    Slug,
    Whole,
)

Outcome = Literal["won", "drawn", "lost", "void"]
_Seat = Annotated[
    Literal[0, 1] | None, Field(description="of the host on all boards; null to alternate")
]


class SimulLineOut(ResponseSchema):
    """A simul in a list."""

    slug: Slug
    host: PersonOut
    game: str
    title: str
    control: str
    host_seat: _Seat
    begun: Milliseconds | None
    players: Whole = Field(description="number of players who have joined")


class SimulBoardOut(ResponseSchema):
    """A board of a simul."""

    number: Whole
    player: PersonOut
    match: MatchSummaryOut
    hosts_turn: bool
    outcome: Outcome | None = Field(description="for the host; null while the match lasts")


class SimulOut(SimulLineOut):
    """A simul: who has joined, then its boards and the host's score."""

    joined: list[PersonOut]
    boards: list[SimulBoardOut]
    score: ScoreOut


class SimulIn(RequestSchema):
    """A new simul, with the games, boards and clocks of searches."""

    game: Annotated[str, Field(min_length=1, max_length=40)]
    board: BoardName = "standard"
    control: Annotated[str, Field(max_length=60)] = DEFAULT_CLOCK
    host_seat: _Seat = None
