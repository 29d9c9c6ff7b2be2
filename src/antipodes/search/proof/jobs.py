"""Proof search in jobs: the positions of a small tree are searched elsewhere, by many processes.

:class:`JobTree` has the first moves of a proof search. It chooses positions as df-pn does, and each
:class:`ProofJob` is one of them, searched by :func:`search_job` for a number of positions, in any
process. What that finds is merged into the table of the tree. A position that has taken enough work
becomes a part of the tree, and the positions after its moves become jobs. Results of jobs hold
whatever else happens, so jobs may be lost, repeated or done in any order.

After I.-C. Wu et al., "Job-level proof-number search for Connect6" (2010).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from antipodes.games.kernels import Array
from antipodes.games.placement import PlacementGame
from antipodes.games.registry import make_game
from antipodes.search.proof.dfpn import DfpnSearch, ProofNode
from antipodes.search.proof.table import ProofTable, Row, TableEntry

_MEMORY = 256  # MiB of the table of a process
_SENT = 10_000  # entries that a job takes along


@dataclass(frozen=True, slots=True)
class ProofJob:
    """A position to be searched for a while.

    Attributes:
        key: of the position in the table.
        game: id of the game.
        options: of the game, as JSON.
        state: of the position, filled in.
        nodes: positions to evaluate.
        rows: of the table, so that other jobs are not repeated.
    """

    key: int
    game: str
    options: str
    state: bytes
    nodes: int
    rows: Sequence[Row]


@dataclass(frozen=True, slots=True)
class JobResult:
    """The findings of a job.

    Attributes:
        nodes: positions evaluated.
        rows: of the table that are new or have changed.
    """

    nodes: int
    rows: list[Row]


def search_job(job: ProofJob) -> JobResult:
    """Search a position; the table stays in this process for the next jobs on the board."""
    search = _search_on(job.game, job.options)
    search.table.merge(job.rows)
    search.table.changes()
    before = search.nodes
    search.run(np.frombuffer(job.state, np.int64).copy(), job.nodes)
    return JobResult(search.nodes - before, search.table.changes())


def forget_searches() -> None:
    """Free the tables of this process."""
    _search_on.cache_clear()


@lru_cache(maxsize=1)
def _search_on(game_id: str, options: str) -> DfpnSearch:
    game = make_game(game_id, json.loads(options))
    assert isinstance(game, PlacementGame)
    return search_with(game, ProofTable(_MEMORY))


def search_with(game: PlacementGame[Any, Any], table: ProofTable) -> DfpnSearch:
    """Return a search with a table for the board."""
    table.belong_to(game.topology)
    return DfpnSearch(game, table, guided=True)


@dataclass(slots=True, eq=False)
class _Away:
    """A job on its way: the positions above it, and the one that is searched."""

    path: list[ProofNode]
    leaf: ProofNode


class JobTree:
    """The tree of a proof search whose leaves are searched as jobs.

    Attributes:
        table: with all results.
        nodes: positions evaluated by jobs.
    """

    def __init__(
        self,
        game: PlacementGame[Any, Any],
        states: Sequence[Array],
        table: ProofTable,
        *,
        job_nodes: int = 200,
        split: int = 1_000,
    ) -> None:
        """Plan to solve positions of one game.

        Args:
            game: the game.
            states: of the positions to solve; none may be over.
            table: of earlier results, used and changed.
            job_nodes: positions that a job evaluates.
            split: positions after whose evaluation a leaf becomes a part of the tree, as the
                positions to solve are from the start.
        """
        self.table = table
        self.nodes = 0
        self._search = search_with(game, table)
        self._game = game
        self._options = json.dumps(game.options.as_dict())
        self._job_nodes = job_nodes
        self._split = split
        roots = [self._search.node(state) for state in states]
        self._roots = list({(node.key or id(node)): node for node in roots}.values())
        self._away: dict[int, _Away] = {}  # by key
        self._rows: list[Row] = []
        self._has_changed = True  # since rows to send were chosen
        self._is_stale = False  # whether a position above a leaf was proven on the way down

    @property
    def open_roots(self) -> list[ProofNode]:
        """The positions that are not solved."""
        return [root for root in self._roots if not root.winner]

    def numbers(self) -> list[TableEntry]:
        """Return the entries of the positions that are not solved."""
        return [self.table.get(root.key) or TableEntry() for root in self.open_roots]

    def next_job(self) -> ProofJob | None:
        """Return the most promising job; ``None`` if nothing is left that is not on its way.

        Of several positions those with the fewest jobs on their way come first.
        """
        busy = [id(away.path[0]) for away in self._away.values()]
        for root in sorted(self.open_roots, key=lambda node: busy.count(id(node))):
            self._is_stale = True
            next_away = None
            while next_away is None and self._is_stale and not root.winner:
                self._is_stale = False
                next_away = self._chosen(root, [])
            if next_away is not None:
                return self._job(next_away)
        return None

    def learn(self, job: ProofJob, result: JobResult) -> None:
        """Merge the result of a job, and revise the positions above it."""
        self.nodes += result.nodes
        self.table.merge(result.rows)
        self._has_changed = True
        away = self._away.pop(job.key)
        self._search.revise(away.leaf, 0)
        for node in reversed(away.path):
            self._search.revise(node, result.nodes)

    def _chosen(self, node: ProofNode, path: list[ProofNode]) -> _Away | None:
        """Return a leaf below a node that is not being searched, by the order of df-pn."""
        entry = self.table.get(node.key)
        if path and (entry is None or entry.work < self._split):
            away = _Away(path, node)
            return None if node.key in self._away else away
        if self._search.revise(node, 0):
            self._is_stale = True
            return None
        for move in self._ranked(node):
            child = self._search.child(node, move)
            if child.winner:
                self._is_stale = True
                return None
            next_away = self._chosen(child, [*path, node])
            if next_away is not None or self._is_stale:
                return next_away
        return None

    def _ranked(self, node: ProofNode) -> list[int]:
        """Return the searched moves of a node, the most promising first, symmetric ones once."""
        infos = node.child_info
        by_key = {infos[move].key: move for move in node.searched}
        entries = {key: self.table.get(key) or TableEntry() for key in by_key}
        return [by_key[key] for key in sorted(by_key, key=lambda key: entries[key].disproof)]

    def _job(self, away: _Away) -> ProofJob:
        key, state = away.leaf.key, away.leaf.state.tobytes()
        self._away[key] = away
        if self._has_changed:
            self._rows = self.table.largest(_SENT)
            self._has_changed = False
        return ProofJob(key, self._game.id, self._options, state, self._job_nodes, self._rows)
