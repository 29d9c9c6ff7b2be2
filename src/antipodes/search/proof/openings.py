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
from antipodes.games.kernels import Array, edition, placement
from antipodes.games.placement import PlacementGame
from antipodes.games.registry import make_game
from antipodes.search.answers import new_answer, read_answer
from antipodes.search.interface import Knowledge
from antipodes.search.kernels import opening_facts as kernels
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
    """Proven knowledge of the first two moves, and of games that a pairing strategy wins.

    Attributes:
        facts: as kernels take them.
    """

    def __init__(self, game: AnyGame) -> None:
        """Read the data, and look for a pairing strategy."""
        colors, cells = game.kernel_colors, game.topology.cell_count
        has_swaps = game.swap_mode != placement.NO_SWAPS
        openings = openings_of(game)
        strategy = None if has_swaps else find_pairing_strategy(game.initial())
        numbers = {
            kernels.ARE_KNOWN: bool(openings.winners or openings.start or strategy),
            kernels.SWAPS: game.swap_mode,
            kernels.OWNER: 0 if strategy is None else colors.index(strategy.winner),
            kernels.FIRST: colors.index(game.first),
            kernels.START: 0 if openings.start is None else 1 + colors.index(openings.start),
        }
        pairs = () if strategy is None else strategy.pairs
        paired = [[game.topology.cell(name) for name in pair] for pair in pairs]
        self.facts = kernels.Facts(
            numbers=np.array([numbers[number] for number in range(kernels.NUMBERS)], np.int64),
            pairs=np.array(paired, np.int64).reshape(-1, 2),
            winners=np.zeros(cells, np.int64),
            replies=np.full(cells, -1, np.int64),
            mirror=game.tables[game.tables[placement.MIRROR] :][:cells].copy(),
        )
        for move, winner in openings.winners.items():
            self.facts.winners[move] = 1 + colors.index(winner)
        for move, reply in openings.replies.items():
            self.facts.replies[move] = reply
        self._answer = new_answer(cells + 1)

    def query(self, state: Array) -> Knowledge | None:
        """Return the proven result of a state, or ``None``."""
        edition(kernels, "query_facts")(self.facts, state, self._answer)
        return read_answer(self._answer)

    def find_win(self, state: Array, rng: Array) -> int:
        """Return a move that is known to win, by chance one of several, or -1."""
        find = edition(kernels, "find_proven_win")
        return int(find(self.facts, state, self._answer, rng))


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
