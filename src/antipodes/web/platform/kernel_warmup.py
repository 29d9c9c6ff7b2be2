"""Kernels are ready at once; nothing has to wait for them."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from antipodes.games.position import Game


class Use(StrEnum):
    """Use of kernels: moves at the usual levels, or everything else."""

    PLAY = "play"
    STUDY = "study"


Report = Callable[[Use | None, str], None]


def is_cold(_game: Game, _use: Use) -> bool:
    """Return whether kernels for a game are not ready yet."""
    return False
