"""Builder of unusual mails, byte by byte, since libraries write only well-formed ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple


class What(Enum):
    """Expected effects of a mail."""

    MOVE = "the move is played"
    REFUSED = "nothing is played, and the answer says why"
    IGNORED = "nothing is played, and nothing is answered"


@dataclass(frozen=True, kw_only=True)
class Expected:
    """The expected result of a mail.

    Attributes:
        what: the effect.
        comment: the comment to the other players; ``None`` for any.
        code: code of the fault in the reply.
        envelope: the envelope sender of the delivery; ``None`` for any.
        verdict: verdict of the own mail server, if its name is trusted.
        exposes: whether a user must be warned of an exposed password.
    """

    what: What = What.MOVE
    comment: str | None = ""
    code: str = ""
    envelope: str | None = None
    verdict: str = "none"
    exposes: bool = False


class Case(NamedTuple):
    """A mail with its name and expected result."""

    name: str
    raw: bytes
    expected: Expected


@dataclass(frozen=True, kw_only=True)
class Setting:
    """The board and the sender of mails.

    Attributes:
        to: the personal reply address for the board.
        sender: the address of the player.
        board: the number of the board.
        user: the userid.
        game: the word for the game in Subjects.
        move: a move that can be played there.
        site: the domain of the site.
        mta: the name under which the own mail server writes what it found out.
    """

    to: str = "play+" + "ab2" * 10 + "ab@games.example"
    sender: str = "Ann Möller <ann@home.example>"
    board: int = 101
    user: str = "ann"
    game: str = "Antipod"
    move: str = "d4"
    site: str = "games.example"
    mta: str = "mx.games.example"

    @property
    def address(self) -> str:
        """The player's address without name."""
        return self.sender.rpartition("<")[2].rstrip(">")

    @property
    def subject(self) -> str:
        """The Subject of an e-mail about the board."""
        return f"{self.game} Board {self.board} {self.user}"

    @property
    def email(self) -> str:
        """The part of such an e-mail that replies quote."""
        return (
            f"{self.subject.rpartition(' ')[0]}\n\nIt is your turn.\n\n 1. a1   b2\n 2. resign\n\n"
            "  a   o . . o\n b   . x . .\n\n" + "*" * 60 + "\nbob writes:\n\nGood luck!"
        )


@dataclass
class Draft:
    """A mail to be built; header fields keep their order and may be any bytes."""

    setting: Setting
    name: str
    subject: str | bytes | None = None
    body: bytes = b""
    fields: list[tuple[str, bytes]] = field(default_factory=list)
    without: tuple[str, ...] = ()
    newline: bytes = b"\r\n"

    def raw(self) -> bytes:
        """Return the bytes."""
        setting = self.setting
        subject = f"Re: {setting.subject}" if self.subject is None else self.subject
        usual = [
            ("From", setting.sender.encode()),
            ("To", setting.to.encode()),
            ("Subject", subject if isinstance(subject, bytes) else subject.encode()),
            ("Date", b"Sat, 21 Nov 2026 12:00:00 +0100"),
            ("Message-ID", f"<{self.name.replace(' ', '-')}@corpus.example>".encode()),
            ("In-Reply-To", f"<letter@{setting.site}>".encode()),
        ]
        fields = [one for one in usual if one[0] not in self.without]
        fields += self.fields
        lines = [name.encode() + b": " + value for name, value in fields]
        head = self.newline.join(lines)
        body = self.body.replace(b"\r\n", b"\n").replace(b"\n", self.newline)
        return head + self.newline * 2 + body


def mail(
    setting: Setting,
    name: str,
    body: bytes | str = b"",
    subject: str | bytes | None = None,
    fields: Mapping[str, bytes | str] | None = None,
    expected: Expected | None = None,
    *,
    without: tuple[str, ...] = (),
    newline: bytes = b"\r\n",
) -> Case:
    """Return a case: a mail with default and other header fields."""
    more = [
        (key, value if isinstance(value, bytes) else value.encode())
        for key, value in (fields or {}).items()
    ]
    data = body if isinstance(body, bytes) else body.encode()
    draft = Draft(setting, name, subject, data, more, without, newline)
    return Case(name, draft.raw(), expected or Expected())


def multipart(kind: str, *parts: bytes, boundary: str = "=_b") -> tuple[dict[str, bytes], bytes]:
    """Return the fields and the body of a multipart mail."""
    fields = {
        "MIME-Version": b"1.0",
        "Content-Type": f'multipart/{kind}; boundary="{boundary}"'.encode(),
    }
    mark = f"--{boundary}".encode()
    inside = b"".join(mark + b"\n" + part + b"\n" for part in parts)
    return fields, b"This is a mail in parts.\n" + inside + mark + b"--\n"


def part(kind: str, body: bytes | str, **fields: str) -> bytes:
    lines = [f"Content-Type: {kind}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    data = body if isinstance(body, bytes) else body.encode()
    return "\n".join(lines).encode() + b"\n\n" + data


def quoted(text: str, levels: int = 1) -> str:
    """Return a text as a quote."""
    mark = ">" * levels + " "
    return "\n".join(mark + line for line in text.split("\n"))
