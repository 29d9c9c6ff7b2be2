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
from antipodes.search.kernels.convolution import (
    CHANNELS,
    MOST,
    QUAD,
    TAPS,
    Activations,
    Weights,
)
from antipodes.search.kernels.network_inputs import PLANES

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.int8]

STEPS = 255  # of each range of activations in a file
_LINE = 64  # bytes
# A register may hold the sum of four products of the largest activation in 16 bits.
_MOST_SUM = np.iinfo(np.int16).max // MOST


@dataclass(frozen=True)
class NetworkFile:
    """A network as its file has it.

    Attributes:
        stem: weights of the first layer, shape ``(channels, planes, 7)``.
        blocks: weights of the other layers, shape ``(layers, channels, channels, 7)``.
        policy: weights of the cells' logits, shape ``(channels,)``.
        scales: what a weight of 1 is worth, shape ``(1 + layers, channels)``.
        biases: of all layers, shape ``(1 + layers, channels)``.
        steps: the largest activation of the inputs and behind each layer, divided by ``STEPS``.
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
        steps = self.steps * np.float32(STEPS / MOST)
        channels = _padded(len(self.policy))
        behind = steps[1:, np.newaxis]
        stem, *blocks = (_fitting(layer) for layer in (self.stem, *self.blocks))
        worth = self.scales * np.stack([shrunk for _, shrunk in (stem, *blocks)])
        scales = np.zeros(convolution.SCALES, np.float32)
        scales[convolution.INPUT] = 1 / steps[0]
        scales[convolution.POLICY] = self.policy_scale[0] * steps[-1]
        scales[convolution.POLICY_BIAS] = self.policy_scale[1]
        scales[convolution.MEAN] = steps[-1]
        scales[convolution.VALUE_BIAS] = self.value[-1]
        return Weights(
            stem=_aligned(_by_quad(stem[0], PLANES)),
            blocks=_aligned(np.stack([_by_quad(layer, channels) for layer, _ in blocks])),
            factors=_wide(worth * steps[:-1, np.newaxis] / behind, channels),
            biases=_wide(self.biases / behind, channels),
            residuals=steps[1:-2:2] / steps[3::2],
            policy=_wide(self.policy, channels),
            hidden=_wide(self.hidden, channels),
            hidden_biases=self.hidden_biases,
            value=self.value[:-1].copy(),
            scales=scales,
        )


NO_NETWORK = Weights(
    stem=np.zeros(0, np.int8),
    blocks=np.zeros((0, 0), np.int8),
    factors=np.zeros((0, 0), np.float32),
    biases=np.zeros((0, 0), np.float32),
    residuals=np.zeros(0, np.float32),
    policy=np.zeros(0, np.int8),
    hidden=np.zeros((0, 0), np.float32),
    hidden_biases=np.zeros(0, np.float32),
    value=np.zeros(0, np.float32),
    scales=np.zeros(0, np.float32),
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
        inputs=np.zeros((rows, PLANES), np.int8),
        outer=np.zeros((rows, channels), np.int8),
        inner=np.zeros((rows, channels), np.int8),
        sums=np.zeros((len(neighbours), channels), np.int32),
        means=np.zeros(channels, np.float32),
    )


def _padded(channels: int) -> int:
    return -(-channels // CHANNELS) * CHANNELS


def _wide(array: npt.NDArray[Any], channels: int) -> npt.NDArray[Any]:
    """Return an array with zeros for the channels that a network lacks."""
    missing = channels - array.shape[-1]
    return np.pad(array, [*[(0, 0)] * (array.ndim - 1), (0, missing)])


def _fitting(layer: Bytes) -> tuple[Bytes, Floats]:
    """Return a layer's weights so small that sums fit, and what 1 is worth then in each channel.

    A third of the channels of a trained network have larger ones, by half at most.
    """
    outputs, inputs, _ = layer.shape
    wide = np.zeros((outputs, -(-inputs // (2 * QUAD)) * 2 * QUAD, TAPS), np.int64)
    wide[:, :inputs] = np.abs(layer.astype(np.int64))
    # The products of both pairs of a quad are added to those of the next one.
    pairs = wide.reshape(outputs, -1, 2, QUAD // 2, 2, TAPS)
    largest = pairs.sum((2, 4)).reshape(outputs, -1).max(1)
    # Each of the four may be rounded up by a half.
    shrunk = np.where(largest > _MOST_SUM, largest / (_MOST_SUM - 2), 1).astype(np.float32)
    return np.rint(layer / shrunk.reshape(-1, 1, 1)).astype(np.int8), shrunk


def _by_quad(layer: Bytes, width: int) -> Bytes:
    """Return a layer's weights for so many inputs, in the order of :class:`Weights`."""
    outputs, inputs, _ = layer.shape
    wide = np.zeros((_padded(outputs), width, TAPS), np.int8)
    wide[:outputs, :inputs] = layer
    by_tap = wide.transpose(2, 1, 0).reshape(TAPS, width // QUAD, QUAD, -1)
    return by_tap.transpose(0, 1, 3, 2).ravel()


def _aligned(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a copy at a line of the processor's cache, where whole registers are read faster."""
    room = np.zeros(array.nbytes + _LINE, np.uint8)
    first = -room.ctypes.data % _LINE
    copy = room[first : first + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy
