"""Custom players: factories in Python, named by a text such as ``my_bots:cautious``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol

from antipodes.errors import Fault, InvalidOptionsError
from antipodes.games.position import Position
from antipodes.notation.text import shorten


class MoveChooser(Protocol):
    """The interface that a custom player must have."""

    def choose(self, position: Position, /) -> int | str:
        """Return a legal move, or its text."""
        ...


PlayerFactory = Callable[[int], MoveChooser]


def import_factory(name: str) -> PlayerFactory:
    """Import a factory, which makes a player from a seed.

    Args:
        name: ``MODULE:FACTORY``; the module may be in the current folder. Importing it runs its
            code.

    Raises:
        InvalidOptionsError: there is no such module or factory, or importing it fails.
    """
    module_name, _, path = name.strip().partition(":")
    if "" not in sys.path:
        # A console script has only its own folder there; `python -m` adds the current one.
        sys.path.insert(0, "")
    try:
        attribute: Any = import_module(module_name)
        for part in path.split("."):
            attribute = getattr(attribute, part)
    except Exception as error:
        message = (
            f"{shorten(name)} is neither a player of this program nor MODULE:FACTORY in Python; "
            f"importing it fails: {_describe(error)}"
        )
        raise _refusal(message) from error
    if not callable(attribute):
        raise _refusal(
            f"{shorten(name)} is not a function or class that makes a player from a seed"
        )
    factory: PlayerFactory = attribute
    return factory


def factory_name(factory: PlayerFactory) -> str:
    """Return the name of a factory; :func:`import_factory` reads those of functions and classes."""
    path = getattr(factory, "__qualname__", None)
    if path is None:
        return repr(factory)
    return f"{factory.__module__}:{path}"


def make_custom_player(factory: PlayerFactory, seed: int) -> MoveChooser:
    """Make a player with a factory.

    Raises:
        InvalidOptionsError: the factory fails, or its player has no method ``choose``.
    """
    name = shorten(factory_name(factory))
    try:
        player = factory(seed)
    except Exception as error:
        raise _refusal(
            f"{name} fails to make a player from seed {seed}: {_describe(error)}"
        ) from error
    if not callable(getattr(player, "choose", None)):
        message = f"{name} makes {type(player).__name__}, which has no method choose(position)"
        raise _refusal(message)
    return player


def _describe(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _refusal(message: str) -> InvalidOptionsError:
    return InvalidOptionsError([Fault("player/factory", message)])
