"""The random playout kernel of each family of games."""

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
    """Return ``playout(tables, state, work, rng)`` of a family, compiled if that is enabled.

    It plays a random game from ``state`` in place and returns its winner as states encode it.
    Afterwards ``WINNER``, ``COLOR`` and ``SEAT`` are those of a finished game; the rest of the
    state is undefined.
    """
    return edition(_MODULES[family], "playout")
