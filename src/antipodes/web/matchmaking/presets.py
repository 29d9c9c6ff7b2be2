"""Presets of seeks: a few boards and clocks, so that seeks of different players match."""

from __future__ import annotations

from collections.abc import Mapping

from antipodes.clocks import Pace
from antipodes.errors import Fault, InputError
from antipodes.games.position import Game
from antipodes.games.registry import game_class
from antipodes.web.matches.fair_options import agreed_game
from antipodes.web.matches.labels import CONTROLS, pace_of
from antipodes.web.ratings.classes import BoardClass

Options = Mapping[str, int | str]

# No unlimited games between strangers: they might never end.
CLOCKS: tuple[str, ...] = tuple(
    control
    for group in CONTROLS.values()
    for control in group
    if pace_of(control) is not Pace.UNLIMITED
)
DEFAULT_CLOCK = "10m+5s"


def boards_of(game_id: str) -> Mapping[BoardClass, Options]:
    """Return one board of each class that a game declares, and its usual one.

    Raises:
        UnknownGameError: there is no such game.
    """
    boards: Mapping[str, Options] = {BoardClass.STANDARD: {}, **game_class(game_id).sized_boards}
    return {board: boards[board] for board in BoardClass if board in boards}


def preset_game(game_id: str, board: str) -> Game:
    """Return a game on the preset board of a class.

    Raises:
        InputError: there is no such game, or it has no such board.
    """
    boards = boards_of(game_id)
    if board not in boards:
        message = f"{board!r} is not a board of {game_id}; choose one of {', '.join(boards)}"
        raise InputError([Fault("pairing/board", message)])
    return agreed_game(game_id, boards[BoardClass(board)])


def check_clock(control: str) -> str:
    """Return a time control if it is a preset.

    Raises:
        InputError: it is not.
    """
    if control not in CLOCKS:
        message = f"seeks cannot have the clock {control!r}; choose one of {', '.join(CLOCKS)}"
        raise InputError([Fault("pairing/clock", message)])
    return control
