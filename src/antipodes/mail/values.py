"""Values of the line parser: contexts, parsed lines, requests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from antipodes.errors import Fault
from antipodes.mail.commands import Verb


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request of a mail, before permissions are checked.

    Attributes:
        verb: the command.
        game: the id of the game it names, or empty.
        board: the number of the board, or ``None``.
        ply: the ply it was meant for (after ``#``), or ``None``.
        user: the userid it names, as written, or empty.
        secret: the mail token in lower case, or empty.
        words: moves, users, boards (``101#5``), challenges (``c17``), topics, addresses: the
            other words, in order. Words of commands (``on``, ``off``) are in lower case.
        options: ``-name=value`` by name, in lower case with underscores; a name alone is ``on``.
            Commands that list matches have ``which`` (all, active, inactive, next) among them;
            ``preview new N`` has ``new`` with N, or with an empty text.
        text: the text for other players: the body, or a part of the line.
        line: the command as written, without secrets and passwords.
    """

    verb: Verb
    game: str = ""
    board: int | None = None
    ply: int | None = None
    user: str = ""
    secret: str = field(default="", repr=False)
    words: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    text: str = ""
    line: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineContext:
    """The context of a line: facts that are known before it is read.

    Attributes:
        board: the board that a reply is about.
        user: the userid of the sender.
        secret: the token in the Subject.
    """

    board: int | None = None
    user: str = ""
    secret: str = field(default="", repr=False)


@dataclass(slots=True, kw_only=True)
class ParsedLine:
    """A parsed line: a request, or a fault, or neither (then it is no command).

    Attributes:
        request: the request in it.
        fault: the error in it.
        secrets: the tokens and passwords in it, as written.
        exposed: the userid beside a password.
    """

    request: Request | None = None
    fault: Fault | None = None
    secrets: list[str] = field(default_factory=list)
    exposed: str = ""
