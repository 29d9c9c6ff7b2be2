"""Schemas of commands to a match."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from antipodes.web.api.schemas.base import MAX_INTEGER, RequestSchema

Key = Annotated[
    str,
    Field(
        min_length=8,
        max_length=64,
        description="idempotency key, different for each command; a repeated one has no effect",
    ),
]
CommandSeat = Annotated[
    int, Field(ge=0, le=MAX_INTEGER, description="your seat; optional if you have only one")
]
Ply = Annotated[
    int,
    Field(
        ge=0,
        le=MAX_INTEGER,
        description="how many moves the match had; with another number the command is stale",
    ),
]
OfferName = Literal["draw", "takeback", "pause", "rematch"]


class CommandIn(RequestSchema):
    """Optional fields of every command; by default the current state of the match."""

    seat: CommandSeat | None = None
    ply: Ply | None = None
    key: Key | None = None


class MoveIn(CommandIn):
    """A move, either as its number or in the game's notation."""

    move: Annotated[int, Field(ge=0, le=MAX_INTEGER)] | None = None
    text: Annotated[str, Field(min_length=1, max_length=200)] | None = None

    @model_validator(mode="after")
    def _one_of_two(self) -> MoveIn:
        if (self.move is None) == (self.text is None):
            raise ValueError("send either move or text")
        return self


class OfferIn(CommandIn):
    """The answer to an offer: make, accept, or decline or withdraw it."""

    answer: Literal["offer", "accept", "decline"] = "offer"


class ConditionalMoveIn(RequestSchema):
    """A move of the opponent or the answer to it, with the moves that follow."""

    move: Annotated[int, Field(ge=-1, le=MAX_INTEGER, description="-1 stands for any other move")]
    then: list[ConditionalMoveIn] = []


class ConditionalMovesIn(CommandIn):
    """Conditional moves that replace the present ones; an empty list removes them."""

    moves: Annotated[list[ConditionalMoveIn], Field(max_length=500)]


class ChatMessageIn(RequestSchema):
    """A new chat message."""

    text: Annotated[str, Field(min_length=1, max_length=500)]
    key: Key | None = None


class NotesIn(RequestSchema):
    """Private notes that replace the present ones."""

    text: Annotated[str, Field(max_length=10_000)]
