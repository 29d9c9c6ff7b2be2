"""Antipodes: antipodal connection games to play, to program and to study.

The names below are the public face; each is imported from its home when first asked for, so that
``import antipodes`` is quick.

>>> import antipodes
>>> game = antipodes.Antipod(side=4)
>>> position = game.initial()
>>> position = position.play("d3")
>>> position.to_move
<Color.BLACK: 'black'>
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "1.0.0"

if TYPE_CHECKING:
    from antipodes import errors
    from antipodes.core import Color, Illegality, Move, Outcome, Setup, Termination
    from antipodes.games.antipalos import Antipalos
    from antipodes.games.antipod import Antipod
    from antipodes.games.antipode import Antipode
    from antipodes.games.cylindrical_hex import CylindricalHex
    from antipodes.games.hex import Hex
    from antipodes.games.match_play import MatchPlay
    from antipodes.games.position_texts import read_position, write_position
    from antipodes.games.registry import game_class, game_ids, make_game, register_game
    from antipodes.records import Record, load, read_record, save, write_record
    from antipodes.search.analysis import analyze
    from antipodes.search.analysis_result import Analysis
    from antipodes.search.interface import Limits
    from antipodes.search.levels import levels
    from antipodes.search.players import make_player
    from antipodes.search.proof.files import read_proof
    from antipodes.search.proof.solver import Solver

_HOMES = {
    "Analysis": "search.analysis_result",
    "Antipalos": "games.antipalos",
    "Antipod": "games.antipod",
    "Antipode": "games.antipode",
    "Color": "core",
    "CylindricalHex": "games.cylindrical_hex",
    "Hex": "games.hex",
    "Illegality": "core",
    "Limits": "search.interface",
    "MatchPlay": "games.match_play",
    "Move": "core",
    "Outcome": "core",
    "Record": "records",
    "Setup": "core",
    "Solver": "search.proof.solver",
    "Termination": "core",
    "analyze": "search.analysis",
    "game_class": "games.registry",
    "game_ids": "games.registry",
    "levels": "search.levels",
    "load": "records",
    "make_game": "games.registry",
    "make_player": "search.players",
    "read_position": "games.position_texts",
    "read_proof": "search.proof.files",
    "read_record": "records",
    "register_game": "games.registry",
    "save": "records",
    "write_position": "games.position_texts",
    "write_record": "records",
}

__all__ = [
    "Analysis",
    "Antipalos",
    "Antipod",
    "Antipode",
    "Color",
    "CylindricalHex",
    "Hex",
    "Illegality",
    "Limits",
    "MatchPlay",
    "Move",
    "Outcome",
    "Record",
    "Setup",
    "Solver",
    "Termination",
    "analyze",
    "errors",
    "game_class",
    "game_ids",
    "levels",
    "load",
    "make_game",
    "make_player",
    "read_position",
    "read_proof",
    "read_record",
    "register_game",
    "save",
    "write_position",
    "write_record",
]


def __getattr__(name: str) -> object:
    """Import a public name from its home."""
    if name == "errors":
        return import_module("antipodes.errors")
    if name not in _HOMES:
        raise AttributeError(f"module 'antipodes' has no attribute {name!r}")
    value: object = getattr(import_module(f"antipodes.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return sorted({*globals(), *__all__})
