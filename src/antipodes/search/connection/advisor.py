"""Connections as advice to a tree search."""

from __future__ import annotations

from typing import Any

from antipodes.games.kernels import Array, header, jit
from antipodes.games.placement import PlacementGame
from antipodes.games.position import BoardPosition
from antipodes.search.connection.virtual import ConnectionSearch
from antipodes.search.thinking import Advice, Advisor


class ConnectionAdvisor:
    """Tells a tree search of a placement game who is sure to win, and where one must play."""

    def __init__(self, game: PlacementGame[Any, Any]) -> None:
        """Make room for the connections of a game."""
        self._connections = ConnectionSearch(game)

    def advise(self, state: Array) -> Advice | None:
        """Return what virtual connections tell about a state; the game must go on."""
        look = self._connections.look(state)
        if look.winner is None:
            return None if look.must_play is None else Advice(None, tuple(sorted(look.must_play)))
        mover = self._connections.game.kernel_colors[int(state[header.COLOR])]
        if look.winner is mover:
            assert look.move is not None
            return Advice(int(state[header.COLOR]), (look.move,))
        return Advice(1 - int(state[header.COLOR]), ())


def connection_advisor(position: BoardPosition[Any]) -> Advisor | None:
    """Return an advisor for a game that has connections, or ``None``.

    There is none without compiled kernels either: a plain search for connections takes seconds.
    """
    game = position.game
    if isinstance(game, PlacementGame) and jit.enabled():
        return ConnectionAdvisor(game)
    return None
