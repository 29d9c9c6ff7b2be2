"""The tree of a record: nodes with their moves, notes and variations."""

# Nodes of one tree work on each other's parts.
# ruff: noqa: SLF001

from __future__ import annotations

import weakref
from collections.abc import Iterator
from enum import StrEnum
from typing import Any

from antipodes.core import Move
from antipodes.core.array_cache import ArrayCache
from antipodes.core.move import move_number
from antipodes.games.position import Position
from antipodes.records.texts import clean_seconds, clean_text

# The latest positions of all trees together. All positions of a tree would be a lot of memory:
# a board of Hex of size 26 has 16 kB, and a file may have thousands of moves. A walk through a
# tree finds nearly all that it needs here, and replays the others.
_latest: ArrayCache[int, Position] = ArrayCache(16 * 1024 * 1024)


class Mark(StrEnum):
    """An annotator's judgement of a move."""

    VERY_GOOD = "very-good"
    GOOD = "good"
    INTERESTING = "interesting"
    DOUBTFUL = "doubtful"
    BAD = "bad"
    VERY_BAD = "very-bad"


class Notes:
    """Notes on a move; texts and times are cleaned when they are set.

    Attributes:
        comment: any text, several lines if need be.
        time_left: seconds on the mover's clock after the move, or ``None``; to the millisecond.
        time_spent: seconds the mover took for it, or ``None``.
        mark: a judgement of the move, or ``None``.
        extra: what other programs wrote here and we do not understand; data that JSON can carry.
    """

    __slots__ = ("comment", "extra", "mark", "time_left", "time_spent")

    comment: str
    time_left: float | None
    time_spent: float | None
    mark: Mark | None
    extra: dict[str, Any]

    def __init__(self) -> None:
        self._set("", None, None, None, {})

    def __setattr__(self, name: str, value: Any) -> None:
        """Clean texts and check times.

        Raises:
            ValueError: a clock time is negative or not a finite number.
        """
        if name == "comment":
            value = clean_text(value)
        elif name in ("time_left", "time_spent"):
            value = clean_seconds(value, name)
        elif name == "mark" and value is not None:
            value = Mark(value)
        object.__setattr__(self, name, value)

    def copy_notes(self, source: Notes) -> None:
        """Take over the notes of another node."""
        times = source.time_left, source.time_spent
        self._set(source.comment, *times, source.mark, dict(source.extra))

    def _set(
        self,
        comment: str,
        time_left: float | None,
        time_spent: float | None,
        mark: Mark | None,
        extra: dict[str, Any],
    ) -> None:
        """Set notes that are clean, at less cost for large trees."""
        put = object.__setattr__
        put(self, "comment", comment)
        put(self, "time_left", time_left)
        put(self, "time_spent", time_spent)
        put(self, "mark", mark)
        put(self, "extra", extra)

    def same_notes(self, other: Notes) -> bool:
        """Tell whether two nodes say the same about their moves."""
        return all(getattr(self, name) == getattr(other, name) for name in Notes.__slots__)


