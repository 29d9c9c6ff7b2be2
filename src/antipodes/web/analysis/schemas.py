"""Schemas of positions, analyses and reviews, as pages and programs are told of them."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from typing_extensions import TypedDict

from antipodes.web.analysis.models import AnalysisState
from antipodes.web.matches.presenters import BoardPositionOut, GameStateOut, ShownMove
from antipodes.web.matches.schemas import Cell, Options, Pieces, Seat
from antipodes.web.platform.schemas import Slug, Whole, about, closed

Winner = Annotated[str | None, about("colour; null for a draw and where none has won")]
ProvenResult = Annotated[
    Literal["win", "loss", "draw"] | None, about("for its player; null if it is not known")
]
Chance = Annotated[float, about("from 0 to 1")]


# --- positions ------------------------------------------------------------------------------


class LastMovesOut(TypedDict):
    """The changes by moves after the first ``since``."""

    since: Whole
    start: Annotated[Pieces, about("before these moves")]
    moves: list[ShownMove]


@closed
class EffectOut(LastMovesOut, GameStateOut):
    """The changes by moves after the first ``since``, and the state of the game."""


@closed
class PositionOut(LastMovesOut, BoardPositionOut):
    """A position with its last moves and the legal moves."""

    game: str
    title: str
    options: Options
    board: Annotated[str, about("URL of the board")]
    query: str
    seat: Annotated[Seat, about("the seat to move")]


@closed
class ToldMovesOut(TypedDict):
    """Moves in words."""

    shown: list[ShownMove]
    words: Annotated[list[str], about("what each of them does")]


@closed
class StepsOut(TypedDict):
    """The pieces that the first steps of a move change, before and after."""

    changed: dict[int, tuple[str, str]]


@closed
class AdviceOut(TypedDict):
    """The last move of a line as advice."""

    words: Annotated[str, about("a sentence in your language")]


# --- the position editor --------------------------------------------------------------------


@closed
class EditorOut(TypedDict):
    """A position to edit."""

    board: Annotated[str, about("URL of the board")]
    kinds: Annotated[list[str], about("pieces that can be set, rods without their diagonal")]
    start: Annotated[Pieces, about("at the start of the game")]
    pieces: Pieces
    turn: Annotated[str, about("colour; empty where the pieces tell whose turn it is")]
    swapped: bool
    phase: Whole
    plies: Annotated[Whole, about("of Phase Two")]


@closed
class RuleFaultOut(TypedDict):
    """A rule that a position breaks."""

    code: str
    message: str


@closed
class JudgementOut(TypedDict):
    """The judgement of the rules on the pieces that were set."""

    verdict: Literal["regular", "composed", "refused"]
    faults: list[RuleFaultOut]
    cells: Annotated[list[Cell], about("that the faults are about")]
    setup: NotRequired[Annotated[str, about("the position as JSON, unless it is refused")]]
    toMove: NotRequired[Annotated[str, about("the colour to move")]]
    phase: NotRequired[Whole]
    caption: NotRequired[str]
    isOver: NotRequired[bool]
    chain: NotRequired[list[Cell]]


# --- analyses -------------------------------------------------------------------------------


@closed
class OutcomeOut(TypedDict):
    """How a finished game ended."""

    winner: Winner
    termination: str
    points: Whole


@closed
class RootOut(TypedDict):
    """The position that was searched; in a finished game no player is to move."""

    currentPlayer: Annotated[str | None, about("the colour to move")]
    seat: Seat | None
    visits: Whole
    seconds: float
    winrate: Chance
    error: float
    proven: ProvenResult


@closed
class EstimateOut(TypedDict):
    """The chance of a colour."""

    color: str
    seats: list[Seat]
    winrate: Chance | None
    error: float


@closed
class CandidateOut(TypedDict):
    """One of the best moves."""

    order: Whole
    move: str
    visits: Whole
    winrate: Chance
    error: float
    proven: ProvenResult
    pv: Annotated[list[str], about("the principal variation, beginning with the move")]


@closed
class ThreatOut(TypedDict):
    """A move that the opponent would make if it were their turn."""

    move: str
    cell: NotRequired[Cell | None]
    winrate: Chance
    error: float
    proven: ProvenResult
    atOnce: Annotated[bool, about("whether it ends the game")]


@closed
class ConnectionsOut(TypedDict):
    """The proofs by virtual connections."""

    winner: Winner
    mustPlay: Annotated[list[str] | None, about("cells, any other of which loses")]
    carrier: Annotated[list[str], about("cells that the win needs")]


@closed
class AnalysisResultOut(TypedDict):
    """The result of an analysis so far, with the overlay of the board."""

    game: str
    options: Annotated[dict[str, int | str], about("all of them, by name")]
    ply: Whole
    outcome: OutcomeOut | None
    rootInfo: RootOut
    estimates: list[EstimateOut]
    moveInfos: list[CandidateOut]
    criticality: NotRequired[Annotated[dict[str, float], about("weights of cells, by name")]]
    threats: NotRequired[list[ThreatOut]]
    connections: NotRequired[ConnectionsOut]
    share: Annotated[float, about("of the search that is done, from 0 to 1")]
    marks: Annotated[dict[int, str], about("of the best moves, by cell")]
    heat: Annotated[dict[int, float], about("weights of cells, from 0 to 1")]


@closed
class AnalysisOut(TypedDict):
    """The state and results of an analysis; `found` grows until `isOver`."""

    slug: Slug
    state: AnalysisState
    isOver: bool
    found: AnalysisResultOut | None
    wait: Annotated[Whole | None, about("approximate seconds until it begins")]


# --- reviews --------------------------------------------------------------------------------


@closed
class PlyEstimateOut(TypedDict):
    """The chances at one position of a match."""

    values: Annotated[dict[str, Chance | None], about("by colour")]
    error: float
    proven: bool
    best: Annotated[str | None, about("the best move")]


@closed
class TurningPointOut(TypedDict):
    """A move that changed the chances considerably."""

    ply: Whole
    color: str
    move: str
    better: Annotated[str, about("a better move")]
    line: Annotated[list[str], about("the better move and what may follow")]
    before: Chance
    after: Chance
    decides: Annotated[bool, about("whether it gave away a proven win")]


@closed
class ReviewOut(TypedDict):
    """The computer's evaluation of each position of a finished match, complete or not."""

    state: Annotated[str | None, about("null before it has begun")]
    estimates: Annotated[list[PlyEstimateOut], about("of each position reviewed so far")]
    turns: list[TurningPointOut]
    seconds: Annotated[float, about("of thinking about each position; 0 if there is no review")]
    isLeft: Annotated[bool, about("whether pages make it, unless a player asks the server")]


