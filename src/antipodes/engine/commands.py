"""The table of GTP commands, which the modules that carry them out fill."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from antipodes.engine.gtp import GtpEngine

Run = TypeVar("Run", bound="Callable[[GtpEngine, tuple[str, ...]], str]")


@dataclass(frozen=True, slots=True)
class Command:
    """One command of the protocol.

    Attributes:
        usage: name and arguments, as a client writes them.
        least: how many arguments there must be.
        most: how many there may be.
        run: does it; its text is the answer.
    """

    usage: str
    least: int
    most: int
    run: Callable[[GtpEngine, tuple[str, ...]], str]


COMMANDS: dict[str, Command] = {}


def command(usage: str, least: int = 0, most: int | None = None) -> Callable[[Run], Run]:
    """Register a function as a command; without ``most`` it takes ``least`` arguments."""

    def register(run: Run) -> Run:
        name = usage.split(maxsplit=1)[0]
        COMMANDS[name] = Command(usage, least, least if most is None else most, run)
        return run

    return register
