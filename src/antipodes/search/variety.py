"""Chance between moves that a search judges about equally good.

Searches that are not random give the same answers to the same moves, so a game that was won could
be won by the same moves each time.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from antipodes.search.interface import Candidate

_CLOSE = 0.02  # difference of values that are about equal
_COMPARABLE = 0.1  # share of the first move's visits that makes another value comparable


def with_variety(candidates: Sequence[Candidate], seed: int, position: int) -> list[Candidate]:
    """Return candidates with one that is about as good as the first moved to the front.

    The more visits a move has, the more probable it is. Proven results and draws stay as they are.

    Args:
        candidates: the best first, with values that can be compared.
        seed: decides, together with the position.
        position: its key.
    """
    varied = list(candidates)
    if not varied or varied[0].proven is not None:
        return varied
    best = varied[0]
    equal = [
        candidate
        for candidate in varied
        if candidate.proven is None
        and candidate.visits >= _COMPARABLE * best.visits
        and candidate.value >= best.value - _CLOSE
    ]
    chance = random.Random(f"{seed} {position}")
    [chosen] = chance.choices(equal, [one.visits for one in equal])
    varied.remove(chosen)
    return [chosen, *varied]
