"""Events of a match, as they are stored and sent to players and spectators."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, ClassVar, get_args

from antipodes.match.commands import MoveSource, OfferKind
from antipodes.match.conditional_moves import ConditionalMoves
from antipodes.records import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseEvent:
    """Base of all events.

    Attributes:
        kind: tag of the class in JSON.
        is_private: whether only the player on the seat may see it.
        at: when it happened, in milliseconds.
        seat: who caused it; ``None`` if no player did.
        key: key of the command that caused it.
    """

    kind: ClassVar[str]
    is_private: ClassVar[bool] = False

    at: int
    seat: int | None = None
    key: str = ""

    def is_for(self, seat: int | None) -> bool:
        """Return whether a seat, or with ``None`` a spectator, may see the event."""
        return not self.is_private or (seat is not None and seat == self.seat)

    def as_json(self) -> dict[str, Any]:
        """Return the event as JSON values, without empty fields."""
        data: dict[str, Any] = {"kind": self.kind}
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None and value != "":
                data[field.name] = _to_json(value)
        return data


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved(BaseEvent):
    """A player has moved."""

    kind: ClassVar[str] = "moved"

    seat: int
    move: int
    source: MoveSource = MoveSource.HAND


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered(BaseEvent):
    """A player has offered something."""

    kind: ClassVar[str] = "offered"

    seat: int
    offer: OfferKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreed(BaseEvent):
    """A player has agreed to an offer; if all have, the next event is what follows from it."""

    kind: ClassVar[str] = "agreed"

    seat: int
    offer: OfferKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined(BaseEvent):
    """A player has declined an offer of another player."""

    kind: ClassVar[str] = "declined"

    seat: int
    offer: OfferKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawn(BaseEvent):
    """A player has withdrawn their own offer."""

    kind: ClassVar[str] = "withdrawn"

    seat: int
    offer: OfferKind


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenBack(BaseEvent):
    """Moves were taken back.

    Attributes:
        ply: how many moves are left.
    """

    kind: ClassVar[str] = "taken-back"

    ply: int


class Paused(BaseEvent):
    """All clocks are stopped."""

    kind: ClassVar[str] = "paused"


class Resumed(BaseEvent):
    """The pause is over."""

    kind: ClassVar[str] = "resumed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionalMovesSet(BaseEvent):
    """A player has set or dropped conditional moves."""

    kind: ClassVar[str] = "conditional-moves-set"
    is_private: ClassVar[bool] = True

    seat: int
    moves: ConditionalMoves


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionalMovesDropped(BaseEvent):
    """A player's conditional move was not legal, so all were dropped."""

    kind: ClassVar[str] = "conditional-moves-dropped"
    is_private: ClassVar[bool] = True

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResignationQueued(BaseEvent):
    """A player will resign on their next turn."""

    kind: ClassVar[str] = "resignation-queued"
    is_private: ClassVar[bool] = True

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ResignationCancelled(BaseEvent):
    """A player has cancelled a queued resignation."""

    kind: ClassVar[str] = "resignation-cancelled"
    is_private: ClassVar[bool] = True

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VacationStarted(BaseEvent):
    """A player has gone on vacation."""

    kind: ClassVar[str] = "vacation-started"

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VacationEnded(BaseEvent):
    """A player is back from vacation."""

    kind: ClassVar[str] = "vacation-ended"

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended(BaseEvent):
    """The match is over.

    Attributes:
        seat: who resigned, aborted it, lost on time, left it, or claimed a draw from a player
            who had left; ``None`` for all other ends.
    """

    kind: ClassVar[str] = "ended"

    result: Result


Event = (
    Moved
    | Offered
    | Agreed
    | Declined
    | Withdrawn
    | TakenBack
    | Paused
    | Resumed
    | ConditionalMovesSet
    | ConditionalMovesDropped
    | ResignationQueued
    | ResignationCancelled
    | VacationStarted
    | VacationEnded
    | Ended
)


def read_event(data: Mapping[str, Any]) -> Event:
    """Read an event from the JSON of ``as_json``, which must be valid."""
    values = {name: _READERS.get(name, _unchanged)(value) for name, value in data.items()}
    event: Event = _BY_KIND[values.pop("kind")](**values)
    return event


def _to_json(value: object) -> object:
    if isinstance(value, ConditionalMoves):
        return value.as_json()
    if isinstance(value, Result):
        return value.as_data()
    return value.value if isinstance(value, StrEnum) else value


def _unchanged(value: Any) -> Any:
    return value


_BY_KIND: dict[str, type[Any]] = {one.kind: one for one in get_args(Event)}
_READERS: dict[str, Callable[[Any], Any]] = {
    "source": MoveSource,
    "offer": OfferKind,
    "moves": ConditionalMoves.read,
    "result": Result.read,
}
