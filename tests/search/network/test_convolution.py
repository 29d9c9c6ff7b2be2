"""Evaluations by the network, against whole numbers in NumPy and between the editions."""

import numpy as np
import pytest

from antipodes.boards import cylinder, rhombus, sphere
from antipodes.games.kernels import edition, native
from antipodes.search.kernels import convolution
from antipodes.search.kernels.network_inputs import PLANES
from antipodes.search.network.directions import directed_neighbours
from antipodes.search.network.evaluator import new_evaluations
from antipodes.search.network.weights import STEPS, NetworkFile, new_activations, read_network
from tests.cases import for_each


def random_network(channels, blocks, largest=64):
    """Return a network with random weights."""
    rng = np.random.default_rng(1)

    def whole(*shape):
        return rng.integers(-largest, largest + 1, shape, np.int8)

    def real(*shape):
        return rng.normal(0, 0.3, shape).astype(np.float32)

    return NetworkFile(
        stem=whole(channels, PLANES, 7),
        blocks=whole(2 * blocks, channels, channels, 7),
        policy=whole(channels),
        scales=np.abs(real(1 + 2 * blocks, channels)) / 500,
        biases=real(1 + 2 * blocks, channels),
        steps=np.linspace(0.01, 0.05, 2 + 2 * blocks, dtype=np.float32),
        policy_scale=real(2),
        hidden=real(5, channels),
        hidden_biases=real(5),
        value=real(6),
        is_for_rhombus=np.array(True),
    )


def evaluations(network, topology, planes):
    """Return policies and values by the kernels in the edition that is in use."""
    weights = network.weights()
    board = new_activations(weights, directed_neighbours(topology))
    evaluated = new_evaluations(len(planes), topology.cell_count)
    edition(convolution, "evaluate")(weights, board, planes, evaluated, len(planes))
    return evaluated


def sums_of(layer, inputs, neighbours):
    """Return the sums of a layer for each cell."""
    padded = np.vstack([inputs, np.zeros_like(inputs[:1])])
    return np.einsum("ctk,okt->co", padded[neighbours], layer.astype(np.int64))


def expected_of(network, neighbours, planes):
    """Return the policy and the value of a position, step by step as the layers say."""
    steps = network.steps.astype(np.float64) * STEPS / 127

    def rounded(numbers, step):
        return np.floor(np.clip(numbers / step, 0, 127) + 0.5).astype(np.int64)

    def real(layer, number, inputs, step):
        sums = sums_of(layer, inputs, neighbours)
        return sums * step * network.scales[number] + network.biases[number]

    outer = rounded(planes.T, steps[0])
    outer = rounded(real(network.stem, 0, outer, steps[0]), steps[1])
    for number in range(0, len(network.blocks), 2):
        first, second = network.blocks[number : number + 2]
        step, inside, behind = steps[number + 1 : number + 4]
        inner = rounded(real(first, number + 1, outer, step), inside)
        added = real(second, number + 2, inner, inside) + outer * step
        outer = rounded(added, behind)
    real_outer = outer * steps[-1]
    policy = real_outer @ (network.policy * network.policy_scale[0]) + network.policy_scale[1]
    hidden = np.maximum(network.hidden @ real_outer.mean(0) + network.hidden_biases, 0)
    return policy, 1 / (1 + np.exp(-(hidden @ network.value[:-1] + network.value[-1])))


BOARDS = [rhombus(2), rhombus(5), rhombus(8), cylinder(4, 5), sphere(3), sphere(4)]


@for_each("topology", BOARDS)
@pytest.mark.parametrize("channels", [8, 32, 48])
def test_evaluations_are_those_of_the_layers_step_by_step(topology, channels):
    network = random_network(channels, blocks=2)
    planes = np.random.default_rng(2).random((3, PLANES, topology.cell_count), np.float32)
    policies, values, *_ = evaluations(network, topology, planes)
    for position in range(3):
        expected = expected_of(network, directed_neighbours(topology), planes[position])
        # A number that lies between two whole ones may be rounded to the other one.
        assert np.abs(policies[position] - expected[0]).max() < 0.05 * np.abs(expected[0]).max()
        assert abs(values[position] - expected[1]) < 0.02


@for_each("topology", BOARDS[:3])
def test_the_editions_have_the_same_bits_for_the_largest_weights_too(topology):
    if not native.enabled():
        pytest.skip("`make setup` builds the native edition")
    network = random_network(32, 1, largest=127)
    network.stem[::2] = np.where(network.stem[::2] < 0, -127, 127)
    network.blocks[:, ::2] = 127
    planes = np.random.default_rng(3).random((2, PLANES, topology.cell_count), np.float32)
    planes[1] = 9.0
    ours = evaluations(network, topology, planes)
    with native.plainly():
        plain = evaluations(network, topology, planes)
    assert all(map(np.array_equal, ours, plain))


def test_another_archive_is_refused(tmp_path):
    np.savez(tmp_path / "other.npz", stem=np.zeros(3))
    with pytest.raises(ValueError, match=r"other\.npz is not the file of a network"):
        read_network(tmp_path / "other.npz")
