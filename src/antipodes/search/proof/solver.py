"""Solver of one position: limits, progress, results and proofs."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from antipodes.core import Color, Move
from antipodes.games.kernels import Array, header, placement
from antipodes.games.placement import PlacementPosition, is_connection_game
from antipodes.games.position import Position
from antipodes.search.proof.dfpn import DfpnSearch, ProofNode
from antipodes.search.proof.extraction import Extraction
from antipodes.search.proof.files import Proof
from antipodes.search.proof.pairing_strategy import PairingStrategy, find_pairing_strategy
from antipodes.search.proof.table import ProofTable


@dataclass(frozen=True, slots=True)
class SolverProgress:
    """The progress of a solver.

    Attributes:
        nodes: positions evaluated.
        proof: estimated work left to prove that the side to move wins.
        disproof: the same for the other side.
        open_moves: moves of the side to move that are neither proven nor refuted.
        entries: positions in the table.
        seconds: since the run began.
    """

    nodes: int
    proof: int
    disproof: int
    open_moves: int
    entries: int
    seconds: float


@dataclass(frozen=True, slots=True)
class _Decided:
    """A position without a search, as a node: winner and mover (1 Black, 2 White), and moves."""

    winner: int
    mover: int
    moves: list[int]
    key: int = 0  # in no table


SolverCallback = Callable[[SolverProgress], object]


class Solver:
    """A solver that proves the winner of a position of a placement game.

    Swaps are left out: the result holds if no player swaps.

    Attributes:
        position: the position to solve.
        table: of the results; it may be shared by solvers on one board.
        strategy: that wins the position, so that no search is needed; or ``None``.
    """

    def __init__(
        self,
        position: Position,
        *,
        memory: int = 256,
        table: ProofTable | None = None,
    ) -> None:
        """Prepare to solve a position.

        Args:
            position: of a placement game; it must not be over.
            memory: bound of the table in MiB.
            table: of earlier results.

        Raises:
            ValueError: the game is over, or is not a placement game.
            InputError: the table is for another board.
        """
        if position.outcome is not None:
            raise ValueError(f"the game is over: {position.outcome}")
        if not is_connection_game(position.game):
            raise ValueError(f"{position.game.title} cannot be solved")
        self.position = cast("PlacementPosition[Any]", position)
        self.table = table or ProofTable(memory)
        self.table.belong_to(position.game.topology)
        self._state = position.kernel_state.copy()
        self._state[header.SWAP_OPEN] = 0
        self.strategy = find_pairing_strategy(self.position)
        self._stop: Callable[[], bool] = _never
        self._root: ProofNode | _Decided | None = None
        self._moves: dict[int, bool] = {}

    @cached_property
    def search(self) -> DfpnSearch:
        """The search; a pairing strategy at the start needs none."""
        return DfpnSearch(self.position.game, self.table, guided=True, stop=self._is_over)

    @property
    def winner(self) -> Color | None:
        """The colour that wins, or ``None`` while it is not known."""
        winner = self._root.winner if self._root is not None else 0
        color: Color | None = self.position.game.kernel_colors[winner - 1] if winner else None
        return color

    @property
    def winning_moves(self) -> list[Move]:
        """The moves that are known to win, in rising order."""
        moves = {move for move, wins in self._moves.items() if wins}
        if self._root is not None and self._root.winner == self._root.mover:
            moves |= {move for move in self._root.moves if self._is_empty(move)}
        return [Move(move) for move in sorted(moves)]

    @property
    def is_complete(self) -> bool:
        """Whether each legal move is known to win or to lose."""
        return len(self._moves) == len(self._empty())

    @property
    def leaves_out_swap(self) -> bool:
        """Whether the rules would allow a swap now or after the next move."""
        position = self.position
        may_come = position.ply == 0 and position.game.swap_mode != placement.NO_SWAPS
        return may_come or position.game.swap_move in position.legal_moves

    @property
    def nodes(self) -> int:
        """Positions evaluated."""
        return self.search.nodes if "search" in self.__dict__ else 0

    def run(
        self,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        all_moves: bool = False,
        on_progress: SolverCallback | None = None,
    ) -> bool:
        """Continue until the position is solved or a limit is met; return whether it is solved.

        Args:
            seconds: from now.
            nodes: more positions to evaluate.
            all_moves: whether to solve each move.
            on_progress: called at each position. An exception in it ends the run; the results are
                kept.
        """
        began = time.perf_counter()
        last = None if nodes is None else self.nodes + nodes

        def stop() -> bool:
            spent = time.perf_counter() - began
            if on_progress is not None:
                on_progress(self.progress(spent))
            out_of_time = seconds is not None and spent >= seconds
            return out_of_time or (last is not None and self.nodes >= last)

        self._stop = stop
        if self.strategy is None:
            self._root = self.search.node(self._state)
        self._root = self._solve(self._state, self.strategy)
        if self.strategy is not None and self.strategy.move is None and all_moves:
            wins = self.strategy.winner is self.position.to_move
            self._moves = dict.fromkeys(self._empty(), wins)  # it wins with either side to move
        if self._root.winner and not self.winning_moves and self._root.winner == self._root.mover:
            self._decide_all(until_win=True)
        if self._root.winner and all_moves:
            self._decide_all(until_win=False)
        return bool(self._root.winner) and (self.is_complete or not all_moves)

    def prove(self, on_progress: Callable[[int], object] = lambda _lines: None) -> Proof:
        """Return a proof of the result; the position must be solved.

        Args:
            on_progress: called with the number of lines so far; an exception in it ends the work.
        """
        if self._root is None or not self._root.winner:
            raise ValueError("the position is not solved")
        color = self.position.game.kernel_colors[self._root.winner - 1]
        if self.strategy is not None:
            return Proof(self.position, color, self.strategy.lines())
        self._stop = _never
        extraction = Extraction(self.search, self._root.winner, on_progress)
        lines = extraction.proof(self._state)
        return Proof(self.position, color, lines)

    def _decide_all(self, *, until_win: bool) -> None:
        """Solve the moves one by one; with ``until_win``, until a move wins."""
        game = self.position.game
        for move in self._empty():
            if move in self._moves:
                continue
            child = self._state.copy()
            game.rules.play(game.tables, child, game.work(), move)
            node = self._solve(child, find_pairing_strategy(game.wrap(child)))
            if not node.winner:
                return
            self._moves[move] = node.winner == int(self._state[header.COLOR]) + 1
            if until_win and self._moves[move]:
                return

    def _is_over(self) -> bool:
        return self._stop()

    def _solve(self, state: Array, strategy: PairingStrategy | None) -> ProofNode | _Decided:
        """Return what a pairing strategy decides about a state, or else the node of a search."""
        if strategy is None:
            return self.search.run(state)
        game = self.position.game
        winner = 1 + game.kernel_colors.index(strategy.winner)
        moves = []
        if winner == int(state[header.COLOR]) + 1:
            cell = None if strategy.move is None else game.topology.cell(strategy.move)
            moves = [self._empty()[0] if cell is None else cell]
        return _Decided(winner, int(state[header.COLOR]) + 1, moves)

    def _empty(self) -> list[int]:
        cells = range(self.position.game.topology.cell_count)
        return [cell for cell in cells if self._is_empty(cell)]

    def _is_empty(self, cell: int) -> bool:
        return int(self._state[header.HEADER + cell]) == 0

    def progress(self, seconds: float) -> SolverProgress:
        """Return the progress, ``seconds`` after the run began."""
        root = self._root
        entry = self.table.get(root.key) if root is not None else None
        return SolverProgress(
            nodes=self.nodes,
            proof=entry.proof if entry else 1,
            disproof=entry.disproof if entry else 1,
            open_moves=len(root.moves) if root is not None and not root.winner else 0,
            entries=len(self.table),
            seconds=seconds,
        )


def _never() -> bool:
    return False
