"""What ratings are kept apart by: how fast a game is played, and how large its board is."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from antipodes.clocks import Pace, TimeControl, read_control
from antipodes.games.base import BoardGame
from antipodes.games.registry import game_class, make_game

_MOVES = 40  # of one player in a long game, for an estimate of the time that a game may take
_BLITZ = 10 * 60_000  # milliseconds for such a game; from here on it is no blitz
# Shares of the cells of the game's usual board.
_SMALL, _LARGE = 0.70, 1.35


class Speed(StrEnum):
    """How fast a game is played."""

    BLITZ = "blitz"
    RAPID = "rapid"
    CORRESPONDENCE = "correspondence"

    @property
    def words(self) -> Promise:
        """What people call it."""
        return _SPEEDS[self]


class BoardClass(StrEnum):
    """How large a board is, compared with the usual one of its game."""

    SMALL = "small"
    STANDARD = "standard"
    LARGE = "large"

    @property
    def words(self) -> Promise:
        """What people call it."""
        return _BOARDS[self]


_SPEEDS: dict[Speed, Promise] = {
    Speed.BLITZ: _("blitz"),
    Speed.RAPID: _("rapid"),
    Speed.CORRESPONDENCE: _("correspondence"),
}
_BOARDS: dict[BoardClass, Promise] = {
    BoardClass.SMALL: _("small board"),
    BoardClass.STANDARD: _("standard board"),
    BoardClass.LARGE: _("large board"),
}


def speed_of(control: TimeControl) -> Speed:
    """Return how fast a game with a time control is played.

    Games without a clock count as correspondence. Live games are blitz if each player has less
    than ten minutes for forty moves.
    """
    if control.pace is not Pace.LIVE:
        return Speed.CORRESPONDENCE
    time = control.bank + _MOVES * (control.per_move + control.increment)
    return Speed.BLITZ if time < _BLITZ else Speed.RAPID


@cache
def speed_of_text(control: str) -> Speed:
    """Return the same for a time control as it is written.

    Raises:
        InvalidOptionsError: no time control is written so.
    """
    return speed_of(read_control(control))


def board_class_of(game: BoardGame[Any, Any]) -> BoardClass:
    """Return how large the board of a game is.

    Small boards have less than 70 % of the cells of the usual board, large ones more than 135 %.
    """
    share = game.topology.cell_count / _usual_cells(game.id)
    if share < _SMALL:
        return BoardClass.SMALL
    return BoardClass.LARGE if share > _LARGE else BoardClass.STANDARD


@cache
def _usual_cells(game_id: str) -> int:
    return make_game(game_id).topology.cell_count


@cache
def board_classes(game_id: str) -> tuple[BoardClass, ...]:
    """Return the classes of boards that a game has; a game with one board has one.

    Raises:
        UnknownGameError: no game has this id.
    """
    has_sizes = any(
        info.name in {"side", "size", "rows", "columns"}
        for info in game_class(game_id).option_table()
    )
    return tuple(BoardClass) if has_sizes else (BoardClass.STANDARD,)
