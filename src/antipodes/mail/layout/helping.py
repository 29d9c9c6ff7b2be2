"""Help by mail: an index, each command, each game; all from what the program itself knows."""

from __future__ import annotations


def help_topics() -> tuple[str, ...]:
    """Return all topics that there is help for."""
    raise NotImplementedError


def write_help(topic: str = "") -> str:
    """Write the help for a topic: a command, a game, or with nothing the index of all.

    Raises:
        InputError: ``mail/unknown-topic``, there is no help for it.
    """
    raise NotImplementedError


def game_help(game_id: str) -> str:
    """Write the mail help of a game: rules, notation, picture, commands, options.

    Raises:
        UnknownGameError: there is no such game.
    """
    raise NotImplementedError
