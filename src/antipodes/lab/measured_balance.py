"""The balance that has been measured: a summary of many games, which comes with the program."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("data") / "balance.json"


@cache
def measured_balance() -> dict[str, Any]:
    """Return the summary that comes with the program.

    :func:`~antipodes.lab.balance_summary.summarised` makes it.
    """
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def strength_of(player: str) -> int:
    """Return the level of a player; 0 for players without one, such as random ones."""
    kind, _, level = player.partition(":")
    return int(level) if kind == "computer" and level.isdecimal() else 0
