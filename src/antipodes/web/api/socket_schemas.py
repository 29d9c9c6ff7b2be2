"""JSON Schemas of the WebSocket messages of matches and of the lines of the event stream."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from antipodes.web.api.schemas.base import ResponseSchema, Whole
from antipodes.web.api.schemas.events import Event
from antipodes.web.api.schemas.matches import ChatMessageOut, MatchOut, Seat, Seats

# --- messages of clients --------------------------------------------------------------------

_Key = Annotated[str, Field(min_length=8, max_length=64)]


class _Command(ResponseSchema):
    """The fields of every command."""

    seat: Seat
    ply: Whole
    key: _Key


class PlayMessage(_Command):
    """Make a move, by its number."""

    command: Literal["play"]
    move: Whole


class TypedMessage(_Command):
    """Make a move, in the game's notation."""

    command: Literal["play"]
    text: str


class PlainMessage(_Command):
    """Resign, abort, claim a win on time, end a pause, or start or end a vacation."""

    command: Literal["resign", "abort", "claim-flag", "resume", "vacation", "back"]


class OfferMessage(_Command):
    """Make or accept an offer, or decline or withdraw it."""

    command: Literal["offer", "accept", "decline"]
    kind: Literal["draw", "takeback", "pause", "rematch"]


class QueueMessage(_Command):
    """Resign when it is your turn, or cancel that."""

    command: Literal["queue-resignation"]
    on: bool = True


class ConditionalMovesMessage(_Command):
    """Set your conditional moves: a tree of moves and their answers."""

    command: Literal["conditional-moves"]
    moves: list[dict[str, Any]]


class SayMessage(ResponseSchema):
    """Send a chat message."""

    command: Literal["chat"]
    key: _Key
    text: str
    room: Literal["seated", "spectators"] | None = None
    seat: int | None = None
    ply: int | None = None


# --- messages of the server -----------------------------------------------------------------


class MatchMessage(ResponseSchema):
    """The state of the match, on connection and after each change."""

    type: Literal["match"]
    match: MatchOut


class ChatMessage(ResponseSchema):
    """Chat messages: on connection all that you may read, then each new one."""

    type: Literal["chat"]
    lines: list[ChatMessageOut]


class HiddenMessage(ResponseSchema):
    """Moderators have deleted a chat message."""

    type: Literal["chat-hidden"]
    id: Whole


class WatchingMessage(ResponseSchema):
    """The number of spectators, and the seats whose players are present."""

    type: Literal["watching"]
    count: Whole
    seats: Seats


class ThinkingMessage(ResponseSchema):
    """The computer's progress, from 0 to 1, or why it has not started.

    `warming` means that its engine is being compiled; `wait` is the approximate number of seconds
    until it starts, if it is busy in other matches.
    """

    type: Literal["thinking"]
    seat: Seat
    share: float
    warming: bool
    wait: Whole


class DoneMessage(ResponseSchema):
    """A command had effect."""

    type: Literal["done"]
    key: str


class RefusedMessage(ResponseSchema):
    """A command was refused; nothing has changed."""

    type: Literal["refused"]
    key: str | None
    code: str
    message: str


class LaterMessage(ResponseSchema):
    """The disk is full or fails, so a command was not stored; repeat it later with its key."""

    type: Literal["later"]
    key: str | None
    code: str
    message: str


ClientMessage = (
    PlayMessage
    | TypedMessage
    | PlainMessage
    | OfferMessage
    | QueueMessage
    | ConditionalMovesMessage
    | SayMessage
)
ServerMessage = (
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
    """Return the JSON Schemas of WebSocket messages (``sent``, ``told``) and of events."""
    client: TypeAdapter[Any] = TypeAdapter(ClientMessage)
    server: TypeAdapter[Any] = TypeAdapter(ServerMessage)
    events: TypeAdapter[Any] = TypeAdapter(Event)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "WebSocket messages of Antipodes",
        "match": {
            "address": "/m/SLUG/socket",
            "sent": client.json_schema(mode="validation"),
            "told": server.json_schema(mode="serialization"),
        },
        "events": {
            "address": "/api/v1/stream/events",
            "told": events.json_schema(mode="serialization"),
        },
    }
