"""The kernels of the exponential function and the logarithm, against those of the C library."""

import math
import random
import sys

import numpy as np
import pytest

from antipodes.games.kernels import edition, native
from antipodes.search.kernels import exponentials

EDGES = [0.0, -0.0, 1e-300, -1e-9, 0.5, 1.0, -1.0, 88.7, -300.0, 708.9, -708.0, 20.0, 2.0**-60]


def unit(number):
    return math.ulp(number) if number else math.ulp(1.0)


@pytest.mark.parametrize("width", [1e-6, 1.0, 40.0, 708.0])
def test_exponentials_are_within_one_unit_in_the_last_place(width):
    chance = random.Random(1)
    for x in [chance.uniform(-width, width) for _ in range(5_000)] + EDGES:
        expected = math.exp(x)
        assert abs(exponentials.exp(x) - expected) <= unit(expected), x


def test_logarithms_are_within_one_unit_in_the_last_place():
    chance = random.Random(2)
    powers = [math.exp(chance.uniform(-708, 709)) for _ in range(5_000)]
    near = [1.0 + chance.uniform(-1e-3, 1e-3) for _ in range(5_000)]
    for x in [*powers, *near, *map(float, range(1, 5_000)), 2.0**-1022, 2.0**1023, 1e-12]:
        expected = math.log(x)
        assert abs(exponentials.log(x) - expected) <= unit(expected), x


def test_numbers_out_of_range_count_as_the_nearest_end():
    assert exponentials.exp(1e300) == exponentials.exp(709.0)
    assert exponentials.exp(-math.inf) == exponentials.exp(math.nan) == exponentials.exp(-708.0) > 0
    assert exponentials.log(0.0) == exponentials.log(-1.0) == exponentials.log(2.0**-1022)
    assert exponentials.log(math.inf) == exponentials.log(sys.float_info.max)


@pytest.mark.skipif(not native.enabled(), reason="it compares the compiled edition")
@pytest.mark.parametrize("name", ["exp", "log"])
def test_the_compiled_functions_have_the_same_bits(name):
    chance = random.Random(3)
    plain, compiled = vars(exponentials)[name], edition(exponentials, name)
    for _ in range(5_000):
        x = chance.uniform(-700, 700)
        x = x if name == "exp" else math.exp(x)
        assert plain(x) == compiled(x), x
    # Small floats are widened first, as signatures say.
    assert plain(np.float32(0.3)) == compiled(float(np.float32(0.3)))
