"""Edits of a chapter: parsed, checked, and applied to its record.

A node is named by the moves that lead to it. So writers who add the same move at the same time add
one node, and edits of different nodes never disturb each other. An edit that would overwrite what
its writer has not seen is refused: a comment that has changed, or a branch that has grown.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

from antipodes.errors import Fault, InputError, MoveError
from antipodes.records import Mark, Node, Record
from antipodes.web.platform.limits import count_limit
from antipodes.web.studies.schemas import SHAPES, Edit, wrong

MOVES = count_limit("study-moves", 3_000, per="chapter", what="moves of a study, with variations")
_MOST_SHAPES = 64  # on one position


def find_node(record: Record, path: list[int]) -> Node | None:
    """Return the node after some moves, or ``None``."""
    node = record.root
    for move in path:
        found = next((child for child in node.children if child.move == move), None)
        if found is None:
            return None
        node = found
    return node


def place_of(path: Sequence[int]) -> str:
    """Return a short name of the node after some moves."""
    return _place("".join(f"{move}," for move in path)).hexdigest()


def comment_places(record: Record) -> Iterator[str]:
    """Yield the names of the nodes that have comments."""
    todo = [(record.root, _place(""))]
    while todo:
        node, place = todo.pop()
        if node.comment:
            yield place.hexdigest()
        for child in node.children:
            assert child.move is not None
            # Continue the parent's hash: hashing whole paths takes the square of the depth.
            after = place.copy()
            after.update(b"%d," % child.move)
            todo.append((child, after))


def _place(moves: str) -> hashlib.blake2b:
    return hashlib.blake2b(moves.encode(), digest_size=16)


def size_of(node: Node) -> int:
    """Return the number of nodes from a node on."""
    return sum(1 for _ in node.walk())


def apply(record: Record, edit: Edit) -> bool:
    """Apply an edit to a record; return whether anything changed.

    Raises:
        InputError: the edit refers to a move that was removed, would overwrite what its writer has
            not seen, is not legal, or goes beyond a limit; nothing has changed.
    """
    node = find_node(record, edit["path"])
    if node is None:
        raise InputError([Fault("studies/gone", "another writer has removed this move")])
    change = _CHANGES[edit["kind"]]
    return change(record, node, edit)


def _add(record: Record, node: Node, edit: Edit) -> bool:
    if any(child.move == edit["move"] for child in node.children):
        return False
    # The root is a node without a move, so this refuses the move above the limit.
    if size_of(record.root) > MOVES.value:
        fault = Fault.of(
            "studies/full", "a chapter has at most {most} moves; begin another", most=MOVES.value
        )
        raise InputError([fault])
    try:
        node.play(edit["move"])
    except MoveError as error:
        raise InputError(error.faults) from None
    return True


def _comment(_record: Record, node: Node, edit: Edit) -> bool:
    if node.comment == edit["text"]:
        return False
    if edit.get("before", node.comment) != node.comment:  # a stored edit has none
        fault = Fault("studies/changed", "another writer has changed this comment meanwhile")
        raise InputError([fault])
    node.comment = edit["text"]
    return True


def _mark(_record: Record, node: Node, edit: Edit) -> bool:
    mark = edit["mark"] and Mark(edit["mark"])
    if node.parent is None or node.mark == mark:
        return False
    node.mark = mark
    return True


def _shape(record: Record, node: Node, edit: Edit) -> bool:
    kind, *cells = edit["shape"]
    board = record.game.topology
    if any(cell >= board.cell_count for cell in cells):
        raise wrong("shape", edit["shape"])
    shapes = shapes_of(record, node)
    if ([kind, *cells] in shapes) == edit["on"]:
        return False
    if edit["on"] and len(shapes) >= _MOST_SHAPES:
        fault = Fault.of("studies/full", "a position has at most {most} shapes", most=_MOST_SHAPES)
        raise InputError([fault])
    others = dict(node.extra.get("sgf", {}))
    points = list(others.pop(SHAPES[kind], []))
    text = ":".join(board.name(cell) for cell in cells)
    points = [*points, text] if edit["on"] else [one for one in points if one != text]
    # No empty entry stays behind: a shape that is switched on and off leaves no trace.
    if points:
        others[SHAPES[kind]] = points
    extra = {name: value for name, value in node.extra.items() if name != "sgf"}
    node.extra = {**extra, "sgf": others} if others else extra
    return True


def _promote(_record: Record, node: Node, _edit: Edit) -> bool:
    changed = False
    # Each move of the line comes first, or the node would still be in a variation.
    for one in node.path():
        changed = changed or (one.parent is not None and one.parent.children[0] is not one)
        one.promote()
    return changed


def _remove(record: Record, node: Node, edit: Edit) -> bool:
    if node is record.root:
        raise wrong("path", [])
    if size_of(node) > edit["seen"]:
        fault = Fault("studies/changed", "another writer has added moves after this one")
        raise InputError([fault])
    node.remove()
    return True


_CHANGES = {
    "add": _add,
    "comment": _comment,
    "mark": _mark,
    "shape": _shape,
    "promote": _promote,
    "remove": _remove,
}


def shapes_of(record: Record, node: Node) -> list[Any]:
    """Return the shapes on a node's position: a kind, and one cell, or two for an arrow."""
    stored = node.extra.get("sgf", {})
    found = []
    for kind, name in SHAPES.items():
        for text in stored.get(name, []) if isinstance(stored, dict) else []:
            cells = [record.game.topology.cell(point) for point in str(text).split(":")]
            if None not in cells and len(cells) == 1 + (kind == "arrow"):
                found.append([kind, *cells])
    return found
