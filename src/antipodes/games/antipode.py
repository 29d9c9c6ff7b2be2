"""Antipode (Shane Hendrickson, 2011): tokens, and pawns that flip all tokens that they pass."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from antipodes.boards import Topology, hexhex
from antipodes.boards.hexhex import STEPS, hexhex_coordinates
from antipodes.core import Color, Move, Setup
from antipodes.errors import Fault, Phrase
from antipodes.games.base import BoardGame
from antipodes.games.kernels import Array, antipode, header
from antipodes.games.options import Options, choice
from antipodes.games.position import BoardPosition
from antipodes.games.samples import FinishedGame, FirstGame, RuleExample
from antipodes.games.tables import hash_keys, no_such_color, no_turn_of, read_stones
from antipodes.notation.scene import Scene
from antipodes.notation.text import clean

_SIDE = 5
_TURN = re.compile(r"([a-z]\d+) ?- ?([a-z]\d+)", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class AntipodeOptions(Options):
    """Options of Antipode."""

    full_board: str = choice(
        "draw", "loss", help="a full board without connection: drawn, or lost by the player to move"
    )


class Antipode(BoardGame[AntipodeOptions, "AntipodePosition"]):
    """Each turn places a token and slides the pawn; both flip tokens. Join opposite corners."""

    id = "antipode"
    title = "Antipode"
    summary = "Put a token, slide your pawn, flip what they touch; join two opposite corners."
    family = "antipode"
    options_type = AntipodeOptions
    flips = True
    size_options = ()
    start_tokens: ClassVar[dict[Color, tuple[str, ...]]] = {
        Color.BLUE: ("e1", "a5", "i5"),
        Color.RED: ("e9", "a1", "i1"),
    }
    start_pawns: ClassVar[dict[Color, str]] = {Color.BLUE: "e1", Color.RED: "e9"}
    first_game = FirstGame()
    finished_game = FinishedGame(
        "f1-f1 e8-e8 h2-e1 d1-e9 e2-d1 a4-e8 h1-e2 f8-a4 e7-e9 b6-a1 d8-e2 a2-a2 i2-i2 b3-b3"
        " d4-i5 c3-c3 h6-e9 c2-b3 i4-e2 g5-h6 h5-e8 b5-h2 f4-d8 c5-h6 g4-d1 d2-h2 c1-d2 h3-f4"
        " f2-f1 g7-i4 g2-d2 b1-h5 d6-f1 b2-h3 g1-a2 g3-h5 f7-b2 g6-e8 i3-i5"
    )
    rule_examples: ClassVar = (
        RuleExample(
            0,
            "The start. Pawns stand on the corners in front of the players, on their own tokens.",
        ),
        RuleExample(
            1,
            "Blue has put a token on e4 and slid the pawn onto it. Choose a cell for Red's token,"
            " then where the pawn goes: what flips is shown.",
            {},
            "e4-e4",
        ),
        RuleExample(
            1,
            "All three neighbours of the corner e9 have tokens, and no line leads across a corner:"
            " nothing flips it any more. It is locked.",
            {},
            "e8-e8 d8-d8 f8-e1",
        ),
        RuleExample(
            2,
            "Blue has joined the corners e1 and e9 along the right edge.",
            finished_game.options,
            finished_game.moves,
        ),
        RuleExample(
            "Positions from the rules",
            "After one turn of each player. Blue is to move.",
            {},
            "e2-e2 a4-a5",
        ),
        RuleExample(
            "Positions from the rules",
            "After five turns of each player. The photograph does not tell in which order"
            " they were made.",
            {},
            "e2-e2 a4-a5 f8-e9 e6-a4 g6-e2 e4-a1 d7-e9 e3-a4 d5-e6 g3-e4",
        ),
    )

    if TYPE_CHECKING:

        def __init__(
            self,
            options: AntipodeOptions | None = None,
            *,
            full_board: Literal["draw", "loss"] = "draw",
        ) -> None: ...

    @property
    def topology(self) -> Topology:
        """The hexagon of 61 cells."""
        return hexhex(_SIDE)

    @property
    def colors(self) -> tuple[Color, ...]:
        """Blue begins."""
        return Color.BLUE, Color.RED

    @property
    def has_draws(self) -> bool:
        """Whether a full board is a draw."""
        return self.options.full_board == "draw"

    @property
    def goals_in_words(self) -> Mapping[Color, str]:
        """The same goal for both colours."""
        return dict.fromkeys(self.colors, "join two opposite corners with tokens of your colour")

    @property
    def brief_goals(self) -> Mapping[Color, str]:
        """The same goal for both colours."""
        return dict.fromkeys(self.colors, "join opposite corners")

    @property
    def move_count(self) -> int:
        """The number of pairs of a token's cell and the cell where the pawn comes to rest."""
        return antipode.CELLS * antipode.CELLS

    @property
    def max_plies(self) -> int:
        """An upper bound: every turn fills a cell."""
        return antipode.CELLS - 6

    @property
    def max_branching(self) -> int:
        """An upper bound: each empty cell with at most 24 cells that a pawn can reach."""
        return (antipode.CELLS - 6) * 24

    @property
    def state_size(self) -> int:
        """Header, tokens and pawns."""
        return header.HEADER + 4

    @property
    def identity_size(self) -> int:
        """Tokens and pawns."""
        return 4

    @property
    def work_size(self) -> int:
        """Two numbers for each cell."""
        return 2 * antipode.CELLS

    @property
    def symmetries(self) -> tuple[int, ...]:
        """The identity and the reflection that exchanges left and right."""
        return 0, 6

    def transform(self, move: int, symmetry: int) -> Move:
        """Return the image of a turn under a symmetry of the topology."""
        image = self.topology.symmetries[symmetry]
        return self.turn(image[move // antipode.CELLS], image[move % antipode.CELLS])

    def turn(self, cell: int, rest: int) -> Move:
        """Return the move that places a token on ``cell`` and moves the pawn to ``rest``."""
        return Move(cell * antipode.CELLS + rest)

    def view(self, seat: int) -> int:
        """Return half a turn for Red, who sits on the opposite side."""
        return 2 * seat

    @property
    def move_forms(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """The cell of the token, and the cell where the pawn comes to rest."""
        return ((0, (antipode.CELLS, 1)),)

    def locks(self) -> dict[int, tuple[int, ...]]:
        """Return the corners: no pawn passes them, so only a token placed beside one flips it."""
        neighbours = self.topology.neighbours
        return {corner: neighbours[corner] for corner in self.topology.rims["corners"]}

    def make_tables(self) -> Array:
        """Return board and options as numbers for the kernels."""
        board = self.topology
        tokens = [_mask(board, self.start_tokens[color]) for color in self.colors]
        pawns = [board.cell(self.start_pawns[color]) or 0 for color in self.colors]
        between = _between()
        numbers = [
            int(self.options.full_board == "loss"),
            *board.rims["corners"],
            *tokens,
            *pawns,
            *(sum(1 << near for near in near_by) for near_by in board.neighbours),
            *between,
            *_reach(between),
            *hash_keys(self.id, 4 * antipode.CELLS + 1),
        ]
        return np.array(numbers, np.int64)

    @property
    def pieces(self) -> tuple[str, ...]:
        """The names of the pieces: tokens, then pawns with a star, whatever they stand on."""
        return (*super().pieces, *(f"{color.value}*" for color in self.colors))

    def _fill(self, setup: Setup, state: Array, faults: list[Fault]) -> None:
        tokens = read_stones(setup, self.topology, self.colors, faults)
        for cell, owner in tokens.items():
            state[antipode.TOKENS + owner] |= 1 << cell
        known = [color.value for color in self.colors]
        faults.extend(
            no_such_color(name, self.colors, name) for name in setup.pawns if name not in known
        )
        for index, color in enumerate(self.colors):
            state[antipode.PAWNS + index] = self._read_pawn(setup, tokens, index, color, faults)
        for corner in self.topology.rims["corners"]:
            if corner not in tokens:
                name = self.topology.name(corner)
                fault = Fault.of(
                    "position/start-token", "corner {point} has no token", where=name, point=name
                )
                faults.append(fault)
        turns = max(len(tokens) - 6, 0)
        given = str(setup.to_move).lower() if setup.to_move is not None else None
        names = [color.value for color in self.colors]
        inferred = turns % 2
        if given is not None and given not in names:
            faults.append(no_turn_of(setup.to_move, self.colors))
        elif given is not None and names.index(given) != inferred and not setup.composed:
            fault = Fault.of(
                "position/turn",
                "{given} is to move, but after {turns} turns {inferred} would be",
                given=Color(given),
                turns=turns,
                inferred=self.colors[inferred],
            )
            faults.append(fault)
        elif given is not None:
            inferred = names.index(given)
        state[header.COLOR] = inferred
        state[header.PLY] = turns

    def _read_pawn(
        self, setup: Setup, tokens: dict[int, int], index: int, color: Color, faults: list[Fault]
    ) -> int:
        """Return the cell of a pawn; add its faults to ``faults``."""
        point = setup.pawns.get(color.value)
        if point is None:
            fault = Fault.of(
                "position/no-pawn",
                "the {colour} pawn is missing",
                where=color.value,
                colour=color,
            )
            faults.append(fault)
            return 0
        cell = self.topology.cell(clean(str(point)))
        if cell is None:
            fault = Fault.of(
                "position/no-such-point",
                "the {colour} pawn is on {point}, which is not on the board; {help}",
                where=color.value,
                colour=color,
                point=repr(point),
                help=self.point_names.where(clean(str(point))),
            )
            faults.append(fault)
            return 0
        if tokens.get(cell) != index:
            fault = Fault.of(
                "position/pawn-token",
                "the {colour} pawn on {point} does not stand on a {colour} token",
                where=color.value,
                colour=color,
                point=point,
            )
            faults.append(fault)
        return cell


def _mask(board: Topology, names: tuple[str, ...]) -> int:
    return sum(1 << cell for name in names if (cell := board.cell(name)) is not None)


def _between() -> list[int]:
    """Return the cells between each two cells as bits, or -1 if they are not on a line."""
    cells = hexhex_coordinates(_SIDE)
    index = {point: cell for cell, point in enumerate(cells)}
    between = [-1] * (len(cells) * len(cells))
    for here, (file, height) in enumerate(cells):
        for df, dh in STEPS:
            passed = 0
            f, h = file + df, height + dh
            while (f, h) in index:
                there = index[f, h]
                between[here * len(cells) + there] = passed
                passed |= 1 << there
                f, h = f + df, h + dh
    return between


def _reach(between: list[int]) -> list[int]:
    """Return for each two cells of the pawns the cells that the first pawn can reach."""
    cells = range(antipode.CELLS)
    return [
        sum(
            1 << there
            for there in cells
            if (way := between[pawn * antipode.CELLS + there]) >= 0
            and (way | 1 << there) & 1 << other == 0
        )
        for pawn in cells
        for other in cells
    ]


class AntipodePosition(BoardPosition[Antipode]):
    """A position of Antipode."""

    __slots__ = ()

    def tokens(self) -> dict[int, Color]:
        """Return cell -> colour of all tokens, those under pawns included."""
        found = {}
        for index, color in enumerate(self.game.colors):
            mask = int(self.kernel_state[antipode.TOKENS + index])
            found.update({c: color for c in range(antipode.CELLS) if mask >> c & 1})
        return dict(sorted(found.items()))

    def pawns(self) -> dict[Color, int]:
        """Return colour -> cell of its pawn."""
        return {
            c: int(self.kernel_state[antipode.PAWNS + i]) for i, c in enumerate(self.game.colors)
        }

    def after_token(self, cell: int) -> dict[int, Color] | None:
        """Return the tokens after the first step of a turn, or ``None`` if it is illegal."""
        if not self.rests(cell):
            return None
        tables, state = self.game.tables, self.kernel_state
        own = int(antipode.own_after(tables, state, cell))  # type: ignore[no-untyped-call]
        tokens = {**self.tokens(), cell: self.to_move}
        other = self.game.colors[1 - self.game.colors.index(self.to_move)]
        return {c: self.to_move if own >> c & 1 else other for c in sorted(tokens)}

    def rests(self, cell: int) -> tuple[int, ...]:
        """Return the cells where the pawn may come to rest after a token on ``cell``."""
        occupied = cell in self.tokens()
        if self.outcome is not None or occupied or not 0 <= cell < antipode.CELLS:
            return ()
        tables, state = self.game.tables, self.kernel_state
        own = antipode.own_after(tables, state, cell)  # type: ignore[no-untyped-call]
        reached = int(antipode.slides(tables, state, own))  # type: ignore[no-untyped-call]
        return tuple(rest for rest in range(antipode.CELLS) if reached >> rest & 1)

    def flipped_by(self, steps: Sequence[int]) -> dict[int, Color]:
        """Return the tokens that a new one flips before the pawn moves."""
        after = self.after_token(steps[0]) if len(steps) == 1 else None
        before = self.tokens()
        return {c: new for c, new in (after or {}).items() if c in before and before[c] is not new}

    def flips(self, move: int) -> tuple[tuple[int, ...], ...]:
        """Return the neighbours of the token, and the tokens that the pawn passes on its way."""
        cell, rest = divmod(int(move), antipode.CELLS)
        pawn = self.pawns()[self.to_move]
        between = int(self.game.tables[antipode.BETWEEN + pawn * antipode.CELLS + rest])
        passed = [one for one in (*self.tokens(), cell) if between >> one & 1]
        return tuple(self.flipped_by([cell])), tuple(sorted(passed, reverse=rest < pawn))

    def _piece_on(self, cell: int) -> Color | None:
        return self.tokens().get(cell)

    def _read(self, text: str) -> Move | None:
        match = _TURN.fullmatch(text)
        if match is None:
            return None
        cell, rest = (self.game.topology.cell(name) for name in match.groups())
        return None if cell is None or rest is None else self.game.turn(cell, rest)

    def _move_help(self) -> Phrase:
        return Phrase("turns look like d3-e4: the token's cell, then where the pawn comes to rest")

    def format_move(self, move: int, seat: int | None = None) -> str:
        """Write a turn as the token's cell and the cell where the pawn comes to rest."""
        name = self.game.topology.name
        return f"{name(move // antipode.CELLS)}-{name(move % antipode.CELLS)}"

    def to_setup(self) -> Setup:
        """Return the setup of the position."""
        name = self.game.topology.name
        turn = (len(self.tokens()) - 6) % 2
        return Setup(
            stones=tuple((name(cell), color.value) for cell, color in self.tokens().items()),
            to_move=self.to_move.value,
            pawns={color.value: name(cell) for color, cell in self.pawns().items()},
            composed=turn != int(self.kernel_state[header.COLOR]),
        )

    def scene(self) -> Scene:
        """Return the scene of a picture of the position."""
        return Scene(
            topology=self.game.topology,
            title=self.caption(),
            stones=self.tokens(),
            pawns={cell: color for color, cell in self.pawns().items()},
            last=self.last_cell,
            chain=self.winning_chain(),
        )


Antipode.position_type = AntipodePosition
