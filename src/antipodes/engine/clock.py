"""Time for moves: time controls, the clocks of a game, and how much time a move may take."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from antipodes.core import Color

_LATENCY = 0.1  # seconds kept back for the way to the controller's clock and back
_SHORTEST = 0.02  # seconds that a move always gets
_PERIOD_SHARE = 0.9  # of an overtime period that moves may use
_FEWEST_MOVES = 6  # own moves that are always expected to follow
_MOST_MOVES = 50  # own moves that are expected to follow at most


@dataclass(frozen=True, slots=True)
class GtpTimeControl:
    """How much time a game gives.

    Attributes:
        main: seconds at the start.
        period: seconds of an overtime period after main time; 0 if there is no overtime.
        stones: moves to be made in a period; then the period starts again.
    """

    main: float
    period: float = 0.0
    stones: int = 0

    def start(self) -> TimeLeft:
        """Return the time left before the first move."""
        return TimeLeft(self.main, 0) if self.main > 0 else self.overtime()

    def overtime(self) -> TimeLeft:
        """Return the time left when main time has just run out."""
        return TimeLeft(self.period, self.stones if self.period > 0 else 0)


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """The time that a player has left.

    Attributes:
        seconds: of main time, or of the period.
        stones: moves to be made in the period; 0 in main time.
    """

    seconds: float
    stones: int

    def after(self, control: GtpTimeControl, spent: float) -> TimeLeft:
        """Return the time left after a move that took ``spent`` seconds."""
        if self.stones > 1:
            return TimeLeft(max(0.0, self.seconds - spent), self.stones - 1)
        if self.stones == 1:
            return control.overtime()
        if spent < self.seconds:
            return TimeLeft(self.seconds - spent, 0)
        over = control.overtime()
        if over.stones == 0:
            return TimeLeft(0.0, 0)
        return over.after(control, spent - self.seconds)


class Clocks:
    """The clocks of a game, one for each colour; without a time control there is no limit."""

    def __init__(self) -> None:
        self._control: GtpTimeControl | None = None
        self._left: dict[Color, TimeLeft] = {}

    def set_control(self, control: GtpTimeControl | None) -> None:
        """Set the time control of all colours; ``None`` removes the limits."""
        self._control = control
        self._left = {}

    def set_left(self, color: Color, left: TimeLeft) -> None:
        """Set a clock as the controller of the game reports it."""
        # A controller that sets no time control means the time for the rest of the game.
        self._control = self._control or GtpTimeControl(left.seconds)
        self._left[color] = left

    def reset(self) -> None:
        """Set all clocks back to the start of a game."""
        self._left = {}

    @contextmanager
    def timed(self, color: Color, ply: int, max_plies: int, colors: int) -> Iterator[float | None]:
        """Yield the seconds that a move may take, then deduct those that passed from the clock.

        Yields ``None`` if there is no time control.

        Args:
            color: the colour to move.
            ply: moves made so far.
            max_plies: the most moves that the game can have.
            colors: how many colours take turns.
        """
        control = self._control
        if control is None:
            yield None
            return
        left = self._left.get(color, control.start())
        began = time.monotonic()
        yield allot(control, left, moves_to_come(ply, max_plies, colors))
        self._left[color] = left.after(control, time.monotonic() - began)


def allot(control: GtpTimeControl, left: TimeLeft, moves: int) -> float:
    """Return how many seconds a move may take.

    Main time is spread over the moves to come, with more for the earlier ones because most games
    are decided before their last moves. Where a period follows, its time is available for each
    move as well. Some time is always kept back for latency.

    Args:
        control: of the game.
        left: the player's time.
        moves: about how many moves the player still has to make.
    """
    extra = control.period / control.stones if control.stones > 0 else 0.0
    if left.stones > 0:
        wanted = _PERIOD_SHARE * left.seconds / left.stones
        most = left.seconds
    else:
        # With overtime to follow, running out of main time does no harm.
        early = 2.0 if extra else 1.5
        wanted = early * left.seconds / max(moves, _FEWEST_MOVES) + _PERIOD_SHARE * extra
        most = left.seconds + extra
    return max(_SHORTEST, min(wanted, most - _LATENCY))


def moves_to_come(ply: int, max_plies: int, colors: int) -> int:
    """Return about how many moves a player still has to make.

    Args:
        ply: moves made so far.
        max_plies: the most moves that the game can have.
        colors: how many colours take turns.
    """
    # Games are seldom played until the board is full.
    return min(_MOST_MOVES, round(0.6 * (max_plies - ply) / colors))
