"""Chapters in memory: their records, kept up to date by edits, and files written of them."""

from __future__ import annotations

import json
import sys
import threading
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import Http404

from antipodes.core.array_cache import ArrayCache
from antipodes.errors import InputError
from antipodes.games.position import Position
from antipodes.games.registry import make_game
from antipodes.records import Node, Record, to_json
from antipodes.records.json_format import from_data, moves_in, read_setup
from antipodes.web.analysis.position_queries import Line
from antipodes.web.studies.edits import apply, shapes_of
from antipodes.web.studies.models import ChapterRow, EditRow
from antipodes.web.studies.reading_costs import Charge, free
from antipodes.web.studies.schemas import NodeMoveOut, NodeOut

_KEPT = 16 * 1024 * 1024  # bytes of chapters in memory
_BYTES_OF_NODE = 500
_BYTES_OF_CHARACTER = 4  # of a comment
_BYTES_OF_SHAPE = 16  # for each character of its text
_BYTES_OF_MOVE = 2_048  # of a text, which cost as much to send as a move to read
_BYTES_OF_PART = 64 * 1024  # of a text that is sent


@dataclass(slots=True)
class Chapter:
    """A chapter's record with the number of its edits; one thread has it at a time.

    Attributes:
        record: the tree of moves.
        edits: number of edits that it has.
        size: number of its nodes; one more than it has moves.
    """

    record: Record
    edits: int
    size: int


class _Chapters:
    """Chapters that no thread has now, the latest used last, up to a number of bytes."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._chapters: OrderedDict[str, tuple[Chapter, int]] = OrderedDict()
        self._nbytes = 0

    def take(self, key: str) -> Chapter | None:
        with self._lock:
            return self._remove(key)

    def put(self, key: str, chapter: Chapter) -> None:
        """Put a chapter back, unless a newer one was put there meanwhile."""
        nbytes = _size_in_memory(chapter.record)
        dropped: list[Chapter | None] = []
        with self._lock:
            known = self._chapters.get(key)
            if known is not None and known[0].edits > chapter.edits:
                dropped.append(chapter)
            else:
                dropped.append(self._remove(key))
                self._chapters[key] = chapter, nbytes
                self._nbytes += nbytes
            while self._nbytes > _KEPT and len(self._chapters) > 1:
                dropped.append(self._remove(next(iter(self._chapters))))
        # Without the lock: it takes as long as a tree has moves.
        for unused in filter(None, dropped):
            unused.record.root.take_apart()

    def _remove(self, key: str) -> Chapter | None:
        chapter, nbytes = self._chapters.pop(key, (None, 0))
        self._nbytes -= nbytes
        return chapter


def _size_in_memory(record: Record) -> int:
    """Return about how many bytes the nodes of a record have in memory, without positions."""
    nbytes = 0
    for node in record.walk():
        nbytes += _BYTES_OF_NODE + _BYTES_OF_CHARACTER * len(node.comment)
        if node.extra:
            nbytes += _BYTES_OF_SHAPE * len(repr(node.extra))
    return nbytes


_chapters = _Chapters()


@contextmanager
def opened(row: ChapterRow, charge: Charge = free) -> Iterator[Chapter]:
    """Yield a chapter with all edits that the row counts.

    It stays in memory after a refused edit, which has changed nothing; after any other error it is
    read again.

    Args:
        row: the chapter.
        charge: called with the number of its moves before they are read from the database; it may
            raise.
    """
    key = _key_of(row)
    chapter = _chapters.take(key)
    # A chapter in memory is ahead of the row if its last edit was rolled back.
    if chapter is not None and chapter.edits > row.edits:
        chapter.record.root.take_apart()
        chapter = None
    if chapter is None:
        chapter = _read(row, charge)
    catch_up(chapter, row, charge)
    try:
        yield chapter
    except InputError:
        _chapters.put(key, chapter)
        raise
    _chapters.put(key, chapter)


def _key_of(row: ChapterRow) -> str:
    return f"{row.study.slug}/{row.number}"


def _read(row: ChapterRow, charge: Charge) -> Chapter:
    """Read a chapter as it was last written.

    Raises:
        ChapterRow.DoesNotExist: it was deleted meanwhile.
    """
    data, edits = _stored(row)
    moves = moves_in(data)
    try:
        charge(moves)
    except InputError:
        data.clear()  # errors from threads stay in memory, with this frame, for a while
        raise
    return Chapter(from_data(data), edits, moves + 1)


def _stored(row: ChapterRow) -> tuple[dict[str, Any], int]:
    # Both in one query: another writer may write the chapter again at any time.
    text, edits = ChapterRow.objects.values_list("data", "data_edits").get(pk=row.pk)
    return json.loads(text), edits


def catch_up(chapter: Chapter, row: ChapterRow, charge: Charge = free) -> None:
    """Apply the edits that a row counts and a chapter lacks, or read it if they are gone."""
    edits = _edits_between(chapter, row)
    if len(edits) < row.edits - chapter.edits:
        latest = _read(row, charge)
        chapter.record.root.take_apart()
        chapter.record, chapter.edits, chapter.size = latest.record, latest.edits, latest.size
        edits = _edits_between(chapter, row)
    for edit in edits:
        apply(chapter.record, edit.data)
        chapter.edits = edit.number + 1


def _edits_between(chapter: Chapter, row: ChapterRow) -> list[EditRow]:
    if chapter.edits >= row.edits:
        return []
    return list(row.edit_rows.filter(number__gte=chapter.edits, number__lt=row.edits))


def record_text(record: Record) -> str:
    return to_json(record)


# Files, trees and parts of pages that were written.


@dataclass(frozen=True, slots=True)
class Piece:
    """A chapter in some form: a file, a tree for boards, or a part of a page.

    Moves in rows compress to a tenth and less, so that answers to many readers take little memory.

    Attributes:
        data: the form as text in UTF-8, compressed.
        size: number of bytes of this text.
        edits: number of edits that it has.
    """

    data: bytes
    size: int
    edits: int

    @classmethod
    def of_text(cls, text: str, edits: int) -> Piece:
        encoded = text.encode()
        return cls(zlib.compress(encoded), len(encoded), edits)

    @property
    def text(self) -> str:
        return zlib.decompress(self.data).decode()

    @property
    def nbytes(self) -> int:
        """Bytes in memory."""
        return sys.getsizeof(self.data)

    def parts(self) -> Iterator[bytes]:
        """Yield the bytes of the text in small parts."""
        reader, rest = zlib.decompressobj(), self.data
        while part := reader.decompress(rest, _BYTES_OF_PART):
            yield part
            rest = reader.unconsumed_tail


_pieces: ArrayCache[tuple[str, int, str, str], Piece] = ArrayCache(16 * 1024 * 1024)


def piece(
    row: ChapterRow, form: str, write: Callable[[Record], str], charge: Charge = free
) -> Piece:
    """Return a chapter in a form, written if that has not been done since its last edit.

    Args:
        row: the chapter.
        form: name of the form; texts in several languages are several forms.
        write: writes a record, which has the title of the chapter; it must not change it.
        charge: called with the number of moves that are read or written; it may raise.

    Raises:
        Http404: the chapter was deleted meanwhile.
    """

    def make() -> Piece:
        with opened(row, charge) as chapter:
            charge(chapter.size // 2)
            # A shallow copy for the title: the tree is shared with the chapter.
            record = copy(chapter.record)
            record.event = record.event or row.title
            return Piece.of_text(write(record), chapter.edits)

    try:
        written = _pieces.get((_key_of(row), row.edits, row.title, form), make)
    except ChapterRow.DoesNotExist:
        raise Http404("this chapter was deleted") from None
    charge(written.size // _BYTES_OF_MOVE)
    return written


def tree_of(row: ChapterRow, charge: Charge = free) -> Piece:
    """Return a chapter's tree as JSON for pages: see `tree_view`."""

    def write(record: Record) -> str:
        return json.dumps(tree_view(record), separators=(",", ":"))

    return piece(row, "tree", write, charge)


