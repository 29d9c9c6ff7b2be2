"""The town with a fault that a fix has removed: ``python -m tests.town.faulty FAULT ...``.

Each fault takes a fix out of the program again. The laws of the town must notice it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from antipodes.web.town import run


def masks_nothing() -> None:
    """Pass on texts with the secrets of their authors."""
    from antipodes.web.accounts import masking

    vars(masking)["_masked_for_all"] = lambda _user, texts, _also=(): [
        masking.Masked(text) for text in texts
    ]


def rates_twice() -> None:
    """Count each game twice in ratings."""
    from antipodes.web.ratings.pool_ratings import PoolRatings

    rate = PoolRatings.rate

    def rate_twice(ratings: PoolRatings, games: Any) -> None:
        rate(ratings, [*games, *games] if len(games) == 1 else games)

    setattr(PoolRatings, rate.__name__, rate_twice)


def fails_for_strangers() -> None:
    """Fail at profiles of people who do not exist."""
    from antipodes.web.profiles import views

    def fail(name: str) -> None:
        raise KeyError(name)

    vars(views)["_find"] = fail


FAULTS: dict[str, Callable[[], None]] = {
    fault.__name__.replace("_", "-"): fault
    for fault in (masks_nothing, rates_twice, fails_for_strangers)
}


def main() -> None:
    """Put a fault in, and run."""
    fault = FAULTS[sys.argv.pop(1)]
    run.main(fault)


if __name__ == "__main__":
    main()
