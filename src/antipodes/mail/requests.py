"""Requests of a mail, and faults where it could not be read.

The Subject has one command, or ``multiple`` if the lines of the body are commands. The first line
of a reply to a mail about a board may be just the move; if it is something else, such as a
greeting, the only other line with a move counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace

from antipodes.errors import Fault, Phrase
from antipodes.mail.commands import COMMANDS, INFO, CommandInfo, Proof, Shape, Verb
from antipodes.mail.grammar import bare_subject, blot, is_move, read_board, read_moves, split_words
from antipodes.mail.incoming import Mail
from antipodes.mail.lines import LineContext, ParsedLine, Request, is_on_board, read_line
from antipodes.notation.text import clean, shorten

_BULLET = re.compile(r"(?:[-*+•·‣◦▪]|\d{1,2}\))\s(?=\S)")
_MARKS = ("***", "**", "*", "__", "_", "```", "`", '"', "'")
_PAIRS = ("“”", "„“", "„”", "‘’", "‚‘", "«»", "»«", "()", "[]")
_MOST_MARKS = 3  # around each other


def undecorated(line: str) -> str:
    """Return a line without a bullet before it and without marks around it."""
    text = clean(line)
    text = _BULLET.sub("", text, count=1) if _BULLET.match(text) else text
    for _ in range(_MOST_MARKS):
        text = _unwrapped(text)
    return text


def readings(line: str) -> tuple[str, ...]:
    """Return what a line can mean: as it is written, and without decoration.

    In some games ``*`` is part of a move, so ``* g6`` can be ``*g6`` or ``g6`` after a bullet.
    """
    return tuple(dict.fromkeys((line.strip(), undecorated(line))))


def _unwrapped(text: str) -> str:
    for mark in _MARKS:
        if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark):
            return text[len(mark) : -len(mark)].strip()
    if len(text) > 2 and text[0] + text[-1] in _PAIRS:
        return text[1:-1].strip()
    return text


__all__ = [
    "COMMANDS",
    "INFO",
    "MOST_REQUESTS",
    "CommandInfo",
    "Proof",
    "Reading",
    "Request",
    "Shape",
    "Verb",
    "move_line",
    "read_board",
    "read_requests",
    "unreadable_faults",
    "write_request",
]

MOST_REQUESTS = 50
"""Maximum number of commands in one mail."""

_ENDS = ("end", "quit")
_MOST_REPLY_LINES = 40  # that are searched for the move
_LONGEST_REPLY_LINE = 200
_SPEAKING = (Shape.MOVES, Shape.BOARD, Shape.TEXT, Shape.OFFER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The requests of a mail, and faults where it could not be read.

    Attributes:
        requests: in the order of the lines.
        comment: the text for other players (also in the requests' ``text``).
        faults: lines that could not be read; ``where`` has the line without secrets.
        multiple: whether the lines of the body are commands.
        exposed: userids followed by a word that may be their password; their owners must be
            warned.
        secrets: passwords and tokens as written in the mail. No text of the mail may be stored or
            quoted with them, see `blotted`.
    """

    requests: tuple[Request, ...] = ()
    comment: str = ""
    faults: tuple[Fault, ...] = ()
    multiple: bool = False
    exposed: tuple[str, ...] = ()
    secrets: tuple[str, ...] = field(default=(), repr=False)

    def blotted(self, text: str) -> str:
        """Return a text of the mail without secrets."""
        return blot(text, self.secrets)


def read_requests(
    mail: Mail,
    *,
    board: int | None = None,
    user: str = "",
    is_legal: Callable[[Request], bool] = lambda _request: True,
) -> Reading:
    """Read the requests of a mail; automatic mail has none.

    Args:
        mail: the mail.
        board: the number of the board that the personal reply address is bound to.
        user: the userid that the reply address is bound to; commands can leave it out.
        is_legal: says whether the first move of a request is legal on its board. It is asked where
            several lines of a reply can be the move, or one line can be several moves.
    """
    if mail.automatic:
        return Reading()
    place = LineContext(board=board, user=user)
    subject = bare_subject(mail.subject)
    first, other_lines = _first_line(mail.own_text)
    if _is_multiple(subject):
        # The word may stand in the Subject, in the first line, or in both.
        body = other_lines if _is_multiple(first) else mail.own_text
        return _explained(_several(body, place), mail)
    line = read_line(subject, place)
    asked = line.request
    is_complete = asked is not None and not _awaits_moves(asked)
    if _is_multiple(first) and not is_complete:
        return _several(other_lines, _place_after(place, asked), line)
    if line.fault is not None or is_complete:
        return _one(line, mail.own_text)
    if asked is not None or board is not None:
        reply = _Reply(mail.own_text, _place_after(place, asked), line, is_legal)
        return _explained(reply.read(), mail)
    return _explained(Reading(faults=(_nothing(mail.subject, first),)), mail)


