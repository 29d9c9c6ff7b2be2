"""The exceptions of the package.

.. code-block:: text

    AntipodesError
    ├── InputError (also ValueError)      an input of a user or program is wrong
    │   ├── UnknownGameError              no game has this id
    │   ├── InvalidOptionsError           unknown options, or values out of range
    │   ├── InvalidPositionError          a setup that is not a position, with all faults
    │   │   └── InvalidPictureError       the same, read from a picture
    │   ├── MoveError
    │   │   ├── InvalidMoveError          the text is not a move of this game
    │   │   ├── IllegalMoveError          a move that is illegal in this position
    │   │   └── AmbiguousMoveError        the text could mean several moves
    │   ├── InvalidRecordError            a record that cannot be read, with all faults
    │   ├── FileError (also OSError)      a file that cannot be read or written
    │   │   └── RecordFileError           the same of a record; also an InvalidRecordError
    │   └── MatchError                    a command that a match or challenge refuses
    └── NotInstalledError                 an optional dependency is missing

Input errors have a stable ``code`` such as ``move/occupied`` for programs, and a message for people
that shows the offending value. ``faults`` has all faults that were found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Phrase:
    """A translatable text: a template and its values.

    Attributes:
        template: the text in English, with the names of values in braces.
        values: by name; phrases among them are translated in turn.
    """

    template: str
    values: Mapping[str, object] = field(default_factory=dict, compare=False)

    def __str__(self) -> str:
        """Return the English text; the items of a tuple are joined by commas."""
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
        template: the message with the names of its values in braces, for translation; empty if it
            has no values.
        values: by name.
    """

    code: str
    message: str
    where: str = ""
    template: str = ""
    values: Mapping[str, object] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, code: str, template: str, *, where: Any = "", **values: object) -> Fault:
        """Return a fault with a message from a template; ``{name}`` in it is a value."""
        return cls(code, str(Phrase(template, values)), where, template, values)

    @property
    def phrase(self) -> Phrase:
        """The message as a phrase, to be part of another one."""
        if self.template:
            return Phrase(self.template, self.values)
        return Phrase(self.message.replace("{", "{{").replace("}", "}}"))

    def at(self, where: str) -> Fault:
        """Return the same fault at another place."""
        return replace(self, where=where)

    def __str__(self) -> str:
        """Return place and message in one line, without the place if the message begins with it."""
        if not self.where or self.message.startswith(self.where):
            return self.message
        return f"{self.where}: {self.message}"


class AntipodesError(Exception):
    """Base of all exceptions of this package."""


class InputError(AntipodesError, ValueError):
    """An input is wrong; nothing was changed.

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

    def __reduce__(self) -> tuple[Any, ...]:
        """Let the error travel between processes whole."""
        return _restored, (type(self), str(self), self.__dict__)

    @property
    def code(self) -> str:
        """The code of the first fault."""
        return self.faults[0].code if self.faults else "input/invalid"

    @classmethod
    def single(cls, code: str, message: str, where: str = "") -> InputError:
        """Return an error of this class with exactly one fault."""
        return cls([Fault(code, message, where)])


def _restored(kind: type[InputError], text: str, state: dict[str, Any]) -> InputError:
    """Return the error that was pickled."""
    error = kind.__new__(kind, text)
    for name, value in state.items():
        setattr(error, name, value)
    return error


class UnknownGameError(InputError):
    """No game has this id."""


class InvalidOptionsError(InputError):
    """Unknown options of a game, or values that it does not allow."""


class InvalidPositionError(InputError):
    """A setup that is not a position of the game; ``faults`` has all reasons."""


class InvalidPictureError(InvalidPositionError):
    """A picture that cannot be read as a setup; ``faults`` has all reasons."""


class UnknownPointError(InputError, LookupError):
    """The board has no point of this name."""


class MoveError(InputError):
    """A move that cannot be played; ``text`` is the input."""

    def __init__(self, faults: Sequence[Fault], headline: str = "", text: str = "") -> None:
        """Keep the faults and the text of the move."""
        super().__init__(faults, headline)
        self.text = text


class InvalidMoveError(MoveError):
    """The text is not a move of this game."""


class IllegalMoveError(MoveError):
    """A move of this game that is illegal in this position."""


class AmbiguousMoveError(MoveError):
    """The text could mean more than one move."""


class InvalidRecordError(InputError):
    """A record that cannot be read; ``faults`` has all faults with their places."""


class FileError(InputError, OSError):
    """A file that cannot be read or written; ``errno`` is that of the system."""

    def __new__(cls, *args: object) -> Self:
        """Make an ``OSError``: the first base would make a ``ValueError``."""
        return OSError.__new__(cls, *args)

    def __str__(self) -> str:
        return str(self.args[0])

    def __reduce__(self) -> tuple[Any, ...]:
        """Let the number of the system's error travel too."""
        restore, (kind, text, state) = super().__reduce__()
        return restore, (kind, text, {**state, "errno": self.errno})

    @classmethod
    def about(cls, code: str, verb: str, path: object, error: Exception) -> Self:
        """Return the error that names a file and the system's reason.

        Args:
            code: of the fault.
            verb: ``read`` or ``written``.
            path: of the file.
            error: what the system said.
        """
        reason = getattr(error, "strerror", None) or str(error)
        message = f"{str(path)!r} cannot be {verb}: {reason[:1].lower()}{reason[1:]}"
        refused = cls([Fault(code, message)])
        refused.errno = getattr(error, "errno", None)
        return refused


class RecordFileError(InvalidRecordError, FileError):
    """The file of a record that cannot be read or written."""


class MatchError(InputError):
    """A command that a match or a challenge refuses in its current state."""


class NotInstalledError(AntipodesError):
    """An optional dependency is not installed."""

    @classmethod
    def of(cls, what: str, package: str | None, extra: str) -> NotInstalledError:
        """Return the error that names the missing package and the extra that installs it."""
        return cls(f"{what} needs {package}; install it with: pip install 'antipodes[{extra}]'")
