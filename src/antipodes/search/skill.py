"""Skills of computer players: the limits of their search, and what they overlook."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass, field

from antipodes.core.numbers import read_number
from antipodes.errors import Fault, InvalidOptionsError
from antipodes.notation.text import shorten
from antipodes.search.interface import SearchSettings

LONGEST = 86_400.0  # seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill(SearchSettings):
    """The settings and limits of a player's search, and how often it overlooks or rushes moves.

    Attributes:
        visits: limit of each search; no limit if ``None``.
        seconds: limit of each search; no limit if ``None``.
        haste: probability of a hasty move, which is searched briefly and without knowledge.
        glance: visits of the search for a hasty move.
        sight: probability of noticing a move that wins at once.
        sure: whether a move that solved openings or a pairing strategy prove to win is played
            without a search, even if it were a hasty one; only with ``knowledge``.
    """

    visits: int | None = None
    seconds: float | None = None
    haste: float = 0.0
    glance: int = 2
    sight: float = 1.0
    sure: bool = field(default=True, repr=False)


def read_skill(text: str, allowed: tuple[str, ...] = ()) -> Skill:
    """Read a skill from text such as ``seconds=1,knowledge=off``; empty text gives the defaults.

    Args:
        text: settings separated by commas.
        allowed: which attributes may be set; all if empty.

    Raises:
        InvalidOptionsError: with all unknown settings and wrong values.
    """
    known = allowed or tuple(field.name for field in dataclasses.fields(Skill))
    settings: dict[str, int | float | bool] = {}
    faults = []
    for setting in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = (part.strip() for part in setting.partition("="))
        if name not in known or not equals:
            message = f"{shorten(setting)} is not a setting of a player; there are "
            faults.append(Fault("player/unknown-setting", message + ", ".join(known)))
            continue
        try:
            settings[name] = _READERS[name](value)
        except ValueError as error:
            message = f"{name} is {shorten(value)}, but must be {error}"
            faults.append(Fault("player/wrong-setting", message))
    if faults:
        raise InvalidOptionsError(faults)
    return Skill(**settings)  # type: ignore[arg-type]  # each reader gives its field's type


def _whole(most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        number = read_number(text.replace("_", ""), most)
        if number:
            return number
        raise ValueError(f"a whole number from 1 to {most}")

    return read


def _number(most: float, *, least: float = 0.0) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        # The comparison is false for NaN.
        if least <= value <= most:
            return value
        raise ValueError(f"a number from {least:g} to {most:g}")

    return read


def _switch(text: str) -> bool:
    if text in ("on", "off"):
        return text == "on"
    raise ValueError("on or off")


_READERS: dict[str, Callable[[str], int | float | bool]] = {
    "visits": _whole(10**12),
    "seconds": _number(LONGEST, least=0.001),
    "haste": _number(1.0),
    "glance": _whole(10**6),
    "sight": _number(1.0),
    "knowledge": _switch,
    "network": _switch,
    "latest": _switch,
    "varied": _switch,
    "threads": _whole(1024),
    "memory": _whole(1_000_000),
}
