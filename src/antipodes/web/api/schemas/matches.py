"""Shapes of matches: how one stands, as sockets, streams and answers tell it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from antipodes.web.api.schemas.base import Milliseconds, Shape, Slug, Whole
from antipodes.web.api.schemas.games import Options
from antipodes.web.api.schemas.people import PersonShape

Seat = Annotated[int, Field(ge=0, le=3, description="a seat, counted from 0 by first turns")]
Seats = list[Seat]
Cell = Annotated[int, Field(ge=0)]
Pieces = Annotated[
    dict[str, str],
    Field(description="what lies on each cell that is not empty, such as black, red/ or blue*"),
]


class SeatView(Shape):
    """Who sits on a seat."""

    seat: Seat
    name: str
    computer: bool
    level: int | None = Field(description="of the computer")
    color: str


class DeclinedView(Shape):
    """An offer that was declined."""

    by: Seat
    agreed: Seats = Field(description="the seats that had agreed to it")


class ClockView(Shape):
    """How the clock stands at ``since``: from then on the time of ``seat`` runs."""

    control: str
    pace: str
    seat: Seat | None
    running: bool
    paused: bool
    away: Seats = Field(description="seats on vacation")
    vacations: list[int] = Field(description="of each seat: vacation left, in milliseconds")
    until: list[int | None] = Field(description="of each seat: when its vacation ends")
    left: list[int | None] = Field(description="of each seat: milliseconds left, or null")
    since: Milliseconds | None


class SeriesView(Shape):
    """The series of match play to which a match belongs."""

    slug: str
    points: Whole
    scores: list[int]
    games: Whole
    sides: list[list[str]]
    winner: int | None


class MoveView(Shape):
    """A move that was made."""

    move: Whole
    text: str
    color: str
    last: int | None = Field(description="the cell of the piece, if it has one")
    changed: dict[str, list[str | None]] = Field(
        description="for each cell that changed: what lay there before and lies there after"
    )
    seat: Seat
    at: Milliseconds
    source: str


class PlanView(Shape):
    """A branch of one's conditional moves."""

    move: int
    text: str
    color: str
    own: bool
    then: list[PlanView]


class MovesProduct(Shape):
    """Many legal moves at once.

    Any choice of one step from each list is the move ``base`` plus the sum of steps times strides.
    """

    base: Whole
    strides: list[Whole]
    steps: list[list[Whole]]


class MatchView(Shape):
    """How a match stands, as its viewer may see it."""

    slug: Slug
    version: Whole = Field(description="how many events made it; it grows with each change")
    game: str
    title: str
    options: Options
    rated: bool
    analysis: bool = Field(description="whether players may try variations")
    begun: Milliseconds
    ply: Whole = Field(description="how many moves were made")
    caption: str
    seats: list[SeatView]
    to_move: Seat | None
    result: str | None
    winner: str | None
    clock: ClockView
    offers: dict[str, Seats] = Field(description="open offers, and which seats agree to them")
    declined: dict[str, DeclinedView] = Field(
        description="offers that were declined since the last move"
    )
    draws: bool = Field(description="whether a game of this kind can be drawn")
    goals: dict[str, str] = Field(description="what each colour has to do to win")
    swap_exchanges: str = Field(description="what a swap exchanges: seats, stones or nothing")
    chain: list[Cell]
    start: Pieces
    swap: int | None = Field(description="the move that swaps, if it is possible now")
    series: SeriesView | None
    next: str | None = Field(description="the rematch, or the next game of a series")
    from_: Whole = Field(alias="from", description="how many moves before these still stand")
    moves: list[MoveView]
    now: Milliseconds
    seen: int | None
    own: Seats = Field(description="one's own seats")
    plans: dict[str, list[PlanView]]
    resigning: Seats
    legal: list[MovesProduct | list[int]] = Field(
        description="in one's own turn each legal move with its steps, or many moves as a product"
    )


class MatchLineShape(Shape):
    """A match in a list."""

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
    result: str | None
    to_move: Seat | None
    deadline: Milliseconds | None = Field(description="when the flag of whoever is to move falls")
    seats: list[PersonShape]
    own: Seats


class MatchPage(Shape):
    """Some matches of a list; ``next`` asks for those after them."""

    matches: list[MatchLineShape]
    next: str | None = Field(description="the value of ``before`` for the next page")


class LegalMove(Shape):
    """A legal move: its number, and as people write it."""

    move: Whole
    text: str


class LegalMoves(Shape):
    """The legal moves of a position; so many of them that ``total`` may be more."""

    ply: Whole
    to_move: Seat | None
    total: Whole
    moves: list[LegalMove]


class ChatLineView(Shape):
    """Something said at a match."""

    id: Whole
    room: Literal["seated", "spectators"]
    name: str
    text: str
    at: Milliseconds
    own: bool


class ChatShape(Shape):
    """What is said at a match, as far as one may read it, the oldest first."""

    lines: list[ChatLineView]


class NotesShape(Shape):
    """One's private notes on a match."""

    text: str


class BoardShape(Shape):
    """The board of a game: what never changes while it is played.

    Places are cell, number of the drawn board, x, y and name. Lengths are steps between cells.
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
        description="for each seat its names of the cells, where it reads the board from its own"
        " side; moves and ``names`` are always those of the first seat"
    )
    locks: Any
    flips: bool
    supply: dict[str, Any]
