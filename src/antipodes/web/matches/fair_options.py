"""The options that people are offered first, where those of the inventor favour a colour."""

from __future__ import annotations

from collections.abc import Mapping

_FAIR: Mapping[str, Mapping[str, int | str]] = {"antipod": {"handicap": "fair"}}


def fair_options(game_id: str) -> Mapping[str, int | str]:
    """Return the options of fair games that differ from the defaults of the game."""
    return _FAIR.get(game_id, {})
