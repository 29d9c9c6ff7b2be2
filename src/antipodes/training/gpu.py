"""Evaluations of positions by a network on a GPU, for self-play.

A GPU pays with some hundred positions at a time. The search of a game has too few, and uses
:class:`antipodes.search.network.evaluator.Evaluator`.
"""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch

from antipodes.training.boards import Board, Floats
from antipodes.training.model import PlayingNetwork, read_network


def device() -> torch.device:
    """Return the GPU if there is one, otherwise the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


class GpuEvaluator:
    """A network for one board and batches of all sizes."""

    def __init__(self, board: Board, path: Path, where: torch.device) -> None:
        """Read the network from a file of ONNX."""
        self._where = where
        self._network = _network(path, where, is_rhombus=board.is_rhombus)
        self._size = math.isqrt(board.cells) if board.is_rhombus else 0
        self._neighbours = None
        if not board.is_rhombus:
            self._neighbours = torch.from_numpy(board.neighbours).flatten().to(where)

    def __call__(self, inputs: Floats, count: int) -> tuple[Floats, Floats]:
        """Evaluate the first ``count`` positions of a batch.

        Args:
            inputs: shape ``(batch, planes, cells)``.
            count: how many of them matter.

        Returns:
            The logits of the cells, shape ``(count, cells)``, and the probabilities that the colour
            to move wins, shape ``(count,)``.
        """
        planes = torch.from_numpy(inputs[:count]).to(self._where).half()
        if self._size:
            planes = planes.unflatten(2, (self._size, self._size))
            planes = planes.contiguous(memory_format=torch.channels_last)
        with torch.inference_mode():
            policies, values = self._network(planes, self._neighbours)
            # One copy instead of two, as each waits for the GPU.
            both = torch.cat([policies, values.unsqueeze(1)], 1).float().cpu().numpy()
        return np.ascontiguousarray(both[:, :-1]), np.ascontiguousarray(both[:, -1])


@lru_cache(maxsize=2)
def _network(path: Path, where: torch.device, *, is_rhombus: bool) -> PlayingNetwork:
    network = PlayingNetwork(read_network(path), is_rhombus=is_rhombus)
    found: PlayingNetwork = network.to(where).half().eval()
    return found
