"""The registry of GTP commands, filled by the modules that implement them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from antipodes.engine.gtp_session import GtpSession

Handler = Callable[[GtpSession, tuple[str, ...]], str]


@dataclass(frozen=True, slots=True)
class GtpCommand:
    """One command of the protocol.

    Attributes:
        usage: name and arguments, as a client writes them.
        least: the fewest arguments it takes.
        most: the most arguments it takes.
        run: carries the command out and returns the text of the answer.
    """

    usage: str
    least: int
    most: int
    run: Handler


COMMANDS: dict[str, GtpCommand] = {}


def command(usage: str, least: int = 0, most: int | None = None) -> Callable[[Handler], Handler]:
    """Register a function as a command; without ``most`` it takes exactly ``least`` arguments."""

    def register(run: Handler) -> Handler:
        name = usage.split(maxsplit=1)[0]
        COMMANDS[name] = GtpCommand(usage, least, least if most is None else most, run)
        return run

    return register
