"""Knowledge of positions of the placement games for a tree search."""

from __future__ import annotations

from typing import Any

import numpy as np

from antipodes.games.kernels import Array, edition, native
from antipodes.games.placement import PlacementGame, is_connection_game
from antipodes.games.position import Position
from antipodes.search.answers import new_answer, read_answer
from antipodes.search.arrays import new_keyed_rows
from antipodes.search.connection import ConnectionLimits
from antipodes.search.interface import Knowledge
from antipodes.search.kernels import solver_knowledge as kernels
from antipodes.search.kernels.opening_facts import MOVES
from antipodes.search.mcts_tree import SMALL
from antipodes.search.proof.dfpn import DfpnSearch
from antipodes.search.proof.openings import OpeningKnowledge
from antipodes.search.proof.table import ProofTable

_MEMORY = 32  # MiB of the table
# Positions searched for one query, and moves beyond which no proof is tried: on small boards and on
# others, so that a query takes about ten milliseconds on each.
_EFFORT = (12, 3)
_MAX_MOVES = (40, 24)
MAX_POSITIONS = 1 << 16  # with sufficient moves kept
_KEPT = 150_000  # cells of all nodes of the proof search that are kept: 20 to 45 MB


class SolverKnowledge:
    """A source of knowledge: solved openings, virtual connections, and a short proof search.

    Connections are searched in positions that are filled in, and the proof search only where few
    moves may win. Its table is kept, so that queries profit from earlier ones, and the position
    after a move is mostly half proven when it becomes the root.

    It has no knowledge of connections while a swap may be played at once or after the next move: it
    may turn a win of a colour over to the opponent.
    """

    def __init__(
        self,
        game: PlacementGame[Any, Any],
        *,
        effort: int | None = None,
        short_proofs: bool = True,
        memory: int = _MEMORY,
        positions: int = MAX_POSITIONS,
    ) -> None:
        """Make an empty table.

        Args:
            game: the game.
            effort: positions searched for one query; by default by the size of the board, and with
                0 none.
            short_proofs: whether queries on large boards also search for proofs, as those on small
                boards do in any case. On the sphere that took up to four fifths of the time and
                seldom proved anything.
            memory: bound of the table in MiB.
            positions: of which the moves that may win are kept.
        """
        is_small = game.topology.cell_count <= SMALL
        size = 0 if is_small else 1
        self.effort = _EFFORT[size] if effort is None else effort
        self.has_proofs = self.effort > 0 and (is_small or short_proofs)
        limits = {
            kernels.STEPS: ConnectionLimits().steps,
            kernels.EFFORT: self.effort,
            kernels.MOST_MOVES: _MAX_MOVES[size] if self.has_proofs else 0,
        }
        table = ProofTable(memory)
        table.belong_to(game.topology)
        self.search = DfpnSearch(game, table, nodes_kept=_KEPT // game.topology.cell_count)
        self._openings = OpeningKnowledge(game)
        self._answer = new_answer(game.topology.cell_count + 2)
        words = len(self._answer) - MOVES
        self._sufficient = new_keyed_rows(positions, 1 + words)
        self._state = game.new_state()
        self._limits = np.array([limits[number] for number in range(kernels.LIMITS)], np.int64)

    def arrays(self, more: int) -> dict[str, Any]:
        """Return the groups of arrays by the names of parameters, with room for more positions."""
        return {
            **self.search.arrays(more),
            "facts": self._openings.facts,
            "sufficient": self._sufficient,
            "limits": self._limits,
        }

    def query(self, state: Array) -> Knowledge | None:
        """Return the knowledge of a state; the game must not be over."""
        self._state[:] = state
        edition(kernels, "query")(*self.arrays(self.effort).values(), self._state, self._answer)
        return read_answer(self._answer)

    def prove(self, state: Array, effort: int) -> Knowledge | None:
        """Return the knowledge after a proof search of up to ``effort`` positions."""
        self._state[:] = state
        arrays = self.arrays(effort).values()
        edition(kernels, "prove")(*arrays, self._state, self._answer, effort)
        return read_answer(self._answer)


def solver_knowledge(
    position: Position, *, short_proofs: bool = True, effort: int | None = None
) -> SolverKnowledge | None:
    """Return the best source of knowledge for a position's game, or ``None``.

    There is none without the native edition: a plain search for connections takes seconds. The
    settings are those of :class:`SolverKnowledge`.
    """
    game = position.game
    if not is_connection_game(game) or not native.enabled():
        return None
    return SolverKnowledge(game, short_proofs=short_proofs, effort=effort)
