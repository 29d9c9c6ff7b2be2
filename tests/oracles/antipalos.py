"""Antipalos, slowly: rods on the diagonals of squares, as boxed and as played by mail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from copy import copy

from .base import Outcome, choice, letter, reach, whole

GridPoint = tuple[int, int]
"""Across from the left and up from the bottom, both from 0."""

Rod = tuple[int, int, str]
"""Column and row of a square, both from 0, and the diagonal: ``/`` or a backslash."""

SLANTS = ("/", "\\")
COLOURS = {
    "two": ("white", "black"),
    "team": ("white", "black"),
    "cutthroat3": ("white", "black", "red"),
    "cutthroat4": ("white", "black", "red", "blue"),
}


def ends(rod: Rod) -> tuple[GridPoint, GridPoint]:
    """Return the two grid points of a rod, the left one first."""
    column, row, slant = rod
    if slant == "/":
        return (column, row), (column + 1, row + 1)
    return (column, row + 1), (column + 1, row)


def boxed_name(rod: Rod) -> str:
    """Return a rod's name: the star marks the upper corner of the square that it touches."""
    column, row, slant = rod
    square = f"{letter(column).upper()}{row + 1}"
    return square + "*" if slant == "/" else "*" + square


def mail_name(rod: Rod) -> str:
    """Return a rod's name by the grid points of its ends, the left one first."""
    return "-".join(f"{letter(across)}{up + 1}" for across, up in ends(rod))


