"""GTP commands about time: the time control of the game, and the time left."""

from __future__ import annotations

import math

from antipodes.core.numbers import read_number
from antipodes.engine import dialect
from antipodes.engine.clock import GtpTimeControl, TimeLeft
from antipodes.engine.commands import command
from antipodes.engine.gtp_session import GtpSession
from antipodes.engine.wire import GtpError
from antipodes.notation.text import shorten

_MAX_SECONDS = 10**7  # some months
_MAX_STONES = 10**6


@command("time_settings MAIN_TIME PERIOD STONES")
def _time_settings(session: GtpSession, arguments: tuple[str, ...]) -> str:
    main, period = map(_read_seconds, arguments[:2])
    stones = _read_stones(arguments[2])
    # In the protocol, overtime without moves to be made in it means "no limit".
    unlimited = period > 0 and stones == 0
    session.clocks.set_control(None if unlimited else GtpTimeControl(main, period, stones))
    return ""


@command("kgs-time_settings SYSTEM [MAIN_TIME] [PERIOD] [STONES]")
def _kgs_time_settings(session: GtpSession, arguments: tuple[str, ...]) -> str:
    system, *numbers = arguments
    wanted = {"none": 0, "absolute": 1, "byoyomi": 3, "canadian": 3}.get(system)
    if wanted is None:
        systems = "none, absolute, byoyomi, canadian"
        raise GtpError(f"{shorten(system)} is not a time system; there are {systems}")
    if len(numbers) != wanted:
        raise GtpError(f"{system} takes {wanted} numbers, not {len(numbers)}")
    if system == "none":
        session.clocks.set_control(None)
        return ""
    main, period = (*map(_read_seconds, numbers[:2]), 0.0)[:2]
    stones = _read_stones(numbers[2]) if wanted == 3 else 0
    if system == "byoyomi":
        stones = min(stones, 1)  # the number of periods; one is enough not to lose on time
    session.clocks.set_control(GtpTimeControl(main, period, stones))
    return ""


@command("time_left COLOR TIME STONES")
def _time_left(session: GtpSession, arguments: tuple[str, ...]) -> str:
    color = dialect.read_color(session.game, arguments[0])
    left = TimeLeft(_read_seconds(arguments[1]), _read_stones(arguments[2]))
    session.clocks.set_left(color, left)
    return ""


def _read_seconds(text: str) -> float:
    """Read a time; a clock that has run out may be negative.

    Raises:
        GtpError: it is not one.
    """
    try:
        seconds = float(text) if text.isascii() and "_" not in text else math.nan
    except ValueError:
        seconds = math.nan
    if not abs(seconds) <= _MAX_SECONDS:
        raise GtpError(f"{shorten(text)} is not a time in seconds")
    return max(0.0, seconds)


def _read_stones(text: str) -> int:
    """Read a number of moves.

    Raises:
        GtpError: it is not one.
    """
    stones = read_number(text, _MAX_STONES)
    if stones is not None:
        return stones
    raise GtpError(f"{shorten(text)} is not a number of moves")
