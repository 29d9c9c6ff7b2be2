"""Requests: what a mail asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from antipodes.errors import Fault
from antipodes.mail.incoming import Mail


class Verb(StrEnum):
    """Everything that can be asked for by mail; the value is its main name."""

    # Accounts.
    SIGNUP = "signup"
    ADD = "add"
    CHANGE_PASSWORD = "change password"  # noqa: S105 - a command that is refused
    CHANGE_ADDRESS = "change address"
    SIGNOFF = "signoff"
    DELETE = "delete"
    # Everyone.
    HELP = "help"
    LIST = "list"
    MESSAGE = "message"
    ALL_SHOW = "all show"
    BROADCAST = "broadcast"
    # Looking.
    STANDINGS = "standings"
    HISTORY = "history"
    GAMES = "games"
    SHOW = "show"
    SHOWAS = "showas"
    # Starting.
    CHALLENGE = "challenge"
    SEEK = "seek"
    LIMIT = "limit"
    ACCEPT = "accept"
    REJECT = "reject"
    # Playing.
    MOVE = "move"
    QUEUE = "queue"
    PREVIEW = "preview"
    SUBMIT = "submit"
    CONFIRM = "confirm"
    PASS = "pass"  # noqa: S105 - a move
    SWAP = "swap"
    UNDO = "undo"
    PROPOSE = "propose"
    RESIGN = "resign"
    CHAT = "chat"
    # Following.
    SUBSCRIBE = "subscribe"
    UNSUBSCRIBE = "unsubscribe"
    NOTIFY = "notify"
    # How one is told, and time.
    VACATION = "vacation"
    REMINDERS = "reminders"
    DIGEST = "digest"


class Proof(StrEnum):
    """Who has to prove to be whom before a command is carried out."""

    NOBODY = "nobody"
    USER = "user"  # the user whom it names, by a reply address or a mail token
    MODERATOR = "moderator"


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandInfo:
    """What help and docs say about a command.

    Attributes:
        verb: which one it is.
        names: all its names in small letters, the main one first.
        group: the heading it stands under.
        usage: how it is written, after the game's name if ``has_game``.
        summary: what it does, one sentence.
        proof: who has to prove to be whom.
        has_game: whether a game's name may or must stand before it.
    """

    verb: Verb
    names: tuple[str, ...]
    group: str
    usage: str
    summary: str
    proof: Proof = Proof.USER
    has_game: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One thing that a mail asks for; nobody has looked yet whether it may.

    Attributes:
        verb: the command.
        game: the id of the game it names, or empty.
        board: the number of the board, or ``None``.
        ply: the ply it was meant for (after ``#``), or ``None``.
        user: the userid it names, as written, or empty.
        secret: the mail token it carries, in small letters, or empty.
        words: moves, users, boards (``101#5``), topics, addresses: what is left, in order. Words
            of commands (``on``, ``off``) are in small letters.
        options: ``-name=value`` by name, small letters and underscores; a name alone is ``on``.
            Commands that list matches have ``which`` (all, active, inactive, next) among them;
            ``preview new N`` has ``new`` with N, or with an empty text.
        text: the words to other people that go with it: the body, or what stood in the line.
        line: the command as written, secrets and passwords blotted out.
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
class Reading:
    """What a mail asks for, and what in it could not be understood.

    Attributes:
        requests: in the order of the lines.
        comment: the words for other people (also in the requests' ``text``).
        faults: what could not be understood; ``where`` has the line, secrets blotted out.
        multiple: whether it came as one command a line.
        exposed: userids beside which a word stood where a password would be; their owners are to
            be warned.
        secrets: passwords and tokens as they stand in the mail: no text of the mail may be kept or
            quoted with them, see `blotted`.
    """

    requests: tuple[Request, ...] = ()
    comment: str = ""
    faults: tuple[Fault, ...] = ()
    multiple: bool = False
    exposed: tuple[str, ...] = ()
    secrets: tuple[str, ...] = field(default=(), repr=False)

    def blotted(self, text: str) -> str:
        """Return a text of the mail without what must not be kept or quoted."""
        raise NotImplementedError


COMMANDS: tuple[CommandInfo, ...] = ()
"""Every command, in the order in which help lists them."""


def read_requests(mail: Mail, *, board: int | None = None, user: str = "") -> Reading:
    """Find out what a mail asks for.

    Args:
        mail: the mail.
        board: the number of the board that the personal reply address is bound to.
        user: the userid that the reply address is bound to. Then commands need not say it.
    """
    del mail, board, user
    return Reading()


def read_board(word: str) -> tuple[int, int | None] | None:
    """Read ``101`` or ``101#5`` as a board and perhaps a ply; ``None`` if it is neither."""
    del word
    return None


def write_request(request: Request) -> str:
    """Write a request as the line of a command, its secret included, that reads as the same."""
    del request
    return ""
