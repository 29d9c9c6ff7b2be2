"""The registry of searches by family of kernels; their code is imported on demand.

A family without an entry is searched by :class:`antipodes.search.plain.PlainSearch`, which calls
only the kernels of the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

from antipodes.games.kernels import FAMILIES, edition

_RULES = "antipodes.games.kernels"
_SEARCH = "antipodes.search"
_KERNELS = f"{_SEARCH}.kernels"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFamily:
    """The search of one family of kernels.

    Attributes:
        playout: the module of :mod:`antipodes.search.kernels` with its kernel ``playout``.
        tree_settings: the function that returns the settings of its trees, as ``module:function``;
            empty for the default settings.
        expert: the class of its search with knowledge, as ``module:class``; empty for a
            :class:`antipodes.search.tree.TreeSearch`.
        device: the class of its search in visitors' pages, as ``module:class``; empty for none.
        steps: kernels of its rules with which a search may walk down a tree.
        estimates: kernels of :mod:`antipodes.search.kernels.estimates` for its leaves.
        wins: the kernel of :mod:`antipodes.search.kernels.forced_wins` that knows its wins at once.
    """

    playout: str
    tree_settings: str = ""
    expert: str = ""
    device: str = ""
    steps: tuple[str, ...] = ("play",)
    estimates: tuple[str, ...] = ("no_estimate",)
    wins: str = "no_win"


_FAMILIES = {
    "placement": SearchFamily(
        playout="playouts",
        tree_settings="mcts_tree:placement_settings",
        device="device:TreeOnDevice",
        steps=("play", "place"),
    ),
    "antipalos": SearchFamily(
        playout="antipalos_playout",
        tree_settings="mcts_tree:antipalos_settings",
        expert="antipalos:AntipalosSearch",
        device="device:AntipalosOnDevice",
        estimates=("no_estimate", "estimate_antipalos"),
        wins="antipalos_win",
    ),
    "antipode": SearchFamily(
        playout="antipode_playout",
        expert="antipode.alphabeta:AlphaBetaSearch",
        device="device:AlphaBetaOnDevice",
        wins="antipode_win",
    ),
}


def search_family(family: str) -> SearchFamily | None:
    """Return the entry of a family, or ``None`` if only the plain search can search it."""
    return _FAMILIES.get(family)


# Kernels with a tree of their own, which only these families have.
_ONLY_FOR = {
    **{
        f"{_KERNELS}.{name}": ("placement",)
        for name in (
            "rave",
            "puct",
            "queried_visits",
            "tree_choices",
            "tree_analysis",
            "network_choices",
            "network_analysis",
        )
    },
    **{f"{_KERNELS}.antipode_{name}": ("antipode",) for name in ("choices", "analysis")},
    **{f"{_KERNELS}.antipalos_{name}": ("antipalos",) for name in ("choices", "analysis")},
}


def families_of(module: str) -> tuple[str, ...]:
    """Return the families whose searches call the kernels of a module."""
    return _ONLY_FOR.get(module, FAMILIES)


def given_kernels(family: str) -> dict[str, tuple[Callable[..., int], ...]]:
    """Return the kernels that others get as arguments, in all choices that searches make.

    The keys are the names of parameters.
    """
    entry = _FAMILIES[family]
    rules = vars(import_module(f"{_RULES}.{family}"))

    def chosen(module: str, *names: str) -> tuple[Callable[..., int], ...]:
        kernels = vars(import_module(f"{_KERNELS}.{module}"))
        return tuple(kernels[name] for name in names)

    return {
        **{name: (rules[name],) for name in ("moves", "play", "sample", "describe", "null_move")},
        "step": tuple(rules[name] for name in entry.steps),
        "playout": (plain_playout(family),),
        "estimate": chosen("estimates", *entry.estimates),
        # Puzzles also search games whose wins at once no kernel knows.
        "wins": chosen("forced_wins", *dict.fromkeys((entry.wins, "no_win"))),
    }


def imported(entry: str) -> Any:
    """Return what ``module:name`` names, with the module below :mod:`antipodes.search`."""
    module, name = entry.split(":")
    return getattr(import_module(f"{_SEARCH}.{module}"), name)


def playout_kernel(family: str) -> Callable[..., int]:
    """Return ``playout(tables, state, work, rng)`` of a family in the edition that is in use.

    It plays a random game from ``state`` in place and returns its winner as states encode it.
    Afterwards ``WINNER``, ``COLOR`` and ``SEAT`` are those of a finished game; the rest of the
    state is undefined.

    Raises:
        ValueError: the family has no such kernel.
    """
    return edition(_playout_module(family), "playout")


def plain_playout(family: str) -> Callable[..., int]:
    """Return the same kernel as a plain Python function.

    Raises:
        ValueError: the family has no such kernel.
    """
    playout: Callable[..., int] = _playout_module(family).playout
    return playout


def _playout_module(family: str) -> ModuleType:
    entry = search_family(family)
    if entry is None:
        raise ValueError(f"the family {family} has no kernel for random games; use PlainSearch")
    return import_module(f"{_KERNELS}.{entry.playout}")
