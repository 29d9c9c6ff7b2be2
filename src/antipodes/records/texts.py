"""Limits of text and clock times in a record, so that every format can carry them."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator

from antipodes.errors import Fault, InvalidRecordError

MAX_SECONDS = 1e9
MAX_DEPTH = 32

_LINE_ENDS = re.compile("\r\n|\n\r|[\r\x85\u2028\u2029]")
_BROKEN = re.compile("[\ud800-\udfff]")
# Control characters, and format characters (Unicode's category Cf) that show nothing: with them a
# text could look like another one, or turn the direction of what follows. The few format
# characters that do show, such as the Arabic number sign, and joiners stay.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0001\U000e0020-\U000e007f]"
)
# Zero-width non-joiner and joiner: emoji are composed with the latter, and Arabic and Indian
# scripts need both; between letters of other scripts they show nothing.
_JOINERS = re.compile("[\u200c\u200d]+")
_FIRST_JOINED = "\u0600"  # Arabic; Latin, Greek, Cyrillic and Hebrew stand before it

# Letters and symbols that show nothing.
_BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
# Control and format characters, surrogates, private use, and what Unicode does not assign.
_NAMELESS = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})


def clean_text(text: str) -> str:
    """Return text with plain line ends, without control characters and half characters.

    Format characters that show nothing go too, such as those that turn the direction of writing;
    joiners stay where a script or an emoji needs them. Half characters (lone surrogates) cannot be
    written to a file; they become U+FFFD.
    """
    text = _HIDDEN.sub("", _LINE_ENDS.sub("\n", text))
    return _BROKEN.sub("\ufffd", _JOINERS.sub(_joiner, text))


def _joiner(found: re.Match[str]) -> str:
    """Return a joiner if it stands between two characters that it can join, else nothing."""
    around = (
        found.string[max(found.start() - 1, 0) : found.start()],
        found.string[found.end() :][:1],
    )
    joins = all(one >= _FIRST_JOINED and not one.isspace() for one in around)
    return found[0][0] if joins else ""


def clean_line(text: str) -> str:
    """Return text as one line: line ends and tabs become spaces, ends are stripped."""
    return re.sub("[\n\t]", " ", clean_text(text)).strip()


def trimmed(text: str) -> str:
    """Return text without blank lines at its ends and spaces at the ends of lines.

    The indentation of all lines stays, and so do blank lines between them.
    """
    lines = [line.rstrip() for line in clean_text(text).expandtabs(8).split("\n")]
    return "\n".join(lines).strip("\n")


def clean_name(text: str) -> str:
    """Return a name as one line of visible characters.

    Beside what :func:`clean_line` leaves out, that are characters for private use, those that
    Unicode does not assign, and blanks other than single spaces.
    """
    visible = (
        character
        for character in unicodedata.normalize("NFC", clean_line(text))
        if character in "\u200c\u200d"
        or (character not in _BLANKS and unicodedata.category(character) not in _NAMELESS)
    )
    return clean_line(" ".join("".join(visible).split()))


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
            yield Fault.of(
                "record/too-deep",
                "data is nested more than {most} deep",
                where=place,
                most=MAX_DEPTH,
            )
        elif isinstance(item, dict):
            for key, inner in item.items():
                if not isinstance(key, str):
                    yield Fault.of(
                        "record/not-data",
                        "the name {name} is not a text",
                        where=place,
                        name=repr(key),
                    )
                todo.append((inner, f"{place}.{key}", depth + 1))
        elif isinstance(item, list | tuple):
            todo.extend((inner, f"{place}[{i}]", depth + 1) for i, inner in enumerate(item))
        elif isinstance(item, float) and not math.isfinite(item):
            yield Fault.of(
                "record/not-data",
                "{value} is not a number that can be kept",
                where=place,
                value=repr(item),
            )
        elif not isinstance(item, str | int | float | None):
            kind = type(item).__name__
            yield Fault.of(
                "record/not-data",
                "a value of type {type} cannot be kept in a record",
                where=place,
                type=kind,
            )


def _copied(value: object) -> object:
    """Copy checked data; its depth is bounded."""
    if isinstance(value, dict):
        mended = ((_BROKEN.sub("\ufffd", key), _copied(inner)) for key, inner in value.items())
        return dict(sorted(mended, key=lambda item: item[0]))
    if isinstance(value, list | tuple):
        return [_copied(inner) for inner in value]
    return _BROKEN.sub("\ufffd", value) if isinstance(value, str) else value
