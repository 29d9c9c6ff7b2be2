"""Validation of the types in setups.

Setups come from JSON and from programs, so any field may have any value. Games check the meaning of
setups that pass these checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from antipodes.core import Setup
from antipodes.errors import Fault
from antipodes.notation.text import shorten

_MAX_NUMBER = 10**9  # greater numbers are meaningless and may not fit into states


def malformed(setup: Setup) -> list[Fault]:
    """Return a fault for each field of a setup with a wrong type."""
    faults = [*_stone_faults(setup.stones)]
    for name, (fits, wanted) in _FORMS.items():
        value = getattr(setup, name)
        if not fits(value):
            faults.append(_fault(value, wanted, name))
    return faults


def _stone_faults(stones: Any) -> Iterator[Fault]:
    if not isinstance(stones, list | tuple):
        yield _fault(stones, "pairs of a point and a colour", "stones")
        return
    for index, stone in enumerate(stones):
        pair = isinstance(stone, list | tuple) and len(stone) == 2
        if not pair or not all(isinstance(part, str) for part in stone):
            yield _fault(stone, "a pair of a point and a colour", f"stones[{index}]")


def _fault(value: object, wanted: str, where: str) -> Fault:
    shown = shorten(value) if isinstance(value, str) else f"{value!r}"[:60]
    return Fault("position/malformed", f"{shown} is not {wanted}", where)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _MAX_NUMBER


def _is_texts(value: object) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(key, str) and isinstance(item, str) for key, item in value.items()
    )


def _is_numbers(value: object) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(key, str) and _is_number(item) for key, item in value.items()
    )


# Field -> a test of its value, and a description of valid values.
_FORMS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "to_move": (lambda value: value is None or isinstance(value, str), "a colour"),
    "pawns": (_is_texts, "a point for each colour"),
    "rods_left": (_is_numbers, "a number for each colour"),
    "seat": (lambda value: value is None or _is_number(value), "the number of a seat"),
    "swapped": (lambda value: isinstance(value, bool), "true or false"),
    "phase_two_plies": (
        lambda value: _is_number(value) and value >= 0,
        "a number of plies",
    ),
    "composed": (lambda value: isinstance(value, bool), "true or false"),
}
