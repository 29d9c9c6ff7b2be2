"""Schemas of lists of matches and of parts of them, in responses and streams."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from antipodes.web.api.schemas.people import PersonOut
from antipodes.web.matches.schemas import (
    ChatMessageOut,
    EndReason,
    LoserColor,
    Options,
    ResultText,
    Seat,
    Seats,
    WinnerColor,
)
from antipodes.web.platform.schemas import Milliseconds, ResponseSchema, Slug, Whole

GameIn = Annotated[str, Field(min_length=1, max_length=40, description="such as hex")]
ControlIn = Annotated[str, Field(max_length=60, description="such as 5m+3s or 3d/move+10d")]
OptionsIn = Annotated[
    dict[
        Annotated[str, Field(max_length=40)],
        Annotated[int, Field(ge=-(2**31), le=2**31)] | Annotated[str, Field(max_length=40)],
    ],
    Field(max_length=30),
]
FairOptionsIn = Annotated[
    OptionsIn, Field(description="where a colour is favoured, those that are left out are fair")
]


class MatchSummaryOut(ResponseSchema):
    """A match in a list or an event."""

    slug: Slug
    version: Whole
    game: str
    title: str
    options: Options
    control: str
    rated: bool
    private: bool
    begun: Milliseconds
    changed: Milliseconds
    ended: Milliseconds | None
    result: ResultText
    winner: WinnerColor
    reason: EndReason
    loser: LoserColor
    to_move: Seat | None
    deadline: Milliseconds | None = Field(description="when the player to move runs out of time")
    seats: list[PersonOut]
    own: Seats


class MatchPageOut(ResponseSchema):
    """A page of matches."""

    matches: list[MatchSummaryOut]
    next: str | None = Field(description="the value of ``before`` for the next page")


class LegalMoveOut(ResponseSchema):
    """A legal move: its number and its notation."""

    move: Whole
    text: str


class LegalMovesOut(ResponseSchema):
    """The legal moves of a position; ``total`` also counts moves that are not listed."""

    ply: Whole
    to_move: Seat | None
    total: Whole
    moves: list[LegalMoveOut]


class ChatOut(ResponseSchema):
    """A chat, as far as you may read it, the oldest message first."""

    lines: list[ChatMessageOut]


class NotesOut(ResponseSchema):
    """Your private notes on a match."""

    text: str
