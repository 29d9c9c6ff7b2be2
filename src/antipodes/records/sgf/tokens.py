"""SGF text to tokens, after the EBNF of FF[4] (https://www.red-bean.com/sgf/sgf4.html)."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Kind = Literal["value", "name", "mark"]

_START = re.compile(r"\(\s*;", re.ASCII)
# What stands between brackets: a backslash makes any character after it part of the value.
_VALUE = r"(?:[^\]\\]++|\\.)*+"
# FF[4] has capital letters alone; files of earlier versions have small ones among them. No name in
# use is nearly as long as this.
_LONGEST_NAME = 64
_TOKEN = re.compile(
    rf"\s*(?:\[(?P<value>{_VALUE})\]|(?P<name>[A-Za-z]{{1,{_LONGEST_NAME}}})|(?P<mark>[;()]))",
    re.ASCII | re.DOTALL,
)


class Token(NamedTuple):
    """A part of a file.

    Attributes:
        kind: ``value`` between brackets, ``name`` of a property, or ``mark``: one of ``;()``.
        text: a value as it stands in the file, escapes and all; of a name its capital letters.
        begin: its offset in the file.
    """

    kind: Kind
    text: str
    begin: int


def find_start(text: str, offset: int = 0) -> int | None:
    """Return the offset at which a game begins; ``None`` if there is none after ``offset``."""
    found = _START.search(text, offset)
    return None if found is None else found.start()


def tokenise(text: str, start: int) -> tuple[list[Token], int]:
    """Return the tokens of the game that begins at ``start``, and the offset after the last one.

    They end with the bracket that closes the game, or before the first thing that is no token.
    """
    tokens: list[Token] = []
    end, depth = start, 0
    while match := _TOKEN.match(text, end):
        end = match.end()
        token = _token(match)
        tokens.append(token)
        if token.kind == "mark":
            depth += {"(": 1, ")": -1}.get(token.text, 0)
            if depth == 0:
                break
    return tokens, end


def _token(found: re.Match[str]) -> Token:
    if found["value"] is not None:
        return Token("value", found["value"], found.start("value") - 1)
    if found["name"] is not None:
        capitals = "".join(letter for letter in found["name"] if letter.isupper())
        return Token("name", capitals, found.start("name"))
    return Token("mark", found["mark"], found.start("mark"))


def is_value(value: object) -> bool:
    """Tell whether something can stand between brackets as it is."""
    return isinstance(value, str) and bool(re.fullmatch(_VALUE, value, re.DOTALL))


def is_name(name: object) -> bool:
    """Tell whether something can be the name of a property."""
    return isinstance(name, str) and bool(re.fullmatch(rf"[A-Z]{{1,{_LONGEST_NAME}}}", name))
