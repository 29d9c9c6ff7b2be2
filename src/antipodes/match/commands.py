"""Commands that players send to a match."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from antipodes.match.conditional_moves import ConditionalMoves


class OfferKind(StrEnum):
    """Kinds of offers, each of which needs the consent of all players."""

    DRAW = "draw"
    TAKEBACK = "takeback"
    PAUSE = "pause"
    REMATCH = "rematch"  # after the end only; all others before it only


class MoveSource(StrEnum):
    """Where a move came from; all players and spectators see it."""

    HAND = "hand"
    CONDITIONAL = "conditional"
    GIVEN = "given"  # by the start of a match from a position
    DEVICE = "device"  # the computer's, found by the engine in its opponent's page


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseCommand:
    """Base of all commands.

    Attributes:
        seat: the sender's seat, counted from 0 in the order of the first turns.
        ply: number of moves that the player had seen; for another number it is refused as stale.
        key: idempotency key, chosen by the client; a repeated command does nothing.
    """

    seat: int
    ply: int
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Play(BaseCommand):
    """Make a move; `source` tells who found it."""

    move: int
    source: MoveSource = MoveSource.HAND


class Resign(BaseCommand):
    """Resign now."""


class QueueResignation(BaseCommand):
    """Resign as soon as it is the player's turn."""


class CancelResignation(BaseCommand):
    """Cancel a queued resignation."""


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


class Resume(BaseCommand):
    """End a pause."""


class Abort(BaseCommand):
    """Abort the match before the player's first move."""


class ClaimFlag(BaseCommand):
    """Claim that the time of the player to move has run out."""


class ClaimWin(BaseCommand):
    """Claim the win over an opponent who has left a live game in their turn."""


class ClaimDraw(BaseCommand):
    """Claim a draw instead, where the game can end in one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetConditionalMoves(BaseCommand):
    """Replace the player's conditional moves; empty ones drop them."""

    moves: ConditionalMoves


class StartVacation(BaseCommand):
    """Stop the player's clock for a vacation."""


class EndVacation(BaseCommand):
    """End the vacation: the player's clock runs again."""


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
    | ClaimWin
    | ClaimDraw
    | SetConditionalMoves
    | StartVacation
    | EndVacation
)
