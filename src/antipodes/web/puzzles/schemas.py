"""Schemas of puzzles and of answers to moves, as their pages are told of them."""

from __future__ import annotations

from typing import Annotated, NotRequired

from typing_extensions import TypedDict

from antipodes.web.analysis.schemas import RefutationSearchOut
from antipodes.web.matches.presenters import BoardPositionOut, ShownMove
from antipodes.web.matches.schemas import Cell, Options, Seat
from antipodes.web.platform.schemas import about, closed
from antipodes.web.puzzles.services import AnswerVerdict


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
    position: BoardPositionOut


@closed
class JudgedMoveOut(TypedDict):
    """The answer to a move."""

    verdict: AnswerVerdict
    isFinal: Annotated[bool, about("whether no refutation will follow")]
    moves: Annotated[list[str], about("right moves and replies so far")]
    shown: Annotated[list[ShownMove], about("the move, and what follows it")]
    words: Annotated[list[str], about("what each of them does")]
    position: Annotated[BoardPositionOut | None, about("after a right move and the reply")]
    message: NotRequired[Annotated[str, about("instead of the usual one")]]
    search: NotRequired[
        Annotated[RefutationSearchOut, about("of the refutation, which the server has not made")]
    ]


@closed
class PuzzleLineOut(TypedDict):
    """A solution, with the position after it."""

    shown: list[ShownMove]
    words: Annotated[list[str], about("what each of them does")]
    position: BoardPositionOut


@closed
class PuzzleHintOut(TypedDict):
    """The themes, and a few cells of which one begins the right move."""

    themes: list[str]
    cells: list[Cell]
