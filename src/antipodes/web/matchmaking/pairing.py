"""Pairing of seekers, a pure function.

It reads neither the clock nor the database, and the same seekers always give the same pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from antipodes.clocks import HOUR

# Differences of ratings, in points. The range begins narrow and grows with the waiting time, since
# on a small site no closer opponent may come.
_INITIAL_REACH = 150.0
_DEVIATION_SHARE = 0.5  # share of the deviation that widens the range of uncertain ratings
_PER_SECOND = 10.0  # live
_PER_HOUR = 25.0  # correspondence
_SECOND = 1_000  # milliseconds

# Batches of this size are paired optimally; larger ones would take too long.
_BATCH = 12


class Preferences(NamedTuple):
    """The terms that a seeker chose: class of boards, time control, whether the game is rated."""

    board: str
    control: str
    rated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeker:
    """A player in a pool of seeks of the same game and pace.

    Attributes:
        key: id of the seek.
        preferences: the terms that the seeker chose.
        is_flexible: whether other terms will do: any board and clock, casual in place of rated.
        user: id of the user.
        rating: in points.
        deviation: of the rating, in points.
        waited: waiting time in milliseconds.
        is_guest: whether the player has no account.
        is_bot: whether the player is a program.
    """

    key: int
    preferences: Preferences
    is_flexible: bool = False
    user: int
    rating: float
    deviation: float
    waited: int
    is_guest: bool = False
    is_bot: bool = False


def reach(seeker: Seeker, *, is_live: bool) -> float:
    """Return the accepted rating difference, which grows with the waiting time."""
    waited = max(0, seeker.waited)
    more = _PER_SECOND * waited / _SECOND if is_live else _PER_HOUR * waited / HOUR
    return _INITIAL_REACH + _DEVIATION_SHARE * seeker.deviation + more


def agreed_preferences(first: Seeker, other: Seeker) -> Preferences | None:
    """Return the terms that two seekers both accept, or ``None``; preferably those of the first.

    In a rated game neither is a guest, and both or none are bots, since a seek is no consent to
    play a bot.
    """
    can_be_rated = not (first.is_guest or other.is_guest or first.is_bot != other.is_bot)
    for preferences in (first.preferences, other.preferences):
        if (
            _accepts(first, preferences)
            and _accepts(other, preferences)
            and (can_be_rated or not preferences.rated)
        ):
            return preferences
    return None


def _accepts(seeker: Seeker, preferences: Preferences) -> bool:
    is_no_stricter = seeker.preferences.rated or not preferences.rated
    return preferences == seeker.preferences or (seeker.is_flexible and is_no_stricter)


def pair_up(
    seekers: Sequence[Seeker],
    *,
    is_live: bool,
    is_barred: Callable[[int, int], bool] = lambda one, other: False,  # noqa: ARG005
) -> list[tuple[Seeker, Seeker]]:
    """Return the pairs of one round; in each, the longer waiting seeker comes first.

    Each seeker is in one pair at most. Two seekers fit if they agree on terms, the difference of
    their ratings is at most the mean of their reaches, and neither has blocked the other.

    Longer waiting seekers have priority: no other set of pairs includes an earlier seeker in place
    of later ones. Among such sets the one with the smallest sum of differences is chosen. With many
    seekers this holds within each batch.

    Args:
        seekers: the seekers of one pool.
        is_live: whether they wait at the page.
        is_barred: returns whether one user has blocked another; called in both directions.
    """

    def fits(first: Seeker, other: Seeker) -> bool:
        mean = (reach(first, is_live=is_live) + reach(other, is_live=is_live)) / 2
        return (
            first.user != other.user
            and agreed_preferences(first, other) is not None
            and abs(first.rating - other.rating) <= mean
            and not is_barred(first.user, other.user)
            and not is_barred(other.user, first.user)
        )

    left = sorted(seekers, key=lambda seeker: (-seeker.waited, seeker.key))
    pairs: list[tuple[Seeker, Seeker]] = []
    # Pair within batches first, then the remaining seekers across batches.
    for start in range(0, len(left), _BATCH):
        pairs += _best(_unpaired(left[start : start + _BATCH], pairs), fits)
    waiting = _unpaired(left, pairs)
    while waiting:
        first = waiting.pop(0)
        fitting = [other for other in waiting if fits(first, other)]
        if fitting:
            pairs.append((first, min(fitting, key=lambda other: abs(other.rating - first.rating))))
            waiting = _unpaired(waiting, pairs)
    return pairs


def _unpaired(seekers: Sequence[Seeker], pairs: Sequence[tuple[Seeker, Seeker]]) -> list[Seeker]:
    users = {seeker.user for pair in pairs for seeker in pair}
    return [seeker for seeker in seekers if seeker.user not in users]


def _best(
    batch: Sequence[Seeker], fits: Callable[[Seeker, Seeker], bool]
) -> list[tuple[Seeker, Seeker]]:
    """Return the best pairs of one batch, given in the order of waiting."""
    count = len(batch)
    fitting = {
        (first, other)
        for first in range(count)
        for other in range(first + 1, count)
        if fits(batch[first], batch[other])
    }

    @cache
    def best(free: int) -> tuple[int, float, tuple[tuple[int, int], ...]]:
        """Return the paired seekers as bits (longest waiting highest), the cost, and the pairs."""
        if not free:
            return 0, 0.0, ()
        # The lowest bit is the seeker who has waited longest. That one stays alone, or meets one of
        # those after it: so each set of pairs is considered once.
        first = (free & -free).bit_length() - 1
        later = free & (free - 1)
        choices = [best(later)]
        for other in range(first + 1, count):
            if later >> other & 1 and (first, other) in fitting:
                users = {batch[first].user, batch[other].user}
                # A player may have several seeks in a pool; a pair takes all of them.
                mates = sum(
                    1 << k for k in range(count) if later >> k & 1 and batch[k].user in users
                )
                covered, cost, pairs = best(later & ~mates)
                # In reversed order, so that as a number an earlier seeker outweighs all later ones.
                both = 1 << (count - 1 - first) | 1 << (count - 1 - other)
                gap = abs(batch[first].rating - batch[other].rating)
                choices.append((covered | both, cost + gap, (*pairs, (first, other))))
        return min(choices, key=lambda choice: (-choice[0], choice[1]))

    _, _, pairs = best((1 << count) - 1)
    return [(batch[one], batch[other]) for one, other in sorted(pairs)]
