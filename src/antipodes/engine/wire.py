"""How GTP 2 writes commands and answers as lines; nothing here knows a game."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Longer lines are refused unread. The longest sensible command has some dozens of characters.
MAX_LINE = 4096

# Command numbers have 31 bits in the protocol; a few digits more do no harm.
_NUMBERED = re.compile(r"([0-9]{1,18})(?![^ ])(.*)", re.DOTALL)
_CONTROLS = dict.fromkeys(code for code in (*range(32), 127) if code not in (9, 10))


class GtpError(Exception):
    """A command that cannot be carried out; its text is the reason that the client is told."""


@dataclass(frozen=True, slots=True)
class Request:
    """One command line, taken apart.

    Attributes:
        number: the digits that the answer repeats, or an empty string.
        name: the command.
        arguments: the words after it.
    """

    number: str
    name: str
    arguments: tuple[str, ...]


def read_request(line: str) -> Request | None:
    """Take a line apart; ``None`` if nothing is left without control characters and comment.

    Only the first ``MAX_LINE`` characters are looked at. ``name`` is empty where a number stands
    alone.
    """
    plain, comment, _ = line[:MAX_LINE].translate(_CONTROLS).partition("#")
    words = " ".join(plain.split())
    if not words:
        # Somebody may wait for an answer to what comes after very many spaces.
        return Request("", "", ()) if len(line) > MAX_LINE and not comment else None
    number = ""
    match = _NUMBERED.fullmatch(words)
    if match:
        number, words = match[1], match[2]
    name, *arguments = words.split() or [""]
    return Request(number, name, tuple(arguments))


def write_success(number: str, text: str) -> str:
    """Return the answer to a command that was carried out, without the empty line after it.

    A space follows the sign even when there is nothing more to say: HexGUI needs it.
    """
    return f"={number} {_block(text)}"


def write_failure(number: str, reason: str) -> str:
    """Return the answer to a command that was not carried out, without the empty line after it."""
    return f"?{number} {_block(reason)}"


def _block(text: str) -> str:
    """Give empty lines a space, because an empty line would end the answer."""
    first, *rest = text.replace("\r", "").split("\n")
    return "\n".join([first, *(line or " " for line in rest)])
