"""Schemas of analyses and reviews."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from antipodes.web.platform.schemas import RequestSchema, ResponseSchema

# A position as in records; the game checks it.
SetupIn = Annotated[dict[Annotated[str, Field(max_length=20)], Any], Field(max_length=10)]


class PositionIn(RequestSchema):
    """A position: a game and the moves to it, as numbers or in notation.

    ``setup`` is the position before the moves, if it is not the start of the game.
    """

    game: Annotated[str, Field(min_length=1, max_length=40)]
    options: Annotated[
        dict[
            Annotated[str, Field(max_length=40)],
            Annotated[int, Field(ge=-(2**31), le=2**31)] | Annotated[str, Field(max_length=40)],
        ],
        Field(max_length=20),
    ] = {}
    setup: SetupIn | None = None
    moves: Annotated[
        list[
            Annotated[int, Field(ge=0, le=999_999_999)]
            | Annotated[str, Field(min_length=1, max_length=100, pattern="^[^,]+$")]
        ],
        Field(max_length=1_500),
    ] = []


class AnalysisIn(PositionIn):
    """A position to analyse."""

    effort: Literal["glance", "look", "study"] = "glance"


class AnalysisOut(ResponseSchema):
    """The state and results of an analysis; `found` grows until `isOver`.

    `wait` is the approximate number of seconds until a queued analysis starts.
    """

    slug: str
    state: str
    is_over: bool
    found: dict[str, Any] | None
    wait: int | None


class ReviewOut(ResponseSchema):
    """The computer's evaluation of each position of a finished match, complete or not."""

    state: str | None
    estimates: list[dict[str, Any]]
    turns: list[Any]
