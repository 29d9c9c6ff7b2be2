"""Records of chapters in memory, kept up to date by the edits that were made since."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from antipodes.games.position import Position
from antipodes.records import Node, Record, to_json
from antipodes.records.json_format import from_json
from antipodes.web.analysis.position_queries import Line
from antipodes.web.studies.edits import apply, shapes_of
from antipodes.web.studies.models import ChapterRow

_KEPT = 64  # chapters in memory


@dataclass(slots=True)
class Chapter:
    """A chapter's record with the number of its edits; one thread has it at a time.

    Attributes:
        record: the tree of moves.
        edits: number of edits that it has.
        view: the tree as JSON, if it was written since the last edit.
    """

    record: Record
    edits: int
    view: str | None = None


class _Chapters:
    """Chapters that no thread has now, the latest used last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._chapters: OrderedDict[str, Chapter] = OrderedDict()

    def take(self, key: str) -> Chapter | None:
        """Take a chapter out."""
        with self._lock:
            return self._chapters.pop(key, None)

    def put(self, key: str, chapter: Chapter) -> None:
        """Put a chapter back, unless a newer one was put there meanwhile."""
        with self._lock:
            known = self._chapters.get(key)
            if known is None or known.edits <= chapter.edits:
                self._chapters[key] = chapter
                self._chapters.move_to_end(key)
            while len(self._chapters) > _KEPT:
                self._chapters.popitem(last=False)


_chapters = _Chapters()


@contextmanager
def opened(row: ChapterRow) -> Iterator[Chapter]:
    """Yield a chapter with all edits that the row counts; after an error it is read again."""
    key = f"{row.study.slug}/{row.number}"
    chapter = _chapters.take(key)
    # A chapter in memory is ahead of the row if its last edit was rolled back.
    if chapter is None or chapter.edits > row.edits:
        chapter = Chapter(from_json(row.data), row.data_edits)
    for edit in row.edit_rows.filter(number__gte=chapter.edits, number__lt=row.edits):
        apply(chapter.record, edit.data)
        chapter.edits, chapter.view = edit.number + 1, None
    yield chapter
    _chapters.put(key, chapter)


def record_text(record: Record) -> str:
    """Return a record as it is stored."""
    return to_json(record)


def record_of(row: ChapterRow) -> Record:
    """Return a copy of a chapter's record, under the title of the chapter."""
    with opened(row) as chapter:
        record = from_json(to_json(chapter.record))
    record.event = record.event or row.title
    return record


def tree_json(row: ChapterRow) -> str:
    """Return a chapter's tree as JSON for pages: see `tree_view`."""
    with opened(row) as chapter:
        if chapter.view is None:
            view = {"edits": chapter.edits, "nodes": tree_view(chapter.record)}
            chapter.view = json.dumps(view, separators=(",", ":"))
        return chapter.view


def tree_view(record: Record) -> list[dict[str, Any]]:
    """Return the nodes of a tree, each after its parent; the first one is the start.

    ``parent`` is the index of a node's parent; ``move``, ``text`` and ``color`` are those of its
    move. ``comment``, ``mark`` and ``shapes`` are left out where there are none.
    """
    nodes: list[dict[str, Any]] = []
    todo: list[tuple[Node, int, Position | None]] = [(record.root, -1, None)]
    while todo:
        node, parent, before = todo.pop()
        view = notes_view(record, node)
        position: Position = record.root.position
        if before is not None and node.move is not None:
            view.update(move_view(before, node.move), parent=parent)
            position = before.play(node.move)
        todo.extend((child, len(nodes), position) for child in reversed(node.children))
        nodes.append(view)
    return nodes


def move_view(before: Position, move: int) -> dict[str, Any]:
    """Return a move with its text and the colour that makes it."""
    text = before.format_move(move)
    return {"move": int(move), "text": text, "color": before.to_move.value}


def notes_view(record: Record, node: Node) -> dict[str, Any]:
    """Return comment, mark and shapes of a node, as far as there are any."""
    view: dict[str, Any] = {}
    if node.comment:
        view["comment"] = node.comment
    if node.mark is not None:
        view["mark"] = node.mark.value
    if shapes := shapes_of(record, node):
        view["shapes"] = shapes
    return view


def board_of(row: ChapterRow) -> dict[str, Any]:
    """Return game, options and setup of a chapter for its board."""
    record = record_of(row)
    line = Line.of(record.game, record.start)
    return {
        "game": record.game,
        "options": urlencode(record.game.options.changed()),
        "setup": line.setup_text,
    }
