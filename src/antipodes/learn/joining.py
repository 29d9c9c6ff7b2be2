"""Whether stones are virtually connected: an exact search of a few empty cells."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from antipodes.boards import Topology
from antipodes.core import Color
from antipodes.errors import InputError
from antipodes.games.placement import PlacementPosition

_MAX_AREA = 14  # cells; the search is exponential in their number


def ends(position: PlacementPosition, name: str) -> frozenset[int]:  # type: ignore[type-arg]
    """Return the cells of an end of a connection: one point, or the cells along an edge.

    Raises:
        InputError: there is no such point or edge.
    """
    board = position.game.topology
    if name in board.rims:
        return frozenset(board.rims[name])
    cell = board.cell(name)
    if cell is None:
        raise InputError.single("learn/no-such-point", f"{name} is not a point or an edge")
    return frozenset({cell})


def chain_between(
    board: Topology, cells: frozenset[int], here: frozenset[int], there: frozenset[int]
) -> bool:
    """Return whether some of the cells form a chain from one end to the other."""
    seen = set(here & cells)
    pending = list(seen)
    while pending:
        cell = pending.pop()
        if cell in there:
            return True
        new = cells.intersection(board.neighbours[cell]) - seen
        seen |= new
        pending.extend(new)
    return False


def cuts(
    position: PlacementPosition,  # type: ignore[type-arg]
    color: Color,
    between: tuple[str, str],
    area: Iterable[str] = (),
) -> frozenset[int] | None:
    """Return the opponent's moves that keep a colour from joining two ends.

    Args:
        position: with or without the opponent to move.
        color: whose connection it is.
        between: names of points or edges.
        area: empty points that both sides may use; by default all of the board.

    Returns:
        ``None`` if the ends are connected, whatever the opponent does. An empty set says that they
        cannot be joined at all.

    Raises:
        InputError: the area is too large, or a name is unknown.
    """
    board = position.game.topology
    stones = position.stones()
    wanted = [board.cell(name) for name in area]
    empty = [c for c in range(board.cell_count) if c not in stones and (not wanted or c in wanted)]
    if len(empty) > _MAX_AREA:
        raise InputError.single("learn/area", f"{len(empty)} empty points are too many to search")
    here, there = (ends(position, name) for name in between)
    own = frozenset(cell for cell, held in stones.items() if held is color)

    def survives(held: frozenset[int], left: frozenset[int]) -> bool:
        """Return whether the ends can be joined with their owner to move."""
        return any(holds(held | {answer}, left - {answer}) for answer in left)

    @cache
    def holds(held: frozenset[int], free: frozenset[int]) -> bool:
        """Return whether the ends can be joined with the opponent to move."""
        if chain_between(board, held, here, there):
            return True
        # Not even with all empty points: no need to try the cuts.
        if not chain_between(board, held | free, here, there):
            return False
        return all(survives(held, free - {cut}) for cut in free)

    free = frozenset(empty)
    if holds(own, free):
        return None
    if not chain_between(board, own | free, here, there):
        return frozenset()
    return frozenset(cut for cut in free if not survives(own, free - {cut}))
