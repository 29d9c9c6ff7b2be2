"""The pairing strategy: answer at the point turned by half a circle about the axis."""

from __future__ import annotations

from typing import Any

from antipodes.core import Move
from antipodes.games.position import BoardPosition


def pairing_reply(position: BoardPosition[Any]) -> Move:
    """Return the answer of the pairing strategy."""
    raise NotImplementedError
