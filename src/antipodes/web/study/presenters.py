"""Positions of any game as data for pages."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from antipodes.web.matches.presenters import (
    board_view,
    legal_moves,
    open_swap,
    pieces,
    play_through,
)
from antipodes.web.study.queries import AnyGame, Line, game_fields

_KEPT = 64  # boards; the largest has some hundred kilobytes


@dataclass(frozen=True, slots=True)
class Board:
    """A board as text, and a name of exactly this text."""

    text: str
    version: str


@lru_cache(maxsize=_KEPT)
def board_of(game: AnyGame) -> Board:
    """Return a game's board as JSON."""
    text = json.dumps(board_view(game.initial()), separators=(",", ":"))
    return Board(text, hashlib.sha256(text.encode()).hexdigest()[:12])


def board_address(game: AnyGame) -> str:
    """Return where a game's board can be fetched; another board has another address."""
    return "/boards.json?" + urlencode({**game_fields(game), "v": board_of(game).version})


def position_view(line: Line, since: int) -> dict[str, Any]:
    """Return a line of moves, those after the first ``since`` in full, and what may come next."""
    return {
        "game": line.game.id,
        "title": line.game.title,
        "options": dict(line.game.options.changed()),
        "board": board_address(line.game),
        "query": line.query,
        "pieces": pieces(line.position.scene()),
        "legal": legal_moves(line.position),
        "swap": open_swap(line.position),
        "seat": line.position.seat_to_move,
        **effect_view(line, since),
    }


def effect_view(line: Line, since: int) -> dict[str, Any]:
    """Return what the moves after the first ``since`` change, and how it stands then."""
    known = line.game.initial()
    for move in line.moves[:since]:
        known = known.play(move)
    played = play_through(known, line.moves[since:])
    position = played.position
    return {
        "since": min(since, len(line.moves)),
        "start": played.start,
        "moves": played.moves,
        "caption": position.caption(),
        "result": None if position.outcome is None else str(position.outcome),
        "chain": list(position.winning_chain()),
        "toMove": position.to_move.value,
    }
