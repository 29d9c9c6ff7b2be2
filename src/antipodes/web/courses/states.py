"""Signed states: the moves of a lesson so far, kept by the page between two answers.

The server judged these moves before, so that it need not judge them again; it stores nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.core import signing

from antipodes.errors import Fault, InputError

_SALT = "antipodes.courses"
_LONGEST = 8_000  # characters


def write_state(place: Sequence[str], moves: Sequence[str]) -> str:
    """Return a signed text.

    Args:
        place: what the moves belong to, such as a course and a step.
        moves: of both sides in turn.
    """
    return signing.dumps([list(place), list(moves)], salt=_SALT, compress=True)


def read_state(text: str, place: Sequence[str]) -> tuple[str, ...]:
    """Return the moves of a signed text; an empty text has none.

    Raises:
        InputError: it was not signed by this site, or belongs to another place.
    """
    if not text:
        return ()
    try:
        found, moves = signing.loads(text[:_LONGEST], salt=_SALT)
    except (signing.BadSignature, ValueError):
        found, moves = None, []
    if found != list(place):
        raise outdated()
    return tuple(map(str, moves))


def outdated() -> InputError:
    """Return the error for a state that does not fit."""
    return InputError([Fault("learn/state", "the lesson has changed; load this page again")])