def _explained(reading: Reading, mail: Mail) -> Reading:
    """Return a reading that says why it found nothing if the mail has no readable text."""
    faults = () if reading.requests else unreadable_faults(mail)
    return replace(reading, faults=tuple(faults)) if faults else reading


def unreadable_faults(mail: Mail) -> list[Fault]:
    """Return the fault of a mail that has no readable text."""
    if not mail.unreadable:
        return []
    template = "your mail has no text that can be read: {reason}; send it again as plain text"
    return [Fault.of("mail/unreadable", template, reason=Phrase(mail.unreadable))]


def move_line(text: str, commands: Collection[str]) -> str:
    """Return the line of a reply with its move or a command.

    It is the first line, or else the only one that has nothing but moves.
    """
    lines = [undecorated(line) for line in text.split("\n") if line.strip()]
    first = next(iter(lines), "")
    with_moves = [line for line in lines[:_MOST_REPLY_LINES] if _has_only_moves(line)]
    is_known = first in with_moves or first.split(" ")[0].lower() in commands
    return with_moves[0] if len(with_moves) == 1 and not is_known else first


def _first_line(text: str) -> tuple[str, str]:
    """Return the first non-empty line, and the rest."""
    first, _, rest = text.lstrip().partition("\n")
    return first.strip(), rest.strip("\n")


def _is_multiple(line: str) -> bool:
    return clean(line[:60]).lower().rstrip(":.") == Verb.MULTIPLE.value


def _awaits_moves(request: Request) -> bool:
    """Return whether the Subject is that of an e-mail about a board, without a move."""
    if request.words or request.options.get("new") is not None:
        return False
    return request.verb in (Verb.MOVE, Verb.PREVIEW)


def _place_after(place: LineContext, asked: Request | None) -> LineContext:
    """Return the context that the Subject gives to the first line of a reply."""
    if asked is None:
        return place
    return LineContext(board=asked.board, user=asked.user or place.user, secret=asked.secret)


def _one(line: ParsedLine, comment: str) -> Reading:
    """Read a mail with one command."""
    requests = () if line.request is None else (_with_text(line.request, comment),)
    return Reading(
        requests=requests,
        comment=requests[0].text if requests else "",
        faults=() if line.fault is None else (line.fault,),
        exposed=(line.exposed,) if line.exposed else (),
        secrets=tuple(line.secrets),
    )


def _with_text(request: Request, comment: str) -> Request:
    text = "\n".join(part for part in (request.text, comment) if part)
    return replace(request, text=text)


@dataclass(frozen=True, slots=True)
class _Reply:
    """A reply to a mail about a board, whose Subject has no move."""

    text: str
    place: LineContext
    subject: ParsedLine
    is_legal: Callable[[Request], bool]

    def read(self) -> Reading:
        """Read the move or command in the first line, else the move in the only line with one."""
        lines = self.text.lstrip().split("\n")
        first = self._line(lines[0])
        readings = self._readings(lines, 0)
        # A faulty first line is a command: its sender meant no move further down.
        if not readings and first.fault is None:
            for index in range(1, min(len(lines), _MOST_REPLY_LINES)):
                readings += self._readings(lines, index)
        chosen = self._chosen(readings)
        if chosen is not None:
            index, line = chosen
            around = ("\n".join(lines[:index]), "\n".join(lines[index + 1 :]))
            return _one(line, "\n\n".join(part.strip("\n") for part in around if part.strip()))
        if first.fault is None:
            first.fault = self._fault(lines[0], first.secrets, [line for _, line in readings])
        first.request = None
        return _one(first, "\n".join(lines[1:]).strip("\n"))

    def _readings(self, lines: Sequence[str], index: int) -> list[tuple[int, ParsedLine]]:
        """Return the requests that a line can mean, with its index."""
        if len(lines[index]) > _LONGEST_REPLY_LINE:
            return []
        # A command below the first line is a word of a sentence.
        texts = [text for text in readings(lines[index]) if index == 0 or _has_only_moves(text)]
        read = [self._line(text) for text in texts]
        return [(index, line) for line in read if line.request is not None]

    def _chosen(self, readings: Sequence[tuple[int, ParsedLine]]) -> tuple[int, ParsedLine] | None:
        """Return the only request, or else the only legal one."""
        if len({_meaning(line) for _, line in readings}) > 1:
            legal = [
                (at, line) for at, line in readings if line.request and self.is_legal(line.request)
            ]
            is_one_line = len({index for index, _ in readings}) == 1
            # The board refuses an illegal move with the reason.
            readings = legal or (readings[:1] if is_one_line else readings)
        is_clear = len({_meaning(line) for _, line in readings}) == 1
        return readings[0] if is_clear else None

    def _line(self, text: str) -> ParsedLine:
        """Read a line together with the Subject; it has a request if it may stand alone."""
        text, asked = text.strip(), self.subject.request
        line = read_line(text, self.place)
        request = line.request
        line.secrets += self.subject.secrets
        if request is not None and asked is not None and _is_bare_move(request, text):
            # The command of the Subject, with the moves and the ply of the line.
            ply = asked.ply if request.ply is None else request.ply
            moves, secret = request.words, request.secret
            request = replace(asked, words=moves, ply=ply, secret=secret, line=request.line)
        if request is not None and (not is_on_board(request.verb) or _awaits_moves(request)):
            request = None
        line.request = request
        return line

    def _fault(self, first: str, secrets: Sequence[str], readings: Sequence[ParsedLine]) -> Fault:
        """Return the fault of a reply without a move, or with several."""
        if readings:
            moves = tuple(
                " ".join(reading.request.words)
                for reading in readings
                if reading.request is not None
            )
            return Fault.of(
                "mail/which-move",
                "your mail can mean several moves: {moves}; write just yours in the first line",
                moves=tuple(dict.fromkeys(moves)),
            )
        return Fault.of(
            "mail/no-move",
            "the first line of your mail must be just the move, or a command such as resign or"
            " chat; it is {line}",
            line=shorten(blot(first.strip(), secrets)),
        )


