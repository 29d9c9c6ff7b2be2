"""Open data files besides those of the games: upper apps register theirs here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise


@dataclass(frozen=True, slots=True)
class DataFile:
    """An open data file.

    Attributes:
        name: of the downloaded file.
        path: of its URL.
        title: what it has.
        format: of its lines.
        lines: number of lines.
        size: bytes of the compressed file.
        sha256: of the compressed file.
        made_at: milliseconds since 1970.
    """

    name: str
    path: str
    title: str | Promise
    format: str
    lines: int
    size: int
    sha256: str
    made_at: int


sources: Sequence[Callable[[], Iterable[DataFile]]] = ()  # set by the wiring


def data_files() -> list[DataFile]:
    """Return all files that have been made."""
    return [file for source in sources for file in source()]