class Node(Notes):
    """A place in a record: the move that led to it, notes about it and what came after.

    The first child continues the main line, the others are variations. Moves are checked when
    they are added, so a tree never holds an illegal one. The root has no move.
    """

    __slots__ = ("__weakref__", "_children", "_move", "_parent", "_position")

    def __init__(self, start: Position) -> None:
        """Make a root; other nodes are made by ``add`` and ``play``."""
        super().__init__()
        self._move: Move | None = None
        self._parent: Node | None = None
        self._children: list[Node] = []
        self._position: Any = lambda: start

    @property
    def move(self) -> Move | None:
        """The move that led here; ``None`` at the root."""
        return self._move

    @property
    def parent(self) -> Node | None:
        """The node before; ``None`` at the root."""
        return self._parent

    @property
    def children(self) -> tuple[Node, ...]:
        """The nodes after; the first one continues the main line."""
        return tuple(self._children)

    @property
    def next(self) -> Node | None:
        """The first child, or ``None`` at the end of a line."""
        return self._children[0] if self._children else None

    @property
    def depth(self) -> int:
        """Moves from the root to here."""
        return sum(1 for _ in self.path())

    @property
    def position(self) -> Position:
        """The position after the move, replayed if it is not in memory."""
        missing = []
        node: Node = self
        while (known := node._position()) is None:
            missing.append(node)
            assert node._parent is not None
            node = node._parent
        position: Position = known
        for node in reversed(missing):
            assert node._move is not None
            position = position.play(node._move)
            node._keep(position)
        return position

    def _keep(self, position: Position) -> None:
        """Remember the position of this node as long as it is referenced or among the latest."""
        self._position = weakref.ref(position)
        _latest.get(id(position), lambda: position)

    @property
    def text(self) -> str:
        """The move as text; empty at the root."""
        if self._parent is None or self._move is None:
            return ""
        return self._parent.position.format_move(self._move)

    def add(self, move: int | str) -> Node:
        """Append a new child, also where one with the same move is already there.

        Raises:
            IllegalMoveError: the rules do not allow the move; nothing has changed.
            InvalidMoveError: the text is not a move of this game.
        """
        return self._append(self.position, self._checked(move))

    def play(self, move: int | str) -> Node:
        """Return the child with this move, appended if it is not yet there.

        Raises:
            IllegalMoveError: the rules do not allow the move; nothing has changed.
            InvalidMoveError: the text is not a move of this game.
        """
        checked = self._checked(move)
        for child in self._children:
            if child._move == checked:
                return child
        return self._append(self.position, checked)

    def _checked(self, move: int | str) -> Move:
        return self.position.parse_move(move) if isinstance(move, str) else Move(move_number(move))

    def _append(self, position: Position, move: Move) -> Node:
        after = position.play(move)
        child = Node(after)
        child._move = move
        child._parent = self
        child._keep(after)
        self._children.append(child)
        return child

    def promote(self) -> None:
        """Make this node its parent's first child, so that it continues the main line."""
        if self._parent is not None:
            siblings = self._parent._children
            siblings.remove(self)
            siblings.insert(0, self)

    def remove(self) -> None:
        """Cut this node, and all after it, out of its tree; the root stays where it is."""
        if self._parent is not None:
            start = self.position
            self._parent._children.remove(self)
            self._parent = None
            self._position = lambda: start

    def take_apart(self) -> None:
        """Free the memory of a tree that is not used any more.

        Parents and children refer to each other, so that only a full garbage collection would free
        it, which is rare in a server that has to answer at once.
        """
        for node in list(self.walk()):
            node._children.clear()

    def path(self) -> Iterator[Node]:
        """Yield the nodes from the root's first move to here; nothing for the root."""
        nodes = []
        node = self
        while node._parent is not None:
            nodes.append(node)
            node = node._parent
        return reversed(nodes)

    def line(self) -> Iterator[Node]:
        """Yield the nodes after this one along first children."""
        node = self.next
        while node is not None:
            yield node
            node = node.next

    def walk(self) -> Iterator[Node]:
        """Yield this node and all after it, main line first, each before its children."""
        todo = [self]
        while todo:
            node = todo.pop()
            yield node
            todo.extend(reversed(node._children))

    def same_tree(self, other: Node) -> bool:
        """Tell whether two trees have the same moves, notes and order of variations."""
        todo = [(self, other)]
        while todo:
            mine, theirs = todo.pop()
            if mine._move != theirs._move or not mine.same_notes(theirs):
                return False
            if len(mine._children) != len(theirs._children):
                return False
            todo.extend(zip(mine._children, theirs._children, strict=True))
        return True

    def __repr__(self) -> str:
        """Show the move and how many continuations there are."""
        return f"<Node {self.text or 'root'}, {len(self._children)} after it>"
