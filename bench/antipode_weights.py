"""Fit the weights of Antipode's estimate to games that its search plays with itself.

    python bench/antipode_weights.py --games 9000

Games start with some random turns, and a few later turns are random too, so that positions differ.
Logistic regression then fits the estimate of every position to a target: 40 % the result of the
game and 60 % the value of the search. Regularization keeps the new weights near the old ones, which
they replace. Play games with the new weights to find out whether they are better.
"""

from __future__ import annotations

import argparse
import random

import numpy as np

from antipodes.games.registry import make_game
from antipodes.search.antipode import deepening
from antipodes.search.antipode.alphabeta import AlphaBetaSearch
from antipodes.search.interface import Limits
from antipodes.search.kernels import antipode_estimate
from tests.kernels.editions import editions

OPENINGS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20)  # random turns at the start
RANDOM_TURNS = 0.05  # share of random turns after the opening
RESULT = 0.4  # share of the result in the target; the rest is the search's value
EPOCHS = 15
RATE = 0.05
DECAY = 0.85  # of the rate, after each epoch
REGULARIZATION = 1e-5  # pull towards the old weights
BATCH = 64
WEIGHTS = antipode_estimate.STAGE * antipode_estimate.STAGES


class Positions:
    """The features of positions, and the targets of their estimates."""

    def __init__(self) -> None:
        self.places: list[np.ndarray] = []
        self.counts: list[np.ndarray] = []
        self.targets: list[float] = []
        kernels = editions(antipode_estimate)
        self._corners, self._paths = kernels["corner_features"], kernels["path_features"]

    def add(self, tables: np.ndarray, view: tuple[int, ...], target: float) -> None:
        """Add a position as its mover sees it."""
        own, other, *_ = view
        corners, paths = np.zeros((2, antipode_estimate.SCRATCH), np.int64)
        corners[self._corners(tables, *view, corners) :] = 0
        paths[self._paths(tables, own, other, paths) :] = 0
        out = np.concatenate([corners, paths])
        self.places.append(out[0::2])
        self.counts.append(out[1::2])
        self.targets.append(target)


def play_game(chance: random.Random, visits: int, positions: Positions) -> None:
    """Play a game and add its positions."""
    position = make_game("antipode").initial()
    for _ in range(chance.choice(OPENINGS)):
        if position.outcome is None:
            position = position.play(chance.choice(list(position.legal_moves)))
    views = []
    while position.outcome is None:
        search = AlphaBetaSearch(position, seed=chance.getrandbits(30), memory=1)
        search.run(Limits(visits=visits))
        views.append((position.to_move, deepening.mover_view(position), search.value()))
        is_random = chance.random() < RANDOM_TURNS
        moves = list(position.legal_moves)
        position = position.play(chance.choice(moves) if is_random else search.candidates()[0].move)
    winner = position.outcome.winner
    for mover, view, value in views:
        result = 0.5 if winner is None else float(winner is mover)
        positions.add(position.game.tables, view, RESULT * result + (1 - RESULT) * value)


def fit(positions: Positions, old: np.ndarray) -> np.ndarray:
    """Return weights that predict the targets better than ``old``, fitted by AdaGrad."""
    places = np.array(positions.places)
    counts = np.array(positions.counts, np.float64)
    targets = np.array(positions.targets)
    weights, squares = old.copy(), np.full(len(old), 1e-6)
    shuffle = np.random.default_rng(1)
    held_out = np.arange(len(targets)) >= 0.9 * len(targets)
    rate = RATE
    print(f"{len(targets)} positions; loss before {loss(places, counts, targets, old, held_out)}")
    for epoch in range(EPOCHS):
        order = shuffle.permutation(np.flatnonzero(~held_out))
        for rows in np.array_split(order, max(len(order) // BATCH, 1)):
            score = (weights[places[rows]] * counts[rows]).sum(axis=1)
            slope = 1 / (1 + np.exp(-score)) - targets[rows]
            gradient = np.zeros(len(weights))
            np.add.at(gradient, places[rows], slope[:, None] * counts[rows])
            gradient += REGULARIZATION * BATCH * (weights - old)
            squares += gradient**2
            weights -= rate * gradient / np.sqrt(squares)
        rate *= DECAY
        print(f"epoch {epoch + 1}: loss {loss(places, counts, targets, weights, held_out)}")
    return weights


def loss(places, counts, targets, weights, rows) -> float:
    """Return the mean cross-entropy of some positions."""
    score = (weights[places[rows]] * counts[rows]).sum(axis=1)
    estimates = 1 / (1 + np.exp(-score))
    bits = targets[rows] * np.log(estimates) + (1 - targets[rows]) * np.log(1 - estimates)
    return round(float(-bits.mean()), 4)


def main() -> None:
    """Play games, fit the weights and write them to their file."""
    parser = argparse.ArgumentParser(description="Fit the weights of Antipode's estimate.")
    parser.add_argument("--games", type=int, default=9_000, help="number of games")
    parser.add_argument("--visits", type=int, default=3_000, help="for each turn")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    positions = Positions()
    for number in range(1, arguments.games + 1):
        play_game(chance, arguments.visits, positions)
        if number % 100 == 0:
            print(f"{number} games", flush=True)
    scale = antipode_estimate.UNIT * antipode_estimate.FINE
    weights = fit(positions, deepening.read_weights() / scale)
    rows = np.array_split(np.round(weights * scale).astype(np.int64), WEIGHTS // 14)
    text = "".join(" ".join(map(str, row.tolist())) + "\n" for row in rows)
    deepening.WEIGHTS_FILE.write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()
