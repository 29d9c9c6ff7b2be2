"""Positions as one line of text with the game and its options: for logs, tests and chats.

The parts of the line are separated by semicolons: the game with the options that differ from the
defaults, each colour with its points, and other fields of the setup, such as::

    hex size=5; black a2 c3; white b4; to-move white
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from antipodes.core import Color, Setup
from antipodes.core.numbers import read_number
from antipodes.errors import Fault, InvalidPositionError
from antipodes.games.registry import make_game
from antipodes.notation.text import shorten

if TYPE_CHECKING:
    from antipodes.games.position import Position

_COLORS = frozenset(color.value for color in Color)


def write_position(position: Position) -> str:
    """Return a position as one line of text, which :func:`read_position` reads.

    The line contains all of a :class:`~antipodes.core.Setup`, but no history: neither the moves
    nor, in Antipalos, the earlier positions.
    """
    game, setup = position.game, position.to_setup()
    options = [f"{name}={value}" for name, value in game.options.changed().items()]
    parts = [[game.id, *options]]
    for color in game.colors:
        points = [point for point, owner in setup.stones if owner == color.value]
        if points:
            parts.append([color.value, *points])
    parts += [[name, *write(setup)] for name, (write, _) in _FIELDS.items() if write(setup)]
    parts += [[name] for name in _FLAGS if getattr(setup, name)]
    return "; ".join(" ".join(words) for words in parts)


def read_position(text: str) -> Position:
    """Read a position from a line that :func:`write_position` or a person wrote.

    The parts after the first may come in any order. Without ``to-move``, the colour to move is
    inferred from the stones, as in a setup.

    Raises:
        UnknownGameError: no game has the id that the line begins with.
        InvalidOptionsError: the game has no such options.
        InvalidPositionError: the line cannot be read, or is not a position of the game; with all
            faults.
    """
    head, *parts = (part.split() for part in text.split(";"))
    if not head:
        message = (
            f"a position begins with the id of a game, such as hex, but this is {shorten(text)}"
        )
        raise InvalidPositionError([Fault("position/unreadable", message)])
    faults: list[Fault] = []
    options = _pairs(head[1:], faults)
    if faults:
        raise InvalidPositionError(faults)
    game = make_game(head[0], options)
    setup = _setup(parts, faults)
    if faults:
        raise InvalidPositionError(faults)
    position: Position = game.position(setup)
    return position


def _setup(parts: Sequence[Sequence[str]], faults: list[Fault]) -> Setup:
    """Return the setup of the parts after the first; add its faults to ``faults``."""
    stones: list[tuple[str, str]] = []
    fields: dict[str, Any] = {}
    for words in parts:
        if not words:
            continue
        name, *values = words
        key = name.replace("-", "_")
        if name in _COLORS:
            stones += [(point, name) for point in values]
        elif key in fields:
            _refuse(f"{name} is given twice", name, faults)
        elif name in _FLAGS and not values:
            fields[key] = True
        elif name in _FIELDS:
            fields[key] = _FIELDS[name][1](values, faults)
        else:
            known = ", ".join((*sorted(_COLORS), *_FIELDS, *_FLAGS))
            message = (
                f"{shorten(' '.join(words))} cannot be read; a part begins with one of {known}"
            )
            _refuse(message, "", faults)
    return Setup(stones=tuple(stones), **fields)


def _refuse(message: str, where: str, faults: list[Fault]) -> None:
    faults.append(Fault("position/unreadable", message, where))


def _pairs(words: Sequence[str], faults: list[Fault]) -> dict[str, str]:
    """Return words of the form ``name=value`` as a mapping."""
    found: dict[str, str] = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not (name and sign and value) or name in found:
            _refuse(f"{shorten(word)} cannot be read; write name=value, each name once", "", faults)
        found[name] = value
    return found


def _word(values: Sequence[str], faults: list[Fault]) -> str:
    if len(values) != 1:
        _refuse(f"{shorten(' '.join(values))} is not one word", "", faults)
        return ""
    return values[0]


def _number(values: Sequence[str], faults: list[Fault]) -> int:
    word = _word(values, faults)
    number = read_number(word)
    if number is not None:
        return number
    if word:
        _refuse(f"{shorten(word)} is not a whole number", "", faults)
    return 0


def _numbers(values: Sequence[str], faults: list[Fault]) -> dict[str, int]:
    return {name: _number([word], faults) for name, word in _pairs(values, faults).items()}


def _written_pairs(values: Mapping[str, object]) -> list[str]:
    return [f"{name}={value}" for name, value in values.items()]


def _one(value: object) -> list[str]:
    return [] if value is None else [str(value)]


# Name of a part -> its writer from a setup (empty for a default), and its reader.
_FIELDS: dict[
    str, tuple[Callable[[Setup], list[str]], Callable[[Sequence[str], list[Fault]], object]]
] = {
    "to-move": (lambda setup: _one(setup.to_move), _word),
    "seat": (lambda setup: _one(setup.seat), _number),
    "pawns": (lambda setup: _written_pairs(setup.pawns), _pairs),
    "rods-left": (lambda setup: _written_pairs(setup.rods_left), _numbers),
    "phase-two-plies": (lambda setup: _one(setup.phase_two_plies or None), _number),
}
_FLAGS = ("swapped", "composed")
