"""Schemas of what browsers keep, and of the games that they bring."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, TypeAdapter
from typing_extensions import TypedDict

from antipodes.web.analysis.schemas import PageEngineOut
from antipodes.web.matches.schemas import Seat
from antipodes.web.platform.schemas import RequestSchema, Whole, about, closed
from antipodes.web.puzzles.schemas import JudgedMoveOut, PuzzleLineOut, PuzzleStartOut


@closed
class MoveForm(TypedDict):
    """How moves from a base on are composed of steps: the base plus steps times strides."""

    base: Whole
    strides: list[Whole]


@closed
class KeptLevelOut(TypedDict):
    """A level of the computer that plays in the page."""

    name: str
    engine: PageEngineOut


@closed
class KeptGameOut(TypedDict):
    """A game that the page plays by itself."""

    game: str
    title: str
    board: Annotated[str, about("URL of the board")]
    levels: dict[int, KeptLevelOut]
    pieces: Annotated[list[str], about("names of pieces by the numbers of the kernels")]
    forms: list[MoveForm]
    swap: Annotated[Whole | None, about("the move that swaps")]
    colors: Annotated[list[str], about("colours by the numbers of the kernels")]
    seats: Annotated[list[list[str]], about("colour of each seat: at first, and after a swap")]
    results: Annotated[
        dict[str, str], about("ends as sentences, by the kernels' numbers of winner and reason")
    ]


@closed
class KeptPuzzleOut(TypedDict):
    """A puzzle with its solution."""

    title: str
    task: str
    start: PuzzleStartOut
    answers: Annotated[
        dict[str, JudgedMoveOut],
        about("to right moves, by the number of moves before and the move"),
    ]
    solution: PuzzleLineOut


@closed
class KeptOut(TypedDict):
    """All that a browser keeps for times without a network."""

    version: str
    size: Annotated[Whole, about("bytes to download")]
    files: Annotated[list[str], about("URLs")]
    games: list[KeptGameOut]
    puzzles: list[KeptPuzzleOut]


class OfflineGameIn(RequestSchema):
    """A game against the computer that a browser has begun without a network."""

    key: Annotated[str, Field(pattern=r"^[0-9a-f-]{36}$", description="a random UUID")]
    game: Annotated[str, Field(max_length=32)]
    level: Annotated[int, Field(ge=1, le=9)]
    seat: Annotated[Seat, Field(description="the player's")]
    moves: list[Whole]


OFFLINE_GAME = TypeAdapter(OfflineGameIn)
