"""What has happened in a match: all that is kept, and all that others are told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from antipodes.core import Color
from antipodes.match.commands import OfferKind
from antipodes.match.plans import Plan
from antipodes.records import Reason, Result


class EventKind(StrEnum):
    """The kinds of events."""

    MOVED = "moved"
    OFFERED = "offered"
    AGREED = "agreed"  # one seat's consent; the last one brings about what was offered
    DECLINED = "declined"
    TAKEN_BACK = "taken-back"
    PAUSED = "paused"
    RESUMED = "resumed"
    PLANNED = "planned"  # private to its seat
    PLAN_DROPPED = "plan-dropped"  # private to its seat
    RESIGNATION_QUEUED = "resignation-queued"  # private to its seat
    LEFT = "left"
    CAME_BACK = "came-back"
    ENDED = "ended"


PRIVATE = frozenset({EventKind.PLANNED, EventKind.PLAN_DROPPED, EventKind.RESIGNATION_QUEUED})


class MoveSource(StrEnum):
    """Where a move came from; everybody is shown it."""

    HAND = "hand"
    PLAN = "plan"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that has happened.

    Attributes:
        kind: what.
        at: when, in milliseconds.
        seat: whose doing it was; ``None`` for what came about by itself.
        key: of the command that brought it about.
        move: of MOVED.
        source: of MOVED.
        offer: of OFFERED, AGREED and DECLINED.
        ply: of TAKEN_BACK: the moves that are left.
        plan: of PLANNED.
        on: of RESIGNATION_QUEUED.
        result: of ENDED.
    """

    kind: EventKind
    at: int
    seat: int | None = None
    key: str = ""
    move: int | None = None
    source: MoveSource | None = None
    offer: OfferKind | None = None
    ply: int | None = None
    plan: Plan | None = None
    on: bool | None = None
    result: Result | None = None

    def is_for(self, seat: int | None) -> bool:
        """Return whether a seat, or with ``None`` a spectator, may know of it."""
        return self.kind not in PRIVATE or (seat is not None and seat == self.seat)

    def as_json(self) -> dict[str, Any]:
        """Return what JSON can carry, without what is not there."""
        data: dict[str, Any] = {"kind": self.kind.value, "at": self.at}
        for name in ("seat", "key", "move", "ply", "on"):
            value = getattr(self, name)
            if value not in (None, ""):
                data[name] = value
        if self.source is not None:
            data["source"] = self.source.value
        if self.offer is not None:
            data["offer"] = self.offer.value
        if self.plan is not None:
            data["plan"] = self.plan.as_json()
        if self.result is not None:
            winner = self.result.winner
            data["result"] = {"winner": winner and winner.value, "reason": self.result.reason.value}
            if self.result.text:
                data["result"]["text"] = self.result.text
        return data

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Event:
        """Read what :meth:`as_json` gave; it comes from our own store and is trusted."""
        plain = {name: data[name] for name in ("seat", "key", "move", "ply", "on") if name in data}
        result = data.get("result")
        return cls(
            kind=EventKind(data["kind"]),
            at=data["at"],
            source=MoveSource(data["source"]) if "source" in data else None,
            offer=OfferKind(data["offer"]) if "offer" in data else None,
            plan=Plan.read(data["plan"]) if "plan" in data else None,
            result=None if result is None else _read_result(result),
            **plain,
        )


def _read_result(data: Mapping[str, Any]) -> Result:
    winner = data["winner"]
    return Result(
        None if winner is None else Color(winner), Reason(data["reason"]), data.get("text", "")
    )