# --- the engine in pages --------------------------------------------------------------------


@closed
class PageEngineOut(TypedDict):
    """Where a page finds the engine for a game."""

    kit: Annotated[str, about("URL of the arrays and calls of its kernels, as a file")]
    module: Annotated[str, about("URL of the WebAssembly module")]
    start: Annotated[str, about("the state of a setup in base64; empty for the start of the game")]


@closed
class MatchEngineOut(TypedDict):
    """The engine in the page for a match or a position, or why there is none."""

    engine: PageEngineOut | None
    reason: Annotated[str | None, about("why there is none, in your language")]


@closed
class RefutationSearchOut(TypedDict):
    """How a page may search for the refutation of a wrong move."""

    turns: Annotated[
        Whole | None,
        about("the solver's, in which it must not win any more; null if the opponent must win"),
    ]
    proves: Annotated[bool, about("whether only a proven win refutes the move")]


@closed
class KitCall(TypedDict):
    """A kernel of the module: its name, and the numbers of the arrays that it takes.

    A text stands for a number that the driver chooses.
    """

    name: str
    arguments: list[int | str]


@closed
class KitArray(TypedDict):
    """An array of a kit."""

    type: Annotated[str, about("i, u or f, and the bytes of a number")]
    shape: list[int]
    at: Annotated[int | None, about("where its content begins in the file; null for zeros")]


@closed
class KitOut(TypedDict):
    """The description at the front of a kit for levels."""

    calls: dict[str, KitCall]
    arrays: list[KitArray]
    rng: Annotated[int, about("number of the array with the state of the random generator")]
    skill: Annotated[int, about("number of the array with the skill of a level")]
    root: Annotated[int, about("number of the array with the position")]
    header: Annotated[dict[str, int], about("where the parts of a position are in that array")]
    levels: Annotated[dict[int, list[float]], about("the skill of each level")]
    shapes: Annotated[
        dict[int, dict[int, list[int]]], about("for each level those of arrays that differ")
    ]


@closed
class AnalysisKitOut(TypedDict):
    """The description at the front of a kit for analyses."""

    calls: dict[str, KitCall]
    arrays: list[KitArray]
    report: Annotated[dict[str, int], about("numbers of the arrays of the report, by name")]
    game: Annotated[dict[str, int], about("the same of the report of a whole game")]
    names: Annotated[list[str], about("that descriptions of moves consist of")]
    cells: Annotated[list[str], about("their names")]
    terminations: Annotated[dict[int, str], about("by the number in a report")]
    colors: Annotated[list[str], about("as kernels count them")]
    order: Annotated[list[int], about("of these in the order of the first turns")]
