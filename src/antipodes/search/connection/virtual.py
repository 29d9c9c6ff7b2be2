"""Search for virtual connections: the winner of a position, or the moves that may win."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from antipodes.core import Color, Move
from antipodes.games.kernels import Array, edition, header, placement
from antipodes.games.placement import PlacementGame, PlacementPosition, is_connection_game
from antipodes.search.arrays import lazy_zeros
from antipodes.search.connection.derivation import Endpoint, Rule, VirtualConnection
from antipodes.search.kernels import connection as search
from antipodes.search.kernels import connection_store as store

_RULES = {
    store.STEP: Rule.STEP,
    store.AND: Rule.AND,
    store.OR: Rule.OR,
    store.RING: Rule.RING,
}


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Bounds of a search for connections.

    Attributes:
        steps: pairs of connections that are compared, for each colour; a thousand take about a
            twentieth of a millisecond.
        fulls: full connections kept for each pair of ends; more are kept if they reduce the
            cells that all of them need.
        semis: semi connections, likewise.
        size: cells of the largest carrier.
        rows: connections made in all.
    """

    steps: int = 120_000
    fulls: int = 10
    semis: int = 20
    size: int = 10_000
    rows: int = 1 << 15


@dataclass(frozen=True, slots=True)
class ConnectionResult:
    """The result of a search for virtual connections.

    Attributes:
        winner: the proven winner, or ``None``.
        move: a winning move, if the winner is to move.
        must_play: the moves that may win; all others are proven losses. ``None`` if no move is
            refuted; empty if the side to move has lost.
        carrier: the empty cells that the winner needs; without one, those that ``goals`` need.
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


@dataclass(frozen=True, slots=True)
class Decision:
    """The result of a search for virtual connections, with sets of cells as bits.

    Attributes:
        winner: index of the proven winner's colour, or ``None``.
        move: a winning move, if the winner is to move; else -1.
        must_play: without a winner, the moves that may win; -1, which has each bit, for all.
        goals: as in :class:`ConnectionResult`.
        carriers: of ``goals``.
    """

    winner: int | None = None
    move: int = -1
    must_play: int = -1
    goals: tuple[int, ...] = ()
    carriers: tuple[int, ...] = ()

    @property
    def needed(self) -> int:
        """The cells of all carriers."""
        union = 0
        for carrier in self.carriers:
            union |= carrier
        return union


class ConnectionSearch:
    """A search for virtual connections in positions of one placement game.

    It owns its memory and may be used repeatedly, by one thread at a time. Its results are exact:
    the winner wins, and no move outside ``must_play`` does.
    """

    def __init__(
        self, game: PlacementGame[Any, Any], limits: ConnectionLimits | None = None
    ) -> None:
        """Prepare the memory.

        Raises:
            ValueError: the theory of connections does not apply to the game.
        """
        if not is_connection_game(game):
            raise ValueError(f"the theory of connections does not apply to {game!r}")
        self.game = game
        self.limits = limits or ConnectionLimits()
        nodes = int(game.tables[placement.NODES])
        cells = game.topology.cell_count
        self._words = -(-cells // store.BITS)
        rows = self.limits.rows
        numbers = np.zeros(store.NUMBERS, np.int64)
        numbers[store.STEP_LIMIT] = self.limits.steps
        numbers[store.FULL_CAP] = self.limits.fulls
        numbers[store.SEMI_CAP] = self.limits.semis
        numbers[store.SIZE_CAP] = min(self.limits.size, cells)
        self.buffers = store.Connections(
            numbers=numbers,
            points=np.zeros((nodes, store.POINT_COLUMNS), np.int64),
            links=lazy_zeros((rows, store.COLUMNS), np.int32),
            sets=lazy_zeros(rows * self._words, np.int64),
            heads=np.zeros(2 * nodes * nodes, np.int32),
            queue=np.zeros(2 * (cells + 2), np.int32),
            goals=np.zeros(self._words + store.MOST_GOALS, np.int64),
            near=np.zeros((nodes, 256), np.int32),
            point_of=np.zeros(nodes, np.int64),
        )
        self._answer = np.zeros(2 + self._words, np.int64)
        room = store.MOST_GOALS + 1
        self._goals = np.zeros(room, np.int64), np.zeros((room, self._words), np.int64)
        self._marks = np.zeros(room, np.int64)
        self._state = game.new_state()
        self._find_sure_win = edition(search, "find_sure_win")
        self._write_carriers = edition(search, "write_carriers")
        self._list_goal_rows = edition(search, "list_goal_rows")
        self._list_winning_rows = edition(search, "list_winning_rows")

    def run(self, where: PlacementPosition[Any] | Array, *, both: bool = True) -> ConnectionResult:
        """Search a position or a state.

        With ``both`` false only the side that is not to move is searched: that is enough after a
        move of that side that broke all winning connections of the other. While a swap is open
        the result is empty, since then a move may change hands.

        Raises:
            ValueError: the game is over.
        """
        answer = self.decide(where, both=both)
        mover, other = self._turn()
        needed = frozenset(_cells_of(answer.needed))
        if answer.winner is None:
            limited = bool(answer.goals)
            must_play = frozenset(map(Move, _cells_of(answer.must_play))) if limited else None
            owner = None if self._state[header.SWAP_OPEN] else other
            return ConnectionResult(None, None, must_play, needed, owner, answer.goals)
        winner = self.game.kernel_colors[answer.winner]
        move = Move(answer.move) if winner is mover else None
        must_play = frozenset() if move is None else frozenset({move})
        return ConnectionResult(winner, move, must_play, needed, winner, answer.goals)

    def decide(self, where: PlacementPosition[Any] | Array, *, both: bool = True) -> Decision:
        """Search like :meth:`run`, with sets of cells as bits, which is faster."""
        self._state[:] = where if isinstance(where, np.ndarray) else where.kernel_state
        if self._state[header.WINNER] != 0:
            raise ValueError("the game is over: there is nothing left to connect")
        if self._state[header.SWAP_OPEN] != 0:
            return Decision()
        self._find_sure_win(self.game.tables, self._state, self.buffers, int(both), self._answer)
        winner, move, *words = self._answer.tolist()
        if winner:
            count = self._list_winning_rows(self.buffers, *self._goals, self._marks)
            return Decision(winner - 1, move, 0, *self._listed(count))
        count = self._list_goal_rows(self.buffers, *self._goals)
        return Decision(None, -1, _joined(words), *self._listed(count))

    def _listed(self, count: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the connections that a kernel has listed, and their carriers."""
        rows, carriers = self._goals
        return tuple(rows[:count].tolist()), tuple(map(_joined, carriers[:count].tolist()))

    def derive(self, row: int) -> VirtualConnection:
        """Return the derivation of a connection of the last run."""
        return self.derive_all([row])[0]

    def derive_all(self, rows: Iterable[int]) -> list[VirtualConnection]:
        """Return derivations of connections of the last run, with shared parts made once."""
        known: dict[int, VirtualConnection] = {}
        points: dict[int, Endpoint] = {}
        return [self._derive(row, known, points) for row in rows]

    def _turn(self) -> tuple[Color, Color]:
        colors = self.game.kernel_colors
        color = int(self._state[header.COLOR])
        return colors[color], colors[1 - color]

    def _carrier(self, row: int) -> int:
        """Return the carrier of a connection as a set of cells, a bit for each."""
        rows, carriers = self._goals
        rows[0] = row
        self._write_carriers(self.buffers, rows, 1, carriers)
        return _joined(carriers[0].tolist())

    def _derive(
        self,
        row: int,
        known: dict[int, VirtualConnection],
        points: dict[int, Endpoint],
    ) -> VirtualConnection:
        """Return the derivation of a row; add it and its parts to those already known."""
        if row not in known:
            link = self.buffers.links[row].tolist()
            key = link[store.KEY]
            for point in (link[store.A], link[store.B], key):
                if point >= 0 and point not in points:
                    points[point] = self._point(point)
            parents = self._parents(row, max(-key, store.ROW_PARENTS))
            known[row] = VirtualConnection(
                ends=(points[link[store.A]], points[link[store.B]]),
                full=bool(link[store.FULL]),
                winding=link[store.WINDING],
                carrier=frozenset(_cells_of(self._carrier(row))),
                rule=_RULES[link[store.RULE]],
                key=points[key] if key >= 0 else None,
                parents=tuple(self._derive(one, known, points) for one in parents if one >= 0),
            )
        return known[row]

    def _parents(self, row: int, count: int) -> list[int]:
        """Return the parents of a row; those after the first four are in the rows behind."""
        rows = self.buffers.links[row : row + -(-count // store.ROW_PARENTS)]
        columns = slice(store.PARENTS, store.PARENTS + store.ROW_PARENTS)
        parents: list[int] = rows[:, columns].ravel()[:count].tolist()
        return parents

    def _point(self, point: int) -> Endpoint:
        nodes = np.flatnonzero(self.buffers.point_of == point).tolist()
        cell = int(self.buffers.points[point, store.CELL])
        if cell >= 0:
            return Endpoint(cell, frozenset({cell}), empty=True)
        parents = header.HEADER + int(self.game.tables[placement.NODES])
        root = next(node for node in nodes if self._state[parents + node] < 0)
        return Endpoint(root, frozenset(nodes), empty=False)


def _joined(words: Sequence[int]) -> int:
    return sum(word << (store.BITS * k) for k, word in enumerate(words))


def _cells_of(carrier: int) -> list[int]:
    """Return the cells of a carrier in rising order."""
    cells = []
    while carrier:
        low = carrier & -carrier
        cells.append(low.bit_length() - 1)
        carrier ^= low
    return cells
