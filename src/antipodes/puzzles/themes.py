"""Themes of puzzles, recognised on the board; the most characteristic theme comes first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from antipodes.core import Color, Move
from antipodes.games.antipalos import AntipalosPosition
from antipodes.games.antipode import AntipodePosition
from antipodes.games.kernels import header
from antipodes.games.placement import PlacementPosition
from antipodes.games.position import Position
from antipodes.games.winning import winning_move, winning_moves
from antipodes.search.connection import ConnectionSearch
from antipodes.search.proof.reduction import Reducer
from antipodes.search.threats import null_move

_MANY_FLIPS = 3
_DEAD_CELLS = 3
_LADDER = 3  # stones of the solver in a row


def themes_of(position: Position, line: Sequence[Move]) -> tuple[str, ...]:
    """Return the themes of a puzzle, given its line of moves."""
    tests = _THEMES.get(position.game.family, ())
    return tuple(name for name, test in tests if test(position, line))


# Placement games.


def _neighbours(position: PlacementPosition[Any], cell: int) -> Sequence[int]:
    near: Sequence[int] = position.game.topology.neighbours[cell]
    return near


def _own_stones(position: PlacementPosition[Any]) -> set[int]:
    return {cell for cell, color in position.stones().items() if color is position.to_move}


def _bridges(position: PlacementPosition[Any], cell: int, stones: set[int]) -> bool:
    """Return whether a stone on a cell would form a bridge with one of some stones."""
    taken = position.stones()
    near = {other for other in _neighbours(position, cell) if other not in taken}
    return any(
        stone not in _neighbours(position, cell)
        and len(near & set(_neighbours(position, stone))) >= 2
        for stone in stones
    )


def _is_bridge(position: PlacementPosition[Any], line: Sequence[Move]) -> bool:
    return _bridges(position, line[0], _own_stones(position))


def _is_edge(position: PlacementPosition[Any], line: Sequence[Move]) -> bool:
    """Return whether the solution bridges to a border of the solver, or stands next to it."""
    rims = position.game.topology.rims
    names = ("left", "right") if position.to_move is Color.WHITE else ("top", "bottom")
    taken = position.stones()
    for name in names:
        rim = set(rims.get(name, ()))
        near = [c for c in _neighbours(position, line[0]) if c in rim and c not in taken]
        if line[0] not in rim and len(near) >= 2:
            return True
    return False


def _is_ladder(position: PlacementPosition[Any], line: Sequence[Move]) -> bool:
    """Return whether both sides push along side by side."""
    own, replies = line[::2], line[1::2]
    if len(own) < _LADDER:
        return False
    steps = [b in _neighbours(position, a) for a, b in pairwise(own)]
    answered = [reply in _neighbours(position, stone) for stone, reply in zip(own, replies)]  # noqa: B905
    run = 0
    for step, answer in zip(steps, answered, strict=True):
        run = run + 1 if step and answer else 0
        if run >= _LADDER - 1:
            return True
    return False


def _is_fork(position: PlacementPosition[Any], line: Sequence[Move]) -> bool:
    """Return whether the solution threatens to win in ways that no single move stops."""
    after = position.play(line[0])
    if after.outcome is not None:
        return False
    return len(ConnectionSearch(position.game).run(after).goals) >= 2


def _is_ring(position: PlacementPosition[Any], _line: Sequence[Move]) -> bool:
    kind = position.game.topology.kind
    return position.to_move is Color.WHITE and kind in ("sphere", "cylinder")


def _is_block(position: PlacementPosition[Any], line: Sequence[Move]) -> bool:
    """Return whether the solution stands in the opponent's way, away from the solver's stones."""
    own = _own_stones(position)
    opposing = set(position.stones()) - own
    near = set(_neighbours(position, line[0]))
    if near & own or _bridges(position, line[0], own):
        return False
    return bool(near & opposing) or _bridges(position, line[0], opposing)


def _kills_cells(position: PlacementPosition[Any], line: Sequence[Move]) -> bool:
    """Return whether the solution makes several empty cells useless to the opponent."""
    after = position.play(line[0])
    counts = []
    for state in (position.kernel_state, after.kernel_state):
        filled = Reducer(position.game).fill_in(state)
        cells = slice(header.HEADER, header.HEADER + position.game.topology.cell_count)
        counts.append(int(np.count_nonzero(filled[cells] != state[cells])))
    return counts[1] - counts[0] >= _DEAD_CELLS


_CONNECTION_THEMES = (
    ("ladder", _is_ladder),
    ("ring", _is_ring),
    ("fork", _is_fork),
    ("block", _is_block),
    ("edge", _is_edge),
    ("dead-cell", _kills_cells),
    ("bridge", _is_bridge),
)


# Antipode and Antipalos.


def _threatened_cells(position: Position, solution: Move) -> set[int]:
    """Return the cells on which the solver would win at once if the opponent passed."""
    after: Position = position.play(solution)
    passed = null_move(after)
    if passed is None:
        return set()
    return {_target(passed, move) for move in winning_moves(passed)}


def _target(position: Position, move: Move) -> int:
    steps = position.steps(move)
    return steps[0] if isinstance(position, AntipodePosition) else steps[-2]


def _threatens_twice(position: Position, line: Sequence[Move]) -> bool:
    """Return whether some move of the solver threatens to win at once in two ways."""
    for move, reply in zip(line[::2], line[1::2], strict=False):
        if len(_threatened_cells(position, move)) >= 2:
            return True
        position = position.play(move).play(reply)
    return False


def _parries(position: Position, _line: Sequence[Move]) -> bool:
    """Return whether the opponent threatens to win at once."""
    passed = null_move(position)
    return passed is not None and winning_move(passed) is not None


def _flips(position: AntipodePosition, line: Sequence[Move]) -> bool:
    before = position.tokens()
    after = position.play(line[0]).tokens()
    gained = [c for c, color in before.items() if after[c] is not color]
    return sum(after[c] is position.to_move for c in gained) >= _MANY_FLIPS


def _locks(position: AntipodePosition, line: Sequence[Move]) -> bool:
    """Return whether the solution locks a corner, or locked ones leave the solver a single pair.

    A locked corner keeps its colour, so a colour cannot join a pair in which the other has locked
    a corner.
    """
    before = _locked(position)
    if len(_locked(position.play(line[0]))) > len(before):
        return True
    corners = position.game.topology.rims["corners"]
    half = len(corners) // 2
    own = position.to_move
    joinable = [
        all(before.get(corner, own) is own for corner in pair)
        for pair in zip(corners[:half], corners[half:], strict=True)
    ]
    return sum(joinable) == 1


def _locked(position: AntipodePosition) -> dict[int, Color]:
    """Return the locked corners with their colours."""
    tokens = position.tokens()
    locks = position.game.locks().items()
    return {corner: tokens[corner] for corner, near in locks if {corner, *near} <= set(tokens)}


def _touches_border(position: AntipalosPosition, line: Sequence[Move]) -> bool:
    square = _target(position, line[0])
    return any(square in cells for cells in position.game.topology.rims.values())


_ANTIPODE_THEMES = (
    ("block", _parries),
    ("fork", _threatens_twice),
    ("flip", _flips),
    ("lock", _locks),
)
_ANTIPALOS_THEMES = (
    ("block", _parries),
    ("double-option", _threatens_twice),
    ("edge", _touches_border),
)
_THEMES: Mapping[str, Sequence[tuple[str, Callable[..., bool]]]] = {
    "placement": _CONNECTION_THEMES,
    "antipode": _ANTIPODE_THEMES,
    "antipalos": _ANTIPALOS_THEMES,
}  # by family; puzzles of other games have no themes
