"""Maps of first moves: scenes with the values of an atlas, or with what should be swapped."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from antipodes.games.symmetry import cells_of
from antipodes.lab.atlas import Atlas, FirstMove
from antipodes.notation.scene import Overlay, Scene

_PROVEN = {"win": "W", "draw": "D", "loss": "L"}
_FAIR_SHADE = 0.1  # one dot
_SWAP_SHADE = 1.0


def heat_map(atlas: Atlas) -> Scene:
    """Return the start position with the value of each first move, in per cent.

    Where several first moves put a piece on the same cell, it shows the best of them. Shades go
    from the worst to the best move.
    """
    best = _best_of_cells(atlas)
    values = [one.value for one in best.values()]
    low, high = min(values), max(values)
    overlay = Overlay(
        marks={
            cell: _PROVEN[first_move.proven]
            if first_move.proven
            else f"{100 * first_move.value:.0f}"
            for cell, first_move in best.items()
        },
        weights={
            cell: (first_move.value - low) / (high - low) if high > low else 0.0
            for cell, first_move in best.items()
        },
        words=(
            "Numbers are values in per cent for the player who makes this first move.",
            "W: proven win, L: proven loss. More dots: a better move.",
        ),
    )
    return atlas.make_game().initial().scene().with_overlay(overlay)


def swap_map(atlas: Atlas, unswapped: Collection[str] | None = None) -> Scene:
    """Return the start position with what should be swapped.

    Args:
        atlas: of a game of stones.
        unswapped: points that should not be swapped, one of each symmetric pair, instead of what
            the atlas says.
    """
    game = atlas.make_game()
    start = game.initial()
    shades = {
        cell: _FAIR_SHADE if atlas.is_fair(first_move.value) else _SWAP_SHADE
        for cell, first_move in _best_of_cells(atlas).items()
        if atlas.is_fair(first_move.value) or first_move.value > 0.5
    }
    if unswapped is not None:
        spared = {cell for point in unswapped for cell in cells_of(game, start.parse_move(point))}
        shades = {cell: _SWAP_SHADE for cell in _best_of_cells(atlas) if cell not in spared}
    overlay = Overlay(
        marks={cell: "S" if shade == _SWAP_SHADE else "=" for cell, shade in shades.items()},
        weights=shades,
        words=("S: swap. =: about even. Other cells: do not swap.",),
    )
    return start.scene().with_overlay(overlay)


def share_map(atlas: Atlas, shares: Mapping[str, int]) -> Scene:
    """Return the start position with how often others swap.

    Args:
        atlas: of a game of stones.
        shares: point -> per cent of its games in which it is swapped, for one of each symmetric
            pair; no others are marked.
    """
    game = atlas.make_game()
    start = game.initial()
    known = {
        cell: share
        for point, share in shares.items()
        for cell in cells_of(game, start.parse_move(point))
    }
    overlay = Overlay(
        marks={cell: f"{share}" for cell, share in known.items()},
        weights={cell: share / 100 for cell, share in known.items()},
        words=("Numbers: how often this first move is swapped, in per cent. Others: not known.",),
    )
    return start.scene().with_overlay(overlay)


def _best_of_cells(atlas: Atlas) -> dict[int, FirstMove]:
    """Return the best first move that puts a piece on each cell."""
    game = atlas.make_game()
    start = game.initial()
    best: dict[int, FirstMove] = {}
    for one in reversed(atlas.best_first):
        best.update(dict.fromkeys(cells_of(game, start.parse_move(one.move)), one))
    return best
