"""Antipod, slowly: two hexagonal boards glued along their rim."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy

from .base import Outcome, choice, letter, reach, whole

Point = tuple[int, int, str]
"""Row from the top, diagonal from 1, and ``left``, ``right`` or ``rim``."""

OTHER = {"black": "white", "white": "black"}
STEPS = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1))


def cells(side: int) -> set[tuple[int, int]]:
    """Return the rows and diagonals of one hexagonal board."""
    found = set()
    for row in range(2 * side - 1):
        if row < side:
            first, last = 1, side + row
        else:
            first, last = row - side + 2, 2 * side - 1
        found |= {(row, diagonal) for diagonal in range(first, last + 1)}
    return found


def sphere(side: int) -> dict[Point, set[Point]]:
    """Return every point of the glued boards with its neighbours."""
    board = cells(side)

    def around(row: int, diagonal: int) -> set[tuple[int, int]]:
        return {(row + down, diagonal + along) for down, along in STEPS} & board

    def point(cell: tuple[int, int], half: str) -> Point:
        on_rim = len(around(*cell)) < 6
        return (*cell, "rim" if on_rim else half)

    graph: dict[Point, set[Point]] = {}
    for half in ("left", "right"):
        for cell in board:
            neighbours = {point(other, half) for other in around(*cell)}
            graph.setdefault(point(cell, half), set()).update(neighbours)
    return graph


def corners(side: int) -> list[Point]:
    """Return the six corners of the rim, row by row."""
    middle, last = side - 1, 2 * side - 1
    places = [(0, 1), (0, side), (middle, 1), (middle, last), (last - 1, side), (last - 1, last)]
    return [(row, diagonal, "rim") for row, diagonal in places]


def extra_points(side: int, given: int, extra: int) -> list[Point]:
    """Return extra white stones: gap after gap of the rim, clockwise on the left board."""
    if not extra:
        return []
    step, walk = side - 1, []
    row, diagonal = 0, 1  # the first corner
    for down, along in ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)):
        for _ in range(step):
            walk.append((row, diagonal, "rim"))
            row, diagonal = row + down, diagonal + along
    # With two stones the walk begins at the right corner of the middle row.
    walk = walk if given == 6 else walk[2 * step :] + walk[: 2 * step]
    width = len(walk) // given
    found, dealt = [], 0
    for gap in range(given):
        share = extra * (gap + 1) // given - dealt
        dealt += share
        steps = [stone * width // (share + 1) for stone in range(1, share + 1)]
        found += [walk[gap * width + step] for step in steps]
    return found


def poles(side: int) -> tuple[Point, Point]:
    """Return the two centres."""
    return (side - 1, side, "left"), (side - 1, side, "right")


class AntipodOracle:
    """One game of Antipod."""

    points: int | None = None

    def __init__(
        self,
        side: int = 6,
        handicap: str = "six",
        first: str = "white",
        swap: str = "off",
        extra_stones: int = 0,
    ) -> None:
        """Set up a game."""
        self.side = whole("side", side, 2, 10)
        choice("handicap", handicap, "six", "two", "none")
        self.swap = choice("swap", swap, "off", "on")
        self.to_move = choice("first", first, "white", "black")
        self.seat_of = {self.to_move: 0, OTHER[self.to_move]: 1}
        self.plies = 0
        self.graph = sphere(self.side)
        self.poles = poles(self.side)
        self.board: dict[Point, str] = dict.fromkeys(self.poles, "black")
        given = {"six": corners(side), "two": corners(side)[2:4], "none": []}[handicap]
        self.board.update(dict.fromkeys(given, "white"))
        self.board.update(dict.fromkeys(extra_points(side, len(given), extra_stones), "white"))

    def name(self, point: Point) -> str:
        """Return a point's name; a point of the rim gets its name on the left board."""
        row, diagonal, half = point
        shift = 2 * self.side - 1 if half == "right" else 0
        return f"{letter(row)}{diagonal + shift}"

    def point(self, name: str) -> Point:
        """Return the point that has a canonical name."""
        return {self.name(point): point for point in self.graph}[name]

    def move_text(self, point: Point) -> str:
        """Return the text of the move to a point."""
        return self.name(point) + ("+" if point[2] == "rim" else "")

    @property
    def seat_to_move(self) -> int:
        """The seat that owns the coming move."""
        return self.seat_of[self.to_move]

    @property
    def outcome(self) -> Outcome | None:
        """Black wins with a black chain of the poles, White when none can come about."""
        one, other = self.poles

        def joined(*forbidden: str | None) -> bool:
            free = {point for point in self.graph if self.board.get(point) not in forbidden}
            return other in reach([one], self.graph.__getitem__, free)

        if joined(None, "white"):
            return "black", "connection"
        if not joined("white"):
            return "white", "ring"
        return None

    def legal(self) -> set[str]:
        if self.outcome is not None:
            return set()
        moves = {self.move_text(point) for point in self.graph if point not in self.board}
        if self.swap == "on" and self.plies == 1:
            moves.add("swap")
        return moves

    def play(self, text: str) -> None:
        """Play a legal move."""
        assert text in self.legal(), f"{text} is not legal"
        self.plies += 1
        if text == "swap":
            self.seat_of = {colour: 1 - seat for colour, seat in self.seat_of.items()}
            return
        self.board[self.point(text.rstrip("+"))] = self.to_move
        self.to_move = OTHER[self.to_move]

    def set_up(self, stones: Mapping[str, str], to_move: str) -> None:
        """Replace the position by any other; the chance to swap is gone."""
        self.board = {self.point(name): colour for name, colour in stones.items()}
        self.to_move = to_move
        self.plies = 2

    def copy(self) -> AntipodOracle:
        """Return a game that goes on independently of this one."""
        twin = copy(self)
        twin.board, twin.seat_of = dict(self.board), dict(self.seat_of)
        return twin

    def stones(self) -> dict[str, str]:
        """Return the stones, each under its one canonical name."""
        return {self.name(point): colour for point, colour in self.board.items()}
