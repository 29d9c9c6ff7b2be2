"""Four banded systems of equations side by side, against NumPy's dense solutions."""

import numpy as np
import pytest

from antipodes.search.kernels import banded
from tests.kernels.editions import editions


def random_matrices(points, width, seed):
    """Return four symmetric positive definite matrices with this bandwidth."""
    rng = np.random.default_rng(seed)
    near = np.abs(np.subtract.outer(np.arange(points), np.arange(points))) <= width
    links = rng.random((banded.LANES, points, points)) * near
    links += links.transpose(0, 2, 1)
    return np.array([np.diag(one.sum(0) + 0.1) - one for one in links])


@pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "plain"])
@pytest.mark.parametrize(("points", "width"), [(1, 1), (5, 2), (13, 7), (40, 6)])
def test_solutions_and_inverses_are_those_of_dense_matrices(points, width, compiled):
    matrices = random_matrices(points, width, seed=points)
    right = np.random.default_rng(1).random((points, banded.LANES))
    rows, full = width + 1, 2 * width + 1
    band = np.zeros((points + width, rows, banded.LANES))
    band[points:, 0] = 1.0
    for i in range(points):
        for j in range(max(0, i - width), i + 1):
            band[j, i - j] = matrices[:, i, j]
    volts = np.zeros((points + width, banded.LANES))
    volts[:points] = right
    near = np.zeros(banded.inverse_room(points, width))
    kernels = editions(banded) if compiled else vars(banded)

    factors, solutions = band.ravel(), volts.ravel()
    assert len(factors) == banded.matrix_room(points, width)
    kernels["eliminate"](points, width, factors, solutions)
    kernels["invert"](points, width, factors, near)

    inverses = near.reshape(points + width, full, banded.LANES)
    for lane, matrix in enumerate(matrices):
        expected = np.linalg.solve(matrix, right[:, lane])
        assert solutions.reshape(-1, banded.LANES)[:points, lane] == pytest.approx(expected)
        dense = np.linalg.inv(matrix)
        for i in range(points):
            for j in range(max(0, i - width), min(points, i + rows)):
                assert inverses[i, width + j - i, lane] == pytest.approx(dense[i, j])
