"""Which matches are rated, and how they ended for each side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from antipodes.match import Ended, Match, read_event
from antipodes.web.matches.models import MatchRow
from antipodes.web.ratings.models import RatingChange, Unrated

Outcome = RatingChange.Outcome
Reason = Unrated.Reason


@dataclass(frozen=True, slots=True)
class Side:
    """Those who play together.

    Attributes:
        users: their keys, each once.
        outcome: how the match ended for them.
    """

    users: tuple[int, ...]
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A match as ratings know it.

    Attributes:
        match: key of its row.
        at: when it ended, in milliseconds since 1970.
        sides: in the order of the first turns.
    """

    match: int
    at: int
    sides: tuple[Side, ...]

    @property
    def users(self) -> tuple[int, ...]:
        """All who played."""
        return tuple(user for side in self.sides for user in side.users)


def rated_game(row: MatchRow) -> RatedGame | Unrated.Reason:
    """Return an ended match as ratings know it, or why it is not rated.

    Reads all its events.
    """
    events = [read_event(one.data) for one in row.events.all()]
    match = Match.replayed(row.terms(), row.begun_at, events)
    ended = next((event for event in events if isinstance(event, Ended)), None)
    if match.result is None or ended is None or row.ended_at is None:
        raise ValueError(f"{row} has not ended")
    seats = list(row.seats.select_related("user"))
    if any(seat.user.is_guest or seat.user.is_computer for seat in seats):
        return Reason.NOT_ACCOUNTS
    result = match.result
    if result.winner is None and not (result.is_draw or result.is_given_up):
        return Reason.NO_RESULT
    if {made.seat for made in match.moves} != set(range(len(seats))):
        return Reason.NOT_BEGUN
    users = [seat.user_id for seat in seats]
    sides = _sides(match, users, ended.seat)
    if len(sides) < 2 or sum(len(side.users) for side in sides) != len(set(users)):
        return Reason.SAME_PLAYER
    return RatedGame(row.pk, row.ended_at, sides)


def _sides(match: Match, users: Sequence[int], ender: int | None) -> tuple[Side, ...]:
    """Return the sides of a match that has a result; ``ender`` is the seat that ended it."""
    assert match.result is not None
    winner, found = match.result.winner, []
    is_out = match.result.is_given_up and ender is not None
    for color in match.terms.game.colors:
        seats = match.position.seat_of(color)
        if is_out:
            outcome = Outcome.LOST if ender in seats else Outcome.WON
        elif winner is None:
            outcome = Outcome.DREW
        else:
            outcome = Outcome.WON if color is winner else Outcome.LOST
        found.append(Side(tuple(dict.fromkeys(users[seat] for seat in seats)), outcome))
    return tuple(found)


def points_between(one: Side, other: Side) -> float | None:
    """Return what one side scored against another: 1, 0.5 or 0.

    ``None`` for two that lost to the same side, or that both saw another one go out: nothing was
    decided between them.
    """
    if one.outcome is other.outcome:
        return 0.5 if one.outcome is Outcome.DREW else None
    return 1.0 if one.outcome is Outcome.WON else 0.0
