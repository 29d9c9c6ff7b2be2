"""Matches between people: seats, clocks, offers, plans; commands in, events out.

Nothing here reads a clock, draws a lot, knows a framework, or sends anything.
"""

from antipodes.match.challenge import Challenge, Joined
from antipodes.match.commands import (
    Abort,
    Accept,
    ClaimFlag,
    ComeBack,
    Command,
    Decline,
    GoOnVacation,
    MakePlan,
    Offer,
    OfferKind,
    Play,
    QueueResignation,
    Resign,
)
from antipodes.match.events import Event, EventKind, MoveSource
from antipodes.match.handling import bridge, handle, tick
from antipodes.match.match import MadeMove, Match, Terms
from antipodes.match.plans import ANY, Branch, Plan
from antipodes.match.series import Series, rematch

__all__ = [
    "ANY",
    "Abort",
    "Accept",
    "Branch",
    "Challenge",
    "ClaimFlag",
    "ComeBack",
    "Command",
    "Decline",
    "Event",
    "EventKind",
    "GoOnVacation",
    "Joined",
    "MadeMove",
    "MakePlan",
    "Match",
    "MoveSource",
    "Offer",
    "OfferKind",
    "Plan",
    "Play",
    "QueueResignation",
    "Resign",
    "Series",
    "Terms",
    "bridge",
    "handle",
    "rematch",
    "tick",
]
