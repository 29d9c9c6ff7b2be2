"""Seats: which of two players begins, by the seats that both had in their own games."""

from __future__ import annotations

from antipodes.tournaments.history import History, Pairing


def seated(pair: tuple[int, int], history: History, round_number: int) -> Pairing:
    """Give each player of a pair a seat, or the bye if the other number is 0.

    A player has the seat that they must have, else the one that they had less often, else the one
    that they did not have when the seats of the two last differed; else the two take turns, by the
    seats of the player with the lower number, or before the first game by this number.
    """
    one, other = sorted(pair)
    if one == 0:
        return Pairing.of(round_number, other, None)
    is_first = _has_first_seat(one, other, history)
    return Pairing(round_number, *((one, other) if is_first else (other, one)))


def _has_first_seat(one: int, other: int, history: History) -> bool:
    """Return whether the first of two players has the first seat."""
    due, other_due = history.due_seat(one), history.due_seat(other)
    if due != other_due:
        return not other_due if due is None else due
    leads = history.lead(one), history.lead(other)
    if leads[0] != leads[1]:
        return leads[0] < leads[1]
    seats, others = history.seats(one)[::-1], history.seats(other)[::-1]
    for was_first, was_other_first in zip(seats, others, strict=False):
        if was_first != was_other_first:
            return was_other_first
    return not seats[0] if seats else one % 2 == 1
