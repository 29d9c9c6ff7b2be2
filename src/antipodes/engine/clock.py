"""Time for moves: time controls, what is left of them, and how much of it a move may take."""

from __future__ import annotations

from dataclasses import dataclass

_LATENCY = 0.1  # seconds that may pass between us and the clock of whoever runs the game
_LEAST = 0.02  # seconds that are always taken
_SHARE = 0.9  # of the time of a period that may be used
_FEWEST = 6  # own moves that are always expected to come
_MANY = 50  # that are expected at most


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time a game gives.

    Attributes:
        main: seconds at the start.
        period: seconds of an overtime period after them; 0 if there is none.
        stones: moves to be made in a period; when they are made it begins anew.
    """

    main: float
    period: float = 0.0
    stones: int = 0

    def start(self) -> TimeLeft:
        """Return what there is before the first move."""
        return TimeLeft(self.main, 0) if self.main > 0 else self.overtime()

    def overtime(self) -> TimeLeft:
        """Return what there is when main time has just run out."""
        return TimeLeft(self.period, self.stones if self.period > 0 else 0)


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """What is left.

    Attributes:
        seconds: of main time, or of the period.
        stones: moves to be made in the period; 0 in main time.
    """

    seconds: float
    stones: int

    def after(self, control: TimeControl, spent: float) -> TimeLeft:
        """Return what is left after a move that took so many seconds."""
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


def allot(control: TimeControl, left: TimeLeft, moves: int) -> float:
    """Return how many seconds a move may take.

    Main time is spread over the moves to come, with more for the earlier ones because most games
    are decided before their last moves. Where a period follows, its time is there for each
    move as well. Something is always kept back for the way to the clock and back.

    Args:
        control: of the game.
        left: to the player.
        moves: about how many the player has yet to make.
    """
    extra = control.period / control.stones if control.stones > 0 else 0.0
    if left.stones > 0:
        wanted = _SHARE * left.seconds / left.stones
        most = left.seconds
    else:
        # Where overtime follows, running out of main time is no harm.
        early = 2.0 if extra else 1.5
        wanted = early * left.seconds / max(moves, _FEWEST) + _SHARE * extra
        most = left.seconds + extra
    return max(_LEAST, min(wanted, most - _LATENCY))


def moves_to_come(plies: int, most: int, colors: int) -> int:
    """Return about how many moves a player has yet to make.

    Args:
        plies: moves made so far.
        most: the game is not longer than this.
        colors: how many take turns.
    """
    # Games are seldom played until nothing is left.
    return min(_MANY, round(0.6 * (most - plies) / colors))
