"""SGF text to nodes with properties and back: the grammar layer, which knows nothing of games."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from antipodes.errors import Fault
from antipodes.notation.text import shorten
from antipodes.records.sgf.tokens import Token, find_start, tokenise

Properties = dict[str, list[str]]

_NOT_SGF = "record/not-sgf"
_CHARSET = re.compile(rb"CA\s*\[([^\]]{1,40})\]")
# Encodings of text; Python knows others (of binary data, of source code) that make no sense here.
_TEXT_CODECS = re.compile(
    "ascii|utf-(8|16|32).*|iso8859-.*|iso2022_.*|cp\\d+|koi8-.*|shift_jis.*|euc_.*|gb.*|big5.*"
    "|hz|johab|mac-.*|tis-620"
)
_LINE_ENDS = re.compile("\r\n|\n\r|\r")
_ESCAPES = re.compile(r"\\(\n|.)?", re.DOTALL)
_SPACES = " \t\n\r\v\f"
_GLANCE = 400  # bytes that tell the encoding
_TOKENS_OF_EMPTY_GAME = 3  # (;)
_WIDTH = 79  # characters of a written line, where properties are not longer


@dataclass(slots=True)
class SgfNode:
    """A node of a file.

    Attributes:
        where: its line and column.
        properties: identifier -> values as they stand in the file, escapes and all.
        children: the nodes after it, the main line first.
    """

    where: str
    properties: Properties = field(default_factory=dict)
    children: list[SgfNode] = field(default_factory=list)

    def walk(self) -> Iterator[SgfNode]:
        """Yield this node and all after it, without recursion."""
        todo = [self]
        while todo:
            node = todo.pop()
            yield node
            todo.extend(node.children)


def decode(data: bytes, faults: list[Fault]) -> str:
    """Return bytes as text in the encoding that the file names; UTF-8 or Latin-1 if it does not."""
    if data.startswith(codecs.BOM_UTF8):
        return _decode_as(data, "utf-8-sig", faults)
    wide = wide_encoding(data)
    if wide:
        return _decode_as(data, wide, faults)
    named = _CHARSET.search(data[:10_000])
    if named is None:
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            return data.decode("latin-1")
    name = named[1].decode("latin-1").strip()
    try:
        known = bool(_TEXT_CODECS.fullmatch(codecs.lookup(name).name))
    except (LookupError, ValueError):
        known = False
    if not known:
        faults.append(
            Fault.of(
                "record/encoding",
                "the encoding {name} is not known; read as UTF-8",
                where="CA",
                name=shorten(name),
            )
        )
        name = "utf-8"
    return _decode_as(data, name, faults)


def wide_encoding(data: bytes) -> str:
    """Return the encoding of text with two bytes for each character; empty if it is no such text.

    Without a byte order mark, the brackets and letters at the beginning tell it by their zeros.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    begin = data[:_GLANCE]
    halves = {"utf-16-le": begin[1::2], "utf-16-be": begin[::2]}
    zeros = {name: half.count(0) for name, half in halves.items()}
    name = max(zeros, key=lambda name: zeros[name])
    return name if zeros[name] > len(begin) / 4 else ""


def _decode_as(data: bytes, name: str, faults: list[Fault]) -> str:
    try:
        return data.decode(name)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        values = {"byte": f"{data[error.start]:#04x}", "name": name}
        faults.append(
            Fault.of(
                "record/encoding",
                "byte {byte} cannot stand in text of encoding {name}",
                where=f"line {line}",
                **values,
            )
        )
        return data.decode(name, errors="replace")


