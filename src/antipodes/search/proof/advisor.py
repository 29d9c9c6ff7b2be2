"""Proofs as advice to a tree search: where little is open, a few steps of proof search."""

from __future__ import annotations

from typing import Any

from antipodes.games.kernels import Array
from antipodes.games.placement import PlacementGame
from antipodes.games.position import Position
from antipodes.search.connection import connection_advisor
from antipodes.search.proof.dfpn import Search
from antipodes.search.proof.table import Table
from antipodes.search.thinking import Advice, Advisor

_MEMORY = 32  # MiB of what is known of positions
_SMALL = 64  # cells of a board on which a position is looked at in less than a millisecond
# Positions that are looked at for one piece of advice, and moves worth playing beyond which a proof
# is out of reach: on small boards and on others, so that either takes about ten milliseconds.
_EFFORT = (12, 3)
_OPEN = (40, 24)


class SolvingAdvisor:
    """Asks another advisor first, and tries to prove what that leaves open.

    What was found out about positions is kept, so that each piece of advice helps the next one, and
    the position after a move is mostly half proven when it comes to the root.
    """

    def __init__(
        self, game: PlacementGame[Any, Any], first: Advisor, *, effort: int | None = None
    ) -> None:
        """Make an empty table.

        Args:
            game: what is played.
            first: the advisor that is asked first.
            effort: positions that are looked at for one piece of advice, if not as many as suit
                the board.
        """
        size = 0 if game.topology.cell_count <= _SMALL else 1
        self._first = first
        self._effort = _EFFORT[size] if effort is None else effort
        self._open = _OPEN[size]
        self._last = 0  # count of positions at which the search ends
        table = Table(_MEMORY)
        table.belong_to(game.topology)
        self._search = Search(game, table, stop=lambda: self._search.nodes >= self._last)

    def advise(self, state: Array) -> Advice | None:
        """Return what the first advisor says, or better what a short proof search finds."""
        advice = self._first.advise(state)
        if advice is None or advice.moves is None or not 0 < len(advice.moves) <= self._open:
            return advice
        return self._searched(state, advice, self._effort)

    def prove(self, state: Array, effort: int) -> Advice | None:
        """Return advice after looking at up to ``effort`` positions, however open the board is."""
        advice = self._first.advise(state)
        return advice if advice is None else self._searched(state, advice, effort)

    def _searched(self, state: Array, advice: Advice, effort: int) -> Advice:
        """Return what a proof search finds, or else the first advisor's advice."""
        if advice.winner is not None:
            return advice
        self._last = self._search.nodes + effort
        node = self._search.run(state)
        moves = tuple(node.moves)
        if not node.winner:
            return Advice(None, moves)
        if node.winner != node.mover:
            return Advice(node.winner - 1, ())
        # Filling in may have won without a move that stands out.
        return Advice(node.winner - 1, moves) if moves else advice


def solving_advisor(position: Position) -> Advisor | None:
    """Return the best advisor for a position's game, or ``None`` if there is none."""
    first = connection_advisor(position)
    if first is None:
        return None
    assert isinstance(position.game, PlacementGame)
    return SolvingAdvisor(position.game, first)
