"""A whole game under analysis: how the chances went, and which moves turned them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from antipodes.core import Color, Move
from antipodes.games.position import Position
from antipodes.search.analysis_result import Analysis
from antipodes.search.thinking import Proven

# A move turns a game if it costs at least this much, and more than chance would explain.
_COSTLY = 0.15
_ERRORS = 2.0


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """A move after which its player stood much worse than after the best one.

    Attributes:
        turn: number of the move, from 1.
        color: the colour to move.
        move: what was played.
        better: what the analysis would have played.
        before: what the position was worth to the player.
        after: what it was worth to the same player after the move.
        decides: whether a proven win was given away.
    """

    turn: int
    color: Color
    move: Move
    better: Move
    before: float
    after: float
    decides: bool

    def as_dict(self, position: Position, digits: int = 6) -> dict[str, Any]:
        """Return it as data, but for the number of the move.

        Args:
            position: before the move.
            digits: to which what positions were worth is rounded.
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
        analyses: of the positions before the first, after the first and so on.
        moves: the moves between them, one fewer.

    Raises:
        ValueError: the numbers do not fit.
    """
    if len(analyses) != len(moves) + 1:
        raise ValueError(f"{len(analyses)} analyses do not go with {len(moves)} moves")
    found = []
    for turn, move in enumerate(moves, start=1):
        before, after = analyses[turn - 1], analyses[turn]
        best = before.best
        # The best move may turn out worse than it looked; that is not the player's fault.
        if best is None or best.move == move:
            continue
        seat = before.position.seat_to_move
        left = after.value_of_seat(seat)
        if left is None:
            continue
        noise = math.hypot(before.error, after.error)
        is_lost = left == 0 and after.proven is not None
        decides = before.proven is Proven.WIN and is_lost
        if decides or before.value - left >= max(_COSTLY, _ERRORS * noise):
            color = before.position.to_move
            point = TurningPoint(turn, color, move, best.move, before.value, left, decides)
            found.append(point)
    return found
