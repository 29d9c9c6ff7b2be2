"""Evaluations by the neural network: convolutions over each cell and its neighbours.

Weights and the numbers between the layers, the *activations*, are whole numbers of 8 bits. Their
sums are whole numbers as well, so that all editions have the same ones, whatever the order in which
a processor adds. Fractions appear only in the step from the sums of a layer to its
activations, and in the small layers of the value.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from antipodes.games.kernels.registry import (
    F4,
    F4_2,
    F4_3,
    I1,
    I1_2,
    I4_2,
    I8,
    I8_2,
    Float,
    Int,
    kernel,
)
from antipodes.search.kernels.exponentials import exp

TAPS = 7  # a cell and its six neighbours
QUAD = 4  # inputs whose products are added together
CHANNELS = 32  # the channels of a network are a multiple; others are padded with zeros
MOST = 127  # of an activation
_MOST = np.float32(MOST)
_HALF = np.float32(0.5)
_ZERO = np.float32(0.0)

# Indices of Weights.scales, one for each network.
INPUT = 0  # activations of an input of 1
POLICY = 1  # logit of a sum
POLICY_BIAS = 2
MEAN = 3  # of an activation behind the last layer
VALUE_BIAS = 4
SCALES = 5


class Weights(NamedTuple):
    """The weights of a network.

    ``stem`` and ``blocks`` have, for each tap and each four inputs, their weights of each channel.
    A layer's activations are its sums by ``factors`` plus ``biases``; the second one of a block
    adds the block's inputs by ``residuals``.
    """

    stem: I1
    blocks: I1_2
    factors: F4_2
    biases: F4_2
    residuals: F4
    policy: I1
    hidden: F4_2
    hidden_biases: F4
    value: F4
    scales: F4


class Activations(NamedTuple):
    """Room for the activations on a board, whose ``neighbours`` it names at the taps.

    The last row of activations stays 0, for missing neighbours.
    """

    neighbours: I8_2
    inputs: I1_2
    outer: I1_2
    inner: I1_2
    sums: I4_2
    means: F4


class Evaluations(NamedTuple):
    """The logits of the cells, and the probabilities that the colour to move wins.

    The ``known`` ones are those of earlier positions, each in the row that the last bits of its key
    name; the number of rows is a power of 2. A row without a position has the probability 0.
    """

    policies: F4_2
    values: F4
    keys: I8
    known_policies: F4_2
    known_values: F4


def sum_products(inputs: Any, places: Any, weights: Any, sums: Any) -> int:
    """Write the sums of a layer for all cells, around which are these ``places`` in the inputs.

    The compiler has it in C, for the instructions of processors that add products of neighbours.
    """
    channels = sums.shape[1]
    by_quad = weights.astype(np.int64).reshape(-1, channels, QUAD)
    quads = len(places[0]) * inputs.shape[1] // QUAD
    for cell, around in enumerate(inputs[places].astype(np.int64)):
        sums[cell] = (by_quad[:quads] * around.reshape(-1, 1, QUAD)).sum((0, 2))
    return 0


@kernel()
def convolve(
    board: Activations,
    inputs: I1_2,
    weights: I1,
    factors: F4,
    biases: F4,
    residual: Float,
    outputs: I1_2,
) -> Int:
    """Write the activations of a layer, which adds its former outputs times ``residual``."""
    share = np.float32(residual)
    sum_products(inputs, board.neighbours, weights, board.sums)
    for cell in range(len(board.neighbours)):
        sums = board.sums[cell]
        output = outputs[cell]
        for channel in range(len(factors)):
            number = np.float32(sums[channel]) * factors[channel] + biases[channel]
            number += np.float32(output[channel]) * share
            number = min(max(number, _ZERO), _MOST) + _HALF
            output[channel] = np.int32(number)
    return 0


@kernel("f8(f4[::1], f4[::1], f8)")
def weigh(weights, numbers, bias):
    """Return a weighted sum of numbers and a bias."""
    total = np.float32(bias)
    for i in range(len(weights)):
        total += weights[i] * numbers[i]
    return float(total)


@kernel()
def write_policy(network: Weights, board: Activations, policy: F4) -> Int:
    """Write the logits of the cells."""
    scale, bias = network.scales[POLICY], network.scales[POLICY_BIAS]
    weights = network.policy
    for cell in range(len(board.neighbours)):
        row = board.outer[cell]
        total = np.int32(0)
        for i in range(len(weights)):
            total = np.int32(total + np.int32(row[i]) * np.int32(weights[i]))
        policy[cell] = np.float32(total) * scale + bias
    return 0


@kernel()
def win_chance(network: Weights, board: Activations) -> Float:
    """Return the probability of a win."""
    cells = len(board.neighbours)
    channels = len(network.policy)
    totals = board.sums[0]
    totals[:] = 0
    for cell in range(cells):
        row = board.outer[cell]
        for i in range(channels):
            totals[i] += row[i]
    means = board.means
    for i in range(channels):
        means[i] = np.float32(totals[i]) * network.scales[MEAN] / np.float32(cells)
    logit = float(network.scales[VALUE_BIAS])
    for i in range(len(network.value)):
        hidden = weigh(network.hidden[i], means, float(network.hidden_biases[i]))
        if hidden > 0.0:
            logit += hidden * float(network.value[i])
    return 1.0 / (1.0 + exp(-logit))


@kernel()
def evaluate_position(network: Weights, board: Activations, planes: F4_2, policy: F4) -> Float:
    """Write the policy of a position; return the probability that the colour to move wins."""
    cells = len(board.neighbours)
    scale = network.scales[INPUT]
    for plane in range(len(planes)):
        for cell in range(cells):
            number = planes[plane, cell] * scale
            board.inputs[cell, plane] = np.int32(min(max(number, _ZERO), _MOST) + _HALF)
    outer, inner = board.outer, board.inner
    convolve(board, board.inputs, network.stem, network.factors[0], network.biases[0], 0.0, outer)
    for layer in range(len(network.blocks)):
        weights = network.blocks[layer]
        factors = network.factors[layer + 1]
        biases = network.biases[layer + 1]
        if layer % 2 == 0:
            convolve(board, outer, weights, factors, biases, 0.0, inner)
        else:
            residual = float(network.residuals[layer // 2])
            convolve(board, inner, weights, factors, biases, residual, outer)
    write_policy(network, board, policy)
    return win_chance(network, board)


@kernel()
def recall(evaluations: Evaluations, number: Int, key: Int) -> Int:
    """Copy the evaluation of an earlier position; return 1 if it was known, else 0."""
    row = key & (len(evaluations.keys) - 1)
    if evaluations.keys[row] != key or evaluations.known_values[row] == 0.0:
        return 0
    policy, known = evaluations.policies[number], evaluations.known_policies[row]
    for cell in range(len(policy)):
        policy[cell] = known[cell]
    evaluations.values[number] = evaluations.known_values[row]
    return 1


@kernel()
def remember(evaluations: Evaluations, number: Int, key: Int) -> Int:
    """Keep an evaluation in the place of the one that has its row."""
    row = key & (len(evaluations.keys) - 1)
    policy, known = evaluations.policies[number], evaluations.known_policies[row]
    for cell in range(len(policy)):
        known[cell] = policy[cell]
    evaluations.known_values[row] = evaluations.values[number]
    evaluations.keys[row] = key
    return 0


@kernel()
def evaluate(
    network: Weights, board: Activations, planes: F4_3, evaluations: Evaluations, count: Int
) -> Int:
    """Evaluate the first positions of a batch."""
    for i in range(count):
        policy = evaluations.policies[i]
        evaluations.values[i] = evaluate_position(network, board, planes[i], policy)
    return 0
