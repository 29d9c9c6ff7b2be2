"""Antipalos (Martin Collier, 1982): diagonal rods that join opposite borders, in two phases."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Literal

from antipodes.boards import Topology, square_grid
from antipodes.core import Color, Move, Setup
from antipodes.errors import Fault, InvalidPositionError, Phrase
from antipodes.games.base import BoardGame
from antipodes.games.kernels import Array, antipalos, header
from antipodes.games.options import Options, choice, whole
from antipodes.games.points import PointNames
from antipodes.games.position import BoardPosition
from antipodes.games.samples import FinishedGame, FirstGame, RuleExample
from antipodes.games.tables import hash_keys, no_such_color, no_turn_of, pack
from antipodes.notation.rods import grid_column, rod_by_points, rod_by_square
from antipodes.notation.scene import Rod, Scene
from antipodes.notation.text import clean, shorten

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


class Antipalos(BoardGame[AntipalosOptions, "AntipalosPosition"]):
    """Rods on the diagonals of squares; join two opposite borders, whichever pair."""

    id = "antipalos"
    title = "Antipalos"
    summary = "Lay rods on the diagonals of squares; join any two opposite borders."
    family = "antipalos"
    has_rods = True
    options_type = AntipalosOptions
    sized_boards: ClassVar = {"small": {"size": 12}, "large": {"size": 20}}
    first_game = FirstGame({"size": 12}, opening="F6*")  # by the rulebook, near the centre
    finished_game = FinishedGame(
        "*A7 *A8 B7* J8* *C7 I7* D7* L10* *K9 H6* *G5 B8* E8* *G8 F9* *I10 J9* *G12 H11* *G10"
        " *G9 *D9 *L8 C9* H9* H10* *I9",
        {"size": 12},
    )
    rule_examples: ClassVar = (
        RuleExample(
            0,
            "White's two rods touch in a grid point and are one chain. Black's cross it there,"
            " and neither stops the other.",
            {"size": 12},
            "F6* *F7 G7* *G6",
        ),
        RuleExample(
            1,
            "All rods are laid: from here on each turn takes a rod up and lays it down elsewhere.",
            {"size": 12},
            "L12* *F6 *J7 *C9 *I8 *G5 J10* *I3 H4* *I5 *H5 *H6 *G6 *G7 J4* *E9 *F8 I4* K11* *J2"
            " I9* *K1 J6* L1* *G8 F7* *A10 *B10 E7* D7* A11* E6* B12* C12* *B11 *A5",
        ),
        RuleExample(
            2,
            "White has joined left and right. Top and bottom would have done as well.",
            finished_game.options,
            finished_game.moves,
        ),
        RuleExample(
            5,
            "The mail server's version on a small board: Vert has joined top and bottom.",
            {"ruleset": "mail", "size": 6},
            "e4-f3 a5-b4 d5-e4 c5-d6 d5-e6 e7-f6 d7-e6 e2-f3 f3-g2 f2-g1 d3-e4 c3-d2 d3-e2 e1-f2"
            " d1-e2",
        ),
    )

    if TYPE_CHECKING:

        def __init__(
            self,
            options: AntipalosOptions | None = None,
            *,
            ruleset: Literal["boxed", "mail"] = "boxed",
            size: int = 16,
            rods: int | None = None,
            seats: Literal["two", "team", "cutthroat3", "cutthroat4"] = "two",
            phase_two_limit: int | None = None,
            swap: Literal["on", "off"] | None = None,
        ) -> None: ...

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
    def move_forms(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """Square and diagonal of a rod, and in Phase Two the square that it comes from."""
        return ((0, (2, 1)), (self.placements, (self.placements, 2, 1)))

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

    def _fill(self, setup: Setup, state: Array, faults: list[Fault]) -> None:
        _fill_setup(self, setup, state, faults)

    def composed(self, setup: Setup) -> Setup:
        """Return a setup as a composed one; all colours have the same number of rods left.

        Otherwise one would run out of rods before the others, and Phase Two could not begin.
        """
        changed = replace(setup, composed=True)
        if self.is_mail or setup.rods_left:
            return changed
        counts = Counter(str(color).lower() for _, color in setup.stones)
        remaining = max(0, self.options.rods - max(counts.values(), default=0))
        return replace(changed, rods_left={color.value: remaining for color in self.colors})

    @property
    def pieces(self) -> tuple[str, ...]:
        r"""The names of the pieces, such as ``red/`` and ``red\``, after that of no piece."""
        return ("", *(color.value + diagonal for color in self.colors for diagonal in "/\\"))

    def _check_winner(self, setup: Setup, state: Array) -> None:
        winner = int(state[header.WINNER])
        if winner > 0 and state[header.PHASE] == 1 and state[header.PHASE_PLIES] == 0:
            # Won with the last rod, so Phase Two never began, and the win scores accordingly.
            state[header.PHASE] = 0
            self.rules.rebuild(self.tables, state, self.work())
        if not setup.composed and _winner_is_late(self, state):
            fault = Fault.of(
                "position/winner-to-move",
                "{colour} has won, but did not move last",
                colour=Phrase(self.colors[winner - 1].title),
            )
            raise InvalidPositionError([fault])


class AntipalosPosition(BoardPosition[Antipalos]):
    """A position of Antipalos."""

    __slots__ = ()

    def rods(self) -> dict[int, Rod]:
        """Return square -> rod on it."""
        codes = self.kernel_state[
            header.HEADER : header.HEADER + self.game.topology.cell_count
        ].tolist()
        return {
            square: Rod(self.game.colors[(code - 1) // 2], "/\\"[(code - 1) % 2])
            for square, code in enumerate(codes)
            if code
        }

    def rods_left(self) -> dict[Color, int]:
        """Return colour -> rods not yet placed; all 0 in the mail ruleset, which has no supply."""
        first = header.HEADER + self.game.topology.cell_count
        return {
            color: int(self.kernel_state[first + i]) for i, color in enumerate(self.game.colors)
        }

    def _room_for_next(self) -> Array:
        keys = int(self.kernel_state[header.HISTORY])
        state = self.game.new_state(self.game.state_size + keys)
        length = min(len(state), len(self.kernel_state))
        state[:length] = self.kernel_state[:length]
        return state

    def searchable_state(self, plies: int) -> Array:
        """Return a writeable copy of the state with room to play ``plies`` moves in place."""
        state = self.game.new_state(len(self.kernel_state) + plies)
        state[: len(self.kernel_state)] = self.kernel_state
        return state

    def _cell_named(self, name: str) -> int | None:
        if not self.game.is_mail:
            return super()._cell_named(name)
        rod = _read_mail(self.game, name)
        return None if rod is None else rod // 2

    def _piece_on(self, cell: int) -> Rod | None:
        return self.rods().get(cell)

    def _read(self, text: str) -> Move | None:
        return _read_move(self.game, text)

    def _move_help(self) -> Phrase:
        return _move_help(self.game, self.phase)

    def format_move(self, move: int, seat: int | None = None) -> str:
        """Write a move, as seen from ``seat``'s side if one is given."""
        return _format_move(self.game, self.kernel_state, move, seat or 0)

    def to_setup(self) -> Setup:
        """Return the setup of the position, without the history of repetitions."""
        game = self.game
        rods = self.rods()
        stones = tuple(
            (_write_placement(game, 2 * square + (rod.diagonal == "\\")), rod.color.value)
            for square, rod in rods.items()
        )
        if game.is_mail:
            counts = [sum(rod.color is color for rod in rods.values()) for color in game.colors]
            regular = (
                counts[0] - counts[1] in (0, 1)
                and sum(counts) % 2 == self.kernel_state[header.COLOR]
            )
            return Setup(
                stones=stones,
                to_move=self.to_move.value,
                swapped=self.swapped,
                composed=not regular or _winner_is_late(game, self.kernel_state),
            )
        left = self.rods_left()
        lost = len(rods) + sum(left.values()) < game.options.rods * len(game.colors)
        ply = len(rods) + int(self.kernel_state[header.PHASE_PLIES])
        return Setup(
            stones=stones,
            to_move=self.to_move.value,
            rods_left={color.value: count for color, count in left.items()},
            seat=self.seat_to_move,
            phase_two_plies=int(self.kernel_state[header.PHASE_PLIES]),
            composed=lost
            or self.seat_to_move != ply % game.seats
            or _winner_is_late(game, self.kernel_state),
        )

    def scene(self) -> Scene:
        """Return the scene of a picture of the position."""
        goals: dict[Color, tuple[str, ...]] = {}
        if self.game.is_mail:
            goals = {Color.VERT: ("top", "bottom"), Color.HORZ: ("left", "right")}
        return Scene(
            topology=self.game.topology,
            title=self.caption(),
            rods=self.rods(),
            goals=goals,
            last=self.last_cell,
            chain=self.winning_chain(),
            points_named=self.game.is_mail,
        )

    def caption_phrases(self) -> tuple[Phrase, ...]:
        """Return the sentences of the caption, with the phase and the rods left."""
        phrases = super().caption_phrases()
        if self.game.is_mail or self.outcome is not None:
            return phrases
        if self.phase == 2:
            return (*phrases, Phrase("Phase Two: move a rod."))
        left = tuple(
            Phrase("{colour} {count}", {"colour": color, "count": count})
            for color, count in self.rods_left().items()
        )
        return (*phrases, Phrase("Phase One; rods left: {left}.", {"left": left}))