def tree_parts(tree: Piece) -> Iterator[bytes]:
    """Yield the parts of a chapter's tree with the number of its edits as JSON."""
    yield b'{"edits":%d,"nodes":' % tree.edits
    yield from tree.parts()
    yield b"}"


def tree_view(record: Record) -> list[NodeOut]:
    """Return the nodes of a tree, each after its parent; the first one is the start."""
    nodes: list[NodeOut] = []
    todo = [(record.root, -1)]
    while todo:
        node, parent = todo.pop()
        view = notes_view(record, node)
        if node.parent is not None and node.move is not None:
            view = {**view, **move_view(node.parent.position, node.move), "parent": parent}
        todo.extend((child, len(nodes)) for child in reversed(node.children))
        nodes.append(view)
    return nodes


def move_view(before: Position, move: int) -> NodeMoveOut:
    """Return a move with its text and the colour that makes it."""
    text = before.format_move(move)
    return {"move": int(move), "text": text, "color": before.to_move.value}


def notes_view(record: Record, node: Node) -> NodeOut:
    """Return comment, mark and shapes of a node, as far as there are any."""
    view: NodeOut = {}
    if node.comment:
        view["comment"] = node.comment
    if node.mark is not None:
        view["mark"] = node.mark
    if shapes := shapes_of(record, node):
        view["shapes"] = shapes
    return view


def board_of(row: ChapterRow) -> dict[str, Any]:
    """Return game, options and setup of a chapter for its board.

    They never change, and need no move of the chapter.
    """
    key = (_key_of(row), 0, "", "board")
    board = json.loads(_pieces.get(key, lambda: Piece.of_text(_board_text(row), 0)).text)
    game = make_game(board["game"], board.pop("all_options"))
    return {**board, "game": game}


def _board_text(row: ChapterRow) -> str:
    data = json.loads(row.data)
    game = make_game(data["game"], data["options"])
    start = read_setup(data["start"]) if "start" in data else None
    board = {
        "game": game.id,
        "all_options": data["options"],
        "options": urlencode(game.options.changed()),
        "setup": Line.of(game, start).setup_text,
    }
    return json.dumps(board)
