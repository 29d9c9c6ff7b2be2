"""What text and clock times in a record may be, so that every format can carry them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from antipodes.errors import Fault, InvalidRecordError

MAX_SECONDS = 1e9
MAX_DEPTH = 32

_LINE_ENDS = re.compile("\r\n|\n\r|\r")
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_BROKEN = re.compile("[\ud800-\udfff]")


def clean_text(text: str) -> str:
    """Return text with plain line ends, without control characters and half characters.

    Half characters (lone surrogates) cannot be written to a file; they become U+FFFD.
    """
    text = _UNPRINTABLE.sub("", _LINE_ENDS.sub("\n", text))
    return _BROKEN.sub("\ufffd", text)


def clean_line(text: str) -> str:
    """Return text as one line: line ends and tabs become spaces, ends are stripped."""
    return re.sub("[\n\t]", " ", clean_text(text)).strip()


def clean_seconds(value: float | None, name: str) -> float | None:
    """Return a clock time in seconds, kept to the millisecond.

    Raises:
        ValueError: it is negative, not finite or longer than thirty years.
    """
    if value is None:
        return None
    seconds = float(value)
    if not math.isfinite(seconds) or not 0 <= seconds <= MAX_SECONDS:
        raise ValueError(f"{name} is {value!r}, but must be seconds from 0 to {MAX_SECONDS:.0f}")
    return round(seconds, 3)


def seconds_text(seconds: float) -> str:
    """Write seconds without an exponent and without zeros at the end."""
    return f"{seconds:.3f}".rstrip("0").rstrip(".")


def plain_data(value: object, where: str) -> object:
    """Return a copy of data that JSON can carry, with names in order: formats store it in theirs.

    Raises:
        InvalidRecordError: it holds something that JSON does not know, or is nested too deep.
    """
    faults = list(_data_faults(value, where))
    if faults:
        raise InvalidRecordError(faults)
    return _copied(value)


def _data_faults(value: object, where: str) -> Iterator[Fault]:
    todo: list[tuple[object, str, int]] = [(value, where, 1)]
    while todo:
        item, place, depth = todo.pop()
        if depth > MAX_DEPTH:
            message = f"data is nested more than {MAX_DEPTH} deep"
            yield Fault("record/too-deep", message, place)
        elif isinstance(item, dict):
            for key, inner in item.items():
                if not isinstance(key, str):
                    message = f"the name {key!r} is not a text"
                    yield Fault("record/not-data", message, place)
                todo.append((inner, f"{place}.{key}", depth + 1))
        elif isinstance(item, list | tuple):
            todo.extend((inner, f"{place}[{i}]", depth + 1) for i, inner in enumerate(item))
        elif isinstance(item, float) and not math.isfinite(item):
            yield Fault("record/not-data", f"{item!r} is not a number that can be kept", place)
        elif not isinstance(item, str | int | float | None):
            message = f"a value of type {type(item).__name__} cannot be kept in a record"
            yield Fault("record/not-data", message, place)


def _copied(value: object) -> object:
    """Copy checked data; its depth is bounded."""
    if isinstance(value, dict):
        mended = ((_BROKEN.sub("\ufffd", key), _copied(inner)) for key, inner in value.items())
        return dict(sorted(mended, key=lambda item: item[0]))
    if isinstance(value, list | tuple):
        return [_copied(inner) for inner in value]
    return _BROKEN.sub("\ufffd", value) if isinstance(value, str) else value
