"""Schemas of commands to a match: those of the WebSocket, without what an address says."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from antipodes.web.matches.chat import LONGEST
from antipodes.web.matches.messages import (
    Answer,
    CommandSeat,
    ConditionalMovesFields,
    Key,
    MoveFields,
    Ply,
)
from antipodes.web.platform.schemas import RequestSchema


class CommandIn(RequestSchema):
    """Optional fields of every command; by default the current state of the match."""

    seat: CommandSeat | None = None
    ply: Ply | None = None
    key: Key | None = None


class MoveIn(MoveFields, CommandIn):
    """A move, either as its number or in the game's notation."""


class OfferIn(CommandIn):
    """The answer to an offer: make, accept, or decline or withdraw it."""

    answer: Answer = "offer"


class ConditionalMovesIn(ConditionalMovesFields, CommandIn):
    """Conditional moves that replace the present ones; an empty list removes them."""


class ChatMessageIn(RequestSchema):
    """A new chat message."""

    text: Annotated[str, Field(min_length=1, max_length=LONGEST)]
    key: Key | None = None


class NotesIn(RequestSchema):
    """Private notes that replace the present ones."""

    text: Annotated[str, Field(max_length=10_000)]
