"""Shapes of what is asked of a match."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from antipodes.web.api.schemas.base import FARTHEST, Wanted

Key = Annotated[
    str,
    Field(
        min_length=8,
        max_length=64,
        description="different for each intention; a repeated one does nothing",
    ),
]
WantedSeat = Annotated[
    int,
    Field(ge=0, le=FARTHEST, description="one's own seat; need not be said if one has one only"),
]
Ply = Annotated[
    int,
    Field(
        ge=0,
        le=FARTHEST,
        description="how many moves there were when this was meant; another number is refused",
    ),
]
OfferName = Literal["draw", "takeback", "pause", "rematch"]


class Act(Wanted):
    """What every command may say; what is left out is taken from how the match stands now."""

    seat: WantedSeat | None = None
    ply: Ply | None = None
    key: Key | None = None


class MoveWanted(Act):
    """A move, as its number or as people write it; one of the two."""

    move: Annotated[int, Field(ge=0, le=FARTHEST)] | None = None
    text: Annotated[str, Field(min_length=1, max_length=200)] | None = None

    @model_validator(mode="after")
    def _one_of_two(self) -> MoveWanted:
        if (self.move is None) == (self.text is None):
            raise ValueError("send either move or text")
        return self


class Answer(Act):
    """What to do about an offer: make it, agree to it, or decline it or take it back."""

    answer: Literal["offer", "accept", "decline"] = "offer"


class PlanBranch(Wanted):
    """A move that may come, or one's answer, and what comes after it."""

    move: Annotated[int, Field(ge=-1, le=FARTHEST, description="-1 stands for any other move")]
    then: list[PlanBranch] = []


class PlanWanted(Act):
    """Conditional moves in place of those there were; an empty list drops them."""

    plan: Annotated[list[PlanBranch], Field(max_length=500)]


class LineWanted(Wanted):
    """A line of chat."""

    text: Annotated[str, Field(min_length=1, max_length=500)]
    key: Key | None = None


class NotesWanted(Wanted):
    """One's private notes, in place of those there were."""

    text: Annotated[str, Field(max_length=10_000)]
