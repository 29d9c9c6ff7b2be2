"""Wins at once: the moves that end the game for the colour to move, by the rules alone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from antipodes.core import Move
from antipodes.games.kernels import Array, edition, header, plain_rules, rules_of, wins
from antipodes.games.position import Position


def winning_move(position: Position) -> Move | None:
    """Return the first move that wins at once for the colour to move, or ``None``."""
    game = position.game
    plain = plain_rules(game.family)
    state = position.searchable_state(1)
    out = np.empty(game.max_branching, np.int64)
    first_win = edition(wins, "first_win", moves=plain.moves, play=plain.play)
    move = first_win(game.tables, state, state.copy(), game.work(), out)
    return None if move < 0 else Move(move)


def winning_moves(position: Position) -> list[Move]:
    """Return the moves that win at once for the colour to move, in rising order."""
    own = 1 + int(position.state[header.COLOR])
    return [move for move, state in after_each(position) if state[header.WINNER] == own]


def after_each(position: Position) -> Iterator[tuple[Move, Array]]:
    """Yield each legal move with the state after it; the array is reused."""
    game = position.game
    play = rules_of(game.family).play
    state = position.searchable_state(1)
    root = state.copy()
    work = game.work()
    for move in position.legal_moves.array().tolist():
        np.copyto(state, root)
        play(game.tables, state, work, move)
        yield Move(move), state
