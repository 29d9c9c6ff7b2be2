"""Connections as advice to a tree search."""

from __future__ import annotations

from typing import Any

import numpy as np

from antipodes.games.kernels import Array, header, jit, placement
from antipodes.games.placement import PlacementGame
from antipodes.games.position import Position
from antipodes.search.connection.virtual import ConnectionSearch, Effort
from antipodes.search.proof.reduction import Reducer
from antipodes.search.thinking import Advice, Advisor

_REMEMBERED = 1 << 16  # positions whose sufficient moves are kept


class ConnectionAdvisor:
    """Tells a tree search of a placement game who is sure to win, and which moves suffice.

    It fills in the position first. What virtual connections tell of the filled position is true of
    the other too, and there are more of them on a fuller board.
    """

    def __init__(self, game: PlacementGame[Any, Any], effort: Effort | None = None) -> None:
        """Make room for the connections of a game."""
        self._tables = game.tables
        self._reducer = Reducer(game)
        self._connections = ConnectionSearch(game, effort)
        self._advised: dict[int, frozenset[int]] = {}

    def advise(self, state: Array) -> Advice | None:
        """Return what fill-in and virtual connections tell about a state; the game must go on.

        Nothing is told as long as a swap may be played, at once or after the next move: what one
        colour wins then may be the opponent's.
        """
        if swap_ahead(self._tables, state):
            return None
        color = int(state[header.COLOR])
        filled = self._reducer.fill_in(state)
        if filled[header.WINNER]:
            return self._decided(state, color, int(filled[header.WINNER]) - 1)
        worthwhile = self._reducer.worthwhile(filled)
        look = self._connections.look(filled, both=not self._was_broken(state))
        if look.move is not None:
            return Advice(color, (look.move,))
        if look.must_play is not None:
            worthwhile = [move for move in worthwhile if move in look.must_play]
        if len(self._advised) >= _REMEMBERED:
            self._advised.clear()
        self._advised[int(state[header.KEY])] = frozenset(worthwhile)
        return Advice(None if worthwhile else 1 - color, tuple(worthwhile))

    def _was_broken(self, state: Array) -> bool:
        """Tell whether the last move is known to have broken all ways to a win of the other side.

        So it is with the moves that this advisor has called sufficient: they lie in all semi
        connections of the opponent's goal, and a stone makes no new ones for the opponent.
        """
        last = int(state[header.LAST])
        if last < 0:
            return False
        keys = int(self._tables[placement.KEYS])
        cells = int(self._tables[placement.CELLS])
        mover = 1 - int(state[header.COLOR])
        before = int(state[header.KEY]) ^ int(self._tables[keys + 2 * last + mover])
        before ^= int(self._tables[keys + 2 * cells])
        return last in self._advised.get(before, ())

    def _decided(self, state: Array, color: int, winner: int) -> Advice:
        """Return advice where filling in has brought a winner: all moves keep what is decided."""
        if winner != color:
            return Advice(winner, ())
        # Of these moves that all win one should lead on.
        look = self._connections.look(state)
        if look.move is not None:
            return Advice(color, (look.move,))
        cells = self._connections.game.topology.cell_count
        free = np.flatnonzero(state[header.HEADER : header.HEADER + cells] == 0)
        return Advice(color, (int(free[0]),))


def swap_ahead(tables: Array, state: Array) -> bool:
    """Return whether the rules may allow a swap now or after the next move."""
    may_come = state[header.PLY] == 0 and tables[placement.SWAP] != placement.NO_SWAPS
    return bool(may_come or state[header.SWAP_OPEN])


def connection_advisor(position: Position) -> Advisor | None:
    """Return an advisor for a game that has connections, or ``None``.

    There is none without compiled kernels either: a plain search for connections takes seconds.
    """
    game = position.game
    if isinstance(game, PlacementGame) and jit.enabled():
        return ConnectionAdvisor(game)
    return None
