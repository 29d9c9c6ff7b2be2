"""Performance ratings: how strong a player's results in an event were."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from antipodes.tournaments.history import Pairing

_FARTHEST = 800  # from the mean of the opponents, as in FIDE's table
_STEPS = 12  # of a bisection, to less than one point
_TEN_TO_ONE = 400  # points of difference


def performance_rating(results: Sequence[tuple[float, float]]) -> int | None:
    """Return the rating whose expected score against the opponents is the score of a player.

    Args:
        results: the rating of each opponent, and the points won against them, from 0 to 1.

    Returns:
        a rating at most 800 points above or below the mean of the opponents; ``None`` without
        results.
    """
    if not results:
        return None
    mean = sum(rating for rating, _ in results) / len(results)
    score = sum(points for _, points in results)
    low, high = mean - _FARTHEST, mean + _FARTHEST
    for _ in range(_STEPS):
        middle = (low + high) / 2
        expected = sum(1 / (1 + 10 ** ((one - middle) / _TEN_TO_ONE)) for one, _ in results)
        low, high = (middle, high) if expected < score else (low, middle)
    return round((low + high) / 2)


def performances(ratings: Mapping[int, int], pairings: Iterable[Pairing]) -> dict[int, int]:
    """Return the performance ratings of the players who have played against others.

    Byes, forfeits, playoffs and tables of three and four do not count.

    Args:
        ratings: of the players, by their pairing numbers.
        pairings: of the event.
    """
    results: defaultdict[int, list[tuple[float, float]]] = defaultdict(list)
    for pairing in pairings:
        if (
            pairing.points is None
            or pairing.is_forfeit
            or pairing.is_playoff
            or len(pairing.players) != 2
        ):
            continue
        for player, other in (pairing.players, pairing.players[::-1]):
            results[player].append((ratings[other], pairing.points_of(player)))
    ratings_of_results = {player: performance_rating(some) for player, some in results.items()}
    return {player: rating for player, rating in ratings_of_results.items() if rating is not None}
