"""The referee of puzzles of placement games: winners, resistance, and clear wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from antipodes.core import Color, Move
from antipodes.games.kernels import Array, header
from antipodes.games.placement import PlacementGame
from antipodes.games.position import Position
from antipodes.search.connection import ConnectionSearch, Rule, VirtualConnection
from antipodes.search.connection.virtual import ConnectionLimits
from antipodes.search.proof.dfpn import DfpnSearch
from antipodes.search.proof.table import ProofTable

_MEMORY = 32  # MiB of the table
_NODES = 3_000  # positions searched for each question
_REFUTATION = 7  # moves of a refutation at most
_REPLIES = 12  # replies that are compared where connections do not tell which matter

# Enough to find bridges before anything larger.
_SMALL = ConnectionLimits(steps=4_000, fulls=2, semis=4)


class ConnectionReferee:
    """The referee of one placement game; see :class:`antipodes.puzzles.play.Referee`."""

    def __init__(self, game: PlacementGame[Any, Any], nodes: int = _NODES) -> None:
        """Prepare the searches.

        Args:
            game: the game.
            nodes: positions searched for each question at most.
        """
        self._game = game
        self._nodes = nodes
        table = ProofTable(_MEMORY)
        table.belong_to(game.topology)
        self._search = DfpnSearch(game, table)
        self._connections = ConnectionSearch(game)
        self._small = ConnectionSearch(game, _SMALL)

    def _winner(self, position: Position) -> Color | None:
        """Return the winner of a position, or ``None`` if it is not found within the limit."""
        if position.outcome is not None:
            return position.outcome.winner
        winner = self._search.run(position.kernel_state, self._nodes).winner
        return self._game.kernel_colors[winner - 1] if winner else None

    def wins(self, after: Position, _turns: int | None) -> bool | None:
        """Return whether the colour that has just moved still wins."""
        winner = self._winner(after)
        return None if winner is None else winner is not after.to_move

    def is_clear(self, after: Position) -> bool:
        """Return whether the colour that has just moved is connected by bridges and neighbours."""
        if after.outcome is not None:
            return True
        connections = self._small.run(after.kernel_state)
        if connections.winner is None or connections.winner is after.to_move:
            return False
        goals = self._small.derive_all(connections.goals)
        if len(goals) == 1:
            return goals[0].full and _is_simple(goals[0])
        return all(len(goal.carrier) == 1 for goal in goals)

    def reply(self, after: Position, _turns: int | None) -> Move:
        """Return the reply that is hardest to answer."""
        return self.hardest(after, self.interfering(after))

    def hardest(self, after: Position, replies: Sequence[Move]) -> Move:
        """Return the one of some replies after which it takes the most work to find the win."""
        return max(replies, key=lambda move: self._resistance(after.play(move)))

    def interfering(self, after: Position) -> list[Move]:
        """Return the replies that interfere with the win."""
        connections = self._connections.run(after.kernel_state)
        if connections.winner is not None and connections.carrier:
            return sorted(map(Move, connections.carrier))
        urgent = self._search.node(after.kernel_state).moves
        if connections.must_play:
            rank = {move: place for place, move in enumerate(urgent)}
            replies = sorted(
                connections.must_play, key=lambda move: (rank.get(move, len(rank)), move)
            )
            return replies[:_REPLIES]
        return [Move(move) for move in urgent[:_REPLIES]] or list(after.legal_moves)[:_REPLIES]

    def _resistance(self, position: Position) -> tuple[int, bool, int]:
        """Return how hard it is to win a position: by work, and by how clear the win is then."""
        if position.outcome is not None:
            return -1, False, 0
        found = self._connections.run(position.kernel_state)
        if found.winner is None or found.move is None:
            before = self._search.nodes
            self._winner(position)
            return 1 + self._search.nodes - before, True, -len(found.carrier)
        return 0, not self.is_clear(position.play(found.move)), -len(found.carrier)

    def answer(self, position: Position, _turns: int | None) -> Move | None:
        """Return a winning move, by simple connections if there is one."""
        for connections in (self._small, self._connections):
            winning = connections.run(position.kernel_state)
            if winning.winner is position.to_move and winning.move is not None:
                return winning.move
        state = position.kernel_state
        node = self._search.run(state, self._nodes)
        if node.winner != 1 + int(state[header.COLOR]):
            return None
        return Move(node.moves[0]) if node.moves else self._filled(state, node.state)

    def _filled(self, state: Array, filled: Array) -> Move | None:
        """Return a cell that fill-in gave to the winner: any of them wins."""
        mover = 1 + int(state[header.COLOR])
        cells = range(header.HEADER, header.HEADER + self._game.topology.cell_count)
        found = (c for c in cells if state[c] == 0 and filled[c] == mover)
        return next((Move(cell - header.HEADER) for cell in found), None)

    def refutation(self, after: Position, turns: int | None) -> tuple[Move, ...]:
        """Return the opponent's winning move and how the game could go on."""
        line: list[Move] = []
        position = after
        while len(line) < _REFUTATION and position.outcome is None:
            move = self.answer(position, turns)
            if move is None:
                break
            line.append(move)
            position = position.play(move)
            if self.is_clear(position):
                break
            line.append(self.reply(position, turns))
            position = position.play(line[-1])
        return tuple(line)


def _is_simple(connection: VirtualConnection) -> bool:
    """Return whether a full connection consists of neighbours and bridges."""
    match connection.rule:
        case Rule.STEP:
            return True
        case Rule.AND:
            return all(map(_is_simple, connection.parents))
        case Rule.OR:
            return all(len(parent.carrier) == 1 for parent in connection.parents)
    return False
