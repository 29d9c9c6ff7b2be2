"""Clocks for live and for correspondence play; time comes in as an argument, in milliseconds."""

from antipodes.clocks.clock import Clock
from antipodes.clocks.control import UNLIMITED, Pace, TimeControl, read_control

__all__ = ["UNLIMITED", "Clock", "Pace", "TimeControl", "read_control"]
