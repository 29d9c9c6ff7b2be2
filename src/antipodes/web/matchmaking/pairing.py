"""Who plays whom, of those who look for an opponent: a function of what is known of them.

Nothing here reads a clock or a database; the same seekers give the same pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

# Differences of ratings, in points. Who has just come wants somebody about as strong; who has
# waited takes whoever is there, since on a small site nobody else may come.
_AT_FIRST = 150.0
_DOUBT = 0.5  # share of the deviation that is added: where little is known, a range is wide
_EACH_SECOND = 10.0  # live
_EACH_HOUR = 25.0  # correspondence
_HOUR = 3_600_000  # milliseconds
_SECOND = 1_000  # milliseconds

# So many are paired in the best of all ways at once; more would take too long.
_AT_ONCE = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeker:
    """Somebody who looks for an opponent in a pool of people who want the same game.

    Attributes:
        key: names the search.
        user: key of who it is.
        rating: in points.
        deviation: of the rating, in points.
        waited: since when, in milliseconds.
        is_guest: whether they have no account.
        is_bot: whether a program plays for them.
    """

    key: int
    user: int
    rating: float
    deviation: float
    waited: int
    is_guest: bool = False
    is_bot: bool = False


def reach(seeker: Seeker, *, is_live: bool) -> float:
    """Return how far from their own rating somebody looks; it grows with the time they wait."""
    waited = max(0, seeker.waited)
    more = _EACH_SECOND * waited / _SECOND if is_live else _EACH_HOUR * waited / _HOUR
    return _AT_FIRST + _DOUBT * seeker.deviation + more


def pair_up(
    seekers: Sequence[Seeker],
    *,
    is_live: bool,
    is_rated: bool,
    is_barred: Callable[[int, int], bool] = lambda one, other: False,  # noqa: ARG005
) -> list[tuple[Seeker, Seeker]]:
    """Return who plays whom in one round.

    Nobody is in two pairs. Two people fit if the difference of their ratings is within the mean of
    their reaches, they are not barred from each other, and none of them is a guest in a rated game.
    Nor does a bot meet a person in a rated game: nobody was asked. Bots meet each other.
    Whoever has waited longest comes first: no other choice of pairs has an earlier seeker in it
    instead of later ones. Of such choices the one with the smallest sum of differences is taken.
    Where many wait that holds for each dozen of them.

    Args:
        seekers: of one pool.
        is_live: whether they wait at the page.
        is_rated: whether the game counts.
        is_barred: tells of two users whether they shall not meet; it is asked either way round.
    """

    def fits(one: Seeker, other: Seeker) -> bool:
        mean = (reach(one, is_live=is_live) + reach(other, is_live=is_live)) / 2
        return (
            one.user != other.user
            and not (is_rated and (one.is_guest or other.is_guest or one.is_bot != other.is_bot))
            and abs(one.rating - other.rating) <= mean
            and not is_barred(one.user, other.user)
            and not is_barred(other.user, one.user)
        )

    left = sorted(seekers, key=lambda seeker: (-seeker.waited, seeker.key))
    pairs: list[tuple[Seeker, Seeker]] = []
    # One batch after another, then whoever fits somebody of another batch.
    for start in range(0, len(left), _AT_ONCE):
        pairs += _best(_unpaired(left[start : start + _AT_ONCE], pairs), fits)
    waiting = _unpaired(left, pairs)
    while waiting:
        one = waiting.pop(0)
        fitting = [other for other in waiting if fits(one, other)]
        if fitting:
            pairs.append((one, min(fitting, key=lambda other: abs(other.rating - one.rating))))
            waiting = _unpaired(waiting, pairs)
    return pairs


def _unpaired(seekers: Sequence[Seeker], pairs: Sequence[tuple[Seeker, Seeker]]) -> list[Seeker]:
    users = {seeker.user for pair in pairs for seeker in pair}
    return [seeker for seeker in seekers if seeker.user not in users]


def _best(
    batch: Sequence[Seeker], fits: Callable[[Seeker, Seeker], bool]
) -> list[tuple[Seeker, Seeker]]:
    """Return the best pairs of a few seekers, who are given in the order of their waiting."""
    count = len(batch)
    fitting = {
        (one, other)
        for one in range(count)
        for other in range(one + 1, count)
        if fits(batch[one], batch[other])
    }

    @cache
    def best(free: int) -> tuple[int, float, tuple[tuple[int, int], ...]]:
        """Return who is paired, as bits with the longest waiting highest, at what cost, and how."""
        if not free:
            return 0, 0.0, ()
        one = (free & -free).bit_length() - 1
        rest = free & (free - 1)
        choices = [best(rest)]
        for other in range(one + 1, count):
            if rest >> other & 1 and (one, other) in fitting:
                users = {batch[one].user, batch[other].user}
                mates = sum(
                    1 << k for k in range(count) if rest >> k & 1 and batch[k].user in users
                )
                covered, cost, pairs = best(rest & ~mates)
                both = 1 << (count - 1 - one) | 1 << (count - 1 - other)
                gap = abs(batch[one].rating - batch[other].rating)
                choices.append((covered | both, cost + gap, (*pairs, (one, other))))
        return min(choices, key=lambda choice: (-choice[0], choice[1]))

    _, _, pairs = best((1 << count) - 1)
    return [(batch[one], batch[other]) for one, other in sorted(pairs)]
