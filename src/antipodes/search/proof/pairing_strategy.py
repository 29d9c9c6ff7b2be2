"""Pairing strategies: wins without a search, because each stone of the loser has one answer.

Two kinds are looked for: half turns of the board, as in :mod:`antipodes.games.pairing_strategy`,
and chains of groups in which two empty cells join each group to the next. Each strategy is tried
with the rule of :mod:`antipodes.search.proof.checker` before it is returned.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from antipodes.core import Color
from antipodes.games.placement import PlacementPosition
from antipodes.search.proof.checker import KINDS, Groups, ProofBoard, ProofError, follow

_EFFORT = 400  # steps of the search for a chain of groups

Pair = tuple[str, str]
_Way = list[tuple[str, int]]  # groups, with the turns of the way to each


@dataclass(frozen=True, slots=True)
class PairingStrategy:
    """A strategy of answers by pairs of points, which wins a position.

    Attributes:
        winner: the colour that wins.
        stones: points of the winner that the strategy needs, with that of ``move``.
        pairs: points, of which the winner answers a stone on one with the other.
        move: the winner's first move; without one the winner wins with either side to move.
    """

    winner: Color
    stones: tuple[str, ...]
    pairs: tuple[Pair, ...]
    move: str | None

    def lines(self) -> list[list[Any]]:
        """Return the lines of the proof."""
        lines: list[list[Any]] = [["pairing", [*self.stones], [[*pair] for pair in self.pairs]]]
        if self.move is not None:
            lines.append(["play", self.move, 0])
        return lines


def find_pairing_strategy(position: PlacementPosition[Any]) -> PairingStrategy | None:
    """Return a strategy that wins a position for either colour, or ``None`` if none is found.

    A swap is left out. The game must not be over. Boards that the checker does not know have none.
    """
    if position.game.topology.kind not in KINDS:
        return None
    for winner in position.game.kernel_colors:
        board = ProofBoard(position.game.topology, winner.value)
        may_move = position.to_move is winner
        turns = _half_turns(position, winner, may_move=may_move)
        chains = _Chains(position, board, winner, may_move=may_move).find()
        for strategy in itertools.chain(turns, chains):
            try:
                follow(board, strategy.lines()[0], [])
            except ProofError:
                continue
            return strategy
    return None


def _half_turns(
    position: PlacementPosition[Any], winner: Color, *, may_move: bool
) -> Iterator[PairingStrategy]:
    """Yield the half turns of the board where the winner has a stone in each pair with stones.

    A winner to move may have left one stone without an answer.
    """
    topology = position.game.topology
    names = [topology.name(cell) for cell in range(topology.cell_count)]
    owners = position.stones()
    for image in topology.symmetries[1:]:
        orbits = {(min(cell, other), max(cell, other)) for cell, other in enumerate(image)}
        if any(image[other] != cell for cell, other in enumerate(image)):
            continue
        stones, answers = [], []
        for orbit in sorted(orbits):
            own = [cell for cell in orbit if owners.get(cell) is winner]
            if own:
                stones.append(own[0])
            elif orbit[0] == orbit[1] or any(cell in owners for cell in orbit):
                answers.append([cell for cell in orbit if cell not in owners])
        if len(answers) > may_move or not all(answers):
            continue
        move = answers[0][0] if answers else None
        yield PairingStrategy(
            winner,
            tuple(names[cell] for cell in [*stones, *(cells[0] for cells in answers)]),
            tuple((names[a], names[b]) for a, b in sorted(orbits) if a != b),
            None if move is None else names[move],
        )


class _Chains:
    """A search for a chain of groups from goal to goal, or round a goal, joined by pairs of cells.

    One link may be a single cell if the winner is to move.
    """

    def __init__(
        self, position: PlacementPosition[Any], board: ProofBoard, winner: Color, *, may_move: bool
    ) -> None:
        """Find the groups and the cells between them."""
        owners = position.stones()
        self._winner = winner
        self._ends = board.ends
        self._may_move = may_move
        self._stones = tuple(board.points[c] for c, color in owners.items() if color is winner)
        self._groups = Groups(board, self._stones)
        self._links: dict[str, dict[tuple[str, int], list[str]]] = {}
        self._effort = _EFFORT
        for cell, point in enumerate(board.points):
            ways = self._groups.ways(point) if cell not in owners else set()
            for group, other, turns in sorted(ways):
                if group != other or turns:
                    links = self._links.setdefault(group, {})
                    links.setdefault((other, turns), []).append(point)

    def find(self) -> Iterator[PairingStrategy]:
        """Yield the first chain from each start."""
        starts = [self._groups.group(self._ends[0])] if self._ends else list(self._links)
        for start in starts:
            found = self._extend([(str(start), 0)], [])
            if found is not None:
                moves = tuple(cells[0] for cells in found if len(cells) == 1)
                pairs = tuple((cells[0], cells[1]) for cells in found if len(cells) == 2)
                move = moves[0] if moves else None
                yield PairingStrategy(self._winner, (*self._stones, *moves), pairs, move)

    def _extend(self, way: _Way, used: list[tuple[str, ...]]) -> list[tuple[str, ...]] | None:
        """Return the cells of the links of a chain that begins with a way, or ``None``."""
        here, turned = way[-1]
        if self._is_goal(way):
            return used
        self._effort -= 1
        passed = {group for group, _ in way[0 if self._ends else 1 :]}
        taken = set(itertools.chain.from_iterable(used))
        sizes = (1, 2) if self._may_move and all(len(cells) == 2 for cells in used) else (2,)
        for (group, turns), cells in self._links.get(here, {}).items():
            free = [cell for cell in cells if cell not in taken]
            sets = itertools.chain.from_iterable(itertools.combinations(free, n) for n in sizes)
            for chosen in sets:
                if group in passed or self._effort < 0:
                    break
                extended = self._extend([*way, (group, turned + turns)], [*used, chosen])
                if extended is not None:
                    return extended
        return None

    def _is_goal(self, way: _Way) -> bool:
        group, turns = way[-1]
        if self._ends:
            return group == self._groups.group(self._ends[1])
        return len(way) > 1 and group == way[0][0] and turns != 0
