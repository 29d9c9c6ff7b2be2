"""Positions of the sample games that a game's class declares, for its pages and its help."""

from __future__ import annotations

from antipodes.games.position import Position
from antipodes.games.registry import game_class, make_game
from antipodes.games.samples import FinishedGame, RuleExample


def sample_position(game_id: str, sample: FinishedGame | RuleExample) -> Position:
    """Return the position at the end of a sample's moves.

    Raises:
        UnknownGameError: no game has this id.
    """
    position: Position = make_game(game_id, sample.options).initial()
    for text in sample.moves.split():
        position = position.play(position.parse_move(text))
    return position


def finished_position(game_id: str) -> Position | None:
    """Return the position at the end of a game's finished game; ``None`` if it declares none.

    Raises:
        UnknownGameError: no game has this id.
    """
    finished_game = game_class(game_id).finished_game
    return None if finished_game is None else sample_position(game_id, finished_game)
