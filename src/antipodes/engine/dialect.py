"""How GTP clients write colours, moves and options of our games."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from antipodes.core import Color, Move
from antipodes.engine.wire import GtpError
from antipodes.errors import InputError
from antipodes.games.base import BoardGame
from antipodes.games.options import OptionInfo
from antipodes.games.position import BoardPosition
from antipodes.notation.text import shorten

Game = BoardGame[Any, Any]
AnyPosition = BoardPosition[Any]

_HEX_SWAPS = {"pieces": "swap-pieces", "sides": "swap-sides"}


def read_color(game: Game, text: str) -> Color:
    """Read a colour of the game, by its name or by a first letter that only one colour has.

    Raises:
        GtpError: it is none of the game's colours, or could be several.
    """
    word = text.lower()
    found = [color for color in game.colors if color.value == word]
    if not found and len(word) == 1:
        found = [color for color in game.colors if color.value[0] == word]
    if len(found) == 1:
        return found[0]
    if found:
        raise GtpError(f"{shorten(text)} may be {' or '.join(map(str, found))}; write the word")
    raise GtpError(
        f"{shorten(text)} is not a colour here; there are {', '.join(map(str, game.colors))}"
    )


def write_move(position: AnyPosition, move: int) -> str:
    """Write a move; in Hex the swap has the name that HexGUI knows."""
    text = position.format_move(move)
    return _swap_word(position.game) if text == "swap" else text


def read_move(position: AnyPosition, text: str) -> Move:
    """Read a legal move of the position.

    Raises:
        GtpError: it is the other kind of swap.
        MoveError: it is unreadable or not legal; the message says why.
    """
    word = text.lower()
    wanted = _swap_word(position.game)
    if word in _HEX_SWAPS.values() and wanted in _HEX_SWAPS.values() and word != wanted:
        raise GtpError(f"{shorten(text)} is not this game's swap; write {wanted}")
    return position.parse_move(text)


def _swap_word(game: Game) -> str:
    if game.id != "hex":
        return "swap"
    return _HEX_SWAPS.get(game.options.swap, "swap")


def board_size_options(game: Game, numbers: tuple[str, ...]) -> Mapping[str, object]:
    """Return the options that ``boardsize`` with one or two numbers chooses.

    Two numbers are width and height: columns and rows of Cylindrical Hex, and twice the same
    number everywhere else.

    Raises:
        GtpError: the numbers do not fit this game.
    """
    width, height = numbers[0], numbers[-1]
    if game.id == "cylindrical-hex":
        return {"columns": width, "rows": height}
    if width != height:
        raise GtpError(f"unacceptable size: {game.title} has as many columns as rows")
    if game.id == "antipode":
        if width != "5":
            raise GtpError("unacceptable size: Antipode has side 5 only")
        return {}
    return {"side" if game.id == "antipod" else "size": width}


def board_size_numbers(game: Game) -> tuple[str, ...]:
    """Return the numbers with which ``boardsize`` chooses the size of a game's board."""
    options = game.options.as_dict()
    if game.id == "cylindrical-hex":
        return str(options["columns"]), str(options["rows"])
    if game.id == "antipode":
        return ("5",)
    return (str(options["side" if game.id == "antipod" else "size"]),)


def write_options(game: Game) -> str:
    """List all options with values, one a line, in the form of GoGui's parameter commands."""
    values = game.options.as_dict()
    return "\n".join(f"[{_kind(i)}] {i.name} {values[i.name]}" for i in game.option_table())


def _kind(info: OptionInfo) -> str:
    return "/".join(("list", *info.values)) if info.values else f"string/{info.low}..{info.high}"


def write_faults(error: InputError) -> str:
    """Write all faults in one line; each message names its option, so the places are left out."""
    return "; ".join(fault.message for fault in error.faults)
