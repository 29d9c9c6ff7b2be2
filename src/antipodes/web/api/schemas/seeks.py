"""Schemas of seeks."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from antipodes.web.api.schemas.matches import MatchSummaryOut
from antipodes.web.api.schemas.people import BoardName, SpeedName
from antipodes.web.matchmaking.presets import DEFAULT_CLOCK
from antipodes.web.platform.schemas import Milliseconds, RequestSchema, ResponseSchema, Slug


class SeekOut(ResponseSchema):
    """A seek, with its match once an opponent is found."""

    slug: Slug
    game: str
    title: str
    board: BoardName
    control: str
    speed: SpeedName
    rated: bool
    since: Milliseconds
    rating: float = Field(description="your rating when the seek began")
    lowest: float = Field(description="minimum rating of an opponent; it falls over time")
    highest: float = Field(description="maximum rating of an opponent; it rises over time")
    patience: Milliseconds | None = Field(
        description="the seek expires without a request for so long; null for correspondence"
    )
    match: MatchSummaryOut | None = Field(description="the match, once an opponent is found")


class SeekIn(RequestSchema):
    """A new seek, with the choices of the quick-pairing page."""

    game: Annotated[str, Field(min_length=1, max_length=40)]
    board: BoardName = "standard"
    control: Annotated[str, Field(max_length=60, description="a clock of the page")] = DEFAULT_CLOCK
    rated: bool = False


class CancelledSeekOut(ResponseSchema):
    """A cancelled seek: the match, if an opponent was found just before."""

    match: MatchSummaryOut | None
