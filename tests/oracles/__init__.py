"""Slow and obvious second versions of the rules, to hold the library against.

Nothing here imports the library.  ``make_oracle`` starts a game by its id; its options have the
names and values of the library's own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .antipalos import AntipalosOracle
from .antipod import AntipodOracle
from .antipode import AntipodeOracle
from .base import Oracle, Outcome
from .cylindrical_hex import CylindricalHexOracle
from .hex import HexOracle

ORACLES: dict[str, Callable[..., Oracle]] = {
    "antipod": AntipodOracle,
    "antipalos": AntipalosOracle,
    "antipode": AntipodeOracle,
    "hex": HexOracle,
    "cylindrical-hex": CylindricalHexOracle,
}


def make_oracle(game_id: str, **options: Any) -> Oracle:
    """Return the oracle of a game at its start, with the given options."""
    return ORACLES[game_id](**options)


__all__ = [
    "ORACLES",
    "AntipalosOracle",
    "AntipodOracle",
    "AntipodeOracle",
    "CylindricalHexOracle",
    "HexOracle",
    "Oracle",
    "Outcome",
    "make_oracle",
]
