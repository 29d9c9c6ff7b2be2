"""From a solved position to a proof that can be checked: the winner's moves, and why they do.

The proof speaks of the board as it is: no filling in, no symmetries, no left-out moves. So virtual
connections are looked for once more in each position of the winner's strategy, and where they do
not reach the solver is asked for the next move.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from antipodes.games.kernels import Array, header
from antipodes.games.placement import PlacementGame
from antipodes.search.connection import ConnectionSearch, Look
from antipodes.search.proof.checker import Board
from antipodes.search.proof.derivations import Derivations, Draft, Line
from antipodes.search.proof.dfpn import Search


class Extraction:
    """Writes the proof of a position that the solver can solve."""

    def __init__(
        self, search: Search, winner: int, watch: Callable[[int], object] = lambda _lines: None
    ) -> None:
        """Begin a proof that ``winner`` (1 Black, 2 White) wins; ``watch`` is told the lines."""
        self.game: PlacementGame[Any, Any] = search.game
        colors = self.game.kernel_colors
        self.draft = Draft(Board(self.game.topology, colors[winner - 1].value))
        self._search = search
        self._winner = winner
        self._color = colors[winner - 1]
        self._connections = ConnectionSearch(self.game)
        self._watch = watch
        self._known: list[int] = []
        self._points = [self.game.topology.name(c) for c in range(self.game.topology.cell_count)]

    def proof(self, state: Array) -> list[Line]:
        """Return the lines that prove a position, the last of which says so."""
        return self.draft.needed_by(self.prove(state))

    def prove(self, state: Array) -> int:
        """Write why a position is won; return the number of the line that says so."""
        known = self._reuse(state)
        if known is not None:
            return known
        self._watch(len(self.draft.lines))
        if int(state[header.WINNER]) == self._winner:
            return self._note(self._finished(state))
        look = self._connections.look(state)
        if look.winner is self._color:
            return self._note(self._connected(state, look))
        if int(state[header.COLOR]) + 1 == self._winner:
            return self._note(self._move(state))
        return self._note(self._answers(state, look))

    def _note(self, line: int) -> int:
        self._known.append(line)
        return line

    def _reuse(self, state: Array) -> int | None:
        """Return a line that was written for another position and holds here too."""
        cells = state[header.HEADER : header.HEADER + len(self._points)]
        owned = _bits(cells == self._winner) | self.draft.board.set_of(self.draft.board.borders)
        empty = _bits(cells == 0)
        to_move = int(state[header.COLOR]) + 1 == self._winner
        for line in self._known:
            said = self.draft.statements[line]
            if not said.base & ~owned and not said.carrier & ~empty and (said.safe or to_move):
                return line
        return None

    def _finished(self, state: Array) -> int:
        """Write the winning chain of a game that is over."""
        points = [self._points[c] for c in self.game.wrap(state).winning_chain()]
        ends = self.draft.board.ends
        if not ends:
            return self.draft.add("path", [*points, points[0]])
        if self.draft.board.borders:
            touches = self.draft.board.touch
            if not touches(points[0], ends[0]) or not touches(points[-1], ends[1]):
                points.reverse()
            points = [ends[0], *points, ends[1]]
        return self.draft.add("path", points)

    def _connected(self, state: Array, look: Look) -> int:
        """Write the virtual connections that win."""
        derivations = Derivations(self.game, state, self.draft)
        parts = [derivations.line(one) for one in self._connections.derive_all(look.goals)]
        return parts[0] if len(parts) == 1 else self.draft.either(parts)

    def _move(self, state: Array) -> int:
        """Write a winning move and why it wins."""
        move = self._winning_move(state)
        return self.draft.play(self._points[move], self.prove(self._after(state, move)))

    def _winning_move(self, state: Array) -> int:
        node = self._search.run(state)
        if node.moves and node.winner == self._winner:
            return node.moves[0]
        # The position is won as soon as it is filled in: any stone there does.
        filled = np.flatnonzero(node.state != state)
        cells = len(self._points)
        return next(
            int(place) - header.HEADER
            for place in filled
            if header.HEADER <= place < header.HEADER + cells and node.state[place] == self._winner
        )

    def _answers(self, state: Array, look: Look) -> int:
        """Write an answer to each move of the loser's that meets all answers before."""
        derivations = Derivations(self.game, state, self.draft)
        parts = [derivations.line(one) for one in self._connections.derive_all(look.goals)]
        cells = state[header.HEADER : header.HEADER + len(self._points)]
        open_moves = _bits(cells == 0)
        common = self.draft.common(parts) & open_moves
        while common:
            move = common.bit_length() - 1
            parts.append(self.prove(self._after(state, move)))
            common &= self.draft.statements[parts[-1]].carrier
        return self.draft.either(parts)

    def _after(self, state: Array, move: int) -> Array:
        child = state.copy()
        self.game.rules.play(self.game.tables, child, self.game.work(), move)
        return child


def _bits(cells: Array) -> int:
    """Return the places of what is true as a set of bits."""
    return sum(1 << int(cell) for cell in np.flatnonzero(cells))