class _Places:
    """Turns rising offsets into lines and columns, each part of the text looked at once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._offset = 0
        self._line = 1
        self._column = 1

    def at(self, offset: int) -> str:
        """Return line and column of an offset not below the last one asked for."""
        breaks = self._text.count("\n", self._offset, offset)
        if breaks:
            self._line += breaks
            self._column = 1
            self._offset = self._text.rindex("\n", self._offset, offset) + 1
        self._column += offset - self._offset
        self._offset = offset
        return f"line {self._line}, column {self._column}"


def parse(text: str, faults: list[Fault], number: int | None = None) -> SgfNode | None:
    """Read a game of a file as a tree; errors are added to ``faults``.

    What could be read before a fault is kept. Without such a game the answer is ``None``.

    Args:
        text: of the file.
        faults: where errors are added.
        number: of the game, counted from 1 without empty ones; ``None`` for the only one.
    """
    text = text.encode("utf-8", errors="replace").decode("utf-8")
    games = _games(text)
    if not games:
        faults.append(Fault(_NOT_SGF, "no game begins here: SGF begins with (;"))
        return None
    chosen = 1 if number is None else number
    if not 1 <= chosen <= len(games):
        fault = Fault.of(
            "record/no-such-game",
            "there is no game {number}; the file has {count}",
            number=chosen,
            count=len(games),
        )
        faults.append(fault)
        return None
    tokens, end = games[chosen - 1]
    builder = _Builder(text, faults)
    for token in tokens:
        builder.take(token)
    builder.finish(end)
    if number is None and len(games) > 1:
        fault = Fault.of(
            "record/several-games",
            "there are {count} games in the file; only the first one is looked at",
            count=len(games),
        )
        faults.append(fault.at(builder.places.at(end)))
    return builder.root


def heads_of_games(text: str) -> list[Properties]:
    """Return the properties at the root of each game of a file, without empty games."""
    roots = []
    for tokens, _end in _games(text):
        builder = _Builder(text, [])
        ends = [at for at, token in enumerate(tokens) if token.kind == "mark" and at > 1]
        for token in tokens[: ends[0] if ends else len(tokens)]:
            builder.take(token)
        roots.append(builder.root.properties if builder.root else {})
    return roots


def _games(text: str) -> list[tuple[list[Token], int]]:
    """Return the tokens of each game and the offset after them; empty games count if all are."""
    games = []
    start = find_start(text)
    while start is not None:
        tokens, end = tokenise(text, start)
        games.append((tokens, end))
        start = find_start(text, end)
    return [game for game in games if len(game[0]) > _TOKENS_OF_EMPTY_GAME] or games[:1]


class _Builder:
    """Builds the tree from tokens, without recursion."""

    def __init__(self, text: str, faults: list[Fault]) -> None:
        self.places = _Places(text)
        self.root: SgfNode | None = None
        self._text = text
        self._faults = faults
        self._node: SgfNode | None = None
        self._branches: list[SgfNode | None] = []
        self._fresh = False  # whether a bracket was opened and no node begun
        self._values: list[str] | None = None
        self._name = ""

    @property
    def complete(self) -> bool:
        """Whether all brackets are closed."""
        return not self._branches

    def take(self, token: Token) -> None:
        """Take the next token."""
        if token.kind == "value":
            self._take_value(token)
            return
        self._end_values(token.begin)
        if token.kind == "name":
            self._begin_property(token)
        elif token.text == ";":
            self._begin_node(token.begin)
        elif token.text == "(":
            self._branches.append(self._node)
            self._fresh = True
        else:
            self._node = self._branches.pop()
            self._fresh = False

    def finish(self, end: int) -> None:
        """Say what is missing at the end of what could be read."""
        self._end_values(end)
        if self.complete:
            return
        remaining_text = self._text[end:].lstrip(_SPACES)
        if not remaining_text:
            self._fault(
                Fault.of(
                    _NOT_SGF,
                    "the file ends here, but {count} brackets are still open",
                    count=len(self._branches),
                ),
                end,
            )
        else:
            fault = Fault.of(
                _NOT_SGF,
                "{text} cannot stand here; nothing after it was looked at",
                text=shorten(remaining_text[:20]),
            )
            self._fault(fault, len(self._text) - len(remaining_text))

    def _take_value(self, token: Token) -> None:
        if self._values is None:
            self._fault(Fault(_NOT_SGF, "a value stands without a property"), token.begin)
        else:
            self._values.append(token.text)

    def _begin_node(self, begin: int) -> None:
        node = SgfNode(self.places.at(begin))
        if self._node is None:
            self.root = node
        else:
            self._node.children.append(node)
        self._node = node
        self._fresh = False

    def _begin_property(self, token: Token) -> None:
        if self._fresh or self._node is None:
            self._fault(Fault(_NOT_SGF, "a property stands outside of a node"), token.begin)
            self._values = []
        elif not token.text:
            fault = Fault(_NOT_SGF, "the name of a property has no capital letter")
            self._fault(fault, token.begin)
            self._values = []
        else:
            self._values = self._node.properties.setdefault(token.text, [])
        self._name = token.text

    def _end_values(self, begin: int) -> None:
        if self._values is not None and not self._values:
            fault = Fault.of(_NOT_SGF, "property {name} has no value", name=self._name or "?")
            self._fault(fault, begin)
            if self._node is not None:
                self._node.properties.pop(self._name, None)
        self._values = None

    def _fault(self, fault: Fault, offset: int) -> None:
        self._faults.append(fault.at(self.places.at(offset)))


def read_text(value: str) -> str:
    """Return what a value says: escapes undone, escaped line ends taken out."""
    value = _LINE_ENDS.sub("\n", value)
    return _ESCAPES.sub(lambda found: "" if found[1] in (None, "\n") else found[1], value)


def write_text(text: str) -> str:
    """Return a value that says ``text``."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


@dataclass(slots=True)
class OutNode:
    """A node to be written: properties with values as they will stand, and children."""

    properties: Mapping[str, list[str]]
    children: list[OutNode] = field(default_factory=list)


def serialise(root: OutNode) -> str:
    """Write a tree, without recursion: a game may have thousands of moves."""
    pieces: list[str] = []
    todo: list[OutNode | str] = [")", root, "("]
    while todo:
        part = todo.pop()
        if isinstance(part, str):
            pieces.append(part)
            continue
        pieces += [";", *_properties(part)]
        if len(part.children) == 1:
            todo += part.children
        else:
            for child in reversed(part.children):
                todo += [")", child, "("]
    return "\n".join(_lines(pieces)) + "\n"


def _properties(node: OutNode) -> list[str]:
    """Return a node's properties as they are written: FF first, since some programs look there."""
    names = sorted(node.properties, key=lambda name: (name != "FF", name))
    return [name + "".join(f"[{value}]" for value in node.properties[name]) for name in names]


def _lines(pieces: Iterable[str]) -> list[str]:
    """Return lines of whole pieces, which may stand apart in SGF."""
    lines = [""]
    for piece in pieces:
        if lines[-1] and len(lines[-1]) + len(piece) > _WIDTH:
            lines.append("")
        lines[-1] += piece
    return lines
