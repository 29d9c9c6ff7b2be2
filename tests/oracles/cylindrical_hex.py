"""Cylindrical Hex, slowly: the left and the right edge of the board are one."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy

from .base import Outcome, choice, letter, reach, whole

Cell = tuple[int, int]
"""Row from the top and column, both from 0."""

OTHER = {"black": "white", "white": "black"}
STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1))


def name(cell: Cell) -> str:
    """Return a cell's name: letter of the column, number of the row."""
    return f"{letter(cell[1])}{cell[0] + 1}"


def cell(text: str) -> Cell:
    """Return the cell that has a name."""
    return int(text[1:]) - 1, ord(text[0]) - ord("a")


class CylindricalHexOracle:
    """One game of Cylindrical Hex."""

    points: int | None = None

    def __init__(self, rows: int = 11, columns: int = 11, first: str = "black") -> None:
        """Set up a game."""
        self.rows = whole("rows", rows, 1)
        self.columns = whole("columns", columns, 1, 26)
        self.to_move = choice("first", first, "black", "white")
        self.seat_of = {self.to_move: 0, OTHER[self.to_move]: 1}
        self.cells = {(row, column) for row in range(rows) for column in range(columns)}
        self.board: dict[Cell, str] = {}

    def around(self, place: Cell) -> list[Cell]:
        """Return the cells next to one; beyond the last column comes the first."""
        row, column = place
        places = [(row + down, (column + right) % self.columns) for down, right in STEPS]
        return [other for other in places if other in self.cells]

    @property
    def seat_to_move(self) -> int:
        """The seat that owns the coming move."""
        return self.seat_of[self.to_move]

    @property
    def outcome(self) -> Outcome | None:
        """Black wins with a chain of both rims, White when none can come about."""

        def joined(allowed: set[Cell]) -> bool:
            top = [place for place in allowed if place[0] == 0]
            return any(row == self.rows - 1 for row, _ in reach(top, self.around, allowed))

        if joined({place for place in self.cells if self.board.get(place) == "black"}):
            return "black", "connection"
        if not joined({place for place in self.cells if self.board.get(place) != "white"}):
            return "white", "ring"
        return None

    def legal(self) -> set[str]:
        """Return the texts of all legal moves."""
        if self.outcome is not None:
            return set()
        return {name(place) for place in self.cells if place not in self.board}

    def play(self, text: str) -> None:
        assert text in self.legal(), f"{text} is not legal"
        self.board[cell(text)] = self.to_move
        self.to_move = OTHER[self.to_move]

    def set_up(self, stones: Mapping[str, str], to_move: str) -> None:
        """Replace the position by any other."""
        self.board = {cell(text): colour for text, colour in stones.items()}
        self.to_move = to_move

    def copy(self) -> CylindricalHexOracle:
        """Return a game that goes on independently of this one."""
        twin = copy(self)
        twin.board, twin.seat_of = dict(self.board), dict(self.seat_of)
        return twin

    def stones(self) -> dict[str, str]:
        """Return the stones by the names of their cells."""
        return {name(place): colour for place, colour in self.board.items()}
