"""What a seat can ask of a match."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from antipodes.match.plans import Plan


class OfferKind(StrEnum):
    """What needs everybody's consent."""

    DRAW = "draw"
    TAKEBACK = "takeback"
    PAUSE = "pause"
    REMATCH = "rematch"  # after the end; all else is for before it


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What all commands carry.

    Attributes:
        seat: who asks, counted from 0 in the order of the first turns.
        ply: how many moves had been made when this was meant; another number is refused as stale.
        key: made by whoever sends it, different for each intention; a repeated one does nothing.
    """

    seat: int
    ply: int
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Play(Command):
    """Make a move."""

    move: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Resign(Command):
    """Give the game up, now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueResignation(Command):
    """Give the game up as soon as it is one's turn, or with ``on`` false think better of it."""

    on: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer(Command):
    """Offer a draw, ask for a takeback of one's last move, for a pause, or for a rematch."""

    kind: OfferKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Accept(Command):
    """Agree to an offer."""

    kind: OfferKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline(Command):
    """Turn an offer down, withdraw one's own, or end a pause."""

    kind: OfferKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Abort(Command):
    """Call the game off before one's own first move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimFlag(Command):
    """Say that somebody's time is up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MakePlan(Command):
    """Set one's conditional moves, in place of those there were; an empty plan drops them."""

    plan: Plan


@dataclass(frozen=True, slots=True, kw_only=True)
class GoOnVacation(Command):
    """Let one's clock stand still."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComeBack(Command):
    """Let one's clock run again."""
