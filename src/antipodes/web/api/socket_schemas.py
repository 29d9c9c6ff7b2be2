"""JSON Schemas of the WebSocket messages of matches and of the lines of the event stream."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

from pydantic import TypeAdapter

from antipodes.web.api.schemas.events import Event
from antipodes.web.api.schemas.matches import ChatMessageOut, MatchOut, Seat, Seats
from antipodes.web.matches.messages import CLIENT_MESSAGE
from antipodes.web.platform.schemas import ResponseSchema, Whole


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
    server: TypeAdapter[Any] = TypeAdapter(ServerMessage)
    events: TypeAdapter[Any] = TypeAdapter(Event)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "WebSocket messages of Antipodes",
        "match": {
            "address": "/m/SLUG/socket",
            "sent": CLIENT_MESSAGE.json_schema(mode="validation"),
            "told": server.json_schema(mode="serialization"),
        },
        "events": {
            "address": "/api/v1/stream/events",
            "told": events.json_schema(mode="serialization"),
        },
    }
