"""Schemas of puzzles, answers and tries."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from antipodes.puzzles.model import HARDEST
from antipodes.web.matches.schemas import Options
from antipodes.web.platform.schemas import Milliseconds, RequestSchema, ResponseSchema, Whole

Day = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", description="in UTC")]
Outcome = Literal["solved", "failed", "hinted"]
Goal = Literal["win", "draw", "save"]
MoveText = Annotated[str, Field(min_length=1, max_length=100, description="in notation")]


class PuzzleOut(ResponseSchema):
    """A puzzle without its solution."""

    id: str
    game: str
    options: Options
    setup: dict[str, Any] = Field(description="the position, like the start of a record")
    to_move: str = Field(description="the solver's colour")
    goal: Goal = Field(description="the only move wins, draws, or saves from a forced loss")
    turns: Whole | None = Field(
        description="own turns in which to win, or to save: the opponent's in which it may not win;"
        " null for any number"
    )
    task: str = Field(description="the task in words, such as Black to move and win")
    difficulty: Whole = Field(description="the lowest level of the computer that solves it; or 9")
    rating: int
    tries: Whole = Field(description="rated tries of all solvers")
    path: str = Field(description="its page")
    picture: str = Field(description="path of a picture of the position")
    outcome: Outcome | None = Field(description="of your first try, if there was one")
    themes: list[str] | None = Field(description="null before your first try")


class DailyPuzzleOut(ResponseSchema):
    """The puzzle of a day."""

    day: Day
    puzzle: PuzzleOut


class PuzzleQuery(BaseModel):
    """Filters of the next puzzle; omitted fields do not restrict it."""

    game: Annotated[str, Field(max_length=40)] = ""
    theme: Annotated[str, Field(max_length=40)] = ""
    difficulty: Annotated[int | None, Field(ge=1, le=HARDEST)] = None


class PuzzleAnswerIn(RequestSchema):
    """Your move, after the moves so far: your earlier right moves and the replies, in turn."""

    moves: Annotated[list[MoveText], Field(max_length=60)] = []
    move: MoveText


class TryOut(ResponseSchema):
    """Your first try of a puzzle."""

    puzzle: str
    game: str
    outcome: Outcome
    at: Milliseconds
    retries: Whole = Field(description="later tries, which are not rated")
    solved_at: Milliseconds | None
    rating: int | None = Field(description="your rating after it; null if it was not rated")
    gain: int | None = Field(description="the change of your rating")


class PuzzleAnswerOut(ResponseSchema):
    """The response to a move.

    After ``right`` continue with ``moves``. If the verdict is ``waiting`` the computer is still
    searching: send the same request again after a second.
    """

    verdict: Literal["right", "solved", "wrong", "undecided", "waiting"]
    moves: list[str] = Field(description="all moves so far, with yours and the reply")
    reply: str | None
    refutation: list[str] = Field(description="moves that show why a wrong move does not win")
    is_final: bool = Field(description="false while a refutation is being searched")
    first_try: TryOut | None = Field(
        description="your first try, if this move has ended a try; with the scope read"
    )
    is_first: bool = Field(description="whether it was that one, which is rated")


class PuzzleSolutionOut(ResponseSchema):
    """The solution of a puzzle with the longest resistance."""

    moves: list[str]


class TriesOut(ResponseSchema):
    """Your tries, the latest first; ``before`` requests the next page."""

    tries: list[TryOut]
    before: str | None


class SolverRatingOut(ResponseSchema):
    """Your rating in the puzzles of a game."""

    game: str
    rating: int
    deviation: int
    tries: Whole
    solved: Whole


class SolverOut(ResponseSchema):
    """Your streak, and your ratings in puzzles."""

    streak: Whole = Field(description="days in a row on which you solved a puzzle")
    longest_streak: Whole
    is_done_today: bool
    ratings: list[SolverRatingOut]