def _meaning(line: ParsedLine) -> tuple[object, ...]:
    request = line.request
    return () if request is None else (request.verb, request.words, request.ply)


def _has_only_moves(line: str) -> bool:
    moves, _ply = read_moves(split_words(line)[0])
    return bool(moves) and all(map(is_move, moves))


def _is_bare_move(request: Request, line: str) -> bool:
    """Return whether a line has moves without a command."""
    return (
        request.verb is Verb.MOVE
        and read_line(line, LineContext()).request is None
        and bool(request.words)
    )


def _several(body: str, place: LineContext, subject: ParsedLine | None = None) -> Reading:
    """Read one command a line."""
    requests: list[Request] = []
    faults: list[Fault] = []
    exposed: list[str] = []
    secrets: list[str] = list(subject.secrets) if subject else []
    lines = body.split("\n")
    comment = ""
    for index, text in enumerate(lines):
        word = clean(text[:20]).lower()
        if word in _ENDS:
            comment = "\n".join(lines[index + 1 :]).strip("\n")
            break
        if not word or word.startswith("#"):
            continue
        if len(requests) + len(faults) >= MOST_REQUESTS:
            message = "a mail may have {most} commands; the rest was not read"
            faults.append(Fault.of("mail/too-many", message, most=MOST_REQUESTS))
            break
        line = read_line(text.strip(), place)
        secrets += line.secrets
        if line.exposed:
            exposed.append(line.exposed)
        if line.request is not None:
            requests.append(line.request)
        else:
            faults.append(line.fault or _unknown(blot(text.strip(), line.secrets)))
    if not requests and not faults:
        faults.append(Fault.of("mail/empty", "there is no command below `multiple`"))
    return Reading(
        requests=tuple(_with_text(one, comment) if _speaks(one) else one for one in requests),
        comment=comment,
        faults=tuple(faults),
        multiple=True,
        exposed=tuple(dict.fromkeys(exposed)),
        secrets=tuple(dict.fromkeys(secrets)),
    )


def _speaks(request: Request) -> bool:
    """Return whether a request has a comment for other players."""
    shape = INFO[request.verb].shape
    return shape in _SPEAKING or request.verb in (Verb.MESSAGE, Verb.BROADCAST, Verb.CHALLENGE)


def _unknown(line: str) -> Fault:
    return Fault.of(
        "mail/unknown-command",
        "{line} is no command; the command help lists all",
        line=shorten(line),
    )


def _nothing(subject: str, first: str) -> Fault:
    """Return the fault of a mail without a command."""
    if not subject.strip() and not first:
        return Fault.of("mail/empty", "the mail is empty; for help, write help in the Subject")
    if read_line(first, LineContext()).request is not None:
        return Fault.of(
            "mail/body-command",
            "write a command in the Subject, or several in the body below a line `multiple`",
        )
    if not subject.strip():
        return Fault.of(
            "mail/no-subject", "the Subject is empty; write a command there, such as help"
        )
    return _unknown(blot(subject, ()))


def write_request(request: Request) -> str:
    """Write a request as a command line with its secret, which reads back as the same request.

    The comment is part of the line only if the command takes it there.
    """
    board = "" if request.board is None else str(request.board)
    if board and request.ply is not None:
        board += f"#{request.ply}"
    options = dict(request.options)
    which = options.pop("which", "")
    new = options.pop("new", None)
    looks = INFO[request.verb].shape is Shape.LOOK
    words = list(request.words)
    if request.verb is Verb.MESSAGE and request.text:
        words[-1] += ":"
    parts = [
        request.game,
        request.verb.value,
        "" if looks else board,
        "" if new is None else f"new {new}",
        "" if looks else f"{request.user} {request.secret}",
        *(f"-{name}={value}" for name, value in options.items()),
        *words,
        which,
        request.secret if looks else "",
    ]
    if INFO[request.verb].shape is Shape.TEXT or request.verb in (Verb.MESSAGE, Verb.BROADCAST):
        parts.append(" ".join(request.text.split()))
    return " ".join(" ".join(parts).split())
