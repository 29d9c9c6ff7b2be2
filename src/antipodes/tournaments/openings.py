"""Openings of an event: which one of a list each pairing and each of its games begins with.

Openings have numbers from 1. In a format with rounds all pairings of a round begin with the same
one, and the next round with the next one. Where players are paired without rounds each pairing has
the next one. After the last opening comes the first one again.
"""

from __future__ import annotations


def _by_turns(turn: int, count: int) -> int:
    return turn % count + 1


def openings_of_pairings(
    number: int, round_number: int, earlier: int, count: int, *, has_rounds: bool
) -> list[int]:
    """Return the opening of the first game of each new pairing.

    Args:
        number: of the new pairings.
        round_number: of their round, from 1.
        earlier: how many pairings there are already.
        count: of the openings, at least 1.
        has_rounds: whether all pairings of a round have the same one.
    """
    if has_rounds:
        return [_by_turns(round_number - 1, count)] * number
    return [_by_turns(earlier + at, count) for at in range(number)]


def opening_of_game(first: int, number: int, count: int) -> int:
    """Return the opening of a game: two games after another have the same one, then the next.

    Args:
        first: the opening of the first game of the pairing.
        number: of the game in its pairing, from 1.
        count: of the openings, at least 1.
    """
    return _by_turns(first - 1 + (number - 1) // 2, count)
