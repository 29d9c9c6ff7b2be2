"""JSON Schemas of the WebSocket messages of matches and of the lines of the event stream."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter

from antipodes.web.api.schemas.events import Event
from antipodes.web.connections.schemas import AnswerMessage
from antipodes.web.matches.messages import CLIENT_MESSAGE
from antipodes.web.matches.schemas import BoardOut, MatchNews, ShownMove

_MATCH_TOLD: TypeAdapter[Any] = TypeAdapter(MatchNews | AnswerMessage)
_EVENTS: TypeAdapter[Any] = TypeAdapter(Event)

# What the site's scripts send and receive, besides these: data of pages, and their responses.
_PAGES: tuple[Any, ...] = (BoardOut, ShownMove)


def definitions() -> dict[str, Any]:
    """Return the JSON Schema of each object that the site's scripts send or receive, by name."""
    told: dict[str, Any] = {"AnswerMessage": AnswerMessage, "MatchNews": MatchNews}
    told |= {kind.__name__: kind for kind in _PAGES}
    roots, schema = TypeAdapter.json_schemas(
        [
            ("ClientMessage", "validation", CLIENT_MESSAGE),
            *((name, "serialization", TypeAdapter(kind)) for name, kind in told.items()),
        ]
    )
    unions = {name: one for (name, _mode), one in roots.items() if "$ref" not in one}
    definitions: dict[str, Any] = schema["$defs"] | unions
    return definitions


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
