"""The base of Antipod, Hex and Cylindrical Hex, where stones are placed and stay."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, Generic, TypeGuard, TypeVar

from antipodes.core import Color, Move, Setup
from antipodes.errors import Fault, InvalidPositionError, Phrase
from antipodes.games.base import BoardGame, OptionsT_co
from antipodes.games.kernels import Array, header, placement
from antipodes.games.position import BoardPosition
from antipodes.games.tables import hash_keys, no_turn_of, pack, read_stones
from antipodes.notation.scene import Scene

PositionT_co = TypeVar("PositionT_co", bound="PlacementPosition[Any]", covariant=True)
GameT_co = TypeVar("GameT_co", bound="PlacementGame[Any, Any]", covariant=True)

Step = tuple[int, int]  # a neighbouring node and the winding of the step to it


class PlacementGame(BoardGame[OptionsT_co, PositionT_co], Generic[OptionsT_co, PositionT_co]):
    """Base of the placement games: a move is a cell, and the last move is the swap."""

    family = "placement"
    goals: ClassVar[dict[Color, tuple[str, ...]]]
    winner_moves_last: ClassVar[bool] = True  # whether the move that ends a game wins it

    @property
    def has_connection_theory(self) -> bool:
        """Whether the rules are those of the family: one of two colours connects, and thereby wins.

        A subclass with kernels of its own has other rules, and no solver may believe its board.
        """
        return self.family == PlacementGame.family

    @property
    def kernel_colors(self) -> tuple[Color, ...]:
        """The colours in the order of the kernels: Black, who joins the terminals, then White."""
        return Color.BLACK, Color.WHITE

    @property
    def colors(self) -> tuple[Color, ...]:
        """The colours in the order of the first turns."""
        order = (Color.BLACK, Color.WHITE)
        return order if self.first is Color.BLACK else order[::-1]

    @property
    def first(self) -> Color:
        """The colour that begins."""
        return Color.BLACK

    @property
    def swap_mode(self) -> int:
        """The kind of swap for kernels."""
        return placement.NO_SWAPS

    @property
    def swap_exchanges(self) -> str:
        """The objects that a swap exchanges: seats or stones."""
        names = {placement.SWAP_SEATS: "seats", placement.SWAP_PIECES: "stones"}
        return names.get(self.swap_mode, "")

    @property
    def has_draws(self) -> bool:
        """Always false: exactly one colour reaches its goal."""
        return False

    @property
    def swap_move(self) -> Move:
        """The move that swaps."""
        return Move(self.topology.cell_count)

    @property
    def move_count(self) -> int:
        """The number of moves: one for each cell, and the swap."""
        return self.topology.cell_count + 1

    @property
    def max_plies(self) -> int:
        """The number of cells that are empty at the start, and a swap."""
        empty = self.topology.cell_count - len(self.start_stones())
        return empty + (0 if self.swap_mode == placement.NO_SWAPS else 1)

    @property
    def max_branching(self) -> int:
        """The number of moves."""
        return self.move_count

    @property
    def state_size(self) -> int:
        """Length of the state: header, then owner, parent and winding of each node."""
        return header.HEADER + 3 * self._node_count()

    @property
    def identity_size(self) -> int:
        """The owners of the cells."""
        return self.topology.cell_count

    @property
    def chain_work_size(self) -> int:
        """Length for marks and a queue of the nodes on each level of the unrolled board."""
        return 2 * placement.LEVELS * self._node_count()

    @property
    def symmetries(self) -> tuple[int, ...]:
        """The symmetries of the board that preserve the start stones."""
        stones = self.start_stones()
        return tuple(
            index
            for index, image in enumerate(self.topology.symmetries)
            if {image[cell]: color for cell, color in stones.items()} == stones
        )

    def transform(self, move: int, symmetry: int) -> Move:
        """Return the image of a move under a symmetry of the topology."""
        if move == self.swap_move:
            return self.swap_move
        return Move(self.topology.symmetries[symmetry][move])

    # Defined by subclasses.

    def start_stones(self) -> dict[int, Color]:
        """Return the stones on the board before the first move."""
        return {}

    def _border_owners(self) -> list[int]:
        """Return the owners, as kernels encode them, of the border nodes behind the cells."""
        return []

    def _borders_of(self, cell: int) -> list[Step]:
        """Return the steps from a cell to border nodes."""
        return []

    @abstractmethod
    def _winding(self, cell: int, neighbour: int) -> int:
        """Return the signed crossings of the seam of the board by the step to a neighbour."""

    @abstractmethod
    def _terminals(self) -> tuple[int, int]:
        """Return the two nodes that Black joins."""

    @property
    def _white_reason(self) -> int:
        return header.RING

    def _mirror(self) -> list[int]:
        """Return the new cell of a swapped stone on each cell."""
        return list(range(self.topology.cell_count))

    def _node_count(self) -> int:
        return self.topology.cell_count + len(self._border_owners())

    def make_tables(self) -> Array:
        """Return board and options as numbers for the kernels."""
        board = self.topology
        steps: list[list[Step]] = [
            [(near, self._winding(cell, near)) for near in board.neighbours[cell]]
            + self._borders_of(cell)
            for cell in range(board.cell_count)
        ]
        degree = max(map(len, steps))
        padded = [row + [(-1, 0)] * (degree - len(row)) for row in steps]
        owners = [0] * board.cell_count + self._border_owners()
        for cell, color in self.start_stones().items():
            owners[cell] = 1 + self.kernel_colors.index(color)
        source, target = self._terminals()
        gates = [cell for cell, row in enumerate(steps) if source in dict(row)]
        numbers = {
            placement.CELLS: board.cell_count,
            placement.NODES: self._node_count(),
            placement.DEGREE: degree,
            placement.SWAP: self.swap_mode,
            placement.FIRST: self.kernel_colors.index(self.first),
            placement.SOURCE: source,
            placement.TARGET: target,
            placement.WHITE_REASON: self._white_reason,
            placement.GATE_COUNT: len(gates),
        }
        arrays = {
            placement.NEIGHBOURS: [near for row in padded for near, _ in row],
            placement.WINDINGS: [winding for row in padded for _, winding in row],
            placement.MIRROR: self._mirror(),
            placement.OWNERS: owners,
            placement.KEYS: hash_keys(self.id, 2 * board.cell_count + 3),
            placement.GATES: gates,
        }
        return pack(numbers, arrays, placement.TABLE_HEADER)

    # Setups.

    def _fill(self, setup: Setup, state: Array, faults: list[Fault]) -> None:
        stones = read_stones(setup, self.topology, self.kernel_colors, faults)
        start = {c: self.kernel_colors.index(k) for c, k in self.start_stones().items()}
        for cell, index in start.items():
            if stones.get(cell) != index:
                fault = Fault.of(
                    "position/start-stone",
                    "{point} must have a {colour} stone from the start",
                    where=self.topology.name(cell),
                    point=self.topology.name(cell),
                    colour=self.kernel_colors[index],
                )
                faults.append(fault)
        placed = [index for cell, index in stones.items() if cell not in start]
        if setup.swapped and self.swap_mode == placement.NO_SWAPS:
            faults.append(
                Fault("position/no-swap", "a swap was played, but the options allow none")
            )
        color = self._color_to_move(setup, placed, faults)
        owners = state[header.HEADER : header.HEADER + self._node_count()]
        owners[self.topology.cell_count :] = self._border_owners()
        for cell, index in stones.items():
            owners[cell] = 1 + index
        state[header.COLOR] = color
        state[header.PLY] = len(placed) + setup.swapped
        state[header.SWAPPED] = setup.swapped
        state[header.SWAP_OPEN] = self._may_swap(setup, placed, color)
        if len(placed) == 1:
            state[header.LAST] = next(cell for cell in stones if cell not in start)

    def _may_swap(self, setup: Setup, placed: list[int], color: int) -> bool:
        first = self.kernel_colors.index(self.first)
        allowed = self.swap_mode != placement.NO_SWAPS and not setup.swapped
        return allowed and placed == [first] and color != first

    def turn_after(self, placed: list[int], *, swapped: bool) -> int | None:
        """Return the colour to move after these colours' stones; ``None`` if it is impossible."""
        first = self.kernel_colors.index(self.first)
        lead = placed.count(first) - placed.count(1 - first)
        pieces_swapped = swapped and self.swap_mode == placement.SWAP_PIECES
        return {0: first, 1: 1 - first}.get(lead + pieces_swapped)

    def _color_to_move(self, setup: Setup, placed: list[int], faults: list[Fault]) -> int:
        """Return the colour to move by the setup or by the numbers of stones."""
        names = [color.value for color in self.kernel_colors]
        first = self.kernel_colors.index(self.first)
        inferred = self.turn_after(placed, swapped=setup.swapped)
        given = str(setup.to_move).lower() if setup.to_move is not None else None
        if given is not None and given not in names:
            faults.append(no_turn_of(setup.to_move, self.kernel_colors))
            return first
        if setup.composed:
            if given is not None:
                return names.index(given)
            return first if inferred is None else inferred
        if inferred is None or (setup.swapped and not placed):
            fault = Fault.of(
                "position/material",
                "{black} black and {white} white moves do not come from alternate turns with"
                " {first} first",
                black=placed.count(0),
                white=placed.count(1),
                first=Phrase(self.first.title),
            )
            faults.append(fault)
            return first
        if given is not None and names.index(given) != inferred:
            fault = Fault.of(
                "position/turn",
                "{given} is to move, but by the number of stones {inferred} would be",
                given=Color(given),
                inferred=self.kernel_colors[inferred],
            )
            faults.append(fault)
        return inferred

    def _check_winner(self, setup: Setup, state: Array) -> None:
        if self.has_early_winner(state) and not setup.composed:
            code = "position/winner-to-move"
            colour = Phrase(self.kernel_colors[state[header.WINNER] - 1].title)
            if self.winner_moves_last:
                fault = Fault.of(
                    code, "{colour} has won, but the other colour moved last", colour=colour
                )
            else:
                fault = Fault.of(code, "{colour} has won, but moved last", colour=colour)
            raise InvalidPositionError([fault])

    def has_early_winner(self, state: Array) -> bool:
        """Return whether the game is won as no played move can have won it."""
        winner = int(state[header.WINNER])
        is_to_move = winner == 1 + state[header.COLOR]
        return bool(winner and state[header.PLY] > 0 and is_to_move == self.winner_moves_last)


