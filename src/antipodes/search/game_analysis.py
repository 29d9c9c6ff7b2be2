"""Analysis of a whole game: the moves at which it turned."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from antipodes.core import Color, Move
from antipodes.games.position import Position
from antipodes.search.analysis_result import Analysis
from antipodes.search.interface import Proven
from antipodes.search.kernels.reports import is_turning_point


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A move that lost much value compared with the best one.

    Attributes:
        turn: number of the move, from 1.
        color: the colour to move.
        move: the move played.
        better: the best move by the analysis.
        before: value of the position for the player.
        after: value for the same player after the move.
        decides: whether the move gave away a proven win.
    """

    turn: int
    color: Color
    move: Move
    better: Move
    before: float
    after: float
    decides: bool

    def as_dict(self, position: Position, digits: int = 6) -> dict[str, Any]:
        """Return data for JSON without the number of the move.

        Args:
            position: before the move.
            digits: to which values are rounded.
        """
        return {
            "color": self.color.value,
            "played": position.format_move(self.move),
            "better": position.format_move(self.better),
            "before": round(self.before, digits),
            "after": round(self.after, digits),
            "decides": self.decides,
        }


def turning_points(analyses: Sequence[Analysis], moves: Sequence[Move]) -> list[TurningPoint]:
    """Return the moves that turned a game, in order.

    Args:
        analyses: of the positions before the first move, after the first and so on.
        moves: the moves between them.

    Raises:
        ValueError: the numbers do not fit.
    """
    if len(analyses) != len(moves) + 1:
        raise ValueError(f"{len(analyses)} analyses do not go with {len(moves)} moves")
    points = []
    for turn, move in enumerate(moves, start=1):
        before, after = analyses[turn - 1], analyses[turn]
        best = before.best
        # The best move may lose value as well; that is not the player's fault.
        if best is None or best.move == move:
            continue
        seat = before.position.seat_to_move
        left = after.value_of_seat(seat)
        if left is None:
            continue
        noise = math.hypot(before.error, after.error)
        is_lost = left == 0 and after.proven is not None
        decides = before.proven is Proven.WIN and is_lost
        if is_turning_point(before.value, left, noise, decides):
            color = before.position.to_move
            point = TurningPoint(turn, color, move, best.move, before.value, left, decides)
            points.append(point)
    return points
