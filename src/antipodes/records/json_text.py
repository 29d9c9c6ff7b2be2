"""JSON text to data and back: the grammar layer, which knows nothing of games."""

from __future__ import annotations

import json
import re
from typing import Any

from antipodes.errors import Fault, InvalidRecordError
from antipodes.notation.text import shorten
from antipodes.records.texts import MAX_DEPTH

_DEEPEST = MAX_DEPTH + 8  # the levels around the deepest place of extra data
_TEXTS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\Z)', re.DOTALL)
_BRACKETS = re.compile(r"[\[\]{}]")
# Halves of characters (lone surrogates) and NUL: no file and no database stores them.
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


class _NotANumberError(ValueError):
    """NaN or Infinity, which Python would read."""


def parse(text: str | bytes) -> object:
    """Read JSON text as data; bytes are UTF-8.

    Raises:
        InvalidRecordError: with line and column where it is not JSON; or it has a name twice, a
            number that is none, a character that cannot be stored, or is nested too deep.
    """
    if isinstance(text, bytes):
        text = _decoded(text)
    twice: list[str] = []

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            twice.extend(sorted({name for name in names if names.count(name) > 1}))
        return found

    _check_depth(text)
    try:
        data = json.loads(text, object_pairs_hook=unique, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        fault = Fault.of(
            "record/not-json", "this is not JSON: {reason}", where=where, reason=error.msg
        )
        raise InvalidRecordError([fault]) from None
    except _NotANumberError as error:
        fault = Fault.of(
            "record/not-json",
            "this is not JSON: {value} is not a number that JSON knows",
            value=str(error),
        )
        raise InvalidRecordError([fault]) from None
    except ValueError:
        # Python refuses to read whole numbers of thousands of digits.
        fault = Fault("record/not-json", "a number has far too many digits")
        raise InvalidRecordError([fault]) from None
    if twice:
        names = tuple(shorten(name) for name in twice[:5])
        fault = Fault.of("record/name-twice", "{names} is there twice in one object", names=names)
        raise InvalidRecordError([fault])
    if "\\u" in text or _UNSTORABLE.search(text):
        _check_characters(data)
    return data


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        fault = Fault.of(
            "record/not-json",
            "this is not JSON: byte {number} is not UTF-8",
            number=error.start + 1,
        )
        raise InvalidRecordError([fault]) from None


def _check_characters(data: object) -> None:
    """Refuse texts and names that cannot be stored; the depth of the data is bounded."""
    if isinstance(data, str) and (unstorable := _UNSTORABLE.search(data)):
        fault = Fault.of(
            "record/character",
            "{text} has a character that cannot be stored: {character}",
            text=shorten(data),
            character=f"U+{ord(unstorable[0]):04X}",
        )
        raise InvalidRecordError([fault])
    if isinstance(data, dict):
        data = [*data, *data.values()]
    if isinstance(data, list):
        for inner in data:
            _check_characters(inner)


def _refuse_constant(name: str) -> None:
    raise _NotANumberError(name)


def _check_depth(text: str) -> None:
    """Refuse deep nesting before it is parsed: versions of Python differ in how deep they go."""
    if text.count("[") + text.count("{") <= _DEEPEST:
        return
    depth = 0
    for bracket in _BRACKETS.finditer(_TEXTS.sub("", text)):
        depth += 1 if bracket[0] in "[{" else -1
        if depth > _DEEPEST:
            raise InvalidRecordError(
                [
                    Fault.of(
                        "record/too-deep",
                        "brackets are nested more than {most} deep",
                        most=_DEEPEST,
                    )
                ]
            )


def write(data: dict[str, Any]) -> str:
    """Write a record's data, a move or a head line to a line, with a line end at the end."""
    parts = []
    for name, value in data.items():
        if name in ("moves", "variations"):
            lines = ",\n".join(f"    {_compact(item)}" for item in value)
            shown = f"[\n{lines}\n  ]" if value else "[]"
        else:
            shown = _compact(value)
        parts.append(f"  {_compact(name)}: {shown}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
