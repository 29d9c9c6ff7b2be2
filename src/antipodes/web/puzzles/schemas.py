"""Schemas of puzzles and of answers to moves, as their pages are told of them."""

from __future__ import annotations

from typing import Annotated, NotRequired

from typing_extensions import TypedDict

from antipodes.web.matches.schemas import (
    Cell,
    LegalMoves,
    Options,
    Pieces,
    ResultText,
    Seat,
    ShownMove,
)
from antipodes.web.platform.schemas import about, closed
from antipodes.web.puzzles.services import AnswerVerdict


@closed
class PuzzlePositionOut(TypedDict):
    """A position with its legal moves."""

    pieces: Pieces
    legal: LegalMoves
    toMove: Annotated[str, about("the colour to move")]
    caption: str
    result: ResultText
    chain: Annotated[list[Cell], about("the winning chain, in its order")]
    last: Annotated[Cell | None, about("the cell of the last move")]


@closed
class PuzzleStartOut(TypedDict):
    """The position to solve, with nothing about its solution."""

    id: str
    game: str
    options: Options
    setup: str
    board: Annotated[str, about("URL of the board")]
    solver: Annotated[Seat, about("the solver's seat")]
    moves: list[str]
    position: PuzzlePositionOut


@closed
class JudgedMoveOut(TypedDict):
    """The answer to a move."""

    verdict: AnswerVerdict
    isFinal: Annotated[bool, about("whether no refutation will follow")]
    isPreparing: Annotated[bool, about("whether the computer cannot search yet")]
    moves: Annotated[list[str], about("right moves and replies so far")]
    shown: Annotated[list[ShownMove], about("the move, and what follows it")]
    position: Annotated[PuzzlePositionOut | None, about("after a right move and the reply")]
    message: NotRequired[Annotated[str, about("instead of the usual one")]]