class AntipalosOracle:
    """One game of Antipalos."""

    def __init__(
        self,
        ruleset: str = "boxed",
        size: int = 16,
        rods: int | None = None,
        seats: str = "two",
        phase_two_limit: int = 100,
        swap: str | None = None,
    ) -> None:
        """Set up a game; the mail rules know no supply of rods and no second phase."""
        self.mail = choice("ruleset", ruleset, "boxed", "mail") == "mail"
        # 26 letters name the columns; by mail they name the grid lines, one more than columns.
        self.size = whole("size", size, 3, 25 if self.mail else 26)
        self.seats = choice("seats", seats, *COLOURS)
        if self.mail and seats != "two":
            raise ValueError("the mail rules are for two")
        self.colours = ("vert", "horz") if self.mail else COLOURS[seats]
        self.rods = whole("rods", 3 * size // 2 if rods is None else rods, 1)
        if not self.mail and self.rods * len(self.colours) > size * size:
            raise ValueError("more rods than squares")
        self.phase_two_limit = whole("phase_two_limit", phase_two_limit, 0)
        self.swap = choice("swap", swap or ("on" if self.mail else "off"), "on", "off")
        if self.swap == "on" and not self.mail:
            raise ValueError("only the mail rules have a swap")
        self.to_move = self.colours[0]
        self.plies = 0
        self.swapped = False
        self.board: dict[Rod, str] = {}
        self.phase_two_plies: int | None = None
        self.seen: Counter[tuple[frozenset[tuple[Rod, str]], str]] = Counter()
        self.outcome: Outcome | None = None
        self.points: int | None = None
        self._known: dict[str, tuple[Rod | None, Rod | None]] | None = None

    # Names

    def name(self, rod: Rod) -> str:
        """Return a rod's name in this ruleset."""
        return mail_name(rod) if self.mail else boxed_name(rod)

    def all_rods(self) -> list[Rod]:
        """Return every rod that could lie on the board."""
        lines = range(self.size)
        return [(column, row, slant) for column in lines for row in lines for slant in SLANTS]

    # The state of play

    @property
    def seat_to_move(self) -> int:
        """The seat that owns the coming move."""
        if self.seats == "team":
            return self.plies % 4
        seat = self.colours.index(self.to_move)
        return 1 - seat if self.swapped else seat

    @property
    def phase_two(self) -> bool:
        """Whether all rods of all colours have been placed without a win."""
        return self.phase_two_plies is not None

    def _moves(self) -> dict[str, tuple[Rod | None, Rod | None]]:
        """Return the moves: the rod taken up and the rod put down, if any (a swap has none)."""
        if self._known is not None:
            return self._known
        taken = {(column, row) for column, row, _ in self.board}
        free = [rod for rod in self.all_rods() if (rod[0], rod[1]) not in taken]
        moves: dict[str, tuple[Rod | None, Rod | None]] = {}
        if not self.phase_two:
            moves = {self.name(rod): (None, rod) for rod in free}
            if self.swap == "on" and self.plies == 1:
                moves["swap"] = (None, None)
        else:
            free_names = [(self.name(rod), rod) for rod in free]
            for old, colour in self.board.items():
                if colour == self.to_move:
                    turned = (old[0], old[1], "\\" if old[2] == "/" else "/")
                    before = self.name(old)
                    for after, new in [*free_names, (self.name(turned), turned)]:
                        moves[f"{before}-{after}"] = (old, new)
        self._known = moves
        return moves

    def legal(self) -> set[str]:
        """Return the texts of all legal moves."""
        return set() if self.outcome is not None else set(self._moves())

    def play(self, text: str) -> None:
        """Play a legal move."""
        assert self.outcome is None, "the game is over"
        assert text in self._moves(), f"{text} is not legal"
        taken_up, put_down = self._moves()[text]
        self._known = None
        self.plies += 1
        if put_down is None:
            self.swapped = True
            return
        if taken_up is not None:
            del self.board[taken_up]
        mover = self.to_move
        self.board[put_down] = mover
        if self.phase_two_plies is not None:
            self.phase_two_plies += 1
        turn = self.colours.index(mover)
        self.to_move = self.colours[(turn + 1) % len(self.colours)]
        self._judge([mover])

    # Results

    def chain(self, rod: Rod) -> set[Rod]:
        """Return the rods of one colour that hang together with a rod of that colour."""
        own = {other for other, colour in self.board.items() if colour == self.board[rod]}
        at: dict[GridPoint, list[Rod]] = {}
        for other in own:
            for end in ends(other):
                at.setdefault(end, []).append(other)

        def touching(one: Rod) -> list[Rod]:
            return [other for end in ends(one) for other in at[end]]

        return reach([rod], touching, own)

    def borders(self, rods: set[Rod]) -> set[str]:
        """Return the borders that a chain touches."""
        found = set()
        for rod in rods:
            for across, up in ends(rod):
                if across == 0:
                    found.add("left")
                if across == self.size:
                    found.add("right")
                if up == 0:
                    found.add("bottom")
                if up == self.size:
                    found.add("top")
        return found

    def winning_chain(self, colour: str) -> set[Rod] | None:
        """Return a chain of a colour that joins what the colour has to join."""
        pairs = [{"top", "bottom"}, {"left", "right"}]
        if self.mail:
            pairs = pairs[:1] if colour == "vert" else pairs[1:]
        left = {rod for rod, holder in self.board.items() if holder == colour}
        while left:
            chain = self.chain(next(iter(left)))
            if any(pair <= self.borders(chain) for pair in pairs):
                return chain
            left -= chain
        return None

    def _score(self, chain: set[Rod]) -> int:
        """Return the highest number of match points that a winning chain earns."""
        touched = {point for rod in chain for point in ends(rod)}
        size = self.size
        if {(0, 0), (size, size)} <= touched or {(0, size), (size, 0)} <= touched:
            return 5
        if len(self.borders(chain)) >= 3:
            return 2 if self.phase_two else 4
        return 1 if self.phase_two else 3

    def _judge(self, colours: list[str]) -> None:
        """See whether one of these colours has won or the game is drawn."""
        for colour in colours:
            chain = self.winning_chain(colour)
            if chain is not None:
                self.outcome = (colour, "connection")
                self.points = None if self.mail else self._score(chain)
                return
        if self.mail:
            if len(self.board) == self.size**2:
                self.outcome = ("draw", "full-board")
            return
        if self.phase_two_plies is None:
            if len(self.board) < self.rods * len(self.colours):
                return
            self.phase_two_plies = 0
        position = (frozenset(self.board.items()), self.to_move)
        self.seen[position] += 1
        limit = self.phase_two_limit * len(self.colours)
        if self.seen[position] == 3:
            self.outcome = ("draw", "repetition")
        elif limit and self.phase_two_plies == limit:
            self.outcome = ("draw", "move-limit")

    # Positions

    def set_up(self, stones: Mapping[str, str], to_move: str) -> None:
        """Replace the position by any other; its past is forgotten, the swap is gone.

        Team seats are taken to be at the first seat of the colour to move.
        """
        rods = {self.name(rod): rod for rod in self.all_rods()}
        self.board = {rods[name]: colour for name, colour in stones.items()}
        self.to_move = to_move
        self.plies = 4 + self.colours.index(to_move)
        self.phase_two_plies = None
        self.seen.clear()
        self.outcome = self.points = self._known = None
        turn = self.colours.index(to_move)
        self._judge([*self.colours[turn:], *self.colours[:turn]][::-1])

    def copy(self) -> AntipalosOracle:
        """Return a game that goes on independently of this one."""
        twin = copy(self)
        twin.board, twin.seen = dict(self.board), self.seen.copy()
        return twin

    def stones(self) -> dict[str, str]:
        return {self.name(rod): colour for rod, colour in self.board.items()}
