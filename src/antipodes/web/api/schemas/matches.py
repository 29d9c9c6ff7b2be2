"""Schemas of lists of matches and of parts of them, in responses and streams."""

from __future__ import annotations

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
