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

from antipodes.games.kernels import Array, edition, jit
from antipodes.games.placement import PlacementGame
from antipodes.games.position import Game
from antipodes.search.kernels import network_inputs
from antipodes.search.kernels.network_inputs import PLANES

Floats = npt.NDArray[np.float32]

FILE = Path(__file__).with_name("hex.onnx")
CARD = FILE.with_suffix(".json")  # how it was trained
BOARD = "rhombus"  # the kind of board that the network knows
BATCH = 16  # positions that are evaluated together


def frames_of(game: Game) -> Array:
    """Return for each colour the column of each cell in the inputs.

    In Hex the board is turned over for White, so that both colours see the same goals.
    """
    cells = game.topology.cell_count
    same = np.arange(cells)
    size = math.isqrt(cells)
    other = same.reshape(size, size).T.ravel() if game.topology.kind == BOARD else same
    return np.stack([same, other]).astype(np.int64)


def goals_of(game: Game) -> Array:
    """Return which cells are next to the goals: a row for each of Black's two, then White's."""
    goals = np.zeros((network_inputs.GOALS, game.topology.cell_count), np.int64)
    edition(network_inputs, "write_goals")(game.tables, goals)
    return goals


@cache
def _has_runtime() -> bool:
    return find_spec("openvino") is not None


def has_network(game: Game) -> bool:
    """Return whether there is a network for a game and a program that evaluates it."""
    return (
        isinstance(game, PlacementGame)
        and game.topology.kind == BOARD
        and _has_runtime()
        and jit.enabled()
        and os.environ.get("ANTIPODES_NETWORK") != "0"
    )


@cache
def _runtime() -> Any:
    # OpenVINO sends usage data through this package, in processes that it forks; without the
    # package it sends none.
    sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]
    import openvino  # noqa: PLC0415 - loading it takes a third of a second

    return openvino.Core()


@lru_cache(maxsize=16)
def _compiled(path: Path, size: int, batch: int) -> Any:
    core = _runtime()
    model = core.read_model(path)
    model.reshape([batch, PLANES, size, size])
    hints = {"INFERENCE_NUM_THREADS": 1, "PERFORMANCE_HINT": "LATENCY"}
    return core.compile_model(model, "CPU", hints)


class Evaluator:
    """The network for one board and batches of one size; each thread needs its own."""

    def __init__(self, game: Game, batch: int = BATCH, path: Path | None = None) -> None:
        """Prepare the network.

        Args:
            game: with the board.
            batch: positions that are evaluated together.
            path: of the network; by default the one that comes with the program.
        """
        size = math.isqrt(game.topology.cell_count)
        path = path or Path(os.environ.get("ANTIPODES_NETWORK") or FILE)
        self._shape = (batch, PLANES, size, size)
        self._request = _compiled(path, size, batch).create_infer_request()
        self._single = _compiled(path, size, 1).create_infer_request()

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
        request.infer({0: inputs[:batch].reshape(batch, *self._shape[1:])}, share_inputs=True)
        return request.get_output_tensor(0).data, request.get_output_tensor(1).data
