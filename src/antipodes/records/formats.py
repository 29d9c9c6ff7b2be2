"""All formats of records under one roof: recognising, reading and writing."""

from __future__ import annotations

import re
from collections.abc import Callable

from antipodes.errors import Fault, InvalidRecordError
from antipodes.notation.text import shorten
from antipodes.records.draft import refusal
from antipodes.records.hexworld import from_hexworld_leniently, looks_like_link, to_hexworld
from antipodes.records.json_format import from_json_leniently, to_json
from antipodes.records.record import Record
from antipodes.records.sgf import from_sgf_leniently, titles_in_sgf, to_sgf
from antipodes.records.sgf.grammar import wide_encoding

_SGF = re.compile(r"\(\s*;")

MAX_BYTES = 16 * 1024 * 1024

_Read = tuple[Record, tuple[Fault, ...]]

_WRITERS: dict[str, Callable[[Record], str]] = {
    "json": to_json,
    "sgf": to_sgf,
    "hexworld": to_hexworld,
}
KINDS = tuple(_WRITERS)


def read_record(source: str | bytes, *, kind: str | None = None, game: int | None = None) -> Record:
    """Read a record from text or bytes; its format is recognised if ``kind`` does not name it.

    Args:
        source: text or bytes.
        kind: ``json``, ``sgf`` or ``hexworld``.
        game: its number in a file of several games, counted from 1; see ``record_titles``.

    Raises:
        InvalidRecordError: with everything that is wrong and where.
    """
    record, faults = read_leniently(source, kind=kind, game=game)
    if faults:
        raise refusal(faults, kind or recognise(source))
    return record


def read_leniently(
    source: str | bytes, *, kind: str | None = None, game: int | None = None
) -> _Read:
    """Read what can be read, and say what is wrong; lines end before their first illegal move.

    Of several games the first one is read if ``game`` does not give the number of another.

    Raises:
        InvalidRecordError: nothing could be read.
    """
    kind = kind or recognise(source)
    _check_kind(kind)
    if kind == "sgf":
        # SGF names its encoding itself.
        return from_sgf_leniently(source, game)
    if game not in (None, 1):
        fault = Fault.of(
            "record/no-such-game",
            "there is no game {number}; the file has {count}",
            number=game,
            count=1,
        )
        raise InvalidRecordError([fault])
    text = _text(source)
    return from_json_leniently(text) if kind == "json" else from_hexworld_leniently(text)


def record_titles(source: str | bytes) -> list[str]:
    """Return players and event of each game in text or bytes; only SGF has several games.

    Raises:
        InvalidRecordError: the format is not known.
    """
    return titles_in_sgf(source) if recognise(source) == "sgf" else [""]


def write_record(record: Record, kind: str = "json") -> str:
    """Write a record in a format.

    Raises:
        InvalidRecordError: there is no such format, or it cannot hold this record.
    """
    _check_kind(kind)
    return _WRITERS[kind](record)


def _check_kind(kind: str) -> None:
    if kind not in KINDS:
        message = f"there is no format {shorten(kind)}; there are {', '.join(KINDS)}"
        raise InvalidRecordError([Fault("record/unknown-format", message)])


def recognise(source: str | bytes) -> str:
    """Return the format that a text looks like.

    Raises:
        InvalidRecordError: it looks like none that is known.
    """
    begin = source[:10_000]
    text = begin if isinstance(begin, str) else _glance(begin)
    text = text.lstrip("\ufeff \t\r\n")
    if text.startswith(("{", "[")):
        return "json"
    if looks_like_link(text):
        return "hexworld"
    if _SGF.search(text):
        return "sgf"
    if not text:
        fault = Fault("record/unknown-format", "this is no record: it is empty")
    else:
        fault = Fault.of(
            "record/unknown-format",
            "this is no record that is known here: it begins with {text}",
            text=shorten(text[:40]),
        )
    raise InvalidRecordError([fault])


def _glance(begin: bytes) -> str:
    """Return bytes as text well enough to see what it is."""
    return begin.decode(wide_encoding(begin) or "utf-8", errors="replace")


def _text(source: str | bytes) -> str:
    """Return bytes as text.

    Raises:
        InvalidRecordError: they are not UTF-8.
    """
    if isinstance(source, str):
        return source.removeprefix("\ufeff")
    try:
        return source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        byte = f"{source[error.start]:#04x}"
        fault = Fault.of(
            "record/encoding",
            "this is not UTF-8 text: byte {byte} cannot stand here",
            where=f"line {line}",
            byte=byte,
        )
        raise InvalidRecordError([fault]) from None
