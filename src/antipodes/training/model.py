"""The neural network in PyTorch: convolutions over each cell and its six neighbours.

The layers share their weights over all cells, so one network serves boards of every size. On a
rhombus, a cell's neighbours lie in a square of three by three without two opposite corners, and
ordinary convolutions do the rest.
"""

from __future__ import annotations

import copy
import warnings
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from antipodes.search.kernels.network_inputs import PLANES

TAPS = (1, 2, 3, 4, 5, 6, 7)  # of the nine cells of a square, by rows: the cell and its neighbours
HIDDEN = 32  # numbers between the means of the channels and the value


class HexagonalConvolution(nn.Module):
    """A convolution over each cell and its neighbours."""

    taps: Tensor

    def __init__(self, inputs: int, outputs: int, scale: float = 1.0) -> None:
        """Draw the weights; with ``scale`` 0 the layer adds nothing at first."""
        super().__init__()
        deviation = scale * (2.0 / (len(TAPS) * inputs)) ** 0.5
        self.weight = nn.Parameter(torch.randn(outputs, inputs, len(TAPS)) * deviation)
        self.bias = nn.Parameter(torch.zeros(outputs))
        self.register_buffer("taps", torch.tensor(TAPS), persistent=False)

    def forward(self, cells: Tensor) -> Tensor:
        """Return the outputs, shape ``(batch, outputs, rows, columns)``."""
        return functional.conv2d(cells, self._square(), self.bias, padding=1)

    def _square(self) -> Tensor:
        square = self.weight.new_zeros(*self.weight.shape[:2], 9)
        return square.index_copy(2, self.taps, self.weight).unflatten(2, (3, 3))

    def plain(self) -> nn.Conv2d:
        """Return an ordinary convolution that does the same."""
        outputs, inputs, _ = self.weight.shape
        layer = nn.Conv2d(inputs, outputs, 3, padding=1)
        layer.weight.data = self._square().detach()
        layer.bias.data = self.bias.detach()
        return layer


class Block(nn.Module):
    """Two convolutions whose result is added to their input."""

    def __init__(self, channels: int) -> None:
        """Begin as the identity."""
        super().__init__()
        self.first = HexagonalConvolution(channels, channels)
        self.second = HexagonalConvolution(channels, channels, scale=0.0)

    def forward(self, cells: Tensor) -> Tensor:
        """Return the block's output."""
        return functional.relu(cells + self.second(functional.relu(self.first(cells))))


class Network(nn.Module):
    """A residual network with a policy over the cells and a value."""

    def __init__(self, channels: int, blocks: int) -> None:
        """Draw all weights.

        Args:
            channels: numbers for each cell between two layers.
            blocks: how many, each of two layers.
        """
        super().__init__()
        self.stem = HexagonalConvolution(PLANES, channels)
        self.blocks = nn.Sequential(*(Block(channels) for _ in range(blocks)))
        self.policy = nn.Conv2d(channels, 1, 1)
        self.hidden = nn.Linear(channels, HIDDEN)
        self.value = nn.Linear(HIDDEN, 1)
        nn.init.zeros_(self.policy.weight)
        nn.init.zeros_(self.value.weight)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits of the cells and of a win.

        Args:
            planes: the inputs, shape ``(batch, planes, rows, columns)``.

        Returns:
            Tensors of shapes ``(batch, cells)`` and ``(batch,)``.
        """
        cells = self.blocks(functional.relu(self.stem(planes)))
        value = self.value(functional.relu(self.hidden(cells.mean((2, 3)))))
        return self.policy(cells).flatten(1), value.squeeze(1)


class _Evaluated(nn.Module):
    """A network of ordinary convolutions, whose second output is the probability of a win."""

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = copy.deepcopy(network)
        for parent in list(self.network.modules()):
            for name, layer in list(parent.named_children()):
                if isinstance(layer, HexagonalConvolution):
                    setattr(parent, name, layer.plain())

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        policy, value = self.network(planes)
        return policy, value.sigmoid()


def export(network: Network, path: Path) -> None:
    """Write a network as ONNX, for batches and boards of all sizes."""
    planes = {0: "batch", 2: "rows", 3: "columns"}
    with warnings.catch_warnings():
        # The exporter that PyTorch recommends instead needs another package, onnxscript.
        warnings.simplefilter("ignore", DeprecationWarning)
        torch.onnx.export(
            _Evaluated(network).eval(),
            (torch.zeros(2, PLANES, 5, 5),),
            str(path),
            input_names=["planes"],
            output_names=["policy", "value"],
            dynamic_axes={
                "planes": planes,
                "policy": {0: "batch", 1: "cells"},
                "value": {0: "batch"},
            },
            dynamo=False,
        )
