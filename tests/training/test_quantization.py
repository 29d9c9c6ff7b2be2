"""Quantization of networks, with positions and weights in NumPy."""

import numpy as np

from antipodes.search.network.evaluator import FILES, FOLDER, Evaluator
from antipodes.search.network.weights import read_network
from antipodes.training.boards import board_of
from antipodes.training.quantization import activations, plain_weights, quantize

SHIPPED = FOLDER / FILES["rhombus"]


def played_positions(board):
    """Return the inputs of positions after some random moves."""
    rng = np.random.default_rng(5)
    states = [board.opening(int(stones), rng) for stones in rng.integers(1, 20, 160)]
    cells, colors = zip(*map(board.seen, states), strict=True)
    return board.inputs(np.stack(cells), np.array(colors, np.int8))


def evaluated_plainly(weights, planes, neighbours):
    """Return policies and values of a network of numbers of 32 bits."""
    *_, last = activations(weights, planes, neighbours)
    policies = last @ weights["policy.weight"].ravel() + weights["policy.bias"]
    hidden = last.mean(1) @ weights["hidden.weight"].T + weights["hidden.bias"]
    logits = np.maximum(hidden, 0) @ weights["value.weight"][0] + weights["value.bias"]
    return policies, 1 / (1 + np.exp(-logits))


def test_the_quantized_network_predicts_nearly_the_same():
    board = board_of("hex", 7)
    planes = played_positions(board)
    expected = evaluated_plainly(plain_weights(read_network(SHIPPED)), planes, board.neighbours)
    policies, values = Evaluator(board.game, len(planes))(planes, len(planes))
    assert np.abs(policies - expected[0]).mean() < 0.08
    assert np.abs(values - expected[1]).mean() < 0.01
    assert (policies.argmax(1) == expected[0].argmax(1)).mean() > 0.92


def test_a_network_that_is_quantized_again_stays_as_it_is(tmp_path):
    board = board_of("hex", 7)
    shipped = read_network(SHIPPED)
    planes = played_positions(board)
    turned = board.is_rhombus
    again = quantize(plain_weights(shipped), planes, board.neighbours, is_for_rhombus=turned)
    again.write(tmp_path / "network.npz")
    read = read_network(tmp_path / "network.npz")
    for name, array in vars(again).items():
        assert np.array_equal(getattr(read, name), array), name
        if array.dtype == np.int8:
            assert np.abs(array.astype(int) - getattr(shipped, name)).max() <= 1, name
    expected = Evaluator(board.game, len(planes))(planes, len(planes))
    found = Evaluator(board.game, len(planes), tmp_path / "network.npz")(planes, len(planes))
    assert np.abs(found[1] - expected[1]).mean() < 0.01
    assert (found[0].argmax(1) == expected[0].argmax(1)).mean() > 0.92
