"""How often the tests repeat a law: a sample in `make test`, everything in `make test-all`."""

import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

# Also read by processes that tests start.
THOROUGH = os.environ.get("TESTS") == "thorough"


def repetitions(quick: int, thorough: int) -> int:
    """Return how often to repeat something in this run."""
    return thorough if THOROUGH else quick


def sample(cases: Sequence[T], count: int) -> list[T]:
    """Return so many of the cases, spread evenly from the first to the last; all if thorough."""
    if THOROUGH or len(cases) <= count:
        return list(cases)
    step = (len(cases) - 1) / max(1, count - 1)
    return [cases[round(number * step)] for number in range(count)]
