"""Names of Antipalos' rods, by square or by the grid points that they join."""

from __future__ import annotations

from antipodes.boards.topology import letter


def grid_column(index: int) -> str:
    """Name a column of grid points; a board of 26 squares has a 27th, called aa."""
    return letter(index) if index < 26 else "aa"


def rod_by_square(square: str, diagonal: str) -> str:
    """Name a rod by its square: ``B4*`` touches the upper right corner, ``*B4`` the upper left."""
    return f"{square}*" if diagonal == "/" else f"*{square}"


def rod_by_points(row: int, column: int, diagonal: str) -> str:
    """Name a rod by the grid points it joins, the left one first: ``b2-c3``.

    ``row`` and ``column`` of its square are counted from 0 at the lower left corner.
    """
    falls = diagonal != "/"
    left = f"{grid_column(column)}{row + 1 + falls}"
    return f"{left}-{grid_column(column + 1)}{row + 2 - falls}"
