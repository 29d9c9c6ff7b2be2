"""Points of finished games, and of the pairings that they decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from antipodes.games.match_play import points_of_resignation
from antipodes.match import Ended, Match, read_event
from antipodes.web.matches.models import MatchRow
from antipodes.web.tournaments.models import GameRow, PairingRow

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


def missing_games(pairing: PairingRow, games: Sequence[GameRow], *, at_once: bool) -> list[GameRow]:
    """Return the games that a pairing needs now and that have not begun, not stored.

    Args:
        pairing: the pairing.
        games: those that have begun.
        at_once: whether players play several games at once, as by correspondence.
    """
    if pairing.is_decided or pairing.is_bye:
        return []
    if pairing.third_id is not None:
        return [] if games else [GameRow(pairing=pairing, number=1)]
    known, bout = [one.as_bout_game() for one in games], pairing.bout
    wanted = bout.wanted(known, needs_winner=pairing.needs_winner, at_once=at_once)
    return [
        GameRow(pairing=pairing, number=number, is_exchanged=bout.is_exchanged(number, known))
        for number in range(len(games) + 1, wanted + 1)
    ]


def decision_of(pairing: PairingRow, games: Sequence[GameRow]) -> tuple[Points, bool] | None:
    """Return the points of a pairing and whether it is a forfeit; ``None`` if it goes on."""
    if pairing.third_id is not None:
        return _decision_of_table(games)
    assert pairing.second is not None
    decision = pairing.bout.decision(
        [one.as_bout_game() for one in games],
        needs_winner=pairing.needs_winner,
        is_first_ahead=(pairing.first.number or 0) < (pairing.second.number or 0),
    )
    return None if decision is None else (decision.points, decision.is_forfeit)


def _decision_of_table(games: Sequence[GameRow]) -> tuple[Points, bool] | None:
    """Return the points of a table of three or four: those of its only game.

    It is no forfeit: the players have met, also if one of them made no move.
    """
    game = next(iter(games), None)
    if game is None or game.first_points is None:
        return None
    return (game.first_points, *game.other_points), False
