"""GTP commands about time: how much a game gives, and how much is left."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from antipodes.core import Color
from antipodes.engine import dialect
from antipodes.engine.clock import TimeControl, TimeLeft, allot, moves_to_come
from antipodes.engine.commands import command
from antipodes.engine.wire import GtpError
from antipodes.notation.text import shorten

if TYPE_CHECKING:
    from antipodes.engine.gtp import GtpEngine
    from antipodes.search.players import Player

_MOST = 10**7  # seconds; some months
_MOST_STONES = 10**6


class Clocks:
    """The clocks of a game, one for each colour; without a control there is no limit."""

    def __init__(self) -> None:
        """Begin without limits."""
        self._control: TimeControl | None = None
        self._left: dict[Color, TimeLeft] = {}

    def set_control(self, control: TimeControl | None) -> None:
        """Give every colour the time of a control; ``None`` takes the limits away."""
        self._control = control
        self._left = {}

    def set_left(self, color: Color, left: TimeLeft) -> None:
        """Set a clock as the controller of the game sees it."""
        # Somebody who tells what is left without any control means the rest of the game.
        self._control = self._control or TimeControl(left.seconds)
        self._left[color] = left

    def start_anew(self) -> None:
        """Set all clocks back to the start of a game."""
        self._left = {}

    @contextmanager
    def thinking(self, engine: GtpEngine, player: Player) -> Iterator[None]:
        """Give a player the time for a move, and take from the clock what was used."""
        control = self._control
        if control is None:
            player.allot(None)
            yield
            return
        position = engine.position
        color = position.to_move
        left = self._left.get(color, control.start())
        colors = len(position.game.colors)
        moves = moves_to_come(position.ply, position.game.max_plies, colors)
        player.allot(allot(control, left, moves))
        began = time.monotonic()
        yield
        self._left[color] = left.after(control, time.monotonic() - began)


@command("time_settings MAIN_TIME PERIOD STONES", 3)
def _time_settings(engine: GtpEngine, arguments: tuple[str, ...]) -> str:
    main, period = map(_read_seconds, arguments[:2])
    stones = _read_stones(arguments[2])
    # The protocol writes "no limit" as overtime without moves to be made in it.
    unlimited = period > 0 and stones == 0
    engine.clocks.set_control(None if unlimited else TimeControl(main, period, stones))
    return ""


@command("kgs-time_settings SYSTEM [MAIN_TIME] [PERIOD] [STONES]", 1, 4)
def _kgs_time_settings(engine: GtpEngine, arguments: tuple[str, ...]) -> str:
    system, *numbers = arguments
    wanted = {"none": 0, "absolute": 1, "byoyomi": 3, "canadian": 3}.get(system)
    if wanted is None:
        systems = "none, absolute, byoyomi, canadian"
        raise GtpError(f"{shorten(system)} is not a time system; there are {systems}")
    if len(numbers) != wanted:
        raise GtpError(f"{system} takes {wanted} numbers, not {len(numbers)}")
    if system == "none":
        engine.clocks.set_control(None)
        return ""
    main, period = (*map(_read_seconds, numbers[:2]), 0.0)[:2]
    stones = _read_stones(numbers[2]) if wanted == 3 else 0
    if system == "byoyomi":
        stones = min(stones, 1)  # the number is that of the periods; one is enough to live on
    engine.clocks.set_control(TimeControl(main, period, stones))
    return ""


@command("time_left COLOR TIME STONES", 3)
def _time_left(engine: GtpEngine, arguments: tuple[str, ...]) -> str:
    color = dialect.read_color(engine.game, arguments[0])
    left = TimeLeft(_read_seconds(arguments[1]), _read_stones(arguments[2]))
    engine.clocks.set_left(color, left)
    return ""


def _read_seconds(text: str) -> float:
    """Read a time; a clock that has run out may be negative.

    Raises:
        GtpError: it is none.
    """
    try:
        seconds = float(text) if text.isascii() and "_" not in text else math.nan
    except ValueError:
        seconds = math.nan
    if not abs(seconds) <= _MOST:
        raise GtpError(f"{shorten(text)} is not a time in seconds")
    return max(0.0, seconds)


def _read_stones(text: str) -> int:
    """Read a number of moves.

    Raises:
        GtpError: it is none.
    """
    if text.isascii() and text.isdecimal() and len(text) < 10 and int(text) <= _MOST_STONES:
        return int(text)
    raise GtpError(f"{shorten(text)} is not a number of moves")
