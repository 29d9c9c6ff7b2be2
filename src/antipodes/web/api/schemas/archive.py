"""Schemas of searches for finished games."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from antipodes.web.platform.schemas import ResponseSchema

_Text = Annotated[str, Field(max_length=150, pattern=r"^[^\x00]*$")]


class GameQuery(BaseModel):
    """A search for finished games; empty fields do not restrict it."""

    player: _Text = ""
    opponent: _Text = ""
    game: _Text = ""
    options: _Text = ""
    speed: _Text = ""
    board: _Text = ""
    rated: Literal["", "yes", "no"] = ""
    result: _Text = ""
    ending: _Text = ""
    opening: _Text = ""
    since: _Text = ""
    until: _Text = ""
    after: _Text = ""
    count: Annotated[int, Field(ge=1, le=100, description="maximum number of games")] = 50


class GamePageOut(ResponseSchema):
    """A page of finished games, the latest first; ``after`` requests the next page."""

    games: list[dict[str, Any]]
    count: int | None
    after: str | None
