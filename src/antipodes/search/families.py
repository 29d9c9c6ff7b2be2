"""The registry of searches by family of kernels; their code is imported on demand.

A family without an entry is searched by :class:`antipodes.search.plain.PlainSearch`, which calls
only the kernels of the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from antipodes.games.kernels import edition

_RULES = "antipodes.games.kernels"
_SEARCH = "antipodes.search"
_KERNELS = f"{_SEARCH}.kernels"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFamily:
    """The search of one family of kernels.

    Attributes:
        kernels: modules of :mod:`antipodes.search.kernels` that its searches call; those that they
            import are compiled with them.
        playout: the module of these with its kernel ``playout``.
        tree_settings: the function that returns the settings of its trees, as ``module:function``;
            empty for the default settings.
        expert: the class of its search with knowledge, as ``module:class``; empty for a
            :class:`antipodes.search.tree.TreeSearch`.
    """

    kernels: tuple[str, ...]
    playout: str
    tree_settings: str = ""
    expert: str = ""


_FAMILIES = {
    "placement": SearchFamily(
        kernels=(
            "nodes",
            "rave",
            "puct",
            "proof_fill",
            "proof_currents",
            "proof_patterns",
            "connection",
        ),
        playout="playouts",
        tree_settings="mcts_tree:placement_settings",
    ),
    "antipalos": SearchFamily(
        kernels=(
            "nodes",
            "uct",
            "estimates",
            "antipalos_playout",
            "antipalos_evaluation",
            "antipalos_tree",
        ),
        playout="antipalos_playout",
        tree_settings="mcts_tree:antipalos_settings",
        expert="antipalos:AntipalosSearch",
    ),
    "antipode": SearchFamily(
        kernels=("antipode_search", "antipode_playout"),
        playout="antipode_playout",
        expert="antipode.alphabeta:AlphaBetaSearch",
    ),
}


def search_family(family: str) -> SearchFamily | None:
    """Return the entry of a family, or ``None`` if only the plain search can search it."""
    return _FAMILIES.get(family)


def kernel_modules(family: str) -> tuple[str, ...]:
    """Return the modules of all kernels that the searches of a family call."""
    entry = search_family(family)
    kernels = ("plain",) if entry is None else entry.kernels
    return f"{_RULES}.{family}", *(f"{_KERNELS}.{name}" for name in kernels)


def imported(entry: str) -> Any:
    """Return what ``module:name`` names, with the module below :mod:`antipodes.search`."""
    module, name = entry.split(":")
    return getattr(import_module(f"{_SEARCH}.{module}"), name)


def playout_kernel(family: str) -> Callable[..., int]:
    """Return ``playout(tables, state, work, rng)`` of a family, compiled if that is enabled.

    It plays a random game from ``state`` in place and returns its winner as states encode it.
    Afterwards ``WINNER``, ``COLOR`` and ``SEAT`` are those of a finished game; the rest of the
    state is undefined.

    Raises:
        ValueError: the family has no such kernel.
    """
    entry = search_family(family)
    if entry is None:
        raise ValueError(f"the family {family} has no kernel for random games; use PlainSearch")
    return edition(import_module(f"{_KERNELS}.{entry.playout}"), "playout")
