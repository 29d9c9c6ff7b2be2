"""Points of finished games, and of the pairings that they decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from antipodes.match import Ended, Match, read_event
from antipodes.web.matches.models import MatchRow
from antipodes.web.tournaments.models import GameRow, PairingRow

MOST_DECIDERS = 3  # further games of an equal pairing that needs a winner

Points = tuple[float, float]


@dataclass(frozen=True, slots=True)
class GameResult:
    """A finished game between two seats.

    Attributes:
        points: of both seats.
        is_forfeit: whether the loser has made no move.
    """

    points: Points
    is_forfeit: bool


def result_of(row: MatchRow) -> GameResult:
    """Return the result of a finished match for two.

    A player who aborts loses. A match that ends without any result counts half for both.
    """
    events = [read_event(one.data) for one in row.events.all()]
    match = Match.replayed(row.terms(), row.begun_at, events)
    ended = next((event for event in events if isinstance(event, Ended)), None)
    if match.result is None:
        raise ValueError(f"{row} has not ended")
    loser = None
    if match.result.winner is not None:
        (winner,) = match.position.seat_of(match.result.winner)
        loser = 1 - winner
    elif ended is not None and not match.result.is_draw:
        loser = ended.seat
    if loser is None:
        return GameResult((0.5, 0.5), is_forfeit=False)
    points = (0.0, 1.0) if loser == 0 else (1.0, 0.0)
    return GameResult(points, is_forfeit=match.last_move_of(loser) is None)


def games_wanted(
    pairing: PairingRow, games: Sequence[GameRow], regular: int, *, at_once: bool
) -> int:
    """Return how many games a pairing needs so far.

    Args:
        pairing: the pairing.
        games: its games.
        regular: games of each pairing: two if they are mirrored, several in a series.
        at_once: whether players play several games at once, as by correspondence.
    """
    count = len(games)
    if pairing.is_decided or pairing.is_bye:
        return count
    if at_once and count < regular:
        return regular
    if any(one.first_points is None for one in games):
        return count
    if count < regular:
        return count + 1
    if pairing.needs_winner and _lead(games) == 0:
        return min(count + 1, regular + MOST_DECIDERS)
    return count


def decision_of(
    pairing: PairingRow, games: Sequence[GameRow], regular: int
) -> tuple[Points, bool] | None:
    """Return the points of a pairing and whether it is a forfeit; ``None`` if it goes on.

    All games together count one point. A pairing that needs a winner is over when the other player
    cannot catch up; if it is equal after all further games, the player with the better pairing
    number wins.
    """
    lead = _lead(games)
    if any(one.first_points is None for one in games) or (
        len(games) < regular and not (pairing.needs_winner and abs(lead) > regular - len(games))
    ):
        return None
    is_forfeit = all(one.is_forfeit for one in games)
    if is_forfeit and lead == 0 and not pairing.needs_winner:
        return (0.0, 0.0), True  # neither player came
    if not pairing.needs_winner:
        share = (1 + lead / len(games)) / 2
        return (share, 1 - share), is_forfeit
    if lead == 0:
        if len(games) < regular + MOST_DECIDERS:
            return None
        assert pairing.second is not None
        is_first = (pairing.first.number or 0) < (pairing.second.number or 0)
        return ((1.0, 0.0) if is_first else (0.0, 1.0)), False
    return ((1.0, 0.0) if lead > 0 else (0.0, 1.0)), is_forfeit


def _lead(games: Sequence[GameRow]) -> float:
    """Return by how many points the first player is ahead."""
    return sum(2 * one.first_points - 1 for one in games if one.first_points is not None)
