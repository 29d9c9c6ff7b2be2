"""Outcomes of matches for ratings, and reasons not to rate a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from antipodes.lab.seat_advantage import seat_advantages
from antipodes.match import Match
from antipodes.records import Result
from antipodes.web.matches.models import MatchRow
from antipodes.web.ratings.models import RatingChange, Unrated

Outcome = RatingChange.Outcome
Reason = Unrated.Reason


@dataclass(frozen=True, slots=True)
class Side:
    """A player or a team.

    Attributes:
        users: ids of its users, each once.
        outcome: its outcome of the match.
        advantage: rating points that its colour is worth; those of all sides add up to 0.
    """

    users: tuple[int, ...]
    outcome: Outcome
    advantage: float = 0.0


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A match to be rated.

    Attributes:
        match: id of the match.
        at: its end, in milliseconds since 1970.
        sides: the sides in turn order.
    """

    match: int
    at: int
    sides: tuple[Side, ...]

    @property
    def users(self) -> tuple[int, ...]:
        return tuple(user for side in self.sides for user in side.users)


def rated_game(row: MatchRow) -> RatedGame | Unrated.Reason:
    """Return a finished match for rating, or the reason why it is not rated.

    All events of the match are replayed.
    """
    match, result = row.match(), row.result
    if result is None or row.ended_at is None:
        raise ValueError(f"{row} has not ended")
    seats = list(row.seats.select_related("user"))
    if any(seat.user.is_guest or seat.user.is_computer for seat in seats):
        return Reason.NOT_ACCOUNTS
    if result.winner is None and not (result.is_draw or result.is_given_up):
        return Reason.NO_RESULT
    if {move.seat for move in match.moves} != set(range(len(seats))):
        return Reason.NOT_BEGUN
    users = [seat.user_id for seat in seats]
    sides = _sides(match, result, users)
    if len(sides) < 2 or sum(len(side.users) for side in sides) != len(set(users)):
        return Reason.SAME_PLAYER
    return with_advantages(RatedGame(row.pk, row.ended_at, sides), row)


def with_advantages(game: RatedGame, row: MatchRow) -> RatedGame:
    """Return a match with the advantages of its colours as they are known now.

    A match that began in another position than the game's own has none.
    """
    advantages = (0.0,) * len(game.sides) if row.start else seat_advantages(row.game)
    sides = zip(game.sides, advantages, strict=True)
    return replace(game, sides=tuple(replace(side, advantage=one) for side, one in sides))


def _sides(match: Match, result: Result, users: Sequence[int]) -> tuple[Side, ...]:
    """Return the sides of a match with their outcomes; all others win where one has given up."""
    sides = []
    for color in match.terms.game.colors:
        seats = match.position.seat_of(color)
        if result.loser is not None:
            outcome = Outcome.LOST if color is result.loser else Outcome.WON
        elif result.winner is None:
            outcome = Outcome.DREW
        else:
            outcome = Outcome.WON if color is result.winner else Outcome.LOST
        sides.append(Side(tuple(dict.fromkeys(users[seat] for seat in seats)), outcome))
    return tuple(sides)


def points_between(one: Side, other: Side) -> float | None:
    """Return the score of one side against another: 1, 0.5 or 0.

    ``None`` if both lost to a third side, or both won because a third one resigned or timed out.
    """
    if one.outcome is other.outcome:
        return 0.5 if one.outcome is Outcome.DREW else None
    return 1.0 if one.outcome is Outcome.WON else 0.0
