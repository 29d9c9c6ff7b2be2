"""Virtual connections as knowledge for a tree search."""

from __future__ import annotations

from typing import Any

import numpy as np

from antipodes.games.kernels import Array, header, native, placement
from antipodes.games.placement import PlacementGame
from antipodes.games.position import Position
from antipodes.search.connection.virtual import ConnectionLimits, ConnectionSearch
from antipodes.search.interface import Knowledge, KnowledgeSource
from antipodes.search.proof.reduction import Reducer

_MAX_POSITIONS = 1 << 16  # with sufficient moves kept


class ConnectionKnowledge:
    """A source of knowledge by virtual connections for a placement game.

    Positions are filled in first. Results for the filled position hold for the original as well,
    and a fuller board has more connections.
    """

    def __init__(
        self, game: PlacementGame[Any, Any], limits: ConnectionLimits | None = None
    ) -> None:
        self._tables = game.tables
        self._reducer = Reducer(game)
        self._connections = ConnectionSearch(game, limits)
        self._sufficient: dict[int, frozenset[int]] = {}

    def query(self, state: Array) -> Knowledge | None:
        """Return the knowledge of a state by fill-in and virtual connections.

        There is none while a swap may be played at once or after the next move: it may turn a win
        of a colour over to the opponent. The game must not be over.
        """
        if swap_ahead(self._tables, state):
            return None
        color = int(state[header.COLOR])
        filled = self._reducer.fill_in(state)
        if filled[header.WINNER]:
            return self._decided(state, color, int(filled[header.WINNER]) - 1)
        moves = self._reducer.undominated_moves(filled)
        result = self._connections.run(filled, both=not self._was_broken(state))
        if result.move is not None:
            return Knowledge(color, (result.move,))
        if result.must_play is not None:
            moves = [move for move in moves if move in result.must_play]
        if len(self._sufficient) >= _MAX_POSITIONS:
            self._sufficient.clear()
        self._sufficient[int(state[header.KEY])] = frozenset(moves)
        return Knowledge(None if moves else 1 - color, tuple(moves))

    def _was_broken(self, state: Array) -> bool:
        """Return whether the last move is known to have broken all winning connections.

        Moves that were returned as sufficient lie in all semi connections of the opponent's goal,
        and a stone makes no new ones for the opponent.
        """
        last = int(state[header.LAST])
        if last < 0:
            return False
        keys = int(self._tables[placement.KEYS])
        cells = int(self._tables[placement.CELLS])
        mover = 1 - int(state[header.COLOR])
        before = int(state[header.KEY]) ^ int(self._tables[keys + 2 * last + mover])
        before ^= int(self._tables[keys + 2 * cells])
        return last in self._sufficient.get(before, ())

    def _decided(self, state: Array, color: int, winner: int) -> Knowledge:
        """Return the knowledge of a position that fill-in decides."""
        if winner != color:
            return Knowledge(winner, ())
        # All moves win, but one of them should make progress.
        result = self._connections.run(state)
        if result.move is not None:
            return Knowledge(color, (result.move,))
        cells = self._connections.game.topology.cell_count
        free = np.flatnonzero(state[header.HEADER : header.HEADER + cells] == 0)
        return Knowledge(color, (int(free[0]),))


def swap_ahead(tables: Array, state: Array) -> bool:
    """Return whether the rules may allow a swap now or after the next move."""
    may_come = state[header.PLY] == 0 and tables[placement.SWAP] != placement.NO_SWAPS
    return bool(may_come or state[header.SWAP_OPEN])


def connection_knowledge(position: Position) -> KnowledgeSource | None:
    """Return the source of knowledge for a game with connections, or ``None``.

    There is none without the native edition: a plain search for connections takes seconds.
    """
    game = position.game
    if isinstance(game, PlacementGame) and native.enabled():
        return ConnectionKnowledge(game)
    return None
