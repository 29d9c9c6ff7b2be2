"""Antipode, slowly: a hexagon of 61 cells, tokens that flip, two pawns that slide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy

from .base import Outcome, choice, letter, reach

Place = tuple[int, int]
"""Where a cell's middle lies: half-heights to the right and up, counted from the centre."""

Board = dict[Place, str]
"""Tokens: place to the colour that shows.  Pawns: colour to place, the other way round."""

OTHER = {"blue": "red", "red": "blue"}
FILES = (5, 6, 7, 8, 9, 8, 7, 6, 5)
STEPS = ((0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1))


def _cells() -> dict[str, Place]:
    """Return all cells by name; every file is centred on the middle height of the board."""
    found = {}
    for file, length in enumerate(FILES):
        for rank in range(1, length + 1):
            found[f"{letter(file)}{rank}"] = (file - 4, 2 * rank - length - 1)
    return found


CELLS = _cells()
NAMES = {place: name for name, place in CELLS.items()}
OPPOSITE_CORNERS = (("e1", "e9"), ("a1", "i5"), ("a5", "i1"))


def around(place: Place) -> list[Place]:
    """Return the cells next to one."""
    across, up = place
    return [
        (across + right, up + rise) for right, rise in STEPS if (across + right, up + rise) in NAMES
    ]


def after_token(tokens: Board, pawns: dict[str, Place], colour: str, cell: Place) -> Board:
    """Return the tokens after one was placed: its neighbours flip, but not under a pawn."""
    changed = dict(tokens)
    for other in around(cell):
        if other in tokens and other not in pawns.values():
            changed[other] = OTHER[tokens[other]]
    changed[cell] = colour
    return changed


def turns(
    tokens: Board, pawns: dict[str, Place], colour: str
) -> Iterator[tuple[str, Board, dict[str, Place]]]:
    """Give every legal turn with the tokens and pawns that it leaves."""
    for name, cell in CELLS.items():
        if cell in tokens:
            continue
        placed = after_token(tokens, pawns, colour, cell)
        start = pawns[colour]
        for right, rise in STEPS:
            passed: list[Place] = []
            stop = (start[0] + right, start[1] + rise)
            while stop in NAMES and stop != pawns[OTHER[colour]]:
                if placed.get(stop) == colour:
                    slid = dict(placed)
                    for under in passed:
                        if under in placed:
                            slid[under] = OTHER[placed[under]]
                    yield f"{name}-{NAMES[stop]}", slid, {**pawns, colour: stop}
                passed.append(stop)
                stop = (stop[0] + right, stop[1] + rise)


def winner(tokens: Board) -> str | None:
    """Return the colour that joins a corner with the opposite one, if any does."""
    for colour in OTHER:
        own = {place for place, shown in tokens.items() if shown == colour}
        for one, other in OPPOSITE_CORNERS:
            if CELLS[other] in reach([CELLS[one]], around, own):
                return colour
    return None


class AntipodeOracle:
    """One game of Antipode."""

    points: int | None = None

    def __init__(self, full_board: str = "draw") -> None:
        """Set up a game."""
        self.full_board = choice("full_board", full_board, "draw", "loss")
        self.to_move = "blue"
        blue, red = ("e1", "a5", "i5"), ("e9", "a1", "i1")
        self.tokens: Board = {CELLS[name]: "blue" for name in blue}
        self.tokens.update({CELLS[name]: "red" for name in red})
        self.pawn_places = {"blue": CELLS["e1"], "red": CELLS["e9"]}
        self._known: dict[str, tuple[Board, dict[str, Place]]] | None = None

    def _turns(self) -> dict[str, tuple[Board, dict[str, Place]]]:
        """Return all turns of the player to move, even if the game is over."""
        if self._known is None:
            self._known = {
                text: (tokens, pawns)
                for text, tokens, pawns in turns(self.tokens, self.pawn_places, self.to_move)
            }
        return self._known

    @property
    def seat_to_move(self) -> int:
        """The seat that owns the coming move."""
        return {"blue": 0, "red": 1}[self.to_move]

    @property
    def outcome(self) -> Outcome | None:
        """Return who joined opposite corners, was left without a turn, or filled the board."""
        joined = winner(self.tokens)
        if joined is not None:
            return joined, "connection"
        if len(self.tokens) == len(NAMES):
            won = "draw" if self.full_board == "draw" else OTHER[self.to_move]
            return won, "full-board"
        if not self._turns():
            return OTHER[self.to_move], "blocked"
        return None

    def legal(self) -> set[str]:
        """Return the texts of all legal turns."""
        return set() if self.outcome is not None else set(self._turns())

    def play(self, text: str) -> None:
        assert text in self.legal(), f"{text} is not legal"
        self.tokens, self.pawn_places = self._turns()[text]
        self.to_move = OTHER[self.to_move]
        self._known = None

    def set_up(self, stones: Mapping[str, str], pawns: Mapping[str, str], to_move: str) -> None:
        """Replace the position by any other."""
        self.tokens = {CELLS[name]: colour for name, colour in stones.items()}
        self.pawn_places = {colour: CELLS[name] for colour, name in pawns.items()}
        self.to_move = to_move
        self._known = None

    def copy(self) -> AntipodeOracle:
        """Return a game that goes on independently of this one."""
        twin = copy(self)
        twin.tokens, twin.pawn_places = dict(self.tokens), dict(self.pawn_places)
        return twin

    def stones(self) -> dict[str, str]:
        """Return the tokens, those under the pawns included."""
        return {NAMES[place]: colour for place, colour in self.tokens.items()}

    @property
    def pawns(self) -> dict[str, str]:
        """Where each colour's pawn stands."""
        return {colour: NAMES[place] for colour, place in self.pawn_places.items()}
