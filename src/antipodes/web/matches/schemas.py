"""Schemas of what the site tells clients of matches: in responses, streams and over WebSockets.

The objects are typed dictionaries, with the names of their keys in JSON. From them come the API's
documentation, the published schemas of sockets, and the types of the site's scripts.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict

from antipodes.match import MoveSource, OfferKind
from antipodes.records import Reason
from antipodes.web.platform.schemas import Milliseconds, Slug, Whole, about, closed

OptionValue = int | str
Options = Annotated[
    dict[str, OptionValue],
    Field(max_length=30, description="options that differ from the defaults, by name"),
]
Seat = Annotated[int, Field(ge=0, le=3, description="a seat, from 0, in order of first turns")]
Seats = list[Seat]
Cell = Annotated[int, Field(ge=0)]
Pieces = Annotated[
    dict[int, str],
    about("the piece on each cell that is not empty, such as black, red/ or blue*"),
]

# How a match ended, in one match and in lists.
ResultText = Annotated[str | None, about("how it ended, as a sentence in your language")]
WinnerColor = Annotated[str | None, about("colour; null for a draw and where none has won")]
EndReason = Annotated[Reason | None, about("why it ended; null before the end")]
LoserColor = Annotated[str | None, about("colour that gave up where none of the others has won")]


# --- boards and moves -----------------------------------------------------------------------

Place = tuple[int, int, float, float, str]  # cell, number of the drawn board, x, y, name
Point = tuple[float, float]


@closed
class BoardOut(TypedDict):
    """The board of a game, which does not change during a match.

    A place is: cell, number of the drawn board, x, y, name. Lengths are steps between cells.
    """

    game: str
    title: str
    kind: Annotated[str, about("such as sphere, cylinder or grid")]
    shape: Annotated[str, about("of the cells: pointy, flat or square")]
    places: list[Place]
    repeated: Annotated[list[Place], about("where some cells are drawn a second time")]
    labels: Annotated[list[tuple[str, float, float]], about("text, x and y")]
    names: Annotated[list[list[str]], about("of each cell")]
    neighbours: Annotated[list[list[int]], about("of each cell")]
    directions: Annotated[
        list[tuple[float, float, float]],
        about("of each cell of a sphere: its place, as x, y and z of unit length"),
    ]
    rims: dict[str, list[int]]
    goals: Annotated[dict[str, list[str]], about("names of the rims that each colour connects")]
    borders: Annotated[
        list[tuple[str, list[Point]]],
        about("of a colour: outlines along the cells, and back outside of them"),
    ]
    seams: list[list[Point]]
    shaded: list[int]
    poles: list[int]
    pointsNamed: bool
    colors: list[str]
    turns: Annotated[
        list[int], about("for each seat: quarter turns by which it sees the board rotated")
    ]
    seen: Annotated[
        list[list[str]],
        about(
            "for each seat: the names of the cells, seen from its own side; moves and"
            " ``names`` are always those of the first seat"
        ),
    ]
    locks: Annotated[
        dict[int, list[int]], about("cells that lock a cell once all of them are full")
    ]
    flips: Annotated[bool, about("whether moves change pieces on the board")]
    supply: Annotated[dict[str, int], about("pieces of each colour, if they are limited")]


@closed
class ShownMove(TypedDict):
    """A move as boards show it."""

    move: Whole
    text: str
    color: str
    last: Annotated[int | None, about("the cell of the piece, if it has one")]
    changed: Annotated[
        dict[int, tuple[str | None, str | None]],
        about("for each cell that changed: the piece before and the piece after"),
    ]
    flips: Annotated[
        list[list[int]],
        about("the cells whose tokens the new token flips, then those that the pawn flips"),
    ]


@closed
class MoveOut(ShownMove):
    """A move of the match."""

    seat: Seat
    at: Milliseconds
    source: MoveSource


@closed
class MoveProductOut(TypedDict):
    """Many legal moves as a product.

    Each choice of one step from each list is a move: ``base`` plus the sum of steps times strides.
    """

    base: Whole
    strides: list[Whole]
    steps: list[list[Whole]]


LegalMoves: TypeAlias = list[MoveProductOut | list[int]]


class GameStateOut(TypedDict):
    """The state of the game in a position."""

    toMove: Annotated[str, about("the colour to move")]
    caption: str
    result: ResultText
    chain: Annotated[list[Cell], about("the winning chain, in its order")]


@closed
class BoardPositionOut(GameStateOut):
    """A position with its legal moves."""

    pieces: Pieces
    legal: LegalMoves
    swap: Annotated[Whole | None, about("the move that swaps, if it is legal")]
    last: Annotated[Cell | None, about("the cell of the last move")]


# --- a match --------------------------------------------------------------------------------


@closed
class SeatOut(TypedDict):
    """A seat with its player."""

    seat: Seat
    name: str
    computer: bool
    level: Annotated[int | None, about("of the computer")]
    color: str


@closed
class DeclinedOfferOut(TypedDict):
    """An offer that was declined."""

    by: Seat
    agreed: Annotated[Seats, about("the seats that had accepted it")]


@closed
class ClockOut(TypedDict):
    """The clock at ``since``, from when the time of ``seat`` runs."""

    control: str
    pace: str
    seat: Seat | None
    running: bool
    paused: bool
    away: Annotated[Seats, about("seats on vacation")]
    vacations: Annotated[list[int], about("for each seat: vacation left, in milliseconds")]
    until: Annotated[list[int | None], about("for each seat: when its vacation ends")]
    left: Annotated[list[int | None], about("for each seat: milliseconds left, or null")]
    since: Milliseconds | None
    grace: Annotated[
        int, about("milliseconds of each seat's first turn in which the clock stands still")
    ]
    freeUntil: Annotated[
        Milliseconds | None, about("in a first turn: the instant until which it costs no time")
    ]
    abortsLate: Annotated[bool, about("whether the match is aborted without a move by then")]


@closed
class SeriesOut(TypedDict):
    """The match-play series of a match."""

    slug: str
    points: Whole
    scores: list[int]
    games: Whole
    sides: list[list[str]]
    winner: int | None


@closed
class ConditionalMoveOut(TypedDict):
    """A conditional move with the moves that follow."""

    move: int
    text: str
    color: str
    own: bool
    then: list[ConditionalMoveOut]


class MatchConstants(TypedDict):
    """The part of a match that is the same in all versions."""

    slug: Slug
    game: str
    title: str
    options: Options
    rated: bool
    analysis: Annotated[bool, about("whether players may try variations")]
    setup: Annotated[
        dict[str, Any] | None,
        about("the position before the first move, if it is not the start of the game"),
    ]
    given: Annotated[Whole, about("number of moves made before the players' first turns")]
    begun: Milliseconds
    draws: Annotated[bool, about("whether a draw is possible with these options")]
    goals: Annotated[dict[str, str], about("the goal of each colour")]
    swapExchanges: Annotated[str, about("what a swap exchanges: seats, stones or nothing")]
    start: Pieces


class ResultOut(TypedDict):
    """How a match ended; all are null before its end."""

    result: ResultText
    winner: WinnerColor
    reason: EndReason
    loser: LoserColor


class MatchChanges(ResultOut):
    """The part of a match that each version changes, besides moves."""

    version: Annotated[Whole, about("number of events; it grows with each change")]
    ply: Annotated[Whole, about("number of moves")]
    caption: str
    seats: list[SeatOut]
    toMove: Seat | None
    clock: ClockOut
    offers: Annotated[
        dict[OfferKind, Seats], about("open offers with the seats that have accepted")
    ]
    takebackTo: Annotated[
        Whole | None, about("number of moves that an open offer of a takeback leaves")
    ]
    declined: Annotated[
        dict[OfferKind, DeclinedOfferOut], about("offers declined since the last move")
    ]
    withdrawn: Annotated[
        dict[OfferKind, Seat],
        about("offers withdrawn since the last move, with the seats that withdrew them"),
    ]
    chain: list[Cell]
    swap: Annotated[int | None, about("the swap move, if it is possible now")]
    series: SeriesOut | None
    next: Annotated[str | None, about("the rematch, or the next game of a series")]


MatchMoves = TypedDict(
    "MatchMoves",
    {
        "from": Annotated[Whole, about("number of earlier moves that remain")],
        "moves": list[MoveOut],
    },
)


class ViewerPart(TypedDict):
    """The part of a match that depends on its viewer, besides the legal moves."""

    now: Milliseconds
    seen: int | None
    own: Annotated[Seats, about("your seats")]
    conditionalMoves: Annotated[dict[int, list[ConditionalMoveOut]], about("of your seats")]
    resigning: Seats


@closed
class MatchOut(MatchConstants, MatchChanges, MatchMoves, ViewerPart):
    """A match, as the viewer may see it."""

    legal: Annotated[
        LegalMoves,
        about("in your turn: each legal move with its steps, or many moves as a product"),
    ]


@closed
class ChatMessageOut(TypedDict):
    """A chat message."""

    id: Whole
    room: Literal["seated", "spectators", "lobby"]
    name: str
    text: str
    at: Milliseconds
    own: bool


# --- messages of WebSockets -----------------------------------------------------------------


@closed
class MatchMessage(TypedDict):
    """The state of the match, on connection and after each change."""

    type: Literal["match"]
    match: MatchOut


@closed
class ChatMessage(TypedDict):
    """Chat messages: on connection all that you may read, then each new one."""

    type: Literal["chat"]
    lines: list[ChatMessageOut]


@closed
class HiddenMessage(TypedDict):
    """Moderators have deleted a chat message."""

    type: Literal["chat-hidden"]
    id: Whole


@closed
class WatchingMessage(TypedDict):
    """The number of spectators, and the seats whose players are present."""

    type: Literal["watching"]
    count: Whole
    seats: Seats


@closed
class ThinkingMessage(TypedDict):
    """The computer's progress, from 0 to 1, or why it has not started.

    `warming` means that its engine is being compiled; `wait` is the approximate number of seconds
    until it starts, if it is busy in other matches.
    """

    type: Literal["thinking"]
    seat: Seat
    share: float
    warming: bool
    wait: Whole


MatchNews: TypeAlias = (
    MatchMessage | ChatMessage | HiddenMessage | WatchingMessage | ThinkingMessage
)
