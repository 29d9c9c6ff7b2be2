"""Schemas of matches, in responses, streams and WebSocket messages."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from antipodes.records import Reason
from antipodes.web.api.schemas.games import Options
from antipodes.web.api.schemas.people import PersonOut
from antipodes.web.platform.schemas import Milliseconds, ResponseSchema, Slug, Whole

Seat = Annotated[int, Field(ge=0, le=3, description="a seat, from 0, in order of first turns")]
Seats = list[Seat]
Cell = Annotated[int, Field(ge=0)]
Pieces = Annotated[
    dict[str, str],
    Field(description="the piece on each cell that is not empty, such as black, red/ or blue*"),
]

# How a match ended, in one match and in lists.
ResultText = Annotated[
    str | None, Field(description="how it ended, as a sentence in your language")
]
WinnerColor = Annotated[
    str | None, Field(description="colour; null for a draw and where none has won")
]
EndReason = Annotated[Reason | None, Field(description="why it ended; null before the end")]
LoserColor = Annotated[
    str | None, Field(description="colour that gave up where none of the others has won")
]


class SeatOut(ResponseSchema):
    """A seat with its player."""

    seat: Seat
    name: str
    computer: bool
    level: int | None = Field(description="of the computer")
    color: str


class DeclinedOfferOut(ResponseSchema):
    """An offer that was declined."""

    by: Seat
    agreed: Seats = Field(description="the seats that had accepted it")


class ClockOut(ResponseSchema):
    """The clock at ``since``, from when the time of ``seat`` runs."""

    control: str
    pace: str
    seat: Seat | None
    running: bool
    paused: bool
    away: Seats = Field(description="seats on vacation")
    vacations: list[int] = Field(description="for each seat: vacation left, in milliseconds")
    until: list[int | None] = Field(description="for each seat: when its vacation ends")
    left: list[int | None] = Field(description="for each seat: milliseconds left, or null")
    since: Milliseconds | None
    grace: int = Field(
        description="milliseconds of each seat's first turn in which the clock stands still"
    )
    free_until: Milliseconds | None = Field(
        description="in a first turn: the instant until which it costs no time"
    )
    aborts_late: bool = Field(description="whether the match is aborted without a move by then")


class SeriesOut(ResponseSchema):
    """The match-play series of a match."""

    slug: str
    points: Whole
    scores: list[int]
    games: Whole
    sides: list[list[str]]
    winner: int | None


class MoveOut(ResponseSchema):
    """A move of the match."""

    move: Whole
    text: str
    color: str
    last: int | None = Field(description="the cell of the piece, if it has one")
    changed: dict[str, list[str | None]] = Field(
        description="for each cell that changed: the piece before and the piece after"
    )
    flips: list[list[int]] = Field(
        description="the cells whose tokens the new token flips, then those that the pawn flips"
    )
    seat: Seat
    at: Milliseconds
    source: str


class ConditionalMoveOut(ResponseSchema):
    """A conditional move with the moves that follow."""

    move: int
    text: str
    color: str
    own: bool
    then: list[ConditionalMoveOut]


class MoveProductOut(ResponseSchema):
    """Many legal moves as a product.

    Each choice of one step from each list is a move: ``base`` plus the sum of steps times strides.
    """

    base: Whole
    strides: list[Whole]
    steps: list[list[Whole]]


class MatchOut(ResponseSchema):
    """A match, as the viewer may see it."""

    slug: Slug
    version: Whole = Field(description="number of events; it grows with each change")
    game: str
    title: str
    options: Options
    rated: bool
    analysis: bool = Field(description="whether players may try variations")
    setup: dict[str, Any] | None = Field(
        description="the position before the first move, if it is not the start of the game"
    )
    given: Whole = Field(description="number of moves made before the players' first turns")
    begun: Milliseconds
    ply: Whole = Field(description="number of moves")
    caption: str
    seats: list[SeatOut]
    to_move: Seat | None
    result: ResultText
    winner: WinnerColor
    reason: EndReason
    loser: LoserColor
    clock: ClockOut
    offers: dict[str, Seats] = Field(description="open offers with the seats that have accepted")
    takeback_to: Whole | None = Field(
        description="number of moves that an open offer of a takeback leaves"
    )
    declined: dict[str, DeclinedOfferOut] = Field(description="offers declined since the last move")
    withdrawn: dict[str, Seat] = Field(
        description="offers withdrawn since the last move, with the seats that withdrew them"
    )
    draws: bool = Field(description="whether a draw is possible with these options")
    goals: dict[str, str] = Field(description="the goal of each colour")
    swap_exchanges: str = Field(description="what a swap exchanges: seats, stones or nothing")
    chain: list[Cell]
    start: Pieces
    swap: int | None = Field(description="the swap move, if it is possible now")
    series: SeriesOut | None
    next: str | None = Field(description="the rematch, or the next game of a series")
    from_: Whole = Field(alias="from", description="number of earlier moves that remain")
    moves: list[MoveOut]
    now: Milliseconds
    seen: int | None
    own: Seats = Field(description="your seats")
    conditional_moves: dict[str, list[ConditionalMoveOut]] = Field(description="of your seats")
    resigning: Seats
    legal: list[MoveProductOut | list[int]] = Field(
        description="in your turn: each legal move with its steps, or many moves as a product"
    )


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


class ChatMessageOut(ResponseSchema):
    """A chat message."""

    id: Whole
    room: Literal["seated", "spectators", "lobby"]
    name: str
    text: str
    at: Milliseconds
    own: bool


class ChatOut(ResponseSchema):
    """A chat, as far as you may read it, the oldest message first."""

    lines: list[ChatMessageOut]


class NotesOut(ResponseSchema):
    """Your private notes on a match."""

    text: str


class BoardOut(ResponseSchema):
    """The board of a game, which does not change during a match.

    A place is: cell, number of the drawn board, x, y, name. Lengths are steps between cells.
    """

    game: str
    title: str
    kind: str
    shape: str
    places: list[list[Any]]
    repeated: list[list[Any]]
    labels: list[list[Any]]
    names: list[list[str]]
    neighbours: list[list[int]]
    directions: list[list[float]]
    rims: dict[str, list[int]]
    goals: dict[str, list[str]]
    borders: list[list[Any]]
    seams: list[Any]
    shaded: list[int]
    poles: list[Any]
    points_named: bool
    colors: list[str]
    turns: list[Any]
    seen: list[list[str]] = Field(
        description="for each seat: the names of the cells, seen from its own side; moves and"
        " ``names`` are always those of the first seat"
    )
    locks: Any
    flips: bool
    supply: dict[str, Any]
