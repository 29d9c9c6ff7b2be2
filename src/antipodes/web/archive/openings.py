"""Openings: the first moves of games, in a canonical orientation of the board."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from antipodes.core import Move
from antipodes.errors import Fault, InputError, MoveError
from antipodes.games.position import Game, Position
from antipodes.notation.text import shorten
from antipodes.search.analysis_result import line_texts

LONGEST = 8  # moves stored of each game, and maximum length of a searched opening
NO_MOVE = -1

_SEPARATORS = re.compile(r"[\s,;]+")
_NUMBER = re.compile(r"\d+\.+")  # move numbers, as in "1. e6"


def canonical_opening(game: Game, moves: Iterable[int]) -> tuple[int, ...]:
    """Return the smallest image of the first moves under the symmetries of the board.

    Prefixes stay prefixes: the smallest image of a line begins with the smallest image of its
    beginning.
    """
    first = tuple(int(move) for move in moves)[:LONGEST]
    images = (
        tuple(int(game.transform(move, symmetry)) for move in first) for symmetry in game.symmetries
    )
    return min(images)


def opening_key(opening: Sequence[int]) -> str:
    """Return an opening as text; the texts of its continuations begin with it."""
    return "".join(f"{move} " for move in opening)


def read_opening_key(key: str) -> tuple[int, ...]:
    """Return the opening of an :func:`opening_key`."""
    return tuple(int(move) for move in key.split())


def opening_text(game: Game, opening: Iterable[int]) -> str:
    """Return an opening in notation, such as ``e6 d4``."""
    return " ".join(line_texts(game.initial(), map(Move, opening)))


def read_opening(game: Game, text: str) -> tuple[Move, ...]:
    """Read an opening from typed moves, with or without move numbers.

    Raises:
        InputError: a move is unreadable or illegal, or there are too many moves.
    """
    words = [
        word for word in _SEPARATORS.split(text.strip()) if word and not _NUMBER.fullmatch(word)
    ]
    if len(words) > LONGEST:
        message = _("An opening can have at most %(most)d moves; %(text)s has %(count)d.") % {
            "most": LONGEST,
            "text": shorten(text),
            "count": len(words),
        }
        raise InputError([Fault("archive/opening", message, "opening")])
    position: Position = game.initial()
    moves = []
    for word in words:
        try:
            move = position.parse_move(word)
        except MoveError as error:
            raise InputError([Fault("archive/opening", str(error), "opening")]) from None
        moves.append(move)
        position = position.play(move)
    return tuple(moves)
