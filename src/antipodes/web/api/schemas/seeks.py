"""Shapes of searches for an opponent."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from antipodes.web.api.schemas.base import Milliseconds, Shape, Slug, Wanted
from antipodes.web.api.schemas.community import BoardName, SpeedName
from antipodes.web.api.schemas.matches import MatchLineShape
from antipodes.web.matchmaking.presets import DEFAULT_CLOCK


class SearchShape(Shape):
    """A search for an opponent, until there is a match."""

    slug: Slug
    game: str
    title: str
    board: BoardName
    control: str
    speed: SpeedName
    rated: bool
    since: Milliseconds
    rating: float = Field(description="one's own, as it was when the search began")
    lowest: float = Field(description="rating of an opponent now; it falls while one waits")
    highest: float = Field(description="rating of an opponent now; it grows while one waits")
    patience: Milliseconds | None = Field(
        description="the search ends if nobody asks for it for so long; null for correspondence"
    )
    match: MatchLineShape | None = Field(description="the match, once an opponent was found")


class SearchWanted(Wanted):
    """What to look for an opponent for; it can be nothing else than on the page."""

    game: Annotated[str, Field(min_length=1, max_length=40)]
    board: BoardName = "standard"
    control: Annotated[str, Field(max_length=60, description="a clock of the page")] = DEFAULT_CLOCK
    rated: bool = False


class StoppedShape(Shape):
    """What came of a search that was stopped: the match, if one was found just before."""

    match: MatchLineShape | None
