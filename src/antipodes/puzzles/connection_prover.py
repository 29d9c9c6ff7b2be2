"""The search for positions of placement games in which exactly one move wins, and their proofs."""

from __future__ import annotations

from typing import Any

from antipodes.core import Color, Move
from antipodes.games.kernels import Array, header
from antipodes.games.placement import PlacementGame, PlacementPosition
from antipodes.puzzles.connection_proofs import ConnectionProof
from antipodes.puzzles.findings import Finding
from antipodes.search.connection import ConnectionSearch
from antipodes.search.proof.dfpn import DfpnSearch
from antipodes.search.proof.extraction import Extraction
from antipodes.search.proof.table import ProofTable

_MEMORY = 64  # MiB of the table


class _LimitError(Exception):
    """A limit was reached; carries the finding."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.value)
        self.finding = finding


class ConnectionProver:
    """A prover for positions of one placement game; it learns from each for the next.

    Attributes:
        search: the proof search.
    """

    def __init__(self, game: PlacementGame[Any, Any], *, lines: int) -> None:
        """Make an empty table; ``lines`` is the length of the longest proof."""
        self._game = game
        self._lines = lines
        table = ProofTable(_MEMORY)
        table.belong_to(game.topology)
        self.search = DfpnSearch(game, table, stop=self._stop)
        self._connections = ConnectionSearch(game)
        self._last = 0

    def winner(self, position: PlacementPosition[Any], nodes: int) -> Color | None:
        """Return the winner of a position; ``None`` if so many positions do not tell."""
        self._last = self.search.nodes + nodes
        try:
            winner = self.search.run(position.kernel_state).winner
        except _LimitError:
            return None
        return self._game.kernel_colors[winner - 1] if winner else None

    def find(self, position: PlacementPosition[Any], nodes: int) -> Move | Finding:
        """Return the only winning move, or why there is none, searching so many positions."""
        self._last = self.search.nodes + nodes
        try:
            return self._only_win(position)
        except _LimitError as limit:
            return limit.finding

    def prove(
        self, position: PlacementPosition[Any], solution: Move, nodes: int
    ) -> ConnectionProof | Finding:
        """Return the proof for a position whose only winning move was found, or why not."""
        self._last = self.search.nodes + nodes
        try:
            return self._prove(position, solution)
        except _LimitError as limit:
            return limit.finding

    def _stop(self) -> bool:
        if self.search.nodes >= self._last:
            raise _LimitError(Finding.UNPROVEN)
        return False

    def _watch(self, lines: int) -> None:
        if lines > self._lines:
            raise _LimitError(Finding.TOO_LONG)

    def _only_win(self, position: PlacementPosition[Any]) -> Move:
        """Return the only winning move.

        Raises:
            _LimitError: there is none, or several, or it is not known.
        """
        state = position.kernel_state.copy()
        mover = 1 + int(state[header.COLOR])
        # A player who wins even after a pass has more than one winning move.
        if self.search.run(passed(state)).winner == mover:
            raise _LimitError(Finding.SEVERAL)
        root = self.search.run(state)
        if root.winner != mover:
            raise _LimitError(Finding.LOST)
        wins: list[Move] = []
        for move in self._candidates(state, root.moves):
            after = self._after(state, move)
            if int(after[header.WINNER]) == mover or self.search.run(after).winner == mover:
                wins.append(Move(move))
            if len(wins) > 1:
                raise _LimitError(Finding.SEVERAL)
        if not wins:
            raise _LimitError(Finding.LOST)
        return wins[0]

    def _candidates(self, state: Array, urgent: list[int]) -> list[int]:
        """Return the moves that connections do not refute, the most urgent first."""
        legal = [int(move) for move in self._game.wrap(state).legal_moves]
        found = self._connections.run(state)
        # Beside a winning connection other moves are not refuted, only not looked at.
        is_open = found.winner is not None or found.must_play is None
        kept = legal if is_open else [int(move) for move in found.must_play or ()]
        rank = {move: place for place, move in enumerate(urgent)}
        return sorted(kept, key=lambda move: (rank.get(move, len(rank)), move))

    def _prove(self, position: PlacementPosition[Any], solution: Move) -> ConnectionProof:
        """Return the proof; the position is decided for every move."""
        state = position.kernel_state.copy()
        mover = 1 + int(state[header.COLOR])
        attack = Extraction(self.search, mover, self._watch)
        win = attack.proof(state)
        defence = Extraction(self.search, 3 - mover, lambda lines: self._watch(lines + len(win)))
        draft = defence.draft
        places = [defence.prove(passed(state))]
        name = self._game.topology.name
        skipped = draft.board.set_of([name(solution)])
        left = draft.statements[places[0]].carrier & ~skipped
        # The opponent's win after a pass uses only the points of its carrier: a move elsewhere
        # fails as the pass does. Each refutation of a move on the carrier narrows what remains.
        while left:
            move = left.bit_length() - 1
            places.append(defence.prove(self._after(state, move)))
            left &= draft.statements[places[-1]].carrier
        lines, renumbered = draft.needed_by_all(places)
        self._watch(len(win) + len(lines))
        return ConnectionProof(win, lines, renumbered)

    def _after(self, state: Array, move: int) -> Array:
        child = state.copy()
        self._game.rules.play(self._game.tables, child, self._game.work(), move)
        return child


def passed(state: Array) -> Array:
    """Return a state with the other colour to move."""
    found = state.copy()
    found[header.COLOR] = found[header.SEAT] = 1 - int(state[header.COLOR])
    return found
