"""How games begin: first moves, turned so that equal openings are equal numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext as _

from antipodes.core import Move
from antipodes.errors import Fault, InputError, MoveError
from antipodes.games.base import BoardGame
from antipodes.games.position import BoardPosition
from antipodes.notation.text import shorten

AnyGame = BoardGame[Any, Any]

KEPT = 8  # moves that are kept of each game; the longest that can be asked for
NO_MOVE = -1

_BETWEEN = re.compile(r"[\s,;]+")
_NUMBER = re.compile(r"\d+\.+")  # as people number moves: "1. e6"


def turned(game: AnyGame, moves: Iterable[int]) -> tuple[int, ...]:
    """Return the first moves as they are on the board turned so that the numbers are least.

    Whatever begins an opening begins it after the turn too: the least of all images of a line
    begins with the least of all images of its beginning.
    """
    begun = tuple(int(move) for move in moves)[:KEPT]
    images = (
        tuple(int(game.transform(move, symmetry)) for move in begun) for symmetry in game.symmetries
    )
    return min(images)


def key_of(opening: Sequence[int]) -> str:
    """Write an opening so that whoever begins with it has a key that begins with this one."""
    return "".join(f"{move} " for move in opening)


def read_key(key: str) -> tuple[int, ...]:
    """Read what :func:`key_of` has written."""
    return tuple(int(move) for move in key.split())


def images_of(game: AnyGame, move: int) -> frozenset[int]:
    """Return the moves that are the same as this one by a symmetry of the empty board."""
    return frozenset(int(game.transform(move, symmetry)) for symmetry in game.symmetries)


def words_of(game: AnyGame, opening: Iterable[int]) -> str:
    """Write an opening for people, such as ``e6 d4``."""
    texts = []
    position: BoardPosition[Any] = game.initial()
    for move in opening:
        texts.append(position.format_move(move))
        position = position.play(move)
    return " ".join(texts)


def read_opening(game: AnyGame, text: str) -> tuple[Move, ...]:
    """Read typed moves as an opening, as they were typed; numbers of moves are passed over.

    Raises:
        InputError: something is not a move, or not one that can be made there; or these are more
            moves than are kept.
    """
    words = [word for word in _BETWEEN.split(text.strip()) if word and not _NUMBER.fullmatch(word)]
    if len(words) > KEPT:
        message = _("An opening has at most %(most)d moves here; %(text)s has %(count)d.") % {
            "most": KEPT,
            "text": shorten(text),
            "count": len(words),
        }
        raise InputError([Fault("archive/opening", message, "opening")])
    position: BoardPosition[Any] = game.initial()
    moves = []
    for word in words:
        try:
            move = position.parse_move(word)
        except MoveError as error:
            raise InputError([Fault("archive/opening", str(error), "opening")]) from None
        moves.append(move)
        position = position.play(move)
    return tuple(moves)