def is_connection_game(game: BoardGame[Any, Any]) -> TypeGuard[PlacementGame[Any, Any]]:
    """Return whether the solver, virtual connections and their proofs apply to a game.

    They need that a full board connects exactly one colour, which wins, and that one more stone
    never hurts its owner.
    """
    return isinstance(game, PlacementGame) and game.has_connection_theory


class PlacementPosition(BoardPosition[GameT_co], Generic[GameT_co]):
    """Base of the positions of placement games."""

    __slots__ = ()

    def stones(self) -> dict[int, Color]:
        """Return cell -> colour of all stones, including start stones."""
        owners = self.kernel_state[header.HEADER : header.HEADER + self.game.topology.cell_count]
        colors = self.game.kernel_colors
        return {cell: colors[owner - 1] for cell, owner in enumerate(owners.tolist()) if owner}

    def _piece_on(self, cell: int) -> Color | None:
        owner = int(self.kernel_state[header.HEADER + cell])
        return self.game.kernel_colors[owner - 1] if owner else None

    def _read(self, text: str) -> Move | None:
        word = text.lower()
        if word in ("swap", "swap-pieces", "swap-sides"):
            return self.game.swap_move
        cell = self.game.topology.cell(word.replace(" ", ""))
        return None if cell is None else Move(cell)

    def _move_help(self) -> Phrase:
        return self.game.point_names.span()

    def format_move(self, move: int, seat: int | None = None) -> str:
        """Write a move as its point, or ``swap``."""
        return "swap" if move == self.game.swap_move else self.game.topology.name(move)

    def to_setup(self) -> Setup:
        """Return the setup of the position."""
        board = self.game.topology
        stones = tuple((board.name(c), k.value) for c, k in sorted(self.stones().items()))
        start = self.game.start_stones()
        placed = [
            self.game.kernel_colors.index(k) for c, k in self.stones().items() if c not in start
        ]
        turn = self.game.turn_after(placed, swapped=self.swapped)
        return Setup(
            stones=stones,
            to_move=self.to_move.value,
            swapped=self.swapped,
            composed=turn != int(self.kernel_state[header.COLOR])
            or self.game.has_early_winner(self.kernel_state),
        )

    def scene(self) -> Scene:
        """Return the scene of a picture of the position."""
        return Scene(
            topology=self.game.topology,
            title=self.caption(),
            stones=self.stones(),
            goals=self.game.goals,
            poles=self.game.topology.rims.get("poles", ()),
            last=self.last_cell,
            chain=self.winning_chain(),
        )
