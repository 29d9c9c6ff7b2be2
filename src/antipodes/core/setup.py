"""Unchecked descriptions of positions, read from a picture or a JSON object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Setup:
    """An unchecked description of a position.

    ``game.position(setup)`` returns the position, or raises an error with all faults.

    Attributes:
        stones: pairs of a point's name and the name of a colour, in any order. Antipalos' points
            are rods (``B4*``). A point that is named twice is a fault.
        to_move: colour to move, or ``None`` to infer it from the number of stones.
        pawns: Antipode only: colour -> point.
        rods_left: Antipalos only: colour -> rods not yet placed; empty to infer it.
        seat: seat to move, counted from 0, where a colour has several seats; ``None`` to infer.
        swapped: whether the seats have exchanged colours (or, with ``swap=pieces``, whether the
            first stone was swapped).
        phase_two_plies: Antipalos only: plies already played in Phase Two.
        composed: whether the position was composed rather than played: then the numbers of stones
            need not agree with alternating turns.
    """

    stones: tuple[tuple[str, str], ...] = ()
    to_move: str | None = None
    pawns: Mapping[str, str] = field(default_factory=dict)
    rods_left: Mapping[str, int] = field(default_factory=dict)
    seat: int | None = None
    swapped: bool = False
    phase_two_plies: int = 0
    composed: bool = False
