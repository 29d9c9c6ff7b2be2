"""Matchings of maximum weight, by networkx."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import networkx as nx


class _PlainGraph(nx.Graph):  # type: ignore[misc]
    """A graph whose neighbours are plain dictionaries: the views of networkx are much slower."""

    def __getitem__(self, node: int) -> dict[int, dict[str, Any]]:
        """Return the neighbours of a node."""
        found: dict[int, dict[str, Any]] = self._adj[node]
        return found


def heaviest_pairs(edges: Iterable[tuple[int, int, int]]) -> set[tuple[int, int]]:
    """Return as many pairs as possible, with the highest sum of weights.

    Args:
        edges: two numbers that may be paired, and the weight of the pair.
    """
    graph = _PlainGraph()
    graph.add_weighted_edges_from(edges)
    found: set[tuple[int, int]] = nx.max_weight_matching(graph, maxcardinality=True)
    return found
