"""Positions of any game as data for pages."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from antipodes.core.array_cache import ArrayCache
from antipodes.games.options import OptionInfo
from antipodes.games.position import Game, Position
from antipodes.learn.move_words import line_in_words, move_in_words
from antipodes.search.analysis_result import Analysis, data_with_overlay
from antipodes.web.analysis.models import AnalysisRow, AnalysisState
from antipodes.web.analysis.position_queries import Line, game_fields, position_after
from antipodes.web.analysis.schemas import (
    AdviceOut,
    AnalysisOut,
    AnalysisResultOut,
    EffectOut,
    LastMovesOut,
    PositionOut,
    StepsOut,
    ToldMovesOut,
)
from antipodes.web.jobs.models import JobKind
from antipodes.web.jobs.wait_forecast import forecast
from antipodes.web.matches.presenters import (
    board_position,
    board_view,
    game_state,
    pieces,
    play_through,
)
from antipodes.web.platform.translations import option_label, phrase_text, translate

_KEPT = 16 * 1024 * 1024  # bytes of boards in memory


@dataclass(frozen=True, slots=True)
class Board:
    """A board as JSON, which takes a fifth of the memory of its data, with a hash."""

    text: bytes
    version: str

    @property
    def nbytes(self) -> int:
        """The size in memory."""
        return len(self.text)


# Visitors choose the options. A game in the keys would keep its tables too.
_boards: ArrayCache[tuple[type[Game], Any], Board] = ArrayCache(_KEPT)


def board_of(game: Game) -> Board:
    return _boards.get((type(game), game.options), lambda: _make_board(game))


def _make_board(game: Game) -> Board:
    text = json.dumps(board_view(game.initial())).encode()
    return Board(text, hashlib.sha256(text).hexdigest()[:12])


def board_address(game: Game) -> str:
    """Return the URL of a game's board, which changes with the data."""
    return "/boards.json?" + urlencode({**game_fields(game), "v": board_of(game).version})


def option_fields(game: Game) -> list[tuple[str, OptionInfo, int | str, Sequence[int | str]]]:
    """Return label, option, value and choices of the options with more than one choice.

    The value of an option that depends on others is empty.
    """
    changed = game.options.changed()
    values = game.options.as_dict()
    return [
        (
            option_label(info.name),
            info,
            "" if info.default is None and info.name not in changed else values[info.name],
            choices,
        )
        for info in game.option_table()
        if len(choices := game.options.choices(info.name)) > 1
    ]


def position_view(line: Line, since: int) -> PositionOut:
    """Return a line with its moves after the first ``since``, its position and the legal moves."""
    return {
        "game": line.game.id,
        "title": translate(line.game.title),
        "options": dict(line.game.options.changed()),
        "board": board_address(line.game),
        "query": line.query,
        "seat": line.position.seat_to_move,
        **board_position(line.position),
        **_last_moves(line, since),
    }


def begun_view(line: Line, steps: Sequence[int]) -> StepsOut:
    """Return the changes by the first steps of an incomplete move."""
    lies = pieces(line.position)
    flipped = line.position.flipped_by(steps)
    return {"changed": {cell: (lies[cell], color.value) for cell, color in flipped.items()}}


def effect_view(line: Line, since: int) -> EffectOut:
    """Return the changes by the moves after the first ``since``, and the state of the game."""
    return {**_last_moves(line, since), **game_state(line.position)}


def advice_view(line: Line) -> AdviceOut:
    """Return a sentence that advises the last move of a line; empty if there is no move."""
    if not line.moves:
        return {"words": ""}
    before = position_after(line, len(line.moves) - 1)
    return {"words": phrase_text(move_in_words(before, line.moves[-1], is_advice=True))}


def told_view(line: Line, since: int) -> ToldMovesOut:
    """Return the moves after the first ``since`` with a sentence about each."""
    before, moves = position_after(line, since), line.moves[since:]
    return {"shown": play_through(before, moves).moves, "words": words_of(before, moves)}


def words_of(position: Position, moves: Sequence[int | str]) -> list[str]:
    """Return a sentence about each move of a line from a position, in the reader's language."""
    return [phrase_text(phrase) for phrase in line_in_words(position, moves)]


def _last_moves(line: Line, since: int) -> LastMovesOut:
    played = play_through(position_after(line, since), line.moves[since:])
    return {
        "since": min(since, len(line.moves)),
        "start": played.start,
        "moves": played.moves,
    }


def analysis_view(analysis: Analysis, share: float) -> AnalysisResultOut:
    """Return an analysis as data, with the overlay of the board.

    Args:
        analysis: the analysis so far.
        share: share of the work done, from 0 to 1.
    """
    view: Any = data_with_overlay(analysis, share)
    result: AnalysisResultOut = view
    return result


def asked_view(row: AnalysisRow) -> AnalysisOut:
    """Return the state of a requested analysis, and the results so far."""
    state = AnalysisState(row.state)
    return {
        "slug": row.slug,
        "state": state,
        "isOver": state.is_over,
        "found": row.found,
        "wait": _wait_of(row),
    }


def _wait_of(row: AnalysisRow) -> int | None:
    """Return the estimated waiting time of an analysis in seconds; ``None`` if it is short."""
    return (
        forecast().get(f"{JobKind.ANALYSIS} {row.slug}")
        if row.state == AnalysisState.WAITING
        else None
    )
