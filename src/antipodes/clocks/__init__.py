"""Clocks for live and for correspondence play; time comes in as an argument, in milliseconds."""

from antipodes.clocks.clock import Clock
from antipodes.clocks.control import (
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    UNLIMITED,
    Pace,
    TimeControl,
    read_control,
)

__all__ = [
    "DAY",
    "HOUR",
    "MINUTE",
    "SECOND",
    "UNLIMITED",
    "Clock",
    "Pace",
    "TimeControl",
    "read_control",
]
