"""Boards and moves as JSON-ready data, with which a page needs no rules to show them.

Each schema stands here with the function that fills it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, TypeAlias

import numpy as np
from typing_extensions import TypedDict

from antipodes.boards import Topology
from antipodes.boards.sphere import directions
from antipodes.core import Move
from antipodes.games.kernels import Array
from antipodes.games.position import Game, Position
from antipodes.notation.svg.board import border_bands, seam_lines, shaded_cells
from antipodes.notation.svg.layout import layout
from antipodes.search.chances import chance_map
from antipodes.web.matches.schemas import Cell, Pieces, ResultText
from antipodes.web.platform.schemas import Whole, about, closed, json_of
from antipodes.web.platform.translations import caption_text, result_text

Place = tuple[int, int, float, float, str]  # cell, number of the drawn board, x, y, name
Point = tuple[float, float]


@closed
class BoardOut(TypedDict):
    """The board of a game, which does not change during a match.

    A place is: cell, number of the drawn board, x, y, name. Lengths are steps between cells.
    """

    game: str
    title: str
    kind: Annotated[str, about("such as sphere, cylinder or grid")]
    shape: Annotated[str, about("of the cells: pointy, flat or square")]
    places: list[Place]
    repeated: Annotated[list[Place], about("where some cells are drawn a second time")]
    labels: Annotated[list[tuple[str, float, float]], about("text, x and y")]
    names: Annotated[list[list[str]], about("of each cell")]
    neighbours: Annotated[list[list[int]], about("of each cell")]
    directions: Annotated[
        list[tuple[float, float, float]],
        about("of each cell of a sphere: its place, as x, y and z of unit length"),
    ]
    rims: dict[str, list[int]]
    goals: Annotated[dict[str, list[str]], about("names of the rims that each colour connects")]
    borders: Annotated[
        list[tuple[str, list[Point]]],
        about("of a colour: outlines along the cells, and back outside of them"),
    ]
    seams: list[list[Point]]
    shaded: list[int]
    poles: list[int]
    pointsNamed: bool
    colors: list[str]
    turns: Annotated[
        list[int], about("for each seat: quarter turns by which it sees the board rotated")
    ]
    seen: Annotated[
        list[list[str]],
        about(
            "for each seat: the names of the cells, seen from its own side; moves and"
            " ``names`` are always those of the first seat"
        ),
    ]
    locks: Annotated[
        dict[int, list[int]], about("cells that lock a cell once all of them are full")
    ]
    flips: Annotated[bool, about("whether moves change pieces on the board")]
    supply: Annotated[dict[str, int], about("pieces of each colour, if they are limited")]
    chances: Annotated[
        tuple[float, float],
        about(
            "shift and scale of the map from values of the search to chances of the first colour:"
            " log(p / (1 - p)) = shift + scale * log(v / (1 - v))"
        ),
    ]


@closed
class ShownMove(TypedDict):
    """A move as boards show it."""

    move: Whole
    text: str
    color: str
    last: Annotated[int | None, about("the cell of the piece, if it has one")]
    changed: Annotated[
        dict[int, tuple[str | None, str | None]],
        about("for each cell that changed: the piece before and the piece after"),
    ]
    flips: Annotated[
        list[list[int]],
        about("the cells whose tokens the new token flips, then those that the pawn flips"),
    ]


@closed
class MoveProductOut(TypedDict):
    """Many legal moves as a product.

    Each choice of one step from each list is a move: ``base`` plus the sum of steps times strides.
    """

    base: Whole
    strides: list[Whole]
    steps: list[list[Whole]]


LegalMoves: TypeAlias = list[MoveProductOut | list[int]]


class GameStateOut(TypedDict):
    """The state of the game in a position."""

    toMove: Annotated[str, about("the colour to move")]
    caption: str
    result: ResultText
    chain: Annotated[list[Cell], about("the winning chain, in its order")]


@closed
class BoardPositionOut(GameStateOut):
    """A position with its legal moves."""

    pieces: Pieces
    legal: LegalMoves
    swap: Annotated[Whole | None, about("the move that swaps, if it is legal")]
    last: Annotated[Cell | None, about("the cell of the last move")]


def board_view(position: Position) -> BoardOut:
    """Return the board of a game, which never changes during a match."""
    game = position.game
    topology = game.topology
    scene = position.scene()
    measured = chance_map(game)
    where = layout(topology, points_named=scene.points_named)
    return {
        "game": game.id,
        "title": game.title,
        "kind": topology.kind,
        "shape": topology.shape.name.lower(),
        "places": [(p.cell, p.board, p.x, p.y, p.name) for p in where.places],
        "repeated": [(p.cell, p.board, p.x, p.y, p.name) for p in where.repeated],
        "labels": [(label.text, label.x, label.y) for label in where.labels],
        "names": [list(names) for names in topology.names],
        "neighbours": [list(near) for near in topology.neighbours],
        "directions": _directions(topology),
        "rims": {name: list(cells) for name, cells in topology.rims.items()},
        "goals": {color.value: list(rims) for color, rims in scene.goals.items()},
        "borders": [(color.value, band) for color, band in border_bands(scene, where)],
        "seams": seam_lines(where),
        "shaded": sorted(shaded_cells(scene)),
        "poles": list(scene.poles),
        "pointsNamed": scene.points_named,
        "colors": [color.value for color in game.colors],
        "turns": [game.view(seat) for seat in range(game.seats)],
        "seen": [list(game.names_from(seat)) for seat in range(game.seats) if game.has_sides],
        "locks": {cell: list(around) for cell, around in game.locks().items()},
        "flips": game.flips,
        "supply": {color.value: count for color, count in game.supply().items()},
        "chances": (measured.shift, measured.scale),
    }


def _directions(topology: Topology) -> list[tuple[float, float, float]]:
    if topology.kind != "sphere":
        return []
    return [(round(x, 5), round(y, 5), round(z, 5)) for x, y, z in directions(*topology.size)]


def pieces(position: Position) -> dict[int, str]:
    r"""Return the piece on each cell: ``black``, ``red/``, ``red\``, or ``blue*`` with a pawn."""
    names = position.game.pieces
    return {cell: names[piece] for cell, piece in enumerate(position.pieces.tolist()) if piece}


@dataclass(frozen=True, slots=True)
class Played:
    """A line of moves as pages show it.

    Attributes:
        start: the piece on each cell before the first move.
        moves: each move.
        position: the position after the last move.
    """

    start: dict[int, str]
    moves: list[ShownMove]
    position: Position


def play_through(position: Position, line: Iterable[int]) -> Played:
    """Play moves and collect the changes of each move on the board.

    Raises:
        IllegalMoveError: a move is not legal.
    """
    start = pieces(position)
    moves = []
    for move in line:
        played = position.play(move)
        moves.append(move_view(position, move, played))
        position = played
    return Played(start, moves, position)


def move_view(position: Position, move: int, played: Position) -> ShownMove:
    """Return one move as pages show it, see `Played`, where the position after it is known."""
    names = (None, *position.game.pieces[1:])
    before, after = position.pieces, played.pieces
    changed = np.flatnonzero(before != after).tolist()
    return {
        "move": int(move),
        "text": position.format_move(Move(move)),
        "color": position.to_move.value,
        "last": played.last_cell,
        "changed": {cell: (names[before[cell]], names[after[cell]]) for cell in changed},
        "flips": [list(cells) for cells in position.flips(move)],
    }


def legal_moves(position: Position) -> LegalMoves:
    """Return the legal moves, each with its steps; the swap is separate.

    The many moves of Phase Two are one product: ``steps`` has a list for each step, and any choice
    from them is the move ``base`` plus the sum of steps times ``strides``.
    """
    listed: LegalMoves = json.loads(legal_moves_json(position))
    return listed


def legal_moves_json(position: Position) -> str:
    game = position.game
    moves = position.legal_moves.array()
    product, single_moves = _product(position, moves) if position.phase == 2 else (None, moves)
    texts = [] if product is None else [json_of(product)]
    known = _step_texts(game)
    for move in single_moves.tolist():
        if move != game.swap_move:
            if move not in known:
                known[move] = json_of([move, *position.steps(move)])
            texts.append(known[move])
    return f"[{','.join(texts)}]"


@lru_cache(maxsize=64)
def _step_texts(_game: Game) -> dict[int, str]:
    """Return a dictionary that keeps the JSON of moves with their steps, for one game."""
    return {}


def _product(position: Position, moves: Array) -> tuple[MoveProductOut | None, Array]:
    """Split rod moves into those to other squares, as a product, and those that stay."""
    placements, strides = position.game.move_forms[-1]
    origins, placed = moves // placements - 1, moves % placements
    leaves = origins != placed // 2
    lists = [np.unique(steps[leaves]) for steps in (origins, placed // 2, placed % 2)]
    if math.prod(map(len, lists)) != leaves.sum():
        return None, moves
    steps = [found.tolist() for found in lists]
    return {"base": placements, "strides": list(strides), "steps": steps}, moves[~leaves]


def game_state(position: Position) -> GameStateOut:
    return {
        "toMove": position.to_move.value,
        "caption": caption_text(position),
        "result": None if position.outcome is None else result_text(position.outcome),
        "chain": list(position.winning_chain()),
    }


def board_position(position: Position, *, is_open: bool = True) -> BoardPositionOut:
    """Return a position with its legal moves; without them unless ``is_open``."""
    return {
        **game_state(position),
        "pieces": pieces(position),
        "legal": legal_moves(position) if is_open else [],
        "swap": open_swap(position) if is_open else None,
        "last": position.last_cell,
    }


def open_swap(position: Position) -> int | None:
    """Return the swap move if it is legal now."""
    swap = position.game.swap_move
    return swap if swap is not None and swap in position.legal_moves else None
