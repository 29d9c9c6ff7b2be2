"""The messages of the sockets of matches, in and out, and the lines of events, as JSON Schema."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from antipodes.web.api.schemas.base import Shape, Whole
from antipodes.web.api.schemas.events import Event
from antipodes.web.api.schemas.matches import ChatLineView, MatchView, Seat, Seats

# --- what browsers send ---------------------------------------------------------------------

_Key = Annotated[str, Field(min_length=8, max_length=64)]


class _Command(Shape):
    """What every command carries."""

    seat: Seat
    ply: Whole
    key: _Key


class PlayMessage(_Command):
    """Make a move, given as its number."""

    command: Literal["play"]
    move: Whole


class TypedMessage(_Command):
    """Make a move, given as people write it."""

    command: Literal["play"]
    text: str


class PlainMessage(_Command):
    """Resign, abort, claim a fallen flag, end a pause, go on vacation or come back."""

    command: Literal["resign", "abort", "claim-flag", "resume", "vacation", "back"]


class OfferMessage(_Command):
    """Make an offer, agree to one, or decline it or take it back."""

    command: Literal["offer", "accept", "decline"]
    kind: Literal["draw", "takeback", "pause", "rematch"]


class QueueMessage(_Command):
    """Resign as soon as it is one's turn, or think better of it."""

    command: Literal["queue-resignation"]
    on: bool = True


class PlanMessage(_Command):
    """Set one's conditional moves: branches of a move and what comes after it."""

    command: Literal["plan"]
    plan: list[dict[str, Any]]


class SayMessage(Shape):
    """Say something."""

    command: Literal["chat"]
    key: _Key
    text: str
    room: Literal["seated", "spectators"] | None = None
    seat: int | None = None
    ply: int | None = None


# --- what browsers are told -----------------------------------------------------------------


class MatchMessage(Shape):
    """How the match stands: when one comes, and after each change."""

    type: Literal["match"]
    match: MatchView


class ChatMessage(Shape):
    """Lines of chat: all that one may read when one comes, then each new one."""

    type: Literal["chat"]
    lines: list[ChatLineView]


class HiddenMessage(Shape):
    """A line of chat that moderators have deleted."""

    type: Literal["chat-hidden"]
    id: Whole


class WatchingMessage(Shape):
    """How many spectators there are, and which seats are present."""

    type: Literal["watching"]
    count: Whole
    seats: Seats


class ThinkingMessage(Shape):
    """How far the computer has thought, from 0 to 1, or what it waits for.

    `warming` tells that its engine is being compiled, `wait` in about how many seconds it begins,
    because it is busy with the moves of others.
    """

    type: Literal["thinking"]
    seat: Seat
    share: float
    warming: bool
    wait: Whole


class DoneMessage(Shape):
    """A command was carried out."""

    type: Literal["done"]
    key: str


class RefusedMessage(Shape):
    """A command was refused; nothing has changed."""

    type: Literal["refused"]
    key: str | None
    code: str
    message: str


class LaterMessage(Shape):
    """A command was not stored, because the disk is full or fails; send it again with its key."""

    type: Literal["later"]
    key: str | None
    code: str
    message: str


Sent = (
    PlayMessage
    | TypedMessage
    | PlainMessage
    | OfferMessage
    | QueueMessage
    | PlanMessage
    | SayMessage
)
Told = (
    MatchMessage
    | ChatMessage
    | HiddenMessage
    | WatchingMessage
    | ThinkingMessage
    | DoneMessage
    | RefusedMessage
    | LaterMessage
)


@cache
def socket_schemas() -> dict[str, Any]:
    """Return the schemas of what sockets of matches are sent and tell, and of events."""
    sent: TypeAdapter[Any] = TypeAdapter(Sent)
    told: TypeAdapter[Any] = TypeAdapter(Told)
    events: TypeAdapter[Any] = TypeAdapter(Event)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The sockets of Antipodes",
        "match": {
            "address": "/m/SLUG/socket",
            "sent": sent.json_schema(mode="validation"),
            "told": told.json_schema(mode="serialization"),
        },
        "events": {
            "address": "/api/v1/stream/events",
            "told": events.json_schema(mode="serialization"),
        },
    }
