"""Schemas of steps of lessons and of first games, as their pages are told of them."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, final

from typing_extensions import TypedDict

from antipodes.web.analysis.schemas import RefutationSearchOut
from antipodes.web.matches.presenters import BoardPositionOut, ShownMove
from antipodes.web.matches.schemas import Cell, Options, Pieces
from antipodes.web.platform.schemas import Whole, about, closed

State = Annotated[str, about("signed moves so far, to send with the next answer")]
Selected = Literal["points", "moves"]


@closed
class LineOut(TypedDict):
    """A position, by moves from the start of a game or from a setup."""

    game: str
    options: Options
    setup: str
    moves: list[Whole]


@closed
class DemonstrationOut(TypedDict):
    """An example: a line of moves that is shown."""

    start: Pieces
    moves: list[ShownMove]
    words: Annotated[list[str], about("what each of them does")]


@closed
class LessonOut(TypedDict):
    """A step after some moves."""

    board: Annotated[str, about("URL of the board")]
    position: BoardPositionOut
    selects: Annotated[Selected | None, about("what an answer marks; null for one move")]
    show: Annotated[list[Cell], about("cells that the text points at")]
    line: LineOut
    demonstration: DemonstrationOut
    state: State


@closed
class StepLinksOut(TypedDict):
    """Where one goes on with the position of a solved step."""

    analysis: NotRequired[str]
    practice: NotRequired[str]


@closed
class StepVerdictOut(TypedDict):
    """The judgement of an answer."""

    right: Annotated[bool | None, about("null if the computer could not decide it")]
    solved: bool
    message: str
    moves: Annotated[list[ShownMove], about("the answer, then the reply or the refutation")]
    words: Annotated[list[str], about("what each of them does")]
    position: BoardPositionOut
    links: StepLinksOut
    state: State
    search: NotRequired[Annotated[RefutationSearchOut, about("of a refutation that is missing")]]


@final
@closed
class SuggestionOut(TypedDict):
    """An answer that the computer suggests, with the cells that show it."""

    answer: Annotated[str | None, about("null if the computer knows none")]
    words: Annotated[str, about("what it does, if it is a move; else empty")]
    cells: list[Cell]
    state: State


@closed
class FirstGameOut(TypedDict):
    """A coached game."""

    board: Annotated[str, about("URL of the board")]
    position: BoardPositionOut
    moves: Annotated[list[ShownMove], about("the last ones")]
    words: Annotated[list[str], about("what each of them does")]
    advice: Annotated[list[str], about("good moves")]
    adviceWords: Annotated[list[str], about("what each of these does")]
    cells: Annotated[list[list[Cell]], about("of each of them")]
    isOver: bool
    result: str
    state: State
