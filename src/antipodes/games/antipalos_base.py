"""Options, seats and moves of Antipalos as numbers: all of the game but texts and positions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic

from antipodes.boards import Topology, square_grid
from antipodes.core import Color, Move
from antipodes.errors import Fault
from antipodes.games.base import BoardGame, PositionT_co
from antipodes.games.kernels import Array, antipalos, header
from antipodes.games.options import Options, choice, whole
from antipodes.games.points import PointNames
from antipodes.games.tables import hash_keys, pack
from antipodes.notation.rods import grid_column

_BOXED_SIZES = (12, 14, 16, 18, 20)
_SEATS = {"two": 2, "team": 4, "cutthroat3": 3, "cutthroat4": 4}
_COLORS = {"two": 2, "team": 2, "cutthroat3": 3, "cutthroat4": 4}


@dataclass(frozen=True, kw_only=True)
class AntipalosOptions(Options):
    """Options of Antipalos. ``rods``, ``phase_two_limit`` and ``swap`` depend on the ruleset."""

    ruleset: str = choice("boxed", "mail", help="the boxed game, or the mail server's version")
    size: int = whole(16, 3, 26, "squares along a side; boxed: 12, 14, 16, 18 or 20")
    rods: int = whole(None, 0, 30, "rods of each colour; boxed: 1.5 a square of a side, or fewer")
    seats: str = choice(
        *_SEATS, help="boxed: two players, two teams of two, or each for themselves"
    )
    phase_two_limit: int = whole(
        None, 0, 10_000, "boxed: turns of each colour in Phase Two until a draw; 0 for none"
    )
    swap: str = choice(
        "on", "off", default=None, help="mail: whether the second move may exchange the seats"
    )

    def _defaults(self) -> dict[str, int | str]:
        if self.ruleset == "mail":
            return {"rods": 0, "phase_two_limit": 0, "swap": "on"}
        rods = self.size * 3 // 2 if self.size in _BOXED_SIZES else 1
        return {"rods": rods, "phase_two_limit": 100, "swap": "off"}

    def _check_together(self) -> list[Fault]:
        if self.ruleset == "mail":
            wanted: dict[str, int | str] = {"rods": 0, "seats": "two", "phase_two_limit": 0}
            return [
                Fault.of(
                    "option/conflict",
                    "ruleset mail goes with {name} {value} only",
                    where=name,
                    name=name,
                    value=value,
                )
                for name, value in wanted.items()
                if getattr(self, name) != value
            ]
        faults = []
        if self.size not in _BOXED_SIZES:
            sizes = ", ".join(map(str, _BOXED_SIZES))
            fault = Fault.of(
                "option/conflict",
                "size is {size}, but boards of the boxed game are {sizes}",
                where="size",
                size=self.size,
                sizes=sizes,
            )
            faults.append(fault)
        elif not 1 <= self.rods <= self.size * 3 // 2:
            most = self.size * 3 // 2
            fault = Fault.of(
                "option/conflict",
                "rods is {rods}, but size {size} has 1..{most} of each colour",
                where="rods",
                rods=self.rods,
                size=self.size,
                most=most,
            )
            faults.append(fault)
        if self.swap != "off":
            faults.append(
                Fault("option/conflict", "swap is on, but the boxed game has no swap", "swap")
            )
        return faults


class AntipalosBase(BoardGame[AntipalosOptions, PositionT_co], Generic[PositionT_co]):
    """Everything about Antipalos but its texts and positions."""

    id = "antipalos"
    title = "Antipalos"
    summary = "Lay rods on the diagonals of squares; join any two opposite borders."
    family = "antipalos"
    has_rods = True
    options_type = AntipalosOptions

    @property
    def is_mail(self) -> bool:
        """Whether the mail server's ruleset is played."""
        return self.options.ruleset == "mail"

    @property
    def topology(self) -> Topology:
        """The squares."""
        return square_grid(self.options.size)

    @property
    def colors(self) -> tuple[Color, ...]:
        """The colours in the order of the first turns."""
        if self.is_mail:
            return Color.VERT, Color.HORZ
        order = (Color.WHITE, Color.BLACK, Color.RED, Color.BLUE)
        return order[: _COLORS[self.options.seats]]

    @property
    def seats(self) -> int:
        """The number of players."""
        return _SEATS[self.options.seats]

    @property
    def swap_exchanges(self) -> str:
        """Seats, in the mail ruleset."""
        return "seats" if self.is_mail and self.options.swap == "on" else ""

    @property
    def goals_in_words(self) -> Mapping[Color, str]:
        """The same goal for all colours, except for fixed borders in the mail ruleset."""
        if self.is_mail:
            return {
                Color.VERT: "join the bottom and the top border",
                Color.HORZ: "join the left and the right border",
            }
        return dict.fromkeys(self.colors, "join two opposite borders, whichever they are")

    @property
    def brief_goals(self) -> Mapping[Color, str]:
        """The same goal for all colours, except for fixed borders in the mail ruleset."""
        if self.is_mail:
            return {Color.VERT: "top to bottom", Color.HORZ: "left to right"}
        return dict.fromkeys(self.colors, "join opposite borders")

    def seats_moved_on(self, winning_seat: int | None) -> int:
        """Return the seats to move on: the loser begins, or the next one clockwise of several."""
        return 0 if winning_seat is None else (winning_seat + 1) % len(self.colors)

    @property
    def point_names(self) -> PointNames:
        """The squares, or the grid points in the mail ruleset."""
        if not self.is_mail:
            return super().point_names
        count = range(self.options.size + 1)
        return PointNames(f"{grid_column(x)}{y + 1}" for x in count for y in count)

    @property
    def placements(self) -> int:
        """The number of moves that place a rod: two for each square."""
        return 2 * self.options.size**2

    @property
    def swap_move(self) -> Move | None:
        """The move that swaps, in the mail ruleset."""
        return Move(self.placements) if self.is_mail else None

    @property
    def move_count(self) -> int:
        """Placements, then the swap or the repositionings."""
        if self.is_mail:
            return self.placements + 1
        return self.placements * (1 + self.topology.cell_count)

    @property
    def max_plies(self) -> int:
        """An upper bound: all rods and the limit of Phase Two.

        Without a limit only repetition bounds a game: every position occurs at most twice, which
        is a number with hundreds of digits.
        """
        squares = self.topology.cell_count
        if self.is_mail:
            return squares + 1
        colors = len(self.colors)
        placed = self.options.rods * colors
        if self.options.phase_two_limit:
            return placed + self.options.phase_two_limit * colors
        return int(placed + 2 * colors * (2 * colors + 1) ** squares)

    @property
    def max_branching(self) -> int:
        """An upper bound: in Phase Two each own rod goes to any empty square, or turns."""
        if self.is_mail:
            return self.placements + 1
        return max(self.placements, self.options.rods * self.placements)

    @property
    def state_size(self) -> int:
        """Header, squares, rods left, and room for one key of the history."""
        return header.HEADER + self.topology.cell_count + 4 + 1

    @property
    def identity_size(self) -> int:
        """Squares and rods left."""
        return self.topology.cell_count + 4

    @property
    def work_size(self) -> int:
        """Length for marks and a queue of squares; in random games, chains of points and a list."""
        points = (self.options.size + 1) ** 2
        return 2 * points + self.topology.cell_count

    @property
    def symmetries(self) -> tuple[int, ...]:
        """All eight symmetries of the square; in the mail ruleset those that keep the borders."""
        return (0, 2, 4, 6) if self.is_mail else tuple(range(8))

    def transform(self, move: int, symmetry: int) -> Move:
        """Return the image of a move under a symmetry of the topology."""
        if move == self.swap_move:
            return Move(move)
        image = self.topology.symmetries[symmetry]
        # A quarter turn and a reflection each exchange the two diagonals.
        turned = (symmetry % 4 + symmetry // 4) % 2
        placements = self.placements
        placement = move % placements
        placed = 2 * image[placement // 2] + (placement % 2 ^ turned)
        if move < placements:
            return Move(placed)
        origin = move // placements - 1
        return Move(placements * (1 + image[origin]) + placed)

    def view(self, seat: int) -> int:
        """Return the quarter turns by which the board is turned for a seat.

        Seats are ordered clockwise: at the bottom, left, top and right; two players face each
        other.

        Raises:
            ValueError: there is no such seat.
        """
        if not 0 <= seat < self.seats:
            raise ValueError(f"seat is {seat}, but must be 0..{self.seats - 1}")
        if self.is_mail:
            return 0
        return 2 * seat if self.seats == 2 else seat

    def reading(self, seat: int) -> int:
        """Return the same as ``view``: each seat has A1 at its own lower left."""
        return self.view(seat)

    def supply(self) -> dict[Color, int]:
        """Return the number of rods of each colour; unlimited in the mail ruleset."""
        return {} if self.is_mail else dict.fromkeys(self.colors, self.options.rods)

    def make_tables(self) -> Array:
        """Return board and options as numbers for the kernels."""
        squares = self.topology.cell_count
        numbers = {
            antipalos.SIZE: self.options.size,
            antipalos.COLORS: len(self.colors),
            antipalos.SEATS: self.seats,
            antipalos.RODS: self.options.rods,
            antipalos.LIMIT: self.options.phase_two_limit,
            antipalos.MAIL: int(self.is_mail),
            antipalos.SWAP: int(self.options.swap == "on"),
        }
        arrays = {antipalos.KEYS: hash_keys(self.id, 8 * squares + 6)}
        return pack(numbers, arrays, antipalos.TABLE_HEADER)
