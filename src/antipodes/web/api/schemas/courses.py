"""Schemas of courses, their steps, and answers to them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from antipodes.web.api.schemas.analysis import PositionIn
from antipodes.web.api.schemas.challenges import LevelText
from antipodes.web.matches.schemas import Options
from antipodes.web.platform.schemas import RequestSchema, ResponseSchema, Whole


class StepLineOut(ResponseSchema):
    """A step in a list."""

    id: str
    title: str
    solved: bool = Field(description="whether you have solved it; false without a token")


class CourseOut(ResponseSchema):
    """A course with its steps, in the language of the request."""

    id: str
    game: str
    kind: Literal["rules", "strategy"]
    title: str
    summary: str
    steps: list[StepLineOut]
    path: str = Field(description="its page")


class StepOut(ResponseSchema):
    """A step: a position and a task, in the language of the request."""

    course: str
    step: str
    title: str
    text: str = Field(description="what the step teaches, and at its end the task")
    kind: str = Field(description="of the task, such as win, hold, connect or select")
    selects: bool = Field(description="whether an answer marks points or moves, not one move")
    game: str
    options: Options
    setup: dict[str, Any] = Field(description="the position, like the start of a record")
    to_move: str
    hints: list[str]
    solved: bool
    path: str
    picture: str


class StepAnswerIn(RequestSchema):
    """An answer to a step, after the answers of the `state` that was returned last."""

    answer: Annotated[
        str,
        Field(min_length=1, max_length=600, description="a move, or points with spaces between"),
    ]
    state: Annotated[str, Field(max_length=8_000, description="empty at first")] = ""


class StepAnswerOut(ResponseSchema):
    """The judgement of an answer."""

    right: bool | None = Field(description="null if the computer could not decide it")
    solved: bool
    message: str
    moves: list[str] = Field(description="the answer, then the reply or the refutation")
    setup: dict[str, Any] = Field(description="the position in which you go on")
    state: str = Field(description="to send with the next answer")


class CourseProgressOut(ResponseSchema):
    """Your solved steps of a course."""

    course: str
    solved: list[str]
    total: Whole


class PracticeIn(PositionIn):
    """A position to play out against the computer; you have the seat to move by default."""

    level: LevelText = 3
    seat: Annotated[int, Field(ge=0, le=3)] | None = None
