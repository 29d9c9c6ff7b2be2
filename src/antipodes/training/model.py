"""The neural network in PyTorch: convolutions over each cell and its six neighbours.

The layers share their weights over all cells, so one network serves boards of every size. On a
rhombus, a cell's neighbours lie in a square of three by three without two opposite corners, and
ordinary convolutions do the rest. On other boards a table names the neighbours, from which the
numbers of a cell's surroundings are gathered.
"""

from __future__ import annotations

import copy
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from antipodes.search.kernels.network_inputs import PLANES
from antipodes.search.network.directions import TAPS
from antipodes.search.network.weights import read_network as read_file
from antipodes.training.quantization import Floats, plain_weights

HIDDEN = 32  # numbers between the means of the channels and the value


class HexagonalConvolution(nn.Module):
    """A convolution over each cell and its neighbours."""

    def __init__(self, inputs: int, outputs: int, scale: float = 1.0) -> None:
        """Draw the weights; with ``scale`` 0 the layer adds nothing at first."""
        super().__init__()
        deviation = scale * (2.0 / (len(TAPS) * inputs)) ** 0.5
        self.weight = nn.Parameter(torch.randn(outputs, inputs, len(TAPS)) * deviation)
        self.bias = nn.Parameter(torch.zeros(outputs))

    def forward(self, cells: Tensor, neighbours: Tensor | None) -> Tensor:
        """Return the outputs for each cell.

        Args:
            cells: on a rhombus of shape ``(batch, inputs, rows, columns)``, otherwise
                ``(batch, cells, inputs)``.
            neighbours: of all cells one after another, each at the ``TAPS``; missing ones have the
                number of the cells. ``None`` on a rhombus.
        """
        if neighbours is None:
            return functional.conv2d(cells, self.square(), self.bias, padding=1)
        padded = torch.cat([cells, torch.zeros_like(cells[:, :1])], 1)
        gathered = padded.index_select(1, neighbours)
        around = gathered.reshape(cells.shape[0], -1, len(TAPS) * cells.shape[2])
        return functional.linear(around, self.weight.transpose(1, 2).flatten(1), self.bias)

    def square(self) -> Tensor:
        """Return the weights of a square of three by three cells, two of whose corners have 0."""
        return functional.pad(self.weight, (1, 1)).unflatten(2, (3, 3))


class Block(nn.Module):
    """Two convolutions whose result is added to their input."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = HexagonalConvolution(channels, channels)
        self.second = HexagonalConvolution(channels, channels, scale=0.0)

    def forward(self, cells: Tensor, neighbours: Tensor | None) -> Tensor:
        """Return the block's output."""
        inner = functional.relu(self.first(cells, neighbours))
        return functional.relu(cells + self.second(inner, neighbours))


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
        self.blocks = nn.ModuleList(Block(channels) for _ in range(blocks))
        self.policy = nn.Conv2d(channels, 1, 1)
        self.hidden = nn.Linear(channels, HIDDEN)
        self.value = nn.Linear(HIDDEN, 1)
        nn.init.zeros_(self.policy.weight)
        nn.init.zeros_(self.value.weight)

    def forward(self, planes: Tensor, neighbours: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return the logits of the cells and of a win.

        Args:
            planes: the inputs; on a rhombus of shape ``(batch, planes, rows, columns)``, otherwise
                ``(batch, planes, cells)``.
            neighbours: see :class:`HexagonalConvolution`.

        Returns:
            Tensors of shapes ``(batch, cells)`` and ``(batch,)``.
        """
        cells = planes if neighbours is None else planes.transpose(1, 2)
        cells = functional.relu(self.stem(cells, neighbours))
        for block in self.blocks:
            cells = block(cells, neighbours)
        if neighbours is not None:
            cells = cells.transpose(1, 2).unsqueeze(2)
        value = self.value(functional.relu(self.hidden(cells.mean((2, 3)))))
        return self.policy(cells).flatten(1), value.squeeze(1)


class _OnRhombus(nn.Conv2d):
    """An ordinary convolution with the weights of a hexagonal one."""

    def __init__(self, layer: HexagonalConvolution) -> None:
        outputs, inputs, _ = layer.weight.shape
        super().__init__(inputs, outputs, 3, padding=1)
        self.weight.data = layer.square().detach()
        self.bias = layer.bias

    def forward(self, cells: Tensor, _neighbours: Tensor | None = None) -> Tensor:
        return super().forward(cells)


class PlayingNetwork(nn.Module):
    """A network as it plays: its second output is the probability of a win."""

    def __init__(self, network: Network, *, is_rhombus: bool) -> None:
        """Copy a network; on a rhombus its convolutions become ordinary ones, which are faster."""
        super().__init__()
        self.network = copy.deepcopy(network)
        for parent in list(self.network.modules()) if is_rhombus else ():
            for name, layer in list(parent.named_children()):
                if isinstance(layer, HexagonalConvolution):
                    setattr(parent, name, _OnRhombus(layer))

    def forward(self, planes: Tensor, neighbours: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return the logits of the cells, and the probability of a win."""
        policy, value = self.network(planes, neighbours)
        return policy, value.sigmoid()


def weights_of(network: Network) -> dict[str, Floats]:
    """Return the weights of a network by their names."""
    return {name: weights.detach().cpu().numpy() for name, weights in network.named_parameters()}


def read_network(path: Path) -> Network:
    """Return the network of a file.

    Raises:
        ValueError: it is not the file of a network.
    """
    known = read_file(path)
    network = Network(len(known.policy), len(known.blocks) // 2)
    read_weights(network, path)
    return network


def read_weights(network: Network, path: Path) -> None:
    """Give a network the weights of a file.

    Raises:
        ValueError: that one has other layers.
    """
    weights = plain_weights(read_file(path))
    shapes = {name: tuple(parameter.shape) for name, parameter in network.named_parameters()}
    known = {name: array.shape for name, array in weights.items()}
    if shapes != known:
        raise ValueError(f"{path} has other layers: {known}, not {shapes}")
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            parameter.copy_(torch.from_numpy(weights[name].copy()))
