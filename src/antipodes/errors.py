"""Every exception the package raises on purpose.

.. code-block:: text

    AntipodesError
    ├── InputError (also ValueError)      something a person or program gave us is wrong
    │   ├── UnknownGameError              no game has this id
    │   ├── InvalidOptionsError           options that do not exist, or values out of range
    │   ├── InvalidPositionError          a setup that cannot be a position, with all reasons
    │   │   └── InvalidPictureError       ... and it was read from a picture
    │   ├── MoveError
    │   │   ├── InvalidMoveError          the text is not a move of this game
    │   │   ├── IllegalMoveError          a move, but not allowed in this position
    │   │   └── AmbiguousMoveError        the text could mean several moves
    │   ├── InvalidRecordError            a record that cannot be read, with all faults and places
    │   └── MatchError                    a command that a match refuses
    └── NotInstalledError                 an optional part of the program is missing

Input errors carry a stable ``code`` such as ``move/occupied`` (programs compare it) and show the
offending value in their message (people read it). Errors that find several things wrong keep them
all in ``faults``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Phrase:
    """A text whose values are kept apart, so that it can be said in another language.

    Attributes:
        template: the text in English, with the names of values in braces.
        values: what stands in those places; phrases among them are said in turn.
    """

    template: str
    values: Mapping[str, object] = field(default_factory=dict, compare=False)

    def __str__(self) -> str:
        """Say it in English; what is a list has commas between its parts."""
        values = {
            name: ", ".join(map(str, value)) if isinstance(value, tuple) else value
            for name, value in self.values.items()
        }
        return self.template.format_map(values)


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with an input.

    Attributes:
        code: stable name such as ``position/rim-disagrees``.
        message: a sentence for people that shows the offending value.
        where: the place in the input (a line, a JSON path, a point), or an empty string.
        template: the message before its values were put in, with their names in braces; empty if
            it has none. Whoever says it in another language translates this.
        values: what stands in those places.
    """

    code: str
    message: str
    where: str = ""
    template: str = ""
    values: Mapping[str, object] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, code: str, template: str, *, where: Any = "", **values: object) -> Fault:
        """Make a fault whose message has values in it: ``{name}`` in the template is one."""
        return cls(code, template.format_map(values), where, template, values)

    def at(self, where: str) -> Fault:
        """Return the same fault at another place."""
        return replace(self, where=where)

    def __str__(self) -> str:
        """Give place and message in one line; a message that names its place says it once."""
        if not self.where or self.message.startswith(self.where):
            return self.message
        return f"{self.where}: {self.message}"


class AntipodesError(Exception):
    """Base of everything this package raises on purpose."""


class InputError(AntipodesError, ValueError):
    """Something given to the program is wrong; nothing was changed.

    Attributes:
        faults: every fault found, at least one.
    """

    def __init__(self, faults: Sequence[Fault], headline: str = "") -> None:
        """Keep ``faults`` and join them into a message under an optional headline."""
        self.faults = tuple(faults)
        self.headline = headline
        lines = [str(fault) for fault in self.faults]
        if headline:
            text = headline + ("" if not lines else "\n" + "\n".join(f"- {line}" for line in lines))
        else:
            text = "; ".join(lines)
        super().__init__(text)

    @property
    def code(self) -> str:
        """The code of the first fault."""
        return self.faults[0].code if self.faults else "input/invalid"

    @classmethod
    def single(cls, code: str, message: str, where: str = "") -> InputError:
        """Make the error of this class for exactly one fault."""
        return cls([Fault(code, message, where)])


class UnknownGameError(InputError):
    """No game has this id."""


class InvalidOptionsError(InputError):
    """Options that a game does not have, or values it does not allow."""


class InvalidPositionError(InputError):
    """A setup that cannot be a position of the game; ``faults`` has all reasons."""


class InvalidPictureError(InvalidPositionError):
    """A picture that cannot be read as a setup; ``faults`` has all reasons."""


class MoveError(InputError):
    """A move that cannot be played; ``text`` is what was given."""

    def __init__(self, faults: Sequence[Fault], headline: str = "", text: str = "") -> None:
        """Keep the faults and the offending move text."""
        super().__init__(faults, headline)
        self.text = text


class InvalidMoveError(MoveError):
    """The text is not a move of this game at all."""


class IllegalMoveError(MoveError):
    """A move of this game that this position does not allow."""


class AmbiguousMoveError(MoveError):
    """The text could mean more than one move."""


class InvalidRecordError(InputError):
    """A record that cannot be read; ``faults`` says what is wrong and where."""


class MatchError(InputError):
    """A command to a match or a challenge that does not go there and then."""


class NotInstalledError(AntipodesError):
    """An optional part of the program is not installed."""

    @classmethod
    def of(cls, what: str, package: str | None, extra: str) -> NotInstalledError:
        """Return the error that names the missing package, and the extra that brings it."""
        return cls(f"{what} needs {package}; install it with: pip install 'antipodes[{extra}]'")
