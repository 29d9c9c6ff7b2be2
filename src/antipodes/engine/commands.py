"""The registry of GTP commands, filled by the modules that implement them."""

from __future__ import annotations

import math
import re
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
    most: float
    run: Handler


_ARGUMENT = re.compile(r"[A-Z_]+")
_OPTIONAL = re.compile(r"\[.*?\]")

COMMANDS: dict[str, GtpCommand] = {}


def command(usage: str) -> Callable[[Handler], Handler]:
    """Register a function as a command that takes the arguments of its usage.

    A client may leave out arguments in brackets, and repeat those before three dots.
    """
    name, _, arguments = usage.partition(" ")
    least = len(_ARGUMENT.findall(_OPTIONAL.sub("", arguments)))
    most = math.inf if arguments.endswith("...") else len(_ARGUMENT.findall(arguments))

    def register(run: Handler) -> Handler:
        COMMANDS[name] = GtpCommand(usage, least, most, run)
        return run

    return register
