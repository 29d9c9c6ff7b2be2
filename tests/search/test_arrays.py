"""Tables of the searches are zero at first, and belong to one search."""

import numpy as np
import pytest

from antipodes.search.arrays import lazy_zeros


@pytest.mark.parametrize("shape", [7, 400_000, (3, 5), (4, 300_000)])
def test_a_table_is_zero_writable_and_of_its_own(shape: int | tuple[int, ...]) -> None:
    first, second = lazy_zeros(shape, np.float32), lazy_zeros(shape, np.float32)
    assert first.shape == np.zeros(shape).shape
    assert first.dtype == np.float32
    assert not first.any()
    first[...] = 1
    assert first.all()
    assert not second.any()
