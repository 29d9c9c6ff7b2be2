"""Proof search as knowledge for a tree search, where few moves are left."""

from __future__ import annotations

from typing import Any

from antipodes.games.kernels import Array
from antipodes.games.placement import PlacementGame
from antipodes.games.position import Position
from antipodes.search.connection import connection_knowledge
from antipodes.search.interface import Knowledge, KnowledgeSource
from antipodes.search.proof.dfpn import DfpnSearch
from antipodes.search.proof.openings import OpeningKnowledge
from antipodes.search.proof.table import ProofTable

_MEMORY = 32  # MiB of the table
_SMALL = 64  # cells of a board on which a position is searched in less than a millisecond
# Positions searched for one query, and moves beyond which no proof is tried: on small boards and on
# others, so that a query takes about ten milliseconds on each.
_EFFORT = (12, 3)
_MAX_MOVES = (40, 24)


class SolverKnowledge:
    """A source of knowledge that queries another one first, and then runs a short proof search.

    Solved openings need neither. The table of the proof search is kept, so that queries profit from
    earlier ones, and the position after a move is mostly half proven when it becomes the root.
    """

    def __init__(
        self,
        game: PlacementGame[Any, Any],
        first: KnowledgeSource,
        *,
        effort: int | None = None,
        short_proofs: bool = True,
    ) -> None:
        """Make an empty table.

        Args:
            game: the game.
            first: the source that is queried first.
            effort: positions searched for one query; by default by the size of the board.
            short_proofs: whether queries on large boards also search for proofs, as those on small
                boards do in any case. On the sphere that took up to four fifths of the time and
                seldom proved anything.
        """
        is_small = game.topology.cell_count <= _SMALL
        size = 0 if is_small else 1
        self._first = first
        self._openings = OpeningKnowledge(game)
        self._effort = _EFFORT[size] if effort is None else effort
        self._max_moves = _MAX_MOVES[size] if is_small or short_proofs else 0
        table = ProofTable(_MEMORY)
        table.belong_to(game.topology)
        self._search = DfpnSearch(game, table)

    def query(self, state: Array) -> Knowledge | None:
        """Return the knowledge of the first source, improved by a short proof search."""
        known = self._openings.query(state)
        if known is not None:
            return known
        answer = self._first.query(state)
        if answer is None or answer.moves is None or not 0 < len(answer.moves) <= self._max_moves:
            return answer
        return self._searched(state, answer, self._effort)

    def prove(self, state: Array, effort: int) -> Knowledge | None:
        """Return the knowledge after a proof search of up to ``effort`` positions."""
        known = self._openings.query(state)
        if known is not None:
            return known
        answer = self._first.query(state)
        return answer if answer is None else self._searched(state, answer, effort)

    def _searched(self, state: Array, answer: Knowledge, effort: int) -> Knowledge:
        """Return the result of a proof search, or else the answer of the first source."""
        if answer.winner is not None:
            return answer
        node = self._search.run(state, effort)
        moves = tuple(node.moves)
        if not node.winner:
            return Knowledge(None, moves)
        if node.winner != node.mover:
            return Knowledge(node.winner - 1, ())
        # Fill-in may have won without naming a move.
        return Knowledge(node.winner - 1, moves) if moves else answer


def solver_knowledge(position: Position, *, short_proofs: bool = True) -> KnowledgeSource | None:
    """Return the best source of knowledge for a position's game, or ``None``.

    ``short_proofs`` is that of :class:`SolverKnowledge`.
    """
    first = connection_knowledge(position)
    if first is None:
        return None
    assert isinstance(position.game, PlacementGame)
    return SolverKnowledge(position.game, first, short_proofs=short_proofs)
