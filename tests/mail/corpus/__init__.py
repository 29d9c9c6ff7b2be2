"""Awkward mails, each with a name and with what is to come of it.

`corpus` makes them for any board, so that they can be read here and sent to a running site::

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
    """Return all the mails.

    Args:
        setting: the board and the people that they are about; each plays the same move.
        large: whether those of many megabytes are among them.
    """
    chosen = setting or Setting()
    kinds = (*_KINDS, hostile.large_cases) if large else _KINDS
    cases = [case for kind in kinds for case in kind(chosen)]
    names = [case.name for case in cases]
    assert len(set(names)) == len(names), "each has its own name, and so its own Message-ID"
    return cases


def each(setting_of: Callable[[], Setting]) -> Iterator[tuple[Setting, Case]]:
    """Yield every mail for a setting of its own, made by a call; only its kind changes."""
    for kind in (*_KINDS, hostile.large_cases):
        for number in range(len(kind(Setting()))):
            setting = setting_of()
            yield setting, kind(setting)[number]
