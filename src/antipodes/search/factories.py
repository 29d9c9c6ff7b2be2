"""Players of one's own: factories in Python, named by a text such as ``my_bots:cautious``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol

from antipodes.errors import Fault, InvalidOptionsError
from antipodes.games.position import Position
from antipodes.notation.text import shorten


class MoveChooser(Protocol):
    """The least that a player of one's own can do."""

    def choose(self, position: Position, /) -> int | str:
        """Return a legal move, or its text."""
        ...


PlayerFactory = Callable[[int], MoveChooser]


def import_factory(name: str) -> PlayerFactory:
    """Import what makes a player of a seed.

    Args:
        name: ``MODULE:FACTORY``; modules in the current folder are found as well. This runs the
            code of the module.

    Raises:
        InvalidOptionsError: there is no such module or factory, or importing it fails.
    """
    module_name, _, path = name.strip().partition(":")
    if "" not in sys.path:
        # As with `python -m`: a console script has only its own folder there.
        sys.path.insert(0, "")
    try:
        found: Any = import_module(module_name)
        for part in path.split("."):
            found = getattr(found, part)
    except Exception as error:
        message = (
            f"{shorten(name)} is neither a player of this program nor MODULE:FACTORY in Python; "
            f"importing it fails: {_told(error)}"
        )
        raise _refusal(message) from error
    if not callable(found):
        raise _refusal(f"{shorten(name)} is no function or class that makes players of seeds")
    factory: PlayerFactory = found
    return factory


def factory_name(factory: PlayerFactory) -> str:
    """Return what to call a factory; for functions and classes :func:`import_factory` reads it."""
    path = getattr(factory, "__qualname__", None)
    if path is None:
        return repr(factory)
    return f"{factory.__module__}:{path}"


def made_player(factory: PlayerFactory, seed: int) -> MoveChooser:
    """Let a factory make a player.

    Raises:
        InvalidOptionsError: it fails, or what it makes cannot choose moves.
    """
    name = shorten(factory_name(factory))
    try:
        player = factory(seed)
    except Exception as error:
        raise _refusal(f"{name} makes no player of seed {seed}: {_told(error)}") from error
    if not callable(getattr(player, "choose", None)):
        message = f"{name} makes {type(player).__name__}, which has no method choose(position)"
        raise _refusal(message)
    return player


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _refusal(message: str) -> InvalidOptionsError:
    return InvalidOptionsError([Fault("player/factory", message)])
