"""The games by their ids; a game's code is imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from antipodes.errors import Fault, UnknownGameError
from antipodes.notation.text import shorten

if TYPE_CHECKING:
    from antipodes.games.base import BoardGame

_GAMES = {
    "antipod": "antipod:Antipod",
    "antipalos": "antipalos:Antipalos",
    "antipode": "antipode:Antipode",
    "hex": "hex:Hex",
    "cylindrical-hex": "cylindrical_hex:CylindricalHex",
}


def game_ids() -> tuple[str, ...]:
    """Return the ids of all games."""
    return tuple(_GAMES)


@cache
def _class_of(game_id: str) -> type[BoardGame[Any, Any]]:
    module, name = _GAMES[game_id].split(":")
    found: type[BoardGame[Any, Any]] = getattr(import_module(f"antipodes.games.{module}"), name)
    return found


def game_class(game_id: str) -> type[BoardGame[Any, Any]]:
    """Return the class of a game.

    Raises:
        UnknownGameError: no game has this id.
    """
    wanted = game_id.strip().lower().replace("_", "-").replace(" ", "-")
    if wanted not in _GAMES:
        fault = Fault.of(
            "game/unknown",
            "there is no game {name}; there are {known}",
            name=shorten(game_id),
            known=", ".join(_GAMES),
        )
        raise UnknownGameError([fault])
    return _class_of(wanted)


def make_game(game_id: str, options: Mapping[str, object] | None = None) -> BoardGame[Any, Any]:
    """Return a game with options given by name, as values or as text.

    Raises:
        UnknownGameError: no game has this id.
        InvalidOptionsError: options are unknown or out of range; all of them are named.
    """
    chosen = game_class(game_id)
    return chosen(chosen.options_type.read(options or {}))


def option_rows(game_id: str) -> list[tuple[str, str, str, str]]:
    """Return name, default, allowed values and meaning of each option of a game."""
    game = game_class(game_id)
    plain = game().options
    rows = []
    for info in game.option_table():
        default = str(getattr(plain, info.name))
        if info.default is None:
            default += ", or what goes with the other options"
        rows.append((info.name, default, info.allowed, info.help))
    return rows
