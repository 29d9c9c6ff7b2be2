"""JSON Schemas of the WebSocket messages of matches and of the lines of the event stream."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter

from antipodes.web.api.schemas.events import Event
from antipodes.web.connections.schemas import AnswerMessage
from antipodes.web.matches.messages import CLIENT_MESSAGE
from antipodes.web.matches.schemas import MatchNews

_MATCH_TOLD: TypeAdapter[Any] = TypeAdapter(MatchNews | AnswerMessage)
_EVENTS: TypeAdapter[Any] = TypeAdapter(Event)


@cache
def socket_schemas() -> dict[str, Any]:
    """Return the JSON Schemas of WebSocket messages (``sent``, ``told``) and of events."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "WebSocket messages of Antipodes",
        "match": {
            "address": "/m/SLUG/socket",
            "sent": CLIENT_MESSAGE.json_schema(mode="validation"),
            "told": _MATCH_TOLD.json_schema(mode="serialization"),
        },
        "events": {
            "address": "/api/v1/stream/events",
            "told": _EVENTS.json_schema(mode="serialization"),
        },
    }
