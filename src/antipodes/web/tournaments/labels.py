"""Texts of the formats of events, for the catalogues."""

from __future__ import annotations

from collections.abc import Iterator

from antipodes.tournaments import FORMATS, TieBreak
from antipodes.web.platform.translations import option_texts


def texts() -> Iterator[tuple[str | None, str]]:
    """Yield the words that all formats and tie-breaks bring, for the catalogues."""
    columns = [one.column for one in TieBreak]
    for kind in FORMATS.values():
        yield from ((None, text) for text in (kind.title, kind.summary, kind.scoring) if text)
        columns += kind().columns(())
        for info in kind.describe():
            yield from option_texts(info)
    for one in columns:
        yield from ((None, text) for text in (one.title, one.meaning))
