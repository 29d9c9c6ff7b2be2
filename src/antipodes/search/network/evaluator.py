"""Evaluations of positions by the neural network."""

from __future__ import annotations

import json
import math
import os
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from antipodes.games.kernels import Array, edition, native
from antipodes.games.placement import is_connection_game
from antipodes.games.position import Game
from antipodes.search.kernels import convolution, network_inputs
from antipodes.search.kernels.convolution import Evaluations
from antipodes.search.kernels.network_inputs import Inputs
from antipodes.search.network.directions import KINDS, directed_neighbours
from antipodes.search.network.weights import network_weights, new_activations, read_network

Floats = npt.NDArray[np.float32]

FOLDER = Path(__file__).parent  # with a data card beside each network
FILES = {"rhombus": "hex.npz"}  # by the kind of board
BATCH = 16  # positions that are evaluated together
KNOWN = 1 << 13  # positions whose evaluations are kept


NO_INPUTS = Inputs(
    scratch=np.zeros(0, np.int64),
    goals=np.zeros((0, 0), np.int64),
    frames=np.zeros((0, 0), np.int64),
    planes=np.zeros((0, 0, 0), np.float32),
)


def is_rhombus(game: Game) -> bool:
    """Return whether a board has rows and columns, on which a network needs no neighbours."""
    return game.topology.kind == "rhombus"


def frames_of(game: Game) -> Array:
    """Return for each colour the column of each cell in the inputs.

    In Hex the board is turned over for White, so that both colours see the same goals.
    """
    cells = game.topology.cell_count
    same = np.arange(cells)
    size = math.isqrt(cells)
    other = same.reshape(size, size).T.ravel() if is_rhombus(game) else same
    return np.stack([same, other]).astype(np.int64)


def goals_of(game: Game) -> Array:
    """Return which cells are next to the goals: a row for each of Black's two, then White's."""
    goals = np.zeros((network_inputs.GOALS, game.topology.cell_count), np.int64)
    edition(network_inputs, "write_goals")(game.tables, goals)
    return goals


@cache
def trained_cells(file: Path) -> int:
    """Return the cells of the largest board in the training of a network for Hex, by its card."""
    boards = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))["boards"]
    return max(map(int, boards)) ** 2


def network_file(game: Game) -> Path | None:
    """Return the file of the network for a game; ``None`` if there is none.

    On boards larger than those of its training it was not measured to help, on 19x19 it did not.
    ``ANTIPODES_NETWORK`` names another one, for all boards that it fits.
    """
    if not is_connection_game(game):
        return None
    named = os.environ.get("ANTIPODES_NETWORK")
    if named and game.topology.kind in KINDS:
        is_for_rhombus = bool(read_network(Path(named)).is_for_rhombus)
        if is_for_rhombus == is_rhombus(game):
            return Path(named)
    name = FILES.get(game.topology.kind)
    if name is None or game.topology.cell_count > trained_cells(FOLDER / name):
        return None
    return FOLDER / name


def network_files() -> list[Path]:
    """Return the files of all networks: those installed, and that of ``ANTIPODES_NETWORK``."""
    if _are_off():
        return []
    named = os.environ.get("ANTIPODES_NETWORK")
    return [*(FOLDER / name for name in FILES.values()), *([Path(named)] if named else ())]


def has_network(game: Game) -> bool:
    """Return whether there is a network for a game, and kernels that are fast enough for it."""
    return not _are_off() and network_file(game) is not None


def _are_off() -> bool:
    """Return whether networks are switched off, or there are no kernels that are fast enough."""
    return os.environ.get("ANTIPODES_NETWORK") == "0" or not native.enabled()


def new_inputs(game: Game, batch: int) -> Inputs:
    """Return room for the inputs of a batch."""
    cells = game.topology.cell_count
    return Inputs(
        scratch=np.zeros(network_inputs.ROOM * cells, np.int64),
        goals=goals_of(game),
        frames=frames_of(game),
        planes=np.zeros((batch, network_inputs.PLANES, cells), np.float32),
    )


def new_evaluations(batch: int, cells: int) -> Evaluations:
    """Return room for the evaluations of a batch, none of them known."""
    return Evaluations(
        policies=np.zeros((batch, cells), np.float32),
        values=np.zeros(batch, np.float32),
        keys=np.zeros(KNOWN, np.int64),
        known_policies=np.zeros((KNOWN, cells), np.float32),
        known_values=np.zeros(KNOWN, np.float32),
    )


class Evaluator:
    """The network for one board and batches of one size; each thread needs its own."""

    def __init__(self, game: Game, batch: int = BATCH, path: Path | None = None) -> None:
        """Prepare the network.

        Args:
            game: with the board.
            batch: the most positions that are evaluated together.
            path: of the network; by default that of :func:`network_file`.
        """
        path = path or network_file(game)
        assert path is not None, game
        cells = game.topology.cell_count
        self.network = network_weights(path)
        self.board = new_activations(self.network, directed_neighbours(game.topology))
        self.evaluations = new_evaluations(batch, cells)

    def __call__(self, inputs: Floats, count: int) -> tuple[Floats, Floats]:
        """Evaluate the first ``count`` positions of a batch.

        Args:
            inputs: shape ``(batch, planes, cells)``.
            count: how many of them matter.

        Returns:
            The logits of the cells, shape ``(batch, cells)``, and the probabilities that the colour
            to move wins, shape ``(batch,)``; they are overwritten by the next call.
        """
        evaluate = edition(convolution, "evaluate")
        evaluate(self.network, self.board, inputs, self.evaluations, count)
        return self.evaluations.policies, self.evaluations.values
