"""Extraction of a checkable proof from a solved position.

The proof is about the original board: without fill-in, symmetries and omitted moves. So virtual
connections are searched again in each position of the winner's strategy, and where they do not
decide, the solver provides the next move.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from antipodes.games.kernels import Array, edition, header
from antipodes.games.placement import PlacementGame
from antipodes.search.connection import ConnectionSearch, Decision
from antipodes.search.kernels import proof_patterns
from antipodes.search.proof.checker import ProofBoard
from antipodes.search.proof.derivations import Derivations, Line, ProofDraft
from antipodes.search.proof.dfpn import DfpnSearch, few_with_common
from antipodes.search.proof.reduction import places, split

_FIRST = 1 << 10  # lines for which an index has room at first


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
        color = self.game.kernel_colors[winner - 1]
        self.draft = ProofDraft(ProofBoard(self.game.topology, color.value))
        self._search = search
        self._winner = winner
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
        decision = self._connections.decide(state)
        if decision.winner == self._winner - 1:
            return self._note(self._connected(state, decision.goals))
        if int(state[header.COLOR]) + 1 == self._winner:
            return self._note(self._move(state))
        return self._note(self._answers(state, decision))

    def _note(self, line: int) -> int:
        self._known.add(line)
        return line

    def _reuse(self, state: Array) -> int | None:
        """Return a line that was written for another position and holds here as well."""
        cells = state[header.HEADER : header.HEADER + len(self._points)]
        owned = places(cells == self._winner) | self.draft.board.set_of(self.draft.board.borders)
        to_move = int(state[header.COLOR]) + 1 == self._winner
        return self._known.line_for(owned, places(cells == 0), to_move=to_move)

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

    def _connected(self, state: Array, goals: Sequence[int]) -> int:
        """Write the virtual connections that win."""
        parts = self._derived(state, goals)
        return parts[0] if len(parts) == 1 else self.draft.either(parts)

    def _derived(self, state: Array, goals: Sequence[int]) -> list[int]:
        """Write connections of the last search; return the indices of their lines."""
        derivations = Derivations(self.game, state, self.draft)
        return [derivations.line(one) for one in self._connections.derive_all(goals)]

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

    def _answers(self, state: Array, decision: Decision) -> int:
        """Write an answer to each move of the loser that interferes with all earlier answers."""
        cells = state[header.HEADER : header.HEADER + len(self._points)]
        open_moves = places(cells == 0)
        rows = dict(zip(decision.carriers, decision.goals, strict=True))
        few = few_with_common(decision.carriers, open_moves)
        parts = self._derived(state, [rows[carrier] for carrier in few])
        left = self.draft.common(parts) & open_moves
        # The moves that the solver had to refute come first: their refutations mostly refute all
        # others, which it could leave out.
        searched = list(self._search.node(state).child_info) if left else []
        while left:
            move = next((one for one in searched if left >> one & 1), left.bit_length() - 1)
            parts.append(self.prove(self._after(state, move)))
            left &= self.draft.statements[parts[-1]].carrier
        return self.draft.either(parts)

    def _after(self, state: Array, move: int) -> Array:
        child = state.copy()
        self.game.rules.play(self.game.tables, child, self.game.work(), move)
        return child


class _Known:
    """An index of the proven lines, to find one that holds in another position."""

    def __init__(self, draft: ProofDraft) -> None:
        self._draft = draft
        self._lines: list[int] = []
        words = -(-(len(draft.board.points) + len(draft.board.borders)) // proof_patterns.BITS)
        self._needs = np.zeros((_FIRST, 2, words), np.int64)  # base and carrier of each line
        self._safe = np.zeros(_FIRST, np.int64)  # 1 for lines that hold if the loser is to move
        self._there = np.zeros((2, words), np.int64)
        self._find_line = edition(proof_patterns, "find_line")

    def add(self, line: int) -> None:
        count = len(self._lines)
        if count == len(self._safe):
            self._needs = np.concatenate([self._needs, np.zeros_like(self._needs)])
            self._safe = np.concatenate([self._safe, np.zeros_like(self._safe)])
        said = self._draft.statements[line]
        self._needs[count] = self._words(said.base), self._words(said.carrier)
        self._safe[count] = said.safe
        self._lines.append(line)

    def line_for(self, owned: int, empty: int, *, to_move: bool) -> int | None:
        """Return the last line that holds with the winner's points and the empty ones."""
        self._there[:] = self._words(owned), self._words(empty)
        count = len(self._lines)
        found = self._find_line(self._needs, self._safe, count, self._there, int(not to_move))
        return None if found < 0 else self._lines[found]

    def _words(self, points: int) -> list[int]:
        return split(points, self._there.shape[1])
