"""Names of rods of Antipalos, by square or by the grid points that they join."""

from __future__ import annotations

from antipodes.boards.topology import letter


def grid_column(index: int) -> str:
    """Return the name of a column of grid points; the 27th is called aa."""
    return letter(index) if index < 26 else "aa"


def rod_by_square(square: str, diagonal: str) -> str:
    """Return a rod's name by its square: ``B4*`` for ``/``, ``*B4`` for the other diagonal."""
    return f"{square}*" if diagonal == "/" else f"*{square}"


def rod_by_points(row: int, column: int, diagonal: str) -> str:
    """Return a rod's name by the grid points that it joins, the left one first: ``b2-c3``.

    ``row`` and ``column`` of its square are counted from 0 at the lower left corner.
    """
    falls = diagonal != "/"
    left = f"{grid_column(column)}{row + 1 + falls}"
    return f"{left}-{grid_column(column + 1)}{row + 2 - falls}"


def rod_points(row: int, column: int, diagonal: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the grid points that a rod joins, the left one first, as columns and rows.

    ``row`` and ``column`` of its square are counted from 0 at the lower left corner.
    """
    falls = diagonal != "/"
    return (column, row + falls), (column + 1, row + 1 - falls)
