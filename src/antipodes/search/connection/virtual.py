"""Virtual connections of a position, in Python's hands: who is sure to win, where one must play."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from antipodes.core import Color, Move
from antipodes.games.kernels import Array, header, placement
from antipodes.games.placement import PlacementGame, PlacementPosition
from antipodes.search.connection.derivation import Connection, Point, Rule
from antipodes.search.editions import edition
from antipodes.search.kernels import connection as search
from antipodes.search.kernels import connection_store as store

_RULES = {
    store.STEP: Rule.STEP,
    store.AND: Rule.AND,
    store.OR: Rule.OR,
    store.RING: Rule.RING,
}


@dataclass(frozen=True, slots=True)
class Effort:
    """Bounds of a search for connections.

    Attributes:
        steps: pairs of connections that are looked at, for each colour; a thousand take about a
            twentieth of a millisecond.
        fulls: full connections kept for each pair of ends.
        semis: semi connections kept for each pair of ends.
        size: cells of the largest carrier.
        rows: connections made in all.
    """

    steps: int = 20_000
    fulls: int = 4
    semis: int = 8
    size: int = 10_000
    rows: int = 1 << 15


@dataclass(frozen=True, slots=True)
class Look:
    """What connections tell about a position.

    Attributes:
        winner: the colour that is sure to win, or ``None``.
        move: a winning move, where the winner is to move.
        must_play: the moves that may win; all others lose for certain. ``None`` if that is not
            known of any move; empty if the side to move has lost.
        carrier: the empty cells that a sure winner needs; without one, those that ``goals`` need.
        owner: whose connections ``goals`` are.
        goals: the connections that reach the owner's goal, for :meth:`ConnectionSearch.derive`:
            one full, or semis with no common cell, which are a full by the OR rule; or, where
            the owner is to move, one semi. Without a winner, the semis of the other side.
    """

    winner: Color | None = None
    move: Move | None = None
    must_play: frozenset[Move] | None = None
    carrier: frozenset[int] = frozenset()
    owner: Color | None = None
    goals: tuple[int, ...] = ()


class ConnectionSearch:
    """Finds virtual connections in the positions of one placement game.

    It owns its memory and may be used again and again, by one thread at a time. Answers are exact
    where there are any: a sure winner wins, and no move outside ``must_play`` does.
    """

    def __init__(self, game: PlacementGame[Any, Any], effort: Effort | None = None) -> None:
        """Make room for the connections of a game."""
        self.game = game
        self.effort = effort or Effort()
        nodes = int(game.tables[placement.NODES])
        cells = game.topology.cell_count
        self._words = -(-cells // store.BITS)
        rows = self.effort.rows
        numbers = np.zeros(store.NUMBERS, np.int64)
        numbers[store.STEP_LIMIT] = self.effort.steps
        numbers[store.FULL_CAP] = self.effort.fulls
        numbers[store.SEMI_CAP] = self.effort.semis
        numbers[store.SIZE_CAP] = min(self.effort.size, cells)
        self._numbers = numbers
        self._points = np.zeros((nodes, store.POINT_COLUMNS), np.int64)
        self._links = np.zeros((rows, store.COLUMNS), np.int32)
        self._sets = np.zeros(rows * self._words, np.int64)
        self._goals = np.zeros(self._words + 256, np.int64)
        self._point_of = np.zeros(nodes, np.int64)
        self.buffers: tuple[Any, ...] = (
            numbers,
            self._points,
            self._links,
            self._sets,
            np.zeros(2 * nodes * nodes, np.int32),
            np.zeros(2 * (cells + 2), np.int32),
            self._goals,
            np.zeros((nodes, 256), np.int32),
            self._point_of,
        )
        self._answer = np.zeros(2 + self._words, np.int64)
        self._state = game.new_state()
        self._look = edition(search, "look")

    def look(self, where: PlacementPosition[Any] | Array, *, both: bool = True) -> Look:
        """Return what connections tell about a position or a state.

        With ``both`` false only the connections of the side that is not to move are looked for:
        enough after a move of that side that broke all that the other one had. Nothing is told
        while a swap is open, since then a move may change hands.

        Raises:
            ValueError: the game is over.
        """
        self._state[:] = where if isinstance(where, np.ndarray) else where.kernel_state
        if self._state[header.WINNER] != 0:
            raise ValueError("the game is over: there is nothing left to connect")
        if self._state[header.SWAP_OPEN] != 0:
            return Look()
        self._look(self.game.tables, self._state, *self.buffers, int(both), self._answer)
        mover, other = self._turn()
        if self._answer[0] == 0:
            goals = self._goal_rows()
            moves = _cells_of(_joined(self._answer[2:])) if goals else None
            must_play = None if moves is None else frozenset(map(Move, moves))
            needed = frozenset(_cells_of(self._union(goals)))
            return Look(must_play=must_play, carrier=needed, owner=other, goals=goals)
        winner = self.game.kernel_colors[int(self._answer[0]) - 1]
        goals = self._winning_rows()
        move = Move(self._answer[1]) if winner is mover else None
        must_play = frozenset() if move is None else frozenset({move})
        needed = frozenset(_cells_of(self._union(goals)))
        return Look(winner, move, must_play, needed, winner, goals)

    def derive(self, row: int) -> Connection:
        """Return how a connection of the last look was found."""
        return self._derive(row, {})

    def derive_all(self, rows: Iterable[int]) -> list[Connection]:
        """Return how connections of the last look were found; what they share is made once."""
        known: dict[int, Connection] = {}
        return [self._derive(row, known) for row in rows]

    def _turn(self) -> tuple[Color, Color]:
        colors = self.game.kernel_colors
        color = int(self._state[header.COLOR])
        return colors[color], colors[1 - color]

    def _carrier(self, row: int) -> int:
        return _joined(self._sets[row * self._words : (row + 1) * self._words])

    def _union(self, rows: Iterable[int]) -> int:
        union = 0
        for row in rows:
            union |= self._carrier(row)
        return union

    def _goal_rows(self) -> tuple[int, ...]:
        count = int(self._numbers[store.GOALS])
        return tuple(self._goals[self._words : self._words + count].tolist())

    def _winning_rows(self) -> tuple[int, ...]:
        """Return the rows that prove the win: as few as are found by leaving out one by one."""
        if self._numbers[store.PROVEN] == 2 and self._numbers[store.FULL_GOAL] >= 0:
            return (int(self._numbers[store.FULL_GOAL]),)
        rows = list(self._goal_rows())
        if self._numbers[store.PROVEN] == 1:
            return (rows[0],)
        for row in sorted(rows, key=lambda one: -self._carrier(one).bit_count()):
            rest = [other for other in rows if other != row]
            common = -1
            for other in rest:
                common &= self._carrier(other)
            if common == 0:
                rows = rest
        return tuple(rows)

    def _derive(self, row: int, known: dict[int, Connection]) -> Connection:
        if row not in known:
            link = self._links[row].tolist()
            key = link[store.KEY]
            parents = link[store.PARENTS : store.PARENTS + store.MOST_PARENTS]
            known[row] = Connection(
                ends=(self._point(link[store.A]), self._point(link[store.B])),
                full=bool(link[store.FULL]),
                winding=link[store.WINDING],
                carrier=frozenset(_cells_of(self._carrier(row))),
                rule=_RULES[link[store.RULE]],
                key=self._point(key) if key >= 0 else None,
                parents=tuple(self._derive(one, known) for one in parents if one >= 0),
            )
        return known[row]

    def _point(self, point: int) -> Point:
        nodes = np.flatnonzero(self._point_of == point).tolist()
        cell = int(self._points[point, store.CELL])
        if cell >= 0:
            return Point(cell, frozenset({cell}), empty=True)
        parents = header.HEADER + int(self.game.tables[placement.NODES])
        root = next(node for node in nodes if self._state[parents + node] < 0)
        return Point(root, frozenset(nodes), empty=False)


def _joined(words: Array) -> int:
    """Return a carrier as one number."""
    return sum(word << (store.BITS * k) for k, word in enumerate(words.tolist()))


def _cells_of(carrier: int) -> list[int]:
    """Return the cells of a carrier in rising order."""
    cells = []
    while carrier:
        low = carrier & -carrier
        cells.append(low.bit_length() - 1)
        carrier ^= low
    return cells
