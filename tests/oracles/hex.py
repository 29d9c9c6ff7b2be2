"""Hex, slowly."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy

from .base import Outcome, choice, letter, reach, whole

Cell = tuple[int, int]
"""Row from the top and column from the left, both from 0."""

OTHER = {"black": "white", "white": "black"}
STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0), (-1, 1), (1, -1))


def name(cell: Cell) -> str:
    """Return a cell's name: letter of the column, number of the row."""
    return f"{letter(cell[1])}{cell[0] + 1}"


def cell(text: str) -> Cell:
    """Return the cell that has a name."""
    return int(text[1:]) - 1, ord(text[0]) - ord("a")


class HexOracle:
    """One game of Hex."""

    points: int | None = None

    def __init__(self, size: int = 11, swap: str = "pieces") -> None:
        """Set up a game."""
        self.size = whole("size", size, 1, 26)
        self.swap = choice("swap", swap, "pieces", "sides", "off")
        self.to_move = "black"
        self.seat_of = {"black": 0, "white": 1}
        self.plies = 0
        self.cells = {(row, column) for row in range(size) for column in range(size)}
        self.board: dict[Cell, str] = {}

    def around(self, place: Cell) -> list[Cell]:
        """Return the cells next to one."""
        row, column = place
        places = [(row + down, column + right) for down, right in STEPS]
        return [place for place in places if place in self.cells]

    @property
    def seat_to_move(self) -> int:
        """The seat that owns the coming move."""
        return self.seat_of[self.to_move]

    @property
    def outcome(self) -> Outcome | None:
        """Black joins top and bottom, White left and right."""
        last = self.size - 1
        for colour, axis in (("black", 0), ("white", 1)):
            own = {place for place, holder in self.board.items() if holder == colour}
            chain = reach([place for place in own if place[axis] == 0], self.around, own)
            if any(place[axis] == last for place in chain):
                return colour, "connection"
        return None

    def legal(self) -> set[str]:
        """Return the texts of all legal moves."""
        if self.outcome is not None:
            return set()
        moves = {name(place) for place in self.cells if place not in self.board}
        if self.swap != "off" and self.plies == 1:
            moves.add("swap")
        return moves

    def play(self, text: str) -> None:
        """Play a legal move."""
        assert text in self.legal(), f"{text} is not legal"
        self.plies += 1
        if text != "swap":
            self.board[cell(text)] = self.to_move
            self.to_move = OTHER[self.to_move]
        elif self.swap == "sides":
            self.seat_of = {colour: 1 - seat for colour, seat in self.seat_of.items()}
        else:
            ((row, column),) = self.board
            self.board = {(column, row): "white"}
            self.to_move = "black"

    def set_up(self, stones: Mapping[str, str], to_move: str) -> None:
        """Replace the position by any other; the chance to swap is gone."""
        self.board = {cell(text): colour for text, colour in stones.items()}
        self.to_move = to_move
        self.plies = 2

    def copy(self) -> HexOracle:
        """Return a game that goes on independently of this one."""
        twin = copy(self)
        twin.board, twin.seat_of = dict(self.board), dict(self.seat_of)
        return twin

    def stones(self) -> dict[str, str]:
        """Return the stones by the names of their cells."""
        return {name(place): colour for place, colour in self.board.items()}
