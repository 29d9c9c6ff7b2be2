"""The line format of GTP 2: commands and answers, independent of games."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Longer lines are refused unread. The longest sensible command has a few dozen characters.
MAX_LINE = 4096

# Command numbers have 31 bits in the protocol; a few digits more do no harm.
_NUMBERED = re.compile(r"([0-9]{1,18})(?![^ ])(.*)", re.DOTALL)
_CONTROLS = dict.fromkeys(code for code in (*range(32), 127) if code not in (9, 10))


class GtpError(Exception):
    """A command that fails; its text is the reason that is sent to the client."""


@dataclass(frozen=True, slots=True)
class GtpRequest:
    """A parsed command line.

    Attributes:
        number: the digits that the answer repeats, or an empty string.
        name: the command.
        arguments: the words after it.
    """

    number: str
    name: str
    arguments: tuple[str, ...]


def read_request(line: str) -> GtpRequest | None:
    """Parse a line; ``None`` if it is empty without control characters and comment.

    Only the first ``MAX_LINE`` characters are read. ``name`` is empty if there is only a number.
    """
    plain, comment, _ = line[:MAX_LINE].translate(_CONTROLS).partition("#")
    words = " ".join(plain.split())
    if not words:
        # A command may follow after very many spaces, and needs an answer.
        return GtpRequest("", "", ()) if len(line) > MAX_LINE and not comment else None
    number = ""
    match = _NUMBERED.fullmatch(words)
    if match:
        number, words = match[1], match[2]
    name, *arguments = words.split() or [""]
    return GtpRequest(number, name, tuple(arguments))


def write_success(number: str, text: str) -> str:
    """Return the answer to a successful command, without the empty line after it.

    A space follows the sign even without further text: HexGUI needs it.
    """
    return f"={number} {_block(text)}"


def write_failure(number: str, reason: str) -> str:
    """Return the answer to a failed command, without the empty line after it."""
    return f"?{number} {_block(reason)}"


def _block(text: str) -> str:
    """Return a text with a space in empty lines, since an empty line would end the answer."""
    first, *rest = text.replace("\r", "").split("\n")
    return "\n".join([first, *(line or " " for line in rest)])
