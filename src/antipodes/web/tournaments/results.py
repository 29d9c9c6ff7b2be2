"""Points of finished games, and of the pairings that they decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from antipodes.games.match_play import points_of_resignation
from antipodes.match import Ended, Match, read_event
from antipodes.web.matches.models import MatchRow
from antipodes.web.tournaments.models import GameRow, PairingRow

MOST_DECIDERS = 3  # further games of an equal pairing that needs a winner

Points = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class GameResult:
    """A finished game.

    Attributes:
        points: of all seats.
        absent: the seats that lost it without any move.
    """

    points: Points
    absent: frozenset[int]


def result_of(row: MatchRow, *, by_chart: bool = False) -> GameResult:
    """Return the result of a finished match.

    A win counts 1 for each player of the side. A side that gives up or aborts loses, and the others
    share its win. A match that ends without any result is shared by all sides.

    Args:
        row: the match.
        by_chart: whether a win counts as in match play: what the game gives it, or a chain between
            two borders if it was not won on the board. Draws then count nothing.
    """
    events = [read_event(one.data) for one in row.events.all()]
    match = Match.replayed(row.terms(), row.begun_at, events)
    ended = next((event for event in events if isinstance(event, Ended)), None)
    if match.result is None:
        raise ValueError(f"{row} has not ended")
    sides = [match.position.seat_of(color) for color in match.terms.game.colors]
    winner = match.result.winner
    if winner is not None:
        won = [match.position.seat_of(winner)]
    elif ended is not None and ended.seat is not None and not match.result.is_draw:
        won = [side for side in sides if ended.seat not in side]
    else:
        won = sides
    share = 1 / len(won)
    if by_chart:
        share *= 0 if won == sides else _chart_points(match)
    seats = range(match.terms.game.seats)
    points = tuple(share * any(seat in side for side in won) for seat in seats)
    lost = [seat for side in sides if side not in won for seat in side]
    return GameResult(points, frozenset(one for one in lost if match.last_move_of(one) is None))


def _chart_points(match: Match) -> int:
    """Return what the win of a match counts in match play."""
    if match.position.outcome is not None:
        return match.position.outcome.points
    return points_of_resignation(match.position.phase)


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
    if pairing.third_id is not None:
        return _decision_of_table(games)
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


def _decision_of_table(games: Sequence[GameRow]) -> tuple[Points, bool] | None:
    """Return the points of a table of three or four: those of its only game.

    It is no forfeit: the players have met, also if one of them made no move.
    """
    game = next(iter(games), None)
    if game is None or game.first_points is None:
        return None
    return (game.first_points, *game.other_points), False


def _lead(games: Sequence[GameRow]) -> float:
    """Return by how many points the first player is ahead."""
    return sum(2 * one.first_points - 1 for one in games if one.first_points is not None)
