"""Speed and board classes, which divide the ratings of a game into pools."""

from __future__ import annotations

from enum import StrEnum
from functools import cache, lru_cache

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from antipodes.clocks import MINUTE, Pace, TimeControl, read_control
from antipodes.games.position import Game
from antipodes.games.registry import game_class, make_game

_MOVES = 40  # moves of one player, to estimate the length of a game
_RAPID = 10 * MINUTE  # milliseconds; shorter games are blitz
# Shares of the cells of the game's standard board.
_SMALL, _LARGE = 0.70, 1.35


class Speed(StrEnum):
    """Speed of a game."""

    BLITZ = "blitz"
    RAPID = "rapid"
    CORRESPONDENCE = "correspondence"

    @property
    def label(self) -> Promise:
        """The translated name."""
        return _SPEEDS[self]


class BoardClass(StrEnum):
    """Size of a board, compared with the standard board of its game."""

    SMALL = "small"
    STANDARD = "standard"
    LARGE = "large"

    @property
    def label(self) -> Promise:
        """The translated name."""
        return _BOARDS[self]


class RatingBand(StrEnum):
    """Band of the mean rating of a match's players."""

    LOWEST = "-1399"
    LOW = "1400-1599"
    HIGH = "1600-1799"
    HIGHEST = "1800-"

    @property
    def label(self) -> Promise:
        """The translated name."""
        return _BANDS[self]

    @classmethod
    def of(cls, rating: float) -> RatingBand:
        return list(cls)[min(max(int(rating - 1200) // 200, 0), 3)]


_BANDS: dict[RatingBand, Promise] = {
    RatingBand.LOWEST: _("below 1400"),
    RatingBand.LOW: _("1400 to 1599"),
    RatingBand.HIGH: _("1600 to 1799"),
    RatingBand.HIGHEST: _("1800 and more"),
}
_SPEEDS: dict[Speed, Promise] = {
    Speed.BLITZ: _("blitz"),
    Speed.RAPID: _("rapid"),
    # Games without a clock, which are not called correspondence, share its pools.
    Speed.CORRESPONDENCE: _("correspondence or no clock"),
}
_BOARDS: dict[BoardClass, Promise] = {
    BoardClass.SMALL: _("small board"),
    BoardClass.STANDARD: _("standard board"),
    BoardClass.LARGE: _("large board"),
}


def speed_of(control: TimeControl) -> Speed:
    """Return the speed of games with a time control.

    Games without a clock are rated with those by correspondence. Live games are blitz if each
    player has less than ten minutes for forty moves.
    """
    if control.pace is not Pace.LIVE:
        return Speed.CORRESPONDENCE
    time = control.bank + _MOVES * (control.per_move + control.increment)
    return Speed.BLITZ if time < _RAPID else Speed.RAPID


@lru_cache(maxsize=1_024)
def speed_of_text(control: str) -> Speed:
    """Return the speed of a time control in its text form.

    Raises:
        InvalidOptionsError: the text is no time control.
    """
    return speed_of(read_control(control))


def speed_name(control: str) -> str:
    """Return the name of a game's speed in data: that of its pool, or ``unlimited``."""
    is_unlimited = read_control(control).is_unlimited
    return Pace.UNLIMITED.value if is_unlimited else speed_of_text(control).value


def board_class_of(game: Game) -> BoardClass:
    """Return the class of a game's board.

    Small boards have less than 70 % of the cells of the standard board, large ones more than 135 %.
    """
    share = game.topology.cell_count / _standard_cells(game.id)
    if share < _SMALL:
        return BoardClass.SMALL
    return BoardClass.LARGE if share > _LARGE else BoardClass.STANDARD


@cache
def _standard_cells(game_id: str) -> int:
    return make_game(game_id).topology.cell_count


@cache
def board_classes(game_id: str) -> tuple[BoardClass, ...]:
    """Return the classes of a game's boards; a game with only one board has one class.

    Raises:
        UnknownGameError: there is no such game.
    """
    has_sizes = any(
        info.name in {"side", "size", "rows", "columns"}
        for info in game_class(game_id).option_table()
    )
    return tuple(BoardClass) if has_sizes else (BoardClass.STANDARD,)
