"""Evaluations of positions by the neural network, with OpenVINO."""

from __future__ import annotations

import math
import os
import sys
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from antipodes.boards import Topology
from antipodes.games.kernels import Array, edition, native
from antipodes.games.placement import PlacementGame
from antipodes.games.position import Game
from antipodes.search.kernels import network_inputs
from antipodes.search.kernels.network_inputs import PLANES
from antipodes.search.network.directions import KINDS, TAPS, directed_neighbours

Floats = npt.NDArray[np.float32]

FOLDER = Path(__file__).parent  # with a data card beside each network
FILES = {"rhombus": "hex.onnx"}  # by the kind of board
BATCH = 16  # positions that are evaluated together


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
def _has_runtime() -> bool:
    return find_spec("openvino") is not None


def network_file(game: Game) -> Path | None:
    """Return the file of the network for a game; ``None`` if there is none.

    ``ANTIPODES_NETWORK`` names another one, for the boards that it fits.
    """
    if not isinstance(game, PlacementGame) or not _has_runtime():
        return None
    named = os.environ.get("ANTIPODES_NETWORK")
    if named and game.topology.kind in KINDS and _is_for_rhombus(Path(named)) == is_rhombus(game):
        return Path(named)
    name = FILES.get(game.topology.kind)
    return FOLDER / name if name else None


def has_network(game: Game) -> bool:
    """Return whether there is a network for a game and a program that evaluates it."""
    is_off = os.environ.get("ANTIPODES_NETWORK") == "0" or not native.enabled()
    return not is_off and network_file(game) is not None


@cache
def _runtime() -> Any:
    # OpenVINO sends usage data through this package, in processes that it forks; without the
    # package it sends none.
    sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]
    import openvino  # noqa: PLC0415 - loading it takes a third of a second

    return openvino.Core()


@cache
def _is_for_rhombus(path: Path) -> bool:
    return len(_runtime().read_model(path).inputs) == 1


@lru_cache(maxsize=16)
def _compiled(path: Path, topology: Topology, batch: int) -> Any:
    core = _runtime()
    model = core.read_model(path)
    cells = topology.cell_count
    if topology.kind == "rhombus":
        model.reshape([batch, PLANES, *_rows_and_columns(cells)])
    else:
        model.reshape({"planes": [batch, PLANES, cells], "neighbours": [cells * len(TAPS)]})
    hints = {"INFERENCE_NUM_THREADS": 1, "PERFORMANCE_HINT": "LATENCY"}
    return core.compile_model(model, "CPU", hints)


def _rows_and_columns(cells: int) -> tuple[int, int]:
    size = math.isqrt(cells)
    return size, size


class Evaluator:
    """The network for one board and batches of one size; each thread needs its own."""

    def __init__(self, game: Game, batch: int = BATCH, path: Path | None = None) -> None:
        """Prepare the network.

        Args:
            game: with the board.
            batch: positions that are evaluated together.
            path: of the network; by default that of :func:`network_file`.
        """
        topology = game.topology
        path = path or network_file(game)
        assert path is not None, game
        cells = (topology.cell_count,)
        shape = _rows_and_columns(*cells) if is_rhombus(game) else cells
        self._shape = (batch, PLANES, *shape)
        self._request = _compiled(path, topology, batch).create_infer_request()
        self._single = _compiled(path, topology, 1).create_infer_request()
        self._rest = {} if is_rhombus(game) else {1: directed_neighbours(topology).ravel()}

    def __call__(self, inputs: Floats, count: int) -> tuple[Floats, Floats]:
        """Evaluate the first ``count`` positions of a batch.

        Args:
            inputs: shape ``(batch, planes, cells)``.
            count: how many of them matter.

        Returns:
            The logits of the cells, shape ``(batch, cells)``, and the probabilities that the colour
            to move wins, shape ``(batch,)``; they are overwritten by the next call.
        """
        request, batch = (self._single, 1) if count == 1 else (self._request, self._shape[0])
        planes = inputs[:batch].reshape(batch, *self._shape[1:])
        request.infer({0: planes, **self._rest}, share_inputs=True)
        return request.get_output_tensor(0).data, request.get_output_tensor(1).data
