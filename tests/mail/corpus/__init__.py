"""Awkward mails, each with a name and with what is to come of it.

`corpus` makes them for any board, so that they can be read here and sent to a running site::

    for name, raw, expected in corpus(Setting(to=address, board=101, user="ann", move="d4")):
        ...
"""

from __future__ import annotations

from tests.mail.corpus import bodies, hostile, replies, silent, subjects
from tests.mail.corpus.builder import Case, Expected, Setting, What

__all__ = ["Case", "Expected", "Setting", "What", "corpus"]


def corpus(setting: Setting | None = None, *, large: bool = True) -> list[Case]:
    """Return all the mails.

    Args:
        setting: the board and the people that they are about; each plays the same move.
        large: whether those of many megabytes are among them.
    """
    chosen = setting or Setting()
    kinds = (subjects, bodies, replies, silent, hostile)
    cases = [case for kind in kinds for case in kind.cases(chosen)]
    if large:
        cases += hostile.large_cases(chosen)
    names = [case.name for case in cases]
    assert len(set(names)) == len(names), "each has its own name, and so its own Message-ID"
    return cases
