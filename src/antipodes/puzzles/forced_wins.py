"""Forced wins of Antipode and Antipalos: an exact search, and strategies for proofs.

:mod:`antipodes.puzzles.strategies` says what a strategy is and checks it.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import numpy as np

from antipodes.core import Move
from antipodes.games.kernels import Array, edition, header, plain_rules
from antipodes.games.position import Game, Position
from antipodes.games.winning import winning_move
from antipodes.puzzles.strategies import Strategies, attack_holds
from antipodes.search.families import search_family
from antipodes.search.kernels import forced_wins as kernels

_MAX_TURNS = 8
_LEVELS = 2 * _MAX_TURNS
_TRIED = 4  # earlier strategies that are tried for a further reply


class EffortSpent(Exception):  # noqa: N818 - an answer, not an error
    """The search has visited as many positions as it may."""


class ForcedWins:
    """A search for forced wins in one game of two colours.

    Attributes:
        effort: positions that may still be visited.
    """

    def __init__(self, game: Game, effort: int = 1 << 60) -> None:
        squares = game.topology.cell_count
        self.game = game
        self.effort = effort
        self._levels = kernels.Levels(
            states=np.zeros((_LEVELS, 0), np.int64),
            lists=np.zeros((_LEVELS, game.max_branching), np.int64),
            places=np.full((_LEVELS, kernels.PLACES), -1, np.int64),
        )
        self._scratch = np.zeros(7 * squares + 64, np.int64)
        self._work = game.work()
        family = search_family(game.family)
        wins = kernels.no_win if family is None else vars(kernels)[family.wins]
        # A game whose wins at once are found by playing needs a ply more.
        self._extra = int(wins is kernels.no_win)
        rules = plain_rules(game.family)
        given = {"moves": rules.moves, "play": rules.play, "wins": wins}
        self._search = edition(kernels, "attack_wins", **given)
        self._refute = edition(kernels, "refuting_move", **given)

    def wins(self, position: Position, turns: int) -> bool:
        """Return whether the colour to move wins within so many own turns.

        Raises:
            EffortSpent: the effort is spent.
        """
        return self._run(position, turns, defending=0)

    def holds(self, position: Position, turns: int) -> bool:
        """Return whether the colour to move prevents a win within so many turns of the other.

        Raises:
            EffortSpent: the effort is spent.
        """
        return not self._run(position, turns, defending=1)

    def distance(self, position: Position, most: int) -> int | None:
        """Return the number of own turns in which the colour to move wins; ``None`` beyond most.

        Raises:
            EffortSpent: the effort is spent.
        """
        return next((n for n in range(1, most + 1) if self.wins(position, n)), None)

    def attack(self, position: Position, turns: int) -> Move | None:
        """Return a move that wins within so many turns, by the fewest of them, or ``None``.

        Raises:
            EffortSpent: the effort is spent.
        """
        distance = self.distance(position, turns)
        if distance is None:
            return None
        if distance == 1:
            return winning_move(position)
        return Move(self._levels.places[0, kernels.KILLER])

    def refutation(self, position: Position, turns: int) -> Move | None:
        """Return a move after which the other side cannot win within so many turns, or ``None``.

        Raises:
            EffortSpent: the effort is spent.
        """
        left = self._begin(position, turns)
        move = self._refute(
            self.game.tables,
            position.searchable_state(_LEVELS),
            self._levels,
            self._work,
            self._scratch,
            left,
            turns + self._extra,
        )
        self._spend(left)
        return None if move < 0 else Move(move)

    def _begin(self, position: Position, turns: int) -> Array:
        """Set up the levels for a position; return the effort, which kernels count down."""
        if turns > _MAX_TURNS - 1:
            raise ValueError(f"turns must be below {_MAX_TURNS}, not {turns}")
        root = position.searchable_state(_LEVELS)
        if self._levels.states.shape[1] != len(root):
            self._levels = self._levels._replace(states=np.zeros((_LEVELS, len(root)), np.int64))
        self._levels.states[0] = root
        return np.array([self.effort], np.int64)

    def _spend(self, left: Array) -> None:
        self.effort = max(int(left[0]), 0)
        if left[0] < 0:
            raise EffortSpent

    def _run(self, position: Position, turns: int, *, defending: int) -> bool:
        left = self._begin(position, turns)
        answer = self._search(
            self.game.tables,
            self._levels,
            self._work,
            self._scratch,
            left,
            defending,
            turns + self._extra,
        )
        self._spend(left)
        return bool(answer == 1)


class StrategyWriter:
    """Writes strategies of forced wins and of defences, with shared parts only once."""

    def __init__(self, search: ForcedWins) -> None:
        self._search = search
        self.attack: list[Any] = []
        self.defence: list[Any] = []
        self._places: dict[tuple[int, str], int] = {}

    def write_attack(self, position: Position, turns: int, move: Move | None = None) -> int:
        """Write a win within so many turns; return the index of its strategy.

        Args:
            position: won by the colour to move.
            turns: of the winner.
            move: the first one; by default one of those that win.
        """
        chosen = self._search.attack(position, turns) if move is None else move
        assert chosen is not None
        text = position.format_move(chosen)
        after: Position = position.play(chosen)
        if after.outcome is not None:
            return self._shared(self.attack, [text])
        answers: dict[Move, int] = {}
        usual: Counter[int] = Counter()
        for reply in after.legal_moves:
            then: Position = after.play(reply)
            if then.outcome is None:
                answers[reply] = self._answer(then, turns - 1, usual)
                usual[answers[reply]] += 1
        default = usual.most_common(1)[0][0] if usual else None
        others = {after.format_move(r): n for r, n in answers.items() if n != default}
        return self._shared(self.attack, [text, default, others])

    def _answer(self, position: Position, turns: int, usual: Counter[int]) -> int:
        """Return a strategy that wins after a reply, if possible one that answers others too."""
        strategies = Strategies(self.attack, self.defence)
        for index, _ in usual.most_common(_TRIED):
            if attack_holds(strategies, index, position, turns):
                return index
        return self.write_attack(position, turns)

    def write_defence(self, position: Position, turns: int, solution: Move | None = None) -> int:
        """Write a defence against wins within so many turns; return its index.

        Args:
            position: with the attacker to move.
            turns: of the attacker.
            solution: a move that does win, but not within one turn less.
        """
        answers: dict[Move, tuple[str, int | None]] = {}
        for move in position.legal_moves:
            left = turns - 1 - (move == solution)
            after: Position = position.play(move)
            if after.outcome is None and left > 0:
                answers[move] = self._defended(after, left)
        if not answers:
            return self._shared(self.defence, [None, None, {}])
        (reply, child), _ = Counter(answers.values()).most_common(1)[0]
        others = {
            position.format_move(move): list(answer)
            for move, answer in answers.items()
            if answer != (reply, child)
        }
        return self._shared(self.defence, [reply, child, others])

    def _defended(self, after: Position, left: int) -> tuple[str, int | None]:
        """Return a reply and the defence after it."""
        reply = self._search.refutation(after, left)
        assert reply is not None
        then: Position = after.play(reply)
        child = None
        if then.outcome is None and left > 1:
            child = self.write_defence(then, left)
        return after.format_move(reply), child

    def _shared(self, nodes: list[Any], node: list[Any]) -> int:
        """Add a node unless it is there; return its index."""
        key = id(nodes), json.dumps(node)
        if key not in self._places:
            self._places[key] = len(nodes)
            nodes.append(node)
        return self._places[key]


def hardest_replies(search: ForcedWins, position: Position, most: int) -> list[Move]:
    """Return the replies of a lost position, the longest resistance first.

    Among equally long ones, those that need an answer of their own come first.

    Raises:
        EffortSpent: the effort is spent.
    """
    distances: dict[Move, int] = {}
    answers: dict[Move, Move | None] = {}
    for move in position.legal_moves:
        after: Position = position.play(move)
        if after.outcome is None:
            distance = search.distance(after, most)
            distances[move] = most + 1 if distance is None else distance
            answers[move] = search.attack(after, most)
        else:
            lost = int(after.state[header.WINNER]) != 1 + int(position.state[header.COLOR])
            distances[move] = 0 if lost else most + 1
            answers[move] = None
    counts = Counter(answers.values())
    return sorted(distances, key=lambda move: (-distances[move], counts[answers[move]], move))
