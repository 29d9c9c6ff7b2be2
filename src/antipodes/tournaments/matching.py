"""Matchings of maximum weight, by networkx."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any


@cache
def _networkx() -> Any:
    import networkx as nx  # noqa: PLC0415 - loading it is a tenth of the start of a site

    return nx


@cache
def _plain_graph() -> Any:
    class PlainGraph(_networkx().Graph):  # type: ignore[misc]
        """A graph whose neighbours are plain dictionaries: networkx's views are much slower."""

        def __getitem__(self, node: int) -> dict[int, dict[str, Any]]:
            """Return the neighbours of a node."""
            neighbours: dict[int, dict[str, Any]] = self._adj[node]
            return neighbours

    return PlainGraph


def heaviest_pairs(edges: Iterable[tuple[int, int, int]]) -> set[tuple[int, int]]:
    """Return as many pairs as possible, with the highest sum of weights.

    Args:
        edges: two numbers that may be paired, and the weight of the pair.
    """
    graph = _plain_graph()()
    graph.add_weighted_edges_from(edges)
    pairs: set[tuple[int, int]] = _networkx().max_weight_matching(graph, maxcardinality=True)
    return pairs
