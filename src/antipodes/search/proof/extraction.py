"""Extraction of a checkable proof from a solved position.

The proof is about the original board: without fill-in, symmetries and omitted moves. So virtual
connections are searched again in each position of the winner's strategy, and where they do not
decide, the solver provides the next move.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from antipodes.games.kernels import Array, header
from antipodes.games.placement import PlacementGame
from antipodes.search.connection import ConnectionResult, ConnectionSearch
from antipodes.search.proof.checker import ProofBoard
from antipodes.search.proof.derivations import Derivations, Line, ProofDraft
from antipodes.search.proof.dfpn import DfpnSearch

_WORD = 64  # points in a word of a set
_FULL = (1 << _WORD) - 1


class Extraction:
    """The extraction of the proof of a position that the solver can solve."""

    def __init__(
        self,
        search: DfpnSearch,
        winner: int,
        on_progress: Callable[[int], object] = lambda _lines: None,
    ) -> None:
        """Start a proof that ``winner`` (1 Black, 2 White) wins."""
        self.game: PlacementGame[Any, Any] = search.game
        colors = self.game.kernel_colors
        self.draft = ProofDraft(ProofBoard(self.game.topology, colors[winner - 1].value))
        self._search = search
        self._winner = winner
        self._color = colors[winner - 1]
        self._connections = ConnectionSearch(self.game)
        self._watch = on_progress
        self._known = _Known(self.draft)
        self._points = [self.game.topology.name(c) for c in range(self.game.topology.cell_count)]

    def proof(self, state: Array) -> list[Line]:
        """Return the lines that prove a position."""
        return self.draft.needed_by(self.prove(state))

    def prove(self, state: Array) -> int:
        """Write a proof that a position is won; return the index of its last line."""
        known = self._reuse(state)
        if known is not None:
            return known
        self._watch(len(self.draft.lines))
        if int(state[header.WINNER]) == self._winner:
            return self._note(self._finished(state))
        result = self._connections.run(state)
        if result.winner is self._color:
            return self._note(self._connected(state, result))
        if int(state[header.COLOR]) + 1 == self._winner:
            return self._note(self._move(state))
        return self._note(self._answers(state, result))

    def _note(self, line: int) -> int:
        self._known.add(line)
        return line

    def _reuse(self, state: Array) -> int | None:
        """Return a line that was written for another position and holds here as well."""
        cells = state[header.HEADER : header.HEADER + len(self._points)]
        owned = _bits(cells == self._winner) | self.draft.board.set_of(self.draft.board.borders)
        to_move = int(state[header.COLOR]) + 1 == self._winner
        return self._known.line_for(owned, _bits(cells == 0), to_move=to_move)

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

    def _connected(self, state: Array, result: ConnectionResult) -> int:
        """Write the virtual connections that win."""
        derivations = Derivations(self.game, state, self.draft)
        parts = [derivations.line(one) for one in self._connections.derive_all(result.goals)]
        return parts[0] if len(parts) == 1 else self.draft.either(parts)

    def _move(self, state: Array) -> int:
        """Write a winning move and the proof of the position after it."""
        move = self._winning_move(state)
        return self.draft.play(self._points[move], self.prove(self._after(state, move)))

    def _winning_move(self, state: Array) -> int:
        node = self._search.run(state)
        if node.moves and node.winner == self._winner:
            return node.moves[0]
        # Fill-in wins the position: any filled cell is a winning move.
        filled = np.flatnonzero(node.state != state)
        cells = len(self._points)
        return next(
            int(place) - header.HEADER
            for place in filled
            if header.HEADER <= place < header.HEADER + cells and node.state[place] == self._winner
        )

    def _answers(self, state: Array, result: ConnectionResult) -> int:
        """Write an answer to each move of the loser that interferes with all earlier answers."""
        derivations = Derivations(self.game, state, self.draft)
        parts = [derivations.line(one) for one in self._connections.derive_all(result.goals)]
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


class _Known:
    """An index of the proven lines, to find one that holds in another position."""

    def __init__(self, draft: ProofDraft) -> None:
        """Start an empty index for a board."""
        self._draft = draft
        self._lines: list[int] = []
        words = -(-(len(draft.board.points) + len(draft.board.borders)) // _WORD)
        self._needs = np.zeros((_WORD, 2, words), np.uint64)  # stones and empty points of each line
        self._safe = np.zeros(_WORD, np.bool_)  # lines that hold even if the loser is to move

    def add(self, line: int) -> None:
        """Add a line to the index."""
        count = len(self._lines)
        if count == len(self._safe):
            self._needs = np.concatenate([self._needs, np.zeros_like(self._needs)])
            self._safe = np.concatenate([self._safe, np.zeros_like(self._safe)])
        said = self._draft.statements[line]
        self._needs[count] = self._words(said.base), self._words(said.carrier)
        self._safe[count] = said.safe
        self._lines.append(line)

    def line_for(self, owned: int, empty: int, *, to_move: bool) -> int | None:
        """Return the first line that holds with the winner's points and the empty ones."""
        count = len(self._lines)
        there = np.array([self._words(owned), self._words(empty)], np.uint64)
        holds = ~(self._needs[:count] & ~there).any(axis=(1, 2))
        if not to_move:
            holds &= self._safe[:count]
        found = np.flatnonzero(holds)
        return self._lines[int(found[0])] if len(found) else None

    def _words(self, points: int) -> list[int]:
        return [points >> (_WORD * i) & _FULL for i in range(self._needs.shape[2])]


def _bits(cells: Array) -> int:
    """Return the indices of true values as a set of bits."""
    return sum(1 << int(cell) for cell in np.flatnonzero(cells))