Antipalos.position_type = AntipalosPosition

# Moves and setups as text.

_ROD = r"(\*?) ?([a-z])(\d{1,2}) ?(\*?)"
_PLACEMENT = re.compile(_ROD, re.IGNORECASE)
_REPOSITION = re.compile(rf"{_ROD} ?- ?{_ROD}", re.IGNORECASE)
_MAIL = re.compile(r"([a-z]{1,2})(\d{1,2}) ?- ?([a-z]{1,2})(\d{1,2})", re.IGNORECASE)


def _read_move(game: Antipalos, text: str) -> Move | None:
    if game.is_mail:
        return game.swap_move if text.lower() == "swap" else _read_mail(game, text)
    match = _PLACEMENT.fullmatch(text)
    if match:
        return _read_rod(game, match.groups())
    match = _REPOSITION.fullmatch(text)
    if match is None:
        return None
    origin = _read_rod(game, match.groups()[:4])
    target = _read_rod(game, match.groups()[4:])
    if origin is None or target is None:
        return None
    return Move(game.placements * (1 + origin // 2) + target)


def _read_rod(game: Antipalos, parts: tuple[str, ...]) -> Move | None:
    """Read asterisk, column, row, asterisk as a placement with exactly one asterisk."""
    before, column, row, after = parts
    square = game.topology.cell(column + row)
    if square is None or bool(before) == bool(after):
        return None
    return Move(2 * square + bool(before))


def _read_mail(game: Antipalos, text: str) -> Move | None:
    """Read two grid points, in either order, as a placement."""
    match = _MAIL.fullmatch(text)
    if match is None:
        return None
    size = game.options.size
    columns = {grid_column(i): i for i in range(size + 1)}
    x1, x2 = (columns.get(match[i].lower(), -1) for i in (1, 3))
    y1, y2 = int(match[2]) - 1, int(match[4]) - 1
    inside = min(x1, x2) >= 0 and min(y1, y2) >= 0 and max(y1, y2) <= size
    if not inside or abs(x1 - x2) != 1 or abs(y1 - y2) != 1:
        return None
    falls = (x1 - x2) * (y1 - y2) < 0
    return Move(2 * (min(y1, y2) * size + min(x1, x2)) + falls)


def _write_placement(game: Antipalos, placement: int) -> str:
    """Write a placed rod as the first seat sees it."""
    return _rod_names(game.options.size, game.is_mail, 0)[placement]


@lru_cache(maxsize=32)
def _rod_names(size: int, is_mail: bool, turns: int) -> tuple[str, ...]:
    """Return the name of each placed rod, as seen after quarter turns of the board.

    A position of Phase Two has thousands of legal moves, which name the same few rods.
    """
    board = square_grid(size)
    names = []
    for cell in range(board.cell_count):
        seen = board.symmetries[-turns % 4][cell]
        # A quarter turn exchanges the two diagonals.
        for diagonal in "/\\" if turns % 2 == 0 else "\\/":
            if is_mail:
                names.append(rod_by_points(*divmod(seen, size), diagonal))
            else:
                names.append(rod_by_square(board.name(seen), diagonal))
    return tuple(names)


def _format_move(game: Antipalos, state: Array, move: int, seat: int) -> str:
    """Write a move in a position as seen from ``seat``'s side."""
    options = game.options
    is_mail = options.ruleset == "mail"
    turns = game.view(seat) if seat else 0
    names = _rod_names(options.size, is_mail, turns)
    place, placement = divmod(move, len(names))
    if place == 0:
        return names[placement]
    if is_mail:
        return "swap"
    origin = place - 1
    code = int(state[header.HEADER + origin])
    if code == 0:
        # There is no rod, so the move is illegal; only the square has a name.
        square = game.topology.symmetries[-turns % 4][origin]
        return f"{game.topology.name(square)}-{names[placement]}"
    return f"{names[2 * origin + (code - 1) % 2]}-{names[placement]}"


def _move_help(game: Antipalos, phase: int) -> Phrase:
    """Return a description of the notation of a phase, as the end of a sentence."""
    if game.is_mail:
        return Phrase("moves look like b2-c3, between neighbouring grid points, or swap")
    if phase == 1:
        return Phrase("moves look like B4* (a / rod) or *B4 (a \\ rod)")
    return Phrase("in Phase Two moves look like B2*-B3*")


def _fill_setup(game: Antipalos, setup: Setup, state: Array, faults: list[Fault]) -> None:
    """Write a setup into a zeroed state; add its faults to ``faults``."""
    squares = game.topology.cell_count
    names = [color.value for color in game.colors]
    counts = [0] * len(names)
    for rod, color in setup.stones:
        placement = _read_placement(game, clean(str(rod)))
        word = str(color).lower()
        if placement is None:
            fault = Fault.of(
                "position/no-such-point",
                "{rod} is not a rod of this board; {help}",
                where=str(rod),
                rod=shorten(str(rod)),
                help=game.point_names.where(clean(str(rod))),
            )
            faults.append(fault)
        elif word not in names:
            faults.append(no_such_color(color, game.colors, str(rod)))
        elif state[header.HEADER + placement // 2]:
            name = game.topology.name(placement // 2)
            fault = Fault.of(
                "position/two-stones", "square {square} has two rods", where=name, square=name
            )
            faults.append(fault)
        else:
            index = names.index(word)
            counts[index] += 1
            state[header.HEADER + placement // 2] = 1 + 2 * index + placement % 2
    if game.is_mail:
        _fill_mail(game, setup, state, counts, faults)
    else:
        left = _rods_left(game, setup, counts, faults)
        state[header.HEADER + squares : header.HEADER + squares + len(left)] = left
        _fill_turn(game, setup, state, counts, left, faults)


def _read_placement(game: Antipalos, text: str) -> int | None:
    if game.is_mail:
        return _read_mail(game, text)
    match = _PLACEMENT.fullmatch(text)
    return _read_rod(game, match.groups()) if match else None


def _rods_left(game: Antipalos, setup: Setup, counts: list[int], faults: list[Fault]) -> list[int]:
    """Return the rods left for each colour, by the setup or from the rods on the board."""
    left = []
    for color, count in zip(game.colors, counts, strict=True):
        remaining = setup.rods_left.get(color.value, game.options.rods - count)
        if remaining < 0 or remaining + count > game.options.rods:
            fault = Fault.of(
                "position/material",
                "{colour} has {count} rods on the board and {rest} left of {all}",
                where=color.value,
                colour=color,
                count=count,
                rest=remaining,
                all=game.options.rods,
            )
            faults.append(fault)
        elif remaining + count < game.options.rods and not setup.composed:
            fault = Fault.of(
                "position/material",
                "{missing} rods of {colour} are missing",
                where=color.value,
                missing=game.options.rods - remaining - count,
                colour=color,
            )
            faults.append(fault)
        left.append(remaining)
    known = [color.value for color in game.colors]
    faults.extend(
        no_such_color(name, game.colors, name) for name in setup.rods_left if name not in known
    )
    return left


def _fill_turn(
    game: Antipalos,
    setup: Setup,
    state: Array,
    counts: list[int],
    left: list[int],
    faults: list[Fault],
) -> None:
    """Determine phase and seat to move of the boxed game from the rods and the setup."""
    placed = sum(counts)
    phase = int(sum(left) == 0)
    ply = placed + (setup.phase_two_plies if phase else 0)
    seat = setup.seat
    if seat is None:
        seat = ply % game.seats
        if setup.to_move is not None and phase == 0 and len(set(left)) > 1:
            # In Phase One who has more rods left than others has had fewer turns, so is the next.
            seat = left.index(max(left))
        elif setup.to_move is not None:
            seat = _seat_of(game, setup.to_move, seat)
    color = seat % len(game.colors)
    if not 0 <= seat < game.seats:
        fault = Fault.of(
            "position/turn",
            "seat {seat} is to move, but seats are 0..{last}",
            seat=seat,
            last=game.seats - 1,
        )
        faults.append(fault)
    elif setup.to_move is not None and str(setup.to_move).lower() != game.colors[color].value:
        fault = Fault.of(
            "position/turn",
            "{given} is to move, but {inferred} would be",
            given=_color(setup.to_move),
            inferred=game.colors[color],
        )
        faults.append(fault)
    elif not setup.composed and phase == 0 and seat != ply % game.seats:
        fault = Fault.of(
            "position/turn",
            "seat {seat} is to move, but after {placed} rods seat {inferred} would be",
            seat=seat,
            placed=placed,
            inferred=ply % game.seats,
        )
        faults.append(fault)
    if phase == 0 and not _alternating(left, color):
        rods_left = tuple(
            Phrase("{colour} {count}", {"colour": owner, "count": count})
            for owner, count in zip(game.colors, left, strict=True)
        )
        fault = Fault.of(
            "position/material",
            "rods left ({rods}) do not come from turns in order with seat {seat} to move",
            rods=rods_left,
            seat=seat,
        )
        faults.append(fault)
    if phase == 1:
        faults.extend(
            Fault.of(
                "position/material",
                "{colour} has no rod to move in Phase Two",
                colour=Phrase(owner.title),
            )
            for owner, count in zip(game.colors, counts, strict=True)
            if count == 0
        )
    state[header.SEAT] = seat
    state[header.COLOR] = color
    state[header.PHASE] = phase
    state[header.PHASE_PLIES] = setup.phase_two_plies if phase else 0
    state[header.PLY] = ply


def _color(name: object) -> Color | str:
    """Return the colour with a name, for messages; other names are unchanged."""
    names = {color.value: color for color in Color}
    return names.get(str(name), str(name))


def _alternating(left: list[int], color: int) -> bool:
    """Return whether all colours run out of rods together when ``color`` places next."""
    # In the order of the turns to come: those who have had a turn in this round have one rod less,
    # and they are the last to have another.
    behind = left[color:] + left[:color]
    return all(behind[0] - 1 <= rest <= behind[0] for rest in behind) and (
        behind == sorted(behind, reverse=True)
    )


def _seat_of(game: Antipalos, color: str, otherwise: int) -> int:
    """Return the next seat of a colour, starting from the one that would be to move."""
    for step in range(game.seats):
        seat = (otherwise + step) % game.seats
        if game.color_of(seat).value == str(color).lower():
            return seat
    return otherwise


def _fill_mail(
    game: Antipalos, setup: Setup, state: Array, counts: list[int], faults: list[Fault]
) -> None:
    """Determine the turn in the mail ruleset."""
    total = sum(counts)
    lead = counts[0] - counts[1]
    color = total % 2
    if setup.to_move is not None and str(setup.to_move).lower() in ("vert", "horz"):
        given = ("vert", "horz").index(str(setup.to_move).lower())
        if given != color and not setup.composed:
            fault = Fault.of(
                "position/turn",
                "{given} is to move, but by the number of rods it is the other's turn",
                given=_color(setup.to_move),
            )
            faults.append(fault)
        color = given
    elif setup.to_move is not None:
        faults.append(no_turn_of(setup.to_move, game.colors))
    if lead not in (0, 1) and not setup.composed:
        fault = Fault.of(
            "position/material",
            "{vert} vert and {horz} horz rods do not come from alternate turns",
            vert=counts[0],
            horz=counts[1],
        )
        faults.append(fault)
    if setup.swapped and (game.options.swap == "off" or total == 0):
        faults.append(Fault("position/no-swap", "a swap was played, but it is not possible here"))
    state[header.COLOR] = color
    state[header.SWAPPED] = setup.swapped
    # A swap exchanges the seats, not the colours; it counts as a ply and leaves no rod.
    state[header.SEAT] = color ^ int(setup.swapped)
    state[header.PLY] = total + setup.swapped
    open_now = game.options.swap == "on" and not setup.swapped and counts == [1, 0] and color == 1
    state[header.SWAP_OPEN] = open_now


def _winner_is_late(game: Antipalos, state: Array) -> bool:
    """Return whether the winner did not move last, which is impossible in a played game."""
    winner = int(state[header.WINNER])
    # The colour before the one to move; after a swap the seats play each other's colours.
    last = (int(state[header.SEAT]) - 1 + int(state[header.SWAPPED])) % len(game.colors)
    return winner > 0 and winner - 1 != last
