"""Laws of work in several processes; those with real workers are in `tests/lab/test_killing.py`."""

import pytest

from antipodes.errors import InputError
from antipodes.parallel.running import MOST_IN_BATCH, BatchSize, in_turn, run
from antipodes.parallel.workers import Workers


def test_one_worker_is_this_process_and_does_every_item_once():
    closed = []
    batches = list(run(str, in_turn(range(10)), Workers(), lambda: closed.append(True)))
    assert [pair for batch in batches for pair in batch] == [(n, str(n)) for n in range(10)]
    assert closed == [True]


def test_what_an_item_raises_ends_the_work():
    batches = run(int, in_turn(["1", "x"]), Workers())
    assert next(batches) == [("1", 1)]
    with pytest.raises(ValueError, match="invalid literal"):
        list(batches)


def test_batches_of_short_items_grow_and_of_long_ones_shrink():
    size = BatchSize()
    sizes = []
    for _ in range(15):
        size.learn(size.count, 0.0001 * size.count)
        sizes.append(size.count)
    assert sizes[:3] == [2, 4, 8]
    assert sizes[-1] == MOST_IN_BATCH
    size.learn(MOST_IN_BATCH, 60.0)
    assert size.count == 166
    size.learn(166, 6000.0)
    assert size.count == 1


def test_a_scheduler_that_is_not_there_is_named():
    with pytest.raises(InputError, match="no scheduler of Dask at 'nonsense://x'") as caught:
        list(run(str, in_turn([1]), Workers(scheduler="nonsense://x")))
    assert caught.value.code == "lab/scheduler"
