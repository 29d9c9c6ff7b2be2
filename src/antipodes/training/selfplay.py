"""Self-play: many games at once, each move by a search with few visits.

See :mod:`antipodes.training.kernels.gumbel`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from antipodes.games.kernels import Array, edition, header
from antipodes.search.kernels import network_inputs
from antipodes.search.network.evaluator import Evaluator
from antipodes.training.boards import Board, Cells, Floats, board_of
from antipodes.training.kernels import gumbel
from antipodes.training.samples import Samples

Evaluate = Callable[[Floats, int], tuple[Floats, Floats]]

CONSIDERED = 16  # moves of a root that are compared
RESIGNS = 0.04  # a side resigns whose value is lower at two of its moves in a row
OPENINGS = (0.6, 0.2, 0.2)  # shares of the games that begin with 1, 2 and 3 random stones


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """A task: games of the network against itself.

    Attributes:
        number: of the task, from 1.
        game: its id.
        size: of the board.
        games: how many.
        together: how many at the same time.
        visits: of the search for each move.
        plays_on: share of the games in which no side resigns.
        network: file of the network.
        seed: of everything random.
    """

    number: int
    game: str
    size: int
    games: int
    together: int
    visits: int
    plays_on: float
    network: Path
    seed: int


@dataclass(frozen=True, slots=True)
class Played:
    """The result of a task.

    Attributes:
        samples: the positions of all games.
        games: how many.
        plies: of all games together.
        black: games that Black won.
        cpu: seconds of CPU time.
    """

    samples: Samples
    games: int
    plies: int
    black: int
    cpu: float


def play(task: SelfPlay) -> Played:
    """Play the games of a task."""
    board = board_of(task.game, task.size)
    together = min(task.games, task.together)
    games = Games(board, together, task.visits, task.seed, task.plays_on)
    return games.play(task.games, _evaluation(board, task))


def _evaluation(board: Board, task: SelfPlay) -> Evaluate:
    """Return what evaluates the positions of a task: the GPU if there is one."""
    if find_spec("torch") is not None:
        from antipodes.training import gpu  # noqa: PLC0415 - slow, and only with the extra

        where = gpu.device()
        if where.type != "cpu":
            return gpu.GpuEvaluator(board, task.network, where)
    widths: dict[int, Evaluate] = {}

    def evaluate(inputs: Floats, count: int) -> tuple[Floats, Floats]:
        # Preparing the network takes longer than evaluating some rows too many, and games end one
        # by one: so batches have few different widths.
        width = min(task.together, 1 << (count - 1).bit_length())
        if width not in widths:
            widths[width] = Evaluator(board.game, width, task.network)
        padded = np.zeros((width, *inputs.shape[1:]), np.float32)
        padded[:count] = inputs
        policies, values = widths[width](padded, width)
        return policies[:count], values[:count]

    return evaluate


def considered_visits(considered: int, visits: int) -> list[int]:
    """Return for each visit of a root how many visits the chosen move must have before.

    That is sequential halving: all moves get visits in turn, then the better half, and so on.
    """
    rounds = max(1, math.ceil(math.log2(considered)))
    sequence: list[int] = []
    counts = [0] * considered
    left = considered
    while len(sequence) < visits:
        # Each round spends as many visits, shared evenly (Karnin, Koren and Somekh, "Almost optimal
        # exploration in multi-armed bandits", 2013). Counts stay in falling order; `root_move`
        # decides which moves they are, since it chooses the best among those with the same number.
        for _ in range(max(1, visits // (rounds * left))):
            sequence += counts[:left]
            counts[:left] = [count + 1 for count in counts[:left]]
        left = max(2, left // 2)
    return sequence[:visits]


@dataclass(slots=True)
class _Record:
    """The moves of a game so far."""

    plays_on: bool
    seen: list[tuple[Cells, int]] = field(default_factory=list)
    policies: list[Floats] = field(default_factory=list)
    colors: list[int] = field(default_factory=list)
    hopeless: list[int] = field(default_factory=lambda: [0, 0])  # moves in a row, by colour

    def samples(self, winner: int) -> Samples:
        results = np.array([color == winner for color in self.colors], np.float32)
        policies = np.stack(self.policies).astype(np.float16)
        cells = np.stack([owners for owners, _ in self.seen])
        colors = np.array([color for _, color in self.seen], np.int8)
        return Samples(cells, colors, policies, results)


def _new_trees(games: int, nodes: int, cells: int) -> gumbel.Trees:
    shape = (games, nodes, cells)
    return gumbel.Trees(
        logits=np.zeros(shape, np.float32),
        totals=np.zeros(shape, np.float32),
        visits=np.zeros(shape, np.int32),
        children=np.zeros(shape, np.int32),
        values=np.zeros(shape[:2], np.float32),
        parents=np.zeros((games, nodes, 3), np.int32),
        leaves=np.zeros((games, gumbel.LEAF), np.int64),
    )


def _plant(trees: gumbel.Trees, logits: Floats, values: Floats, colors: Array) -> None:
    """Start trees with the evaluated roots."""
    trees.logits[:, 0] = logits
    trees.totals[:, 0] = 0
    trees.visits[:, 0] = 0
    trees.children[:, 0] = gumbel.NONE
    trees.values[:, 0] = values
    trees.parents[:, 0, :2] = gumbel.NONE
    trees.parents[:, 0, 2] = colors


class Games:
    """Games in progress, searched together."""

    def __init__(
        self, board: Board, together: int, visits: int, seed: int, plays_on: float = 0.0
    ) -> None:
        """Start the games.

        Args:
            board: of all games.
            together: how many games.
            visits: of the search for each move.
            seed: of openings and noise.
            plays_on: share of the games in which no side resigns.
        """
        self._board = board
        self._plays_on = plays_on
        self._cells = board.cells
        self._visits = visits
        self._rng = np.random.default_rng(seed)
        self._numbers = np.zeros(self._cells, np.float32)
        self._roots = np.stack([self._opening() for _ in range(together)])
        self._state = self._roots[0].copy()
        self._records = [self._record() for _ in range(together)]
        self._allocate(together)

    def play(self, games: int, evaluate: Evaluate) -> Played:
        """Play so many games to their end."""
        started = time.process_time()
        finished: list[Samples] = []
        begun = len(self._records)
        plies = black = 0
        while self._records:
            ended = []
            for number, winner in self._step(evaluate):
                finished.append(self._records[number].samples(winner))
                plies += int(self._roots[number, header.PLY])
                black += winner == 0
                if begun < games:
                    begun += 1
                    self._roots[number] = self._opening()
                    self._records[number] = self._record()
                else:
                    ended.append(number)
            self._remove(ended)
        spent = time.process_time() - started
        return Played(Samples.joined(finished), len(finished), plies, black, spent)

    def _opening(self) -> Array:
        """Return a position after a few random stones."""
        stones = int(self._rng.choice(len(OPENINGS), p=OPENINGS)) + 1
        return self._board.opening(stones, self._rng)

    def _record(self) -> _Record:
        return _Record(bool(self._rng.random() < self._plays_on))

    def _remove(self, ended: list[int]) -> None:
        if not ended:
            return
        going = [number for number in range(len(self._records)) if number not in set(ended)]
        self._roots = np.ascontiguousarray(self._roots[going])
        self._records = [self._records[number] for number in going]
        self._allocate(len(going))

    def _allocate(self, games: int) -> None:
        """Make trees and inputs for so many games."""
        cells = self._cells
        self._trees = _new_trees(games, self._visits + 1, cells)
        self._inputs = network_inputs.Inputs(
            scratch=self._board.new_scratch(),
            goals=self._board.goals,
            frames=self._board.frames,
            planes=np.zeros((games, network_inputs.PLANES, cells), np.float32),
        )

    def _step(self, evaluate: Evaluate) -> list[tuple[int, int]]:
        """Play a move in each game; return the numbers and winners of those that are over."""
        tables, roots, trees = self._board.game.tables, self._roots, self._trees
        colors = roots[:, header.COLOR].copy()
        noise = self._search(evaluate, colors)
        improved = np.zeros((len(roots), self._cells), np.float32)
        values = np.zeros(len(roots), np.float32)
        edition(gumbel, "write_targets")(trees, improved, values)
        visits = trees.visits[:, 0]
        compared = visits == visits.max(1, keepdims=True)
        scores = np.where(compared, np.log(np.maximum(improved, 1e-30)) + noise, -np.inf)
        self._note(colors, improved)
        moves = scores.argmax(1).astype(np.int64)
        edition(gumbel, "play_all")(tables, roots, self._board.work, moves)
        over = []
        for number, record in enumerate(self._records):
            color, winner = int(colors[number]), int(roots[number, header.WINNER])
            is_low = values[number] < RESIGNS
            record.hopeless[color] = record.hopeless[color] + 1 if is_low else 0
            if not winner and record.hopeless[color] > 1 and not record.plays_on:
                winner = 2 - color
            if winner:
                over.append((number, winner - 1))
        return over

    def _search(self, evaluate: Evaluate, colors: Array) -> Floats:
        """Search all positions; return the noise of each move."""
        board, roots, trees, inputs = self._board, self._roots, self._trees, self._inputs
        tables, planes = board.game.tables, inputs.planes
        count = len(roots)
        edition(gumbel, "write_roots")(tables, roots, inputs)
        policies, values = evaluate(planes, count)
        empty = roots[:, header.HEADER : header.HEADER + self._cells] == 0
        by_cell = np.take_along_axis(policies, board.frames[colors], 1)
        _plant(trees, np.where(empty, by_cell, gumbel.UNLIKELY), values, colors)
        # By their sums of logit and Gumbel noise, the best moves are a sample of the policy without
        # repetition (Kool, van Hoof and Welling, "Stochastic beams and where to find them", 2019).
        noise = self._rng.gumbel(size=(count, self._cells)).astype(np.float32)
        considered = max(2, min(CONSIDERED, int(empty.sum(1).min())))
        descend, back_up = edition(gumbel, "descend"), edition(gumbel, "back_up")
        walk = (tables, roots, self._state, board.work, trees, inputs, noise, self._numbers)
        for node, target in enumerate(considered_visits(considered, self._visits), 1):
            descend(*walk, target)
            policies, values = evaluate(planes, count)
            back_up(trees, board.frames, policies, values, node)
        return noise

    def _note(self, colors: Array, improved: Floats) -> None:
        """Add the positions to the records, in the frame of the colour to move."""
        for number, record in enumerate(self._records):
            color = int(colors[number])
            policy = np.zeros(self._cells, np.float32)
            policy[self._board.frames[color]] = improved[number]
            record.seen.append(self._board.seen(self._roots[number]))
            record.policies.append(policy)
            record.colors.append(color)
