"""Unusual mails, each with a name and the expected result.

`corpus` makes them for any board, for tests of the parser and of a running site::

    for name, raw, expected in corpus(Setting(to=address, board=101, user="ann", move="d4")):
        ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.mail.corpus import bodies, hostile, replies, silent, subjects
from tests.mail.corpus.builder import Case, Expected, Setting, What

__all__ = ["Case", "Expected", "Setting", "What", "corpus", "each"]

_KINDS = (subjects.cases, bodies.cases, replies.cases, silent.cases, hostile.cases)


def corpus(setting: Setting | None = None, *, large: bool = True) -> list[Case]:
    """Return all mails.

    Args:
        setting: their board and sender; each plays the same move.
        large: whether to include those of many megabytes.
    """
    chosen = setting or Setting()
    kinds = (*_KINDS, hostile.large_cases) if large else _KINDS
    cases = [case for kind in kinds for case in kind(chosen)]
    names = [case.name for case in cases]
    assert len(set(names)) == len(names), "names, and so Message-IDs, must be unique"
    return cases


def each(setting_of: Callable[[], Setting], step: int = 1) -> Iterator[tuple[Setting, Case]]:
    """Yield every mail, or one in ``step``, with its setting from a call of ``setting_of``."""
    for kind in (*_KINDS, hostile.large_cases):
        for number in range(0, len(kind(Setting())), step):
            setting = setting_of()
            yield setting, kind(setting)[number]
