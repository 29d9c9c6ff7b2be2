"""Solved openings: the proven winner after each first move on small boards, as shipped data.

Each line of the data is an :class:`OpeningFact`; ``tools/solve_openings.py`` makes them. Of first
moves that a symmetry maps to each other one is kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from antipodes.core import Color
from antipodes.games.kernels import Array, header, placement
from antipodes.games.placement import PlacementGame
from antipodes.games.registry import make_game
from antipodes.search.interface import Knowledge
from antipodes.search.proof.pairing_strategy import find_pairing_strategy
from antipodes.search.proof.solver import Solver

AnyGame = PlacementGame[Any, Any]


@dataclass(frozen=True, slots=True)
class OpeningFact:
    """A proven result of a game without swaps.

    Attributes:
        game: id of the game.
        options: of the game, without ``swap``.
        move: the first move; empty if only the winner of the start is known.
        winner: ``black`` or ``white``.
        reply: a winning answer, if the answering colour wins; else empty.
    """

    game: str
    options: Mapping[str, Any]
    move: str
    winner: str
    reply: str = ""

    def text(self) -> str:
        """Return the line of the data."""
        return json.dumps(asdict(self))


class Openings:
    """The solved openings of one game.

    Attributes:
        start: the proven winner of the start, or ``None``.
        winners: first move -> colour that wins after it.
        replies: first move -> a winning answer.
    """

    def __init__(self, game: AnyGame, facts: Iterable[OpeningFact]) -> None:
        """Apply the symmetries of a game to facts about it."""
        self.start: Color | None = None
        self.winners: dict[int, Color] = {}
        self.replies: dict[int, int] = {}
        board = game.topology
        for fact in facts:
            winner = Color(fact.winner)
            cell, reply = board.cell(fact.move.rstrip("+")), board.cell(fact.reply.rstrip("+"))
            if cell is None:
                self.start = winner
                continue
            for image in (board.symmetries[index] for index in game.symmetries):
                self.winners.setdefault(image[cell], winner)
                if reply is not None:
                    self.replies.setdefault(image[cell], image[reply])
        if game.first in self.winners.values():
            self.start = game.first
        elif len(self.winners) == board.cell_count - len(game.start_stones()):
            self.start = next(color for color in game.colors if color is not game.first)

    def winning_moves(self, color: Color) -> list[int]:
        """Return the first moves that are known to win for the first colour."""
        return sorted(move for move, winner in self.winners.items() if winner is color)


class OpeningKnowledge:
    """Proven knowledge of the first two moves, and of games that a pairing strategy wins."""

    def __init__(self, game: AnyGame) -> None:
        """Read the data, and look for a pairing strategy."""
        self._colors = game.kernel_colors
        self._first = game.kernel_colors.index(game.first)
        self._cells = game.topology.cell_count
        self._openings = openings_of(game)
        self._is_known = game.swap_mode == placement.NO_SWAPS
        strategy = find_pairing_strategy(game.initial()) if self._is_known else None
        self._owner = 0 if strategy is None else self._colors.index(strategy.winner)
        pairs = () if strategy is None else strategy.pairs
        self._pairs = np.array([[game.topology.cell(one) for one in pair] for pair in pairs], int)

    def query(self, state: Array) -> Knowledge | None:
        """Return the proven result of a state, or ``None``; swaps are not known."""
        if not self._is_known:
            return None
        if len(self._pairs):
            return self._by_pairing(state)
        return self._by_facts(state) if state[header.PLY] <= 1 else None

    def _by_pairing(self, state: Array) -> Knowledge | None:
        owners = state[header.HEADER : header.HEADER + self._cells]
        paired = owners[self._pairs]
        owned = (paired == 1 + self._owner).any(axis=1)
        unanswered = self._pairs[~owned & (paired != 0).any(axis=1)]
        if state[header.COLOR] != self._owner:
            return None if len(unanswered) else Knowledge(self._owner, ())
        if len(unanswered) > 1:
            return None
        chosen = unanswered if len(unanswered) else self._pairs
        moves = [int(cell) for cell in chosen.ravel() if owners[cell] == 0]
        return Knowledge(self._owner, tuple(moves)) if moves else None

    def _by_facts(self, state: Array) -> Knowledge | None:
        """Return the knowledge of a state before or after the first move."""
        opponent = 1 - self._first
        color, last = int(state[header.COLOR]), int(state[header.LAST])
        if state[header.PLY] == 0 and color == self._first:
            moves = tuple(self._openings.winning_moves(self._colors[color]))
            is_lost = self._openings.start is self._colors[opponent]
            return (
                Knowledge(color, moves) if moves else Knowledge(opponent, ()) if is_lost else None
            )
        winner = self._openings.winners.get(last)
        if state[header.PLY] == 0 or color != opponent or winner is None:
            return None
        if winner is self._colors[self._first]:
            return Knowledge(self._first, ())
        reply = self._openings.replies.get(last)
        return None if reply is None else Knowledge(opponent, (reply,))


def first_moves(game: AnyGame) -> list[int]:
    """Return one first move of each class of moves that symmetries map to each other."""
    images = [game.topology.symmetries[index] for index in game.symmetries]
    empty = [cell for cell in range(game.topology.cell_count) if cell not in game.start_stones()]
    return [cell for cell in empty if cell == min(image[cell] for image in images)]


def solve_opening(
    game_id: str, options: Mapping[str, Any], move: str, *, memory: int = 256
) -> OpeningFact:
    """Solve the position after a first move.

    The result depends on the arguments alone, so that calls can be distributed.
    """
    position = make_game(game_id, options).initial().play(move)
    solver = Solver(position, memory=memory)
    solver.run()
    winner = solver.winner
    assert winner is not None
    reply = position.format_move(solver.winning_moves[0]) if solver.winning_moves else ""
    return OpeningFact(game_id, dict(options), move, winner.value, reply)


def openings_of(game: AnyGame) -> Openings:
    """Return the solved openings of a game; there may be none."""
    return Openings(game, _facts_by_board().get(board_key(game), ()))


def all_facts() -> list[OpeningFact]:
    """Return the shipped facts."""
    text = files(__package__).joinpath("openings.jsonl").read_text(encoding="utf-8")
    return [OpeningFact(**json.loads(line)) for line in text.splitlines()]


def board_key(game: AnyGame) -> str:
    """Return a text that is the same for games that differ at most in their swap."""
    options = {name: value for name, value in game.options.as_dict().items() if name != "swap"}
    return json.dumps([game.id, options])


@lru_cache(maxsize=1)
def _facts_by_board() -> dict[str, list[OpeningFact]]:
    facts: dict[str, list[OpeningFact]] = {}
    keys: dict[str, str] = {}
    for fact in all_facts():
        text = json.dumps([fact.game, fact.options])
        if text not in keys:
            game = make_game(fact.game, fact.options)
            assert isinstance(game, PlacementGame)
            keys[text] = board_key(game)
        facts.setdefault(keys[text], []).append(fact)
    return facts
