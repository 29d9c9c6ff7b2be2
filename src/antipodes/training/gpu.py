"""Networks on a GPU: evaluations of positions for self-play, and inputs for the learner too.

A GPU pays with some hundred positions at a time. The search of a game has too few, and uses
:class:`antipodes.search.network.evaluator.Evaluator`.
"""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from antipodes.training.boards import Board, Floats
from antipodes.training.model import PlayingNetwork, read_network


def device() -> torch.device:
    """Return the GPU if there is one, otherwise the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def arguments(board: Board, inputs: Floats, where: torch.device) -> tuple[Tensor, ...]:
    """Return the arguments of a network on a device.

    Args:
        board: of all positions.
        inputs: of shape ``(positions, planes, cells)``.
        where: the device.
    """
    planes = torch.from_numpy(inputs).to(where)
    if board.is_rhombus:
        size = math.isqrt(board.cells)
        square = planes.unflatten(2, (size, size))
        return (square.contiguous(memory_format=torch.channels_last),)
    return planes, _neighbours(board, where)


@lru_cache(maxsize=64)
def _neighbours(board: Board, where: torch.device) -> Tensor:
    return torch.from_numpy(board.neighbours).flatten().to(where)


class GpuEvaluator:
    """A network for one board and batches of all sizes."""

    def __init__(self, board: Board, path: Path, where: torch.device) -> None:
        """Read the network from a file."""
        self._board = board
        self._where = where
        self._network = _network(path, where, is_rhombus=board.is_rhombus)

    def __call__(self, inputs: Floats, count: int) -> tuple[Floats, Floats]:
        """Evaluate the first ``count`` positions of a batch.

        Args:
            inputs: shape ``(batch, planes, cells)``.
            count: how many of them matter.

        Returns:
            The logits of the cells, shape ``(count, cells)``, and the probabilities that the colour
            to move wins, shape ``(count,)``.
        """
        planes, *neighbours = arguments(self._board, inputs[:count], self._where)
        with torch.inference_mode():
            policies, values = self._network(planes.half(), *neighbours)
            # One copy instead of two, as each waits for the GPU.
            both = torch.cat([policies, values.unsqueeze(1)], 1).float().cpu().numpy()
        return np.ascontiguousarray(both[:, :-1]), np.ascontiguousarray(both[:, -1])


@lru_cache(maxsize=2)
def _network(path: Path, where: torch.device, *, is_rhombus: bool) -> PlayingNetwork:
    network = PlayingNetwork(read_network(path), is_rhombus=is_rhombus)
    found: PlayingNetwork = network.to(where).half().eval()
    return found
