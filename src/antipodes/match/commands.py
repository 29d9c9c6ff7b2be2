"""Commands: what the player on a seat can ask of a match."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from antipodes.match.conditional_moves import ConditionalMoves


class OfferKind(StrEnum):
    """Kinds of offers, each of which needs the consent of all players."""

    DRAW = "draw"
    TAKEBACK = "takeback"
    PAUSE = "pause"
    REMATCH = "rematch"  # after the end; all others are made before it


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseCommand:
    """Base of all commands.

    Attributes:
        seat: whose command it is, counted from 0 in the order of the first turns.
        ply: how many moves the player had seen; a command for another number is refused as stale.
        key: chosen by the client, another one for each intention; a repeated one does nothing.
    """

    seat: int
    ply: int
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Play(BaseCommand):
    """Make a move."""

    move: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Resign(BaseCommand):
    """Resign now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueResignation(BaseCommand):
    """Resign as soon as it is the player's turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelResignation(BaseCommand):
    """Take back a queued resignation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer(BaseCommand):
    """Offer a draw or a rematch, or ask for a takeback of the player's last move or a pause."""

    kind: OfferKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Accept(BaseCommand):
    """Agree to an offer."""

    kind: OfferKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline(BaseCommand):
    """Decline an offer, or withdraw the player's own."""

    kind: OfferKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Resume(BaseCommand):
    """End a pause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Abort(BaseCommand):
    """Abort the match before the player's first move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimFlag(BaseCommand):
    """Claim that the time of the player to move has run out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetConditionalMoves(BaseCommand):
    """Replace the player's conditional moves; empty ones drop them."""

    moves: ConditionalMoves


@dataclass(frozen=True, slots=True, kw_only=True)
class StartVacation(BaseCommand):
    """Stop the player's clock for a vacation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndVacation(BaseCommand):
    """Let the player's clock run again."""


Command = (
    Play
    | Resign
    | QueueResignation
    | CancelResignation
    | Offer
    | Accept
    | Decline
    | Resume
    | Abort
    | ClaimFlag
    | SetConditionalMoves
    | StartVacation
    | EndVacation
)
