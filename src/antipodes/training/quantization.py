"""Quantization of a network: its weights and activations become whole numbers of 8 bits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from antipodes.games.kernels import Array
from antipodes.search.kernels.convolution import TAPS
from antipodes.search.network.weights import STEPS, NetworkFile

Floats = npt.NDArray[np.float32]
Weights = Mapping[str, Floats]  # by their names in the network of PyTorch

_MOST_WEIGHT = 127
_LEAST = 1e-6  # the largest weight or activation is taken as this at least
_TOGETHER = 100  # positions that are evaluated together


def quantize(
    weights: Weights, planes: Floats, neighbours: Array, *, is_for_rhombus: bool
) -> NetworkFile:
    """Return the quantized network.

    Args:
        weights: of the network.
        planes: inputs of typical positions, shape ``(positions, planes, cells)``; activations keep
            the ranges that they have there.
        neighbours: of the cells of their board, shape ``(cells, 7)``.
        is_for_rhombus: whether the board is turned over for White.
    """
    names = _layers(weights)
    parts = [planes[i : i + _TOGETHER] for i in range(0, len(planes), _TOGETHER)]
    largest = [[layer.max() for layer in activations(weights, part, neighbours)] for part in parts]
    steps = np.maximum(np.max(largest, axis=0), _LEAST) / STEPS
    whole, scales = zip(*(_rounded(weights[f"{name}.weight"]) for name in names), strict=True)
    policy, policy_scale = _rounded(weights["policy.weight"].reshape(1, -1))
    return NetworkFile(
        stem=whole[0],
        blocks=np.stack(whole[1:]),
        policy=policy[0],
        scales=np.stack(scales),
        biases=np.stack([weights[f"{name}.bias"] for name in names]),
        steps=steps.astype(np.float32),
        policy_scale=np.concatenate([policy_scale, weights["policy.bias"]]),
        hidden=weights["hidden.weight"],
        hidden_biases=weights["hidden.bias"],
        value=np.append(weights["value.weight"][0], weights["value.bias"]),
        is_for_rhombus=np.array(is_for_rhombus),
    )


def plain_weights(network: NetworkFile) -> dict[str, Floats]:
    """Return the weights of a quantized network by their names in the network of PyTorch."""
    names = [
        "stem",
        *(f"blocks.{i // 2}.{('first', 'second')[i % 2]}" for i in range(len(network.blocks))),
    ]
    weights: dict[str, Floats] = {
        "policy.weight": network.policy.reshape(1, -1, 1, 1) * network.policy_scale[0],
        "policy.bias": network.policy_scale[1:],
        "hidden.weight": network.hidden,
        "hidden.bias": network.hidden_biases,
        "value.weight": network.value[np.newaxis, :-1],
        "value.bias": network.value[-1:],
    }
    whole = [network.stem, *network.blocks]
    for name, layer, scales, biases in zip(
        names, whole, network.scales, network.biases, strict=True
    ):
        weights[f"{name}.weight"] = layer * scales[:, np.newaxis, np.newaxis]
        weights[f"{name}.bias"] = biases
    return weights


def activations(weights: Weights, planes: Floats, neighbours: Array) -> Iterator[Floats]:
    """Yield the inputs and the activations behind each layer, ``(positions, cells, channels)``."""
    cells = planes.transpose(0, 2, 1)
    yield cells
    block_inputs = inner = cells
    for name in _layers(weights):
        inner = _convolved(weights, name, inner, neighbours)
        if name.endswith("second"):
            inner += block_inputs
        inner = np.maximum(inner, 0)
        yield inner
        if not name.endswith("first"):
            block_inputs = inner


def _layers(weights: Weights) -> list[str]:
    """Return the names of the layers of cells, in their order."""
    blocks = sum(name.endswith(".second.bias") for name in weights)
    inside = [f"blocks.{i}.{layer}" for i in range(blocks) for layer in ("first", "second")]
    return ["stem", *inside]


def _convolved(weights: Weights, name: str, cells: Floats, neighbours: Array) -> Floats:
    padded = np.concatenate([cells, np.zeros_like(cells[:, :1])], axis=1)
    around = padded[:, neighbours].reshape(*cells.shape[:2], TAPS * cells.shape[2])
    weight = weights[f"{name}.weight"]
    matrix = weight.transpose(2, 1, 0).reshape(-1, len(weight))
    sums: Floats = around @ matrix + weights[f"{name}.bias"]
    return sums


def _rounded(weight: Floats) -> tuple[npt.NDArray[np.int8], Floats]:
    """Return weights as whole numbers, and what 1 is worth in each channel."""
    largest = np.abs(weight).reshape(len(weight), -1).max(1)
    scales = (np.maximum(largest, _LEAST) / _MOST_WEIGHT).astype(np.float32)
    whole = np.rint(weight / scales.reshape(-1, *[1] * (weight.ndim - 1))).astype(np.int8)
    return whole, scales
