"""The kernel that plays a random game to its end, for each family of games."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from antipodes.search.editions import edition
from antipodes.search.kernels import antipalos_playout, antipode_playout, playouts

_MODULES: dict[str, ModuleType] = {
    "placement": playouts,
    "antipalos": antipalos_playout,
    "antipode": antipode_playout,
}


def playout_kernel(family: str) -> Callable[..., int]:
    """Return ``playout(tables, state, work, rng)`` of a family, compiled where that is allowed.

    It plays a random game from ``state`` in place and returns its winner as the state has it.
    Afterwards ``WINNER``, ``COLOR`` and ``SEAT`` are those of a finished game; the rest of the
    state may be anything.
    """
    return edition(_MODULES[family], "playout")
