"""SGF text to nodes with properties and back: the grammar layer, which knows nothing of games."""

from __future__ import annotations

import codecs
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field

from antipodes.errors import Fault
from antipodes.notation.text import shorten

with warnings.catch_warnings():
    # sgfmill has a docstring that newer Pythons warn of when they compile it.
    warnings.simplefilter("ignore")
    from sgfmill import sgf_grammar

Properties = dict[str, list[str]]

_CHARSET = re.compile(rb"CA\s*\[([^\]]{1,40})\]")
# Encodings of text; Python knows others (of binary data, of source code) that make no sense here.
_TEXT_CODECS = re.compile(
    "ascii|utf-(8|16|32).*|iso8859-.*|iso2022_.*|cp\\d+|koi8-.*|shift_jis.*|euc_.*|gb.*|big5.*"
    "|hz|johab|mac-.*|tis-620"
)
_LINE_ENDS = re.compile("\r\n|\n\r|\r")
_ESCAPES = re.compile(r"\\(\n|.)?", re.DOTALL)


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


def decode(data: bytes, faults: list[Fault]) -> str:
    """Return bytes as text in the encoding that the file names; UTF-8 or Latin-1 if it does not."""
    for mark, name in ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16")):
        if data.startswith(mark):
            return _decode_as(data, name, faults)
    if data.startswith(codecs.BOM_UTF16_BE):
        return _decode_as(data, "utf-16", faults)
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
        message = f"the encoding {shorten(name)} is not known; read as UTF-8"
        faults.append(Fault("record/encoding", message, "CA"))
        name = "utf-8"
    return _decode_as(data, name, faults)


def _decode_as(data: bytes, name: str, faults: list[Fault]) -> str:
    try:
        return data.decode(name)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"byte {data[error.start]:#04x} cannot stand in text of encoding {name}"
        faults.append(Fault("record/encoding", message, f"line {line}"))
        return data.decode(name, errors="replace")


class _Places:
    """Turns rising offsets into lines and columns, each part of the text looked at once."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._offset = 0
        self._line = 1
        self._column = 1

    def at(self, offset: int) -> str:
        """Return line and column of an offset not below the last one asked for."""
        passed = self._data[self._offset : offset]
        breaks = passed.count(b"\n")
        if breaks:
            self._line += breaks
            self._column = 1
            passed = passed[passed.rfind(b"\n") + 1 :]
        self._column += len(passed.decode("utf-8", errors="ignore"))
        self._offset = offset
        return f"line {self._line}, column {self._column}"


def parse(text: str, faults: list[Fault]) -> SgfNode | None:
    """Read the first game of a file as a tree; what is wrong is added to ``faults``.

    What could be read before a fault is kept. Without any game the answer is ``None``.
    """
    data = text.encode("utf-8", errors="replace")
    tokens, end = sgf_grammar.tokenise(data)
    if not tokens:
        message = "no game begins here: SGF begins with (;"
        faults.append(Fault("record/not-sgf", message))
        return None
    start = re.search(rb"\(\s*;", data)
    assert start is not None
    builder = _Builder(data, start.start(), faults)
    for kind, token in tokens:
        builder.take(kind, token)
    builder.finish(end)
    more, _ = sgf_grammar.tokenise(data, end) if builder.complete else ([], 0)
    if more:
        message = "there is more than one game in the file; only the first one is looked at"
        faults.append(Fault("record/several-games", message, builder.places.at(end)))
    return builder.root


class _Builder:
    """Builds the tree from tokens, without recursion."""

    def __init__(self, data: bytes, offset: int, faults: list[Fault]) -> None:
        self.places = _Places(data)
        self.root: SgfNode | None = None
        self._data = data
        self._offset = offset
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

    def take(self, kind: str, token: bytes) -> None:
        """Take the next token."""
        begin = self._find(kind, token)
        if kind != "V":
            self._end_values(begin)
        if kind == "V":
            if self._values is None:
                self._fault("a value stands without a property", begin)
            else:
                self._values.append(token.decode("utf-8"))
        elif kind == "I":
            self._begin_property(token.decode("ascii"), begin)
        elif token == b";":
            self._begin_node(begin)
        elif token == b"(":
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
        rest = self._data[end:].lstrip()
        if not rest:
            message = f"the file ends here, but {len(self._branches)} brackets are still open"
        else:
            shown = shorten(rest[:20].decode("utf-8", errors="replace"))
            message = f"{shown} cannot stand here; nothing after it was looked at"
            end = len(self._data) - len(rest)
        self._fault(message, end)

    def _find(self, kind: str, token: bytes) -> int:
        """Return where a token begins, and step over it."""
        begin = self._offset
        while self._data[begin : begin + 1].isspace():
            begin += 1
        length = len(token) + (2 if kind == "V" else 0)
        if kind == "I":
            # The token has lost its lower-case letters.
            length = 0
            while length < 64 and self._data[begin + length : begin + length + 1].isalpha():
                length += 1
        self._offset = begin + length
        return begin

    def _begin_node(self, begin: int) -> None:
        node = SgfNode(self.places.at(begin))
        if self._node is not None:
            self._node.children.append(node)
        elif self.root is None:
            self.root = node
        else:
            # A second tree inside the outermost brackets.
            self._fault("a second game begins inside the first one", begin)
        self._node = node
        self._fresh = False

    def _begin_property(self, name: str, begin: int) -> None:
        if self._node is None or self._fresh:
            self._fault("a property stands outside of a node", begin)
            self._values = []
        elif not name:
            self._fault("the name of a property has no capital letter", begin)
            self._values = []
        else:
            self._values = self._node.properties.setdefault(name, [])
        self._name = name

    def _end_values(self, begin: int) -> None:
        if self._values is not None and not self._values:
            self._fault(f"property {self._name or '?'} has no value", begin)
            if self._node is not None:
                self._node.properties.pop(self._name, None)
        self._values = None

    def _fault(self, message: str, offset: int) -> None:
        self._faults.append(Fault("record/not-sgf", message, self.places.at(offset)))


def read_text(value: str) -> str:
    """Return what a value says: escapes undone, escaped line ends taken out."""
    value = _LINE_ENDS.sub("\n", value)
    return _ESCAPES.sub(lambda found: "" if found[1] in (None, "\n") else found[1], value)


def write_text(text: str) -> str:
    """Return a value that says ``text``."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def is_value(value: object) -> bool:
    """Tell whether something can stand between brackets as it is."""
    return isinstance(value, str) and bool(
        sgf_grammar.is_valid_property_value(value.encode("utf-8", errors="replace"))
    )


def is_name(name: object) -> bool:
    """Tell whether something can be the name of a property."""
    return isinstance(name, str) and bool(sgf_grammar.is_valid_property_identifier(name))


@dataclass(slots=True)
class OutNode:
    """A node to be written: properties with values as they will stand, and children."""

    properties: Mapping[str, list[str]]
    children: list[OutNode] = field(default_factory=list)


def serialise(root: OutNode) -> str:
    """Write a tree."""
    coarse = sgf_grammar.make_coarse_game_tree(root, lambda node: node.children, _encoded)
    written: bytes = sgf_grammar.serialise_game_tree(coarse)
    return written.decode("utf-8")


def _encoded(node: OutNode) -> dict[str, list[bytes]]:
    return {
        name: [value.encode("utf-8") for value in values]
        for name, values in node.properties.items()
    }
