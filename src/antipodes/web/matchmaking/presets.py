"""Presets of seeks: a few boards and clocks, so that seeks of different players match."""

from __future__ import annotations

from collections.abc import Mapping

from antipodes.clocks import Pace
from antipodes.errors import Fault, InputError
from antipodes.games.position import Game
from antipodes.games.registry import game_ids, make_game
from antipodes.web.matches.fair_options import agreed_game
from antipodes.web.matches.labels import CONTROLS, pace_of
from antipodes.web.ratings.classes import BoardClass

Options = Mapping[str, int | str]

# One board for each game and class of boards, with fair options.
_STANDARD: Options = {}
BOARDS: Mapping[str, Mapping[BoardClass, Options]] = {
    "antipod": {
        BoardClass.SMALL: {"side": 4},
        BoardClass.STANDARD: _STANDARD,
        BoardClass.LARGE: {"side": 8},
    },
    "antipalos": {
        BoardClass.SMALL: {"size": 12},
        BoardClass.STANDARD: _STANDARD,
        BoardClass.LARGE: {"size": 20},
    },
    "antipode": {BoardClass.STANDARD: _STANDARD},
    "hex": {
        BoardClass.SMALL: {"size": 8},
        BoardClass.STANDARD: _STANDARD,
        BoardClass.LARGE: {"size": 14},
    },
    "cylindrical-hex": {
        BoardClass.SMALL: {"rows": 8, "columns": 8},
        BoardClass.STANDARD: _STANDARD,
        BoardClass.LARGE: {"rows": 14, "columns": 14},
    },
}

# No unlimited games between strangers: they might never end.
CLOCKS: tuple[str, ...] = tuple(
    control
    for group in CONTROLS.values()
    for control in group
    if pace_of(control) is not Pace.UNLIMITED
)
DEFAULT_CLOCK = "10m+5s"


def preset_game(game_id: str, board: str) -> Game:
    """Return a game on the preset board of a class.

    Raises:
        InputError: there is no such game, or it has no such board.
    """
    default = {BoardClass.STANDARD: _STANDARD} if game_id in game_ids() else {}
    boards = BOARDS.get(game_id, default)
    if board not in boards:
        if game_id not in game_ids():
            make_game(game_id)
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
