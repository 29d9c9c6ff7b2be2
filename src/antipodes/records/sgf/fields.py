"""Reader of single SGF properties; errors are noted with the place of their node."""

from __future__ import annotations

import math
from typing import Any

from antipodes.errors import Fault, InvalidRecordError
from antipodes.notation.text import shorten
from antipodes.records import json_text
from antipodes.records.draft import DraftNode
from antipodes.records.sgf import names
from antipodes.records.sgf.grammar import Properties, SgfNode, read_text
from antipodes.records.texts import MAX_SECONDS, plain_data
from antipodes.records.tree import Mark

_MARKS = {pair: mark for mark, pair in names.MARKS.items()}


class Fields:
    """The properties of one node, taken out one by one; the rest is not understood."""

    def __init__(self, node: SgfNode, faults: list[Fault]) -> None:
        """Look at a node; its properties themselves stay as they are."""
        self.where = node.where
        self.left: Properties = dict(node.properties)
        self._faults = faults

    def note_fault(self, template: str, code: str = "record/sgf-value", **values: object) -> None:
        """Note what is wrong, with the values of the template."""
        self._faults.append(Fault.of(code, template, where=self.where, **values))

    def all(self, name: str) -> list[str]:
        """Take out all values of a property."""
        return [read_text(value) for value in self.left.pop(name, ())]

    def one(self, name: str) -> str | None:
        """Take out the value of a property that has one, or return ``None``."""
        values = self.all(name)
        if len(values) > 1:
            self.note_fault(
                "{name} has {count} values, but must have one", name=name, count=len(values)
            )
        return values[0] if values else None

    def text(self, name: str) -> str:
        """Take out a text; empty if it is not there."""
        return self.one(name) or ""

    def seconds(self, name: str) -> float | None:
        """Take out a time."""
        value = self.one(name)
        if value is None:
            return None
        try:
            seconds = float(value)
        except ValueError:
            seconds = math.nan
        if not 0 <= seconds <= MAX_SECONDS:
            self.note_fault(
                "{name} is {value}, but must be seconds from 0 to 1000000000",
                name=name,
                value=shorten(value),
            )
            return None
        return seconds

    def data(self, name: str) -> Any:
        """Take out JSON data, or return ``None``."""
        value = self.one(name)
        if value is None:
            return None
        try:
            return plain_data(json_text.parse(value), name)
        except InvalidRecordError as error:
            reasons = tuple(fault.phrase for fault in error.faults)
            self.note_fault("{name} holds no data: {reasons}", name=name, reasons=reasons)
            return None

    def mark(self) -> Mark | None:
        """Take out a judgement of the move."""
        found = [name for name in sorted(names.MARK_NAMES) if name in self.left]
        if len(found) > 1:
            self.note_fault("{names} judge the same move", names=tuple(found))
        if not found:
            return None
        value = self.text(found[0]).strip()
        plain = "" if found[0] in ("DO", "IT") else "1"
        return _MARKS[found[0], "2" if value == "2" and plain else plain]

    def read_notes(self, notes: DraftNode, letter: str, title: str, *, root: bool) -> None:
        """Add what the node says about its move to the notes; keep what is not understood."""
        self._read_comment(notes)
        left = self.seconds(names.time_property(letter))
        if letter:
            other = self.seconds(names.TIME_LEFT)
            left = other if left is None else left
        notes.time_left = notes.time_left if left is None else left
        spent = self.seconds(names.TIME_SPENT)
        notes.time_spent = notes.time_spent if spent is None else spent
        notes.mark = self.mark() or notes.mark
        self._read_extra(notes, title, root=root)

    def _read_comment(self, notes: DraftNode) -> None:
        comment = self.text("C")
        if not notes.comment:
            notes.comment = comment
        elif comment:
            notes.more_comments.append(comment)

    def _read_extra(self, notes: DraftNode, title: str, *, root: bool) -> None:
        data = self.data(names.NODE_EXTRA)
        if data is not None and not isinstance(data, dict):
            self.note_fault("{name} must hold an object", name=names.NODE_EXTRA)
            data = None
        # Many nodes may speak of one move, so that its data are added to and never copied.
        notes.extra.update(data or {})
        others = {
            name: values
            for name, values in self.left.items()
            if not (root and names.is_ours(name, values, title))
        }
        if not others:
            return
        before = notes.extra.setdefault("sgf", {})
        if isinstance(before, dict):
            before.update(others)
        else:
            notes.extra["sgf"] = others
