"""Schemas of the ratings of a match's players, as its page is told of them."""

from __future__ import annotations

from typing import Annotated, NotRequired

from typing_extensions import TypedDict

from antipodes.web.matches.schemas import Seat
from antipodes.web.platform.schemas import about, closed


@closed
class SeatRatingOut(TypedDict):
    """The rating of a player: after the match, or the current one."""

    seat: Seat
    profile: Annotated[str, about("URL of the player's profile")]
    rating: NotRequired[Annotated[int, about("initially, accounts have one in rated matches only")]]
    provisional: NotRequired[bool]
    gain: NotRequired[Annotated[int, about("points won or lost by the match")]]


@closed
class MatchRatingsOut(TypedDict):
    """The ratings at a match."""

    rated: bool
    isDone: Annotated[bool, about("whether they will not change any more")]
    why: Annotated[str | None, about("why a match that was meant to be rated is not")]
    seats: list[SeatRatingOut]
