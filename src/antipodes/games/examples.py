"""The finished game that a game's class declares, for its pages and its help."""

from __future__ import annotations

from antipodes.games.position import Position
from antipodes.games.registry import game_class, make_game


def finished_position(game_id: str) -> Position | None:
    """Return the position at the end of a game's example; ``None`` if it has none.

    Raises:
        UnknownGameError: no game has this id.
    """
    example = game_class(game_id).finished_game
    if example is None:
        return None
    position: Position = make_game(game_id, example.options).initial()
    for text in example.moves.split():
        position = position.play(position.parse_move(text))
    return position
