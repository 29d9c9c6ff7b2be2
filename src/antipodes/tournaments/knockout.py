"""Knockout: who loses a pairing is out. The strongest players can meet in the last rounds only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from antipodes.errors import Fault, InputError
from antipodes.tournaments.history import Pairing, check_players, check_round


def rounds_of_knockout(count: int) -> int:
    """Return how many rounds so many players need."""
    return (count - 1).bit_length()


def bracket(players: Sequence[int]) -> list[int | None]:
    """Return the players in the order of the bracket, neighbours meeting in the first round.

    Its length is a power of two; ``None`` stands for an empty place, whose neighbour has a bye.
    With all favourites winning, 1 and 2 meet in the last round, these and 3 and 4 in the one
    before, and so on.
    """
    order = [1]
    while len(order) < len(players):
        size = 2 * len(order)
        order = [place for seed in order for place in (seed, size + 1 - seed)]
    ranked = sorted(players)
    return [ranked[seed - 1] if seed <= len(ranked) else None for seed in order]


def pair_knockout(
    players: Sequence[int], pairings: Iterable[Pairing], round_number: int
) -> list[Pairing]:
    """Return the pairings of a round in the order of the bracket.

    Args:
        players: the pairing numbers of all who began.
        pairings: all earlier rounds with their points; the one with more points goes on.
        round_number: from 1 to ``rounds_of_knockout``.

    Raises:
        InputError: no such round, or an earlier pairing is missing or undecided.
    """
    check_players(players)
    check_round(round_number, rounds_of_knockout(len(players)))
    decided = {(one.round, frozenset((one.first, one.second))): one for one in pairings}
    places = bracket(players)
    for earlier in range(1, round_number):
        places = [
            _winner(decided, earlier, pair) for pair in zip(places[::2], places[1::2], strict=True)
        ]
    return [_pairing(round_number, pair) for pair in zip(places[::2], places[1::2], strict=True)]


def _pairing(round_number: int, pair: tuple[int | None, int | None]) -> Pairing:
    """Return the pairing of two neighbours; the seat of the stronger one alternates by rounds."""
    one, other = pair
    if one is None or other is None:
        return Pairing.of(round_number, one, other)
    low, high = min(one, other), max(one, other)
    return Pairing(round_number, *((low, high) if round_number % 2 else (high, low)))


def _winner(
    decided: dict[tuple[int, frozenset[int | None]], Pairing],
    round_number: int,
    pair: tuple[int | None, int | None],
) -> int | None:
    one, other = pair
    if one is None or other is None:
        return one or other
    found = decided.get((round_number, frozenset(pair)))
    if found is None or found.points is None or found.points[0] == found.points[1]:
        fault = Fault.of(
            "tournament/undecided",
            "round {round}: the pairing of {one} and {other} is not decided",
            round=round_number,
            one=one,
            other=other,
        )
        raise InputError([fault])
    return found.first if found.points[0] > found.points[1] else found.second
