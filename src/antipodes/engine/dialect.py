"""Colours, moves and options of the games as GTP clients write them."""

from __future__ import annotations

from collections.abc import Mapping

from antipodes.core import Color, Move
from antipodes.engine.wire import GtpError
from antipodes.errors import InputError
from antipodes.games.options import OptionInfo
from antipodes.games.position import Game, Position
from antipodes.notation.text import shorten

RESIGNATION = "resign"  # in the place of a move
_KINDS_OF_SWAP = ("swap-pieces", "swap-sides")


def read_color(game: Game, text: str) -> Color:
    """Read a colour of the game by its name or by a unique first letter.

    Raises:
        GtpError: it is not one of the game's colours, or could be several.
    """
    word = text.lower()
    colors = [color for color in game.colors if color.value == word]
    if not colors and len(word) == 1:
        colors = [color for color in game.colors if color.value[0] == word]
    if len(colors) == 1:
        return colors[0]
    if colors:
        raise GtpError(f"{shorten(text)} may be {' or '.join(map(str, colors))}; write the word")
    raise GtpError(
        f"{shorten(text)} is not a colour here; there are {', '.join(map(str, game.colors))}"
    )


def write_move(position: Position, move: int) -> str:
    """Write a move; a swap gets the name of its kind where a game has several kinds."""
    return (
        position.game.swap_name if move == position.game.swap_move else position.format_move(move)
    )


def read_move(position: Position, text: str) -> Move:
    """Read a legal move of the position.

    Raises:
        GtpError: it is another kind of swap.
        MoveError: it is unreadable or illegal.
    """
    word = text.lower()
    wanted = position.game.swap_name
    if word in _KINDS_OF_SWAP and wanted in _KINDS_OF_SWAP and word != wanted:
        raise GtpError(f"{shorten(text)} is not this game's swap; write {wanted}")
    return position.parse_move(text)


def board_size_options(game: Game, numbers: tuple[str, ...]) -> Mapping[str, object]:
    """Return the options that ``boardsize`` sets with a width and perhaps a height.

    Raises:
        GtpError: the game has no board of this width and height.
    """
    width, height = numbers[0], numbers[-1]
    if len(game.size_options) == 2:
        return dict(zip(game.size_options, (width, height), strict=True))
    if width != height:
        raise GtpError(f"unacceptable size: {game.title} has as many columns as rows")
    if not game.size_options and (width,) != board_size_numbers(game):
        size = board_size_numbers(game)[0]
        raise GtpError(f"unacceptable size: the board of {game.title} always has size {size}")
    return dict.fromkeys(game.size_options, width)


def board_size_numbers(game: Game) -> tuple[str, ...]:
    """Return the numbers with which ``boardsize`` sets the size of a game's board."""
    options = game.options.as_dict()
    return tuple(str(options[name]) for name in game.size_options) or (str(game.topology.size[0]),)


def write_options(game: Game) -> str:
    """Return all options with values, one on each line, in the form of GoGui's parameters.

    Of each option only the values are listed that go with the options before it.
    """
    values = game.options.as_dict()
    return "\n".join(
        f"[{_kind(game, info)}] {info.name} {values[info.name]}" for info in game.option_table()
    )


def _kind(game: Game, info: OptionInfo) -> str:
    choices = game.options.choices(info.name)
    if info.values:
        return "/".join(("list", *map(str, choices)))
    return f"string/{choices[0]}..{choices[-1]}"


def write_faults(error: InputError) -> str:
    """Return all faults in one line, without places since each message names its option."""
    return "; ".join(fault.message for fault in error.faults)
