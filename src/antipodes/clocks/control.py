"""Time controls: how much time players have, as numbers and as text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from antipodes.errors import Fault, InvalidOptionsError
from antipodes.notation.text import clean, shorten

SECOND = 1_000  # milliseconds
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

_UNITS = {"s": SECOND, "m": MINUTE, "h": HOUR, "d": DAY}
_LONGEST = 366 * DAY
_VACATION = 30 * DAY  # for each player of a match by correspondence
_LIVE_LIMIT = 12 * HOUR  # from here on people do not sit at the board all the time


class Pace(StrEnum):
    """How a game is played."""

    LIVE = "live"
    CORRESPONDENCE = "correspondence"
    UNLIMITED = "unlimited"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeControl:
    """How much time each player has; all in milliseconds, all zero without a limit.

    Each turn first uses up ``per_move``, of which nothing is kept, and then ``bank``. After the
    turn ``increment`` is added to the bank. Fischer's clock is a bank with an increment;
    correspondence is so many days a move, with a bank for bad weeks.
    """

    bank: int = 0
    per_move: int = 0
    increment: int = 0

    def __post_init__(self) -> None:
        """Refuse controls that cannot be played.

        Raises:
            InvalidOptionsError: a time is negative or longer than a year, or there is nothing but
                an increment, which would run out at once.
        """
        faults = [
            Fault.of(
                "clock/out-of-range",
                "{name} is {value} ms, but must be 0..{longest} ms",
                where=name,
                name=name,
                value=value,
                longest=_LONGEST,
            )
            for name, value in self._parts()
            if not 0 <= value <= _LONGEST
        ]
        if not faults and self.increment and not self.bank and not self.per_move:
            fault = Fault.of(
                "clock/no-time",
                "an increment of {increment} ms needs time to begin with",
                where="bank",
                increment=self.increment,
            )
            faults.append(fault)
        if faults:
            raise InvalidOptionsError(faults)

    def _parts(self) -> tuple[tuple[str, int], ...]:
        return ("bank", self.bank), ("per_move", self.per_move), ("increment", self.increment)

    @property
    def is_unlimited(self) -> bool:
        """Whether no flag can fall."""
        return not (self.bank or self.per_move)

    @property
    def pace(self) -> Pace:
        """How a game with this control is played."""
        if self.is_unlimited:
            return Pace.UNLIMITED
        longest_turn = max(self.per_move, self.increment)
        is_live = longest_turn < _LIVE_LIMIT and self.bank < DAY
        return Pace.LIVE if is_live else Pace.CORRESPONDENCE

    @property
    def vacation(self) -> int:
        """How long a player may be on vacation in one match; live games have none."""
        return _VACATION if self.pace is Pace.CORRESPONDENCE else 0

    def __str__(self) -> str:
        """Write the control so that :func:`read_control` reads it back."""
        if self.is_unlimited:
            return "unlimited"
        times = [f"{_written(self.per_move)}/move"] if self.per_move else []
        if self.bank or self.increment:
            times.append(_written(self.bank))
        if self.increment:
            times.append(_written(self.increment))
        return "+".join(times)


def _written(duration: int) -> str:
    """Write a duration in the largest units that fit: ``1d12h``, ``90s`` as ``1m30s``."""
    text = ""
    for unit, size in reversed(_UNITS.items()):
        count, duration = divmod(duration, size)
        if count:
            text += f"{count}{unit}"
    if duration:
        text += f"{duration}ms"
    return text or "0s"


UNLIMITED = TimeControl()

_DURATION = re.compile(r"(?:([0-9]{1,6})(ms|[smhd]))+")
_PIECE = re.compile(r"([0-9]{1,6})(ms|[smhd])")


def read_control(text: str) -> TimeControl:
    """Read a time control.

    ========================  =====================================================
    ``unlimited``             no clock
    ``5m+3s``                 five minutes, and three seconds more after each move
    ``30s/move``              thirty seconds for each move
    ``3d/move``               three days for each move
    ``3d/move+10d``           the same with a bank of ten days
    ``30s/move+10m+5s``       all three: a bank that grows
    ========================  =====================================================

    Raises:
        InvalidOptionsError: the text is none of these, or its times cannot be played.
    """
    cleaned = clean(text).lower().replace(" ", "")
    if cleaned == "unlimited":
        return UNLIMITED
    first, *other_parts = cleaned.split("+")
    per_move = 0
    if first.endswith("/move"):
        per_move = _duration(first.removesuffix("/move"), text)
        times = [_duration(part, text) for part in other_parts]
    else:
        times = [_duration(part, text) for part in (first, *other_parts)]
    if len(times) > 2:
        raise _unreadable(text)
    bank, increment = (*times, 0, 0)[:2]
    if not (bank or per_move):
        raise _unreadable(text)
    return TimeControl(bank=bank, per_move=per_move, increment=increment)


def _duration(text: str, whole: str) -> int:
    if not _DURATION.fullmatch(text):
        raise _unreadable(whole)
    sizes = {**_UNITS, "ms": 1}
    return sum(int(count) * sizes[unit] for count, unit in _PIECE.findall(text))


def _unreadable(text: str) -> InvalidOptionsError:
    fault = Fault.of(
        "clock/unreadable",
        "{text} is no time control; write 5m+3s, 30s/move, 3d/move, 3d/move+10d or unlimited",
        text=shorten(text),
    )
    return InvalidOptionsError([fault])
