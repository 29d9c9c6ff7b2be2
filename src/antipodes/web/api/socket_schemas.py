"""JSON Schemas of the messages of all WebSockets, and of the lines of the event stream."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from pydantic import TypeAdapter

from antipodes.web.analysis.schemas import (
    AdviceOut,
    AnalysisKitOut,
    AnalysisOut,
    EditorOut,
    EffectOut,
    JudgementOut,
    KitOut,
    MatchEngineOut,
    PositionOut,
    ReviewOut,
    StepsOut,
    ToldMovesOut,
)
from antipodes.web.api.schemas.events import Event
from antipodes.web.archive.schemas import ExploredOut
from antipodes.web.connections.schemas import AnswerMessage
from antipodes.web.courses.schemas import FirstGameOut, LessonOut, StepVerdictOut, SuggestionOut
from antipodes.web.matches.messages import CLIENT_MESSAGE, SAY_MESSAGE
from antipodes.web.matches.presenters import BoardOut, ShownMove
from antipodes.web.matches.schemas import (
    ChatMessage,
    HiddenMessage,
    LeftMessage,
    ThinkingMessage,
    WatchingMessage,
)
from antipodes.web.matches.snapshots import MatchMessage
from antipodes.web.notifications.schemas import LookingMessage, Notice, PushOut
from antipodes.web.offline.schemas import KeptOut
from antipodes.web.puzzles.schemas import (
    JudgedMoveOut,
    PuzzleHintOut,
    PuzzleLineOut,
    PuzzleStartOut,
)
from antipodes.web.ratings.schemas import MatchRatingsOut
from antipodes.web.studies.schemas import EDIT_MESSAGE, StudyNews
from antipodes.web.tournaments.schemas import VersionMessage

ChatNews: TypeAlias = ChatMessage | HiddenMessage
MatchNews: TypeAlias = (
    MatchMessage | ChatMessage | HiddenMessage | WatchingMessage | LeftMessage | ThinkingMessage
)


@dataclass(frozen=True, slots=True)
class Wire:
    """A WebSocket or a stream: its address, and what it is told and sent."""

    address: str
    told: TypeAdapter[Any]
    sent: TypeAdapter[Any] | None = None


WIRES: Mapping[str, Wire] = {
    "match": Wire("/m/SLUG/socket", TypeAdapter(MatchNews | AnswerMessage), CLIENT_MESSAGE),
    "lobby": Wire("/lobby/socket", TypeAdapter(ChatNews | AnswerMessage), SAY_MESSAGE),
    "study": Wire(
        "/study/SLUG/NUMBER/socket",
        TypeAdapter(StudyNews | AnswerMessage),
        EDIT_MESSAGE,
    ),
    "notices": Wire("/notices/socket", TypeAdapter(Notice), TypeAdapter(LookingMessage)),
    "tournament": Wire("/tournament/SLUG/socket", TypeAdapter(VersionMessage)),
    "tournament-chat": Wire(
        "/tournament/SLUG/chat", TypeAdapter(ChatNews | AnswerMessage), SAY_MESSAGE
    ),
    "simul-chat": Wire("/simul/SLUG/chat", TypeAdapter(ChatNews | AnswerMessage), SAY_MESSAGE),
    "events": Wire("/api/v1/stream/events", TypeAdapter(Event)),
}

# What the site's scripts need besides the messages of sockets: unions of them, and data of pages.
_UNIONS: Mapping[str, Any] = {
    "AnswerMessage": AnswerMessage,
    "MatchNews": MatchNews,
    "StudyNews": StudyNews,
    "Notice": Notice,
}
_PAGES: tuple[Any, ...] = (
    AdviceOut,
    AnalysisKitOut,
    AnalysisOut,
    KitOut,
    MatchEngineOut,
    BoardOut,
    EditorOut,
    EffectOut,
    ExploredOut,
    FirstGameOut,
    JudgedMoveOut,
    JudgementOut,
    KeptOut,
    LessonOut,
    MatchRatingsOut,
    PositionOut,
    PushOut,
    PuzzleHintOut,
    PuzzleLineOut,
    PuzzleStartOut,
    ReviewOut,
    ShownMove,
    StepVerdictOut,
    StepsOut,
    ToldMovesOut,
    SuggestionOut,
)


def definitions() -> dict[str, Any]:
    """Return the JSON Schema of each object that the site's scripts send or receive, by name."""
    told = dict(_UNIONS) | {kind.__name__: kind for kind in _PAGES}
    sent: dict[str, TypeAdapter[Any]] = {"ClientMessage": CLIENT_MESSAGE}
    sent |= {"EditMessage": EDIT_MESSAGE, "LookingMessage": TypeAdapter(LookingMessage)}
    roots, schema = TypeAdapter.json_schemas(
        [
            *((name, "validation", adapter) for name, adapter in sent.items()),
            *((name, "serialization", TypeAdapter(kind)) for name, kind in told.items()),
        ]
    )
    unions = {name: one for (name, _mode), one in roots.items() if "$ref" not in one}
    all_definitions: dict[str, Any] = schema["$defs"] | unions
    return all_definitions


@cache
def socket_schemas() -> dict[str, Any]:
    """Return the JSON Schemas of what each WebSocket is ``sent`` and ``told``, and of events."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "WebSocket messages of Antipodes",
        **{name: _published(wire) for name, wire in WIRES.items()},
    }


def _published(wire: Wire) -> dict[str, Any]:
    sent = {} if wire.sent is None else {"sent": wire.sent.json_schema(mode="validation")}
    return {
        "address": wire.address,
        **sent,
        "told": wire.told.json_schema(mode="serialization"),
    }
