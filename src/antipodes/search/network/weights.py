"""The file of a network: whole numbers of 8 bits, and what they are worth.

It is an archive of NumPy with these arrays; a network has one layer, the *stem*, for the inputs,
and then blocks of two layers.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from antipodes.files import replace_file
from antipodes.games.kernels import Array
from antipodes.search.kernels import convolution
from antipodes.search.kernels.convolution import CHANNELS, TAPS, Activations, Weights
from antipodes.search.kernels.network_inputs import PLANES

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.int8]

_LINE = 64  # bytes


@dataclass(frozen=True)
class NetworkFile:
    """A network as its file has it.

    Attributes:
        stem: weights of the first layer, shape ``(channels, planes, 7)``.
        blocks: weights of the other layers, shape ``(layers, channels, channels, 7)``.
        policy: weights of the cells' logits, shape ``(channels,)``.
        scales: what a weight of 1 is worth, shape ``(1 + layers, channels)``.
        biases: of all layers, shape ``(1 + layers, channels)``.
        steps: what an activation of 1 is worth, in the inputs and behind each layer.
        policy_scale: what a weight of the policy is worth, and the bias, shape ``(2,)``.
        hidden: weights from the means of the channels to hidden numbers, with a row for each.
        hidden_biases: their biases.
        value: weights from the hidden numbers to the logit of a win, and last its bias.
        is_for_rhombus: whether the board is turned over for White.
    """

    stem: Bytes
    blocks: Bytes
    policy: Bytes
    scales: Floats
    biases: Floats
    steps: Floats
    policy_scale: Floats
    hidden: Floats
    hidden_biases: Floats
    value: Floats
    is_for_rhombus: npt.NDArray[np.bool_]

    def write(self, path: Path) -> None:
        """Write the file; it appears when it is whole."""
        file = BytesIO()
        np.savez_compressed(file, **vars(self))
        replace_file(path, file.getvalue())

    def weights(self) -> Weights:
        """Return the weights as kernels need them."""
        steps = self.steps
        channels = _padded(len(self.policy))
        behind = steps[1:, np.newaxis]
        scales = np.zeros(convolution.SCALES, np.float32)
        scales[convolution.INPUT] = 1 / steps[0]
        scales[convolution.POLICY] = self.policy_scale[0] * steps[-1]
        scales[convolution.POLICY_BIAS] = self.policy_scale[1]
        scales[convolution.MEAN] = steps[-1]
        scales[convolution.VALUE_BIAS] = self.value[-1]
        return Weights(
            stem=_aligned(_paired(self.stem, PLANES)),
            blocks=_aligned(np.stack([_paired(layer, channels) for layer in self.blocks])),
            factors=_wide(self.scales * steps[:-1, np.newaxis] / behind, channels),
            biases=_wide(self.biases / behind, channels),
            residuals=steps[1:-2:2] / steps[3::2],
            policy=_wide(self.policy.astype(np.int16), channels),
            hidden=_wide(self.hidden, channels),
            hidden_biases=self.hidden_biases,
            value=self.value[:-1].copy(),
            scales=scales,
        )


@lru_cache(maxsize=4)
def read_network(path: Path) -> NetworkFile:
    """Read the file of a network.

    Raises:
        ValueError: it has other arrays.
    """
    names = {field.name for field in fields(NetworkFile)}
    with np.load(path) as arrays:
        if set(arrays) != names:
            raise ValueError(f"{path} is not the file of a network")
        return NetworkFile(**arrays)


@lru_cache(maxsize=4)
def network_weights(path: Path) -> Weights:
    """Return the weights of a file as kernels need them."""
    return read_network(path).weights()


def new_activations(network: Weights, neighbours: Array) -> Activations:
    """Return room for the activations on a board with these :func:`directed_neighbours`."""
    rows, channels = len(neighbours) + 1, len(network.policy)
    return Activations(
        neighbours=neighbours,
        inputs=np.zeros((rows, PLANES), np.int16),
        outer=np.zeros((rows, channels), np.int16),
        inner=np.zeros((rows, channels), np.int16),
        sums=np.zeros((convolution.CELLS, channels), np.int32),
        means=np.zeros(channels, np.float32),
    )


def _padded(channels: int) -> int:
    return -(-channels // CHANNELS) * CHANNELS


def _wide(array: npt.NDArray[Any], channels: int) -> npt.NDArray[Any]:
    """Return an array with zeros for the channels that a network lacks."""
    missing = channels - array.shape[-1]
    return np.pad(array, [*[(0, 0)] * (array.ndim - 1), (0, missing)])


def _paired(layer: Bytes, width: int) -> npt.NDArray[np.int16]:
    """Return a layer's weights for so many inputs, in the order of :class:`Weights`."""
    outputs, inputs, _ = layer.shape
    wide = np.zeros((_padded(outputs), width, TAPS), np.int16)
    wide[:outputs, :inputs] = layer
    by_tap = wide.transpose(2, 1, 0).reshape(TAPS, width // 2, 2, -1)
    return by_tap.transpose(0, 1, 3, 2).ravel()


def _aligned(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a copy at a line of the processor's cache, where whole registers are read faster."""
    room = np.zeros(array.nbytes + _LINE, np.uint8)
    first = -room.ctypes.data % _LINE
    copy = room[first : first + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy
