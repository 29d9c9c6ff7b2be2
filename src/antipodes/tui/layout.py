"""Where the cells of a board stand on a screen of characters; no stones and no colours in it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from antipodes.boards import Topology
from antipodes.notation.rods import grid_column
from antipodes.notation.sphere_pictures import draw_sphere

_ROW = math.sqrt(3) / 2  # distance of rows of hexagons, in steps between neighbours

Text = tuple[int, int, str]  # column, row, and what stands there

# Directions as (right, down) in units of the distance between cells.
DIRECTIONS: dict[str, tuple[float, float]] = {
    "left": (-1, 0),
    "right": (1, 0),
    "up": (0, -1),
    "down": (0, 1),
    "up-left": (-0.7, -0.7),
    "up-right": (0.7, -0.7),
    "down-left": (-0.7, 0.7),
    "down-right": (0.7, 0.7),
}


@dataclass(frozen=True, slots=True)
class Pitch:
    """How many characters apart cells stand, and how many one cell takes.

    Attributes:
        across: columns for one unit of a topology's x.
        down: rows for one unit of a topology's y.
        width: columns of a cell's own characters; a gap of one column on both sides is shared.
        height: rows of a cell.
    """

    across: float
    down: float
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Spot:
    """One place of a cell on the screen; rim points of the sphere have two.

    Attributes:
        cell: index of the cell.
        board: which of the drawn boards.
        x: column of the first of the cell's characters.
        y: its upper row.
        name: what the point is called here.
    """

    cell: int
    board: int
    x: int
    y: int
    name: str


@dataclass(frozen=True)
class Layout:
    """A board on a screen of characters.

    Attributes:
        kind: kind of the topology.
        width: columns.
        height: rows.
        pitch: sizes.
        spots: places of cells, in the topology's order.
        texts: (column, row, text) of the coordinates.
        edges: (column, row, name of the rim) of the characters just outside the board.
    """

    kind: str
    width: int
    height: int
    pitch: Pitch
    spots: tuple[Spot, ...]
    texts: tuple[Text, ...]
    edges: tuple[Text, ...] = ()

    def spots_of(self, cell: int) -> list[int]:
        """Return the indices of a cell's places."""
        return [index for index, spot in enumerate(self.spots) if spot.cell == cell]

    def at(self, x: int, y: int) -> int | None:
        """Return the index of the place at a character, its gaps included, or ``None``."""
        best: tuple[float, int] | None = None
        for index, spot in enumerate(self.spots):
            if not spot.y <= y < spot.y + self.pitch.height:
                continue
            if spot.x - 1 <= x <= spot.x + self.pitch.width:
                distance = abs(x - spot.x - (self.pitch.width - 1) / 2)
                best = min(best or (distance, index), (distance, index))
        return None if best is None else best[1]

    def middle(self) -> int:
        """Return the index of the place nearest to the middle of the first board."""
        spots = [spot for spot in self.spots if spot.board == 0]
        x = sum(spot.x for spot in spots) / len(spots)
        y = sum(spot.y for spot in spots) / len(spots)
        first = min(spots, key=lambda spot: (abs(spot.y - y) * 2 + abs(spot.x - x), spot.x))
        return self.spots.index(first)

    def step(self, index: int, direction: str, aim: tuple[float, float] | None = None) -> int:
        """Return the place one step away, or ``index`` at the edge.

        Args:
            index: the place to leave.
            direction: one of ``DIRECTIONS``.
            aim: (column, row) that a straight walk began at; on hexagons a walk up or down then
                goes straight on average, and does not drift.
        """
        spot = self.spots[index]
        right, down = DIRECTIONS[direction]
        straight = right == 0 or down == 0
        aim_x, aim_y = aim if aim is not None else (spot.x, spot.y)
        best: tuple[float, int] | None = None
        for other, there in enumerate(self.spots):
            dx, dy = (there.x - spot.x) / 2, float(there.y - spot.y)
            along = dx * right + dy * down
            aside = abs(dx * down - dy * right)
            if other == index or along <= 0 or aside > along * (1.01 if straight else 0.75):
                continue
            drift = abs((there.x - aim_x) / 2 * down) + abs((there.y - aim_y) * right)
            cost = along + (1.1 * aside + 0.5 * drift if straight else 2 * aside)
            best = min(best or (cost, other), (cost, other))
        if best is None:
            return self._round(index, direction)
        return best[1]

    def _round(self, index: int, direction: str) -> int:
        """Go on at the other end of a cylinder's row; stay where there is no way on."""
        if self.kind != "cylinder" or direction not in ("left", "right"):
            return index
        row = [i for i, spot in enumerate(self.spots) if spot.y == self.spots[index].y]
        return row[0] if direction == "right" else row[-1]


def small_pitch(kind: str) -> Pitch:
    """Return the smallest sizes that a kind of board can be read in."""
    if kind == "grid":
        return Pitch(3, 1, 2, 1)
    if kind == "hexhex":
        return Pitch(4 / _ROW, 2, 3, 2)
    return Pitch(2, 1 / _ROW, 1, 1)


def large_pitch(kind: str) -> Pitch:
    """Return the sizes for screens with much room."""
    if kind == "grid":
        return Pitch(4, 2, 4, 2)
    if kind == "hexhex":
        return small_pitch(kind)
    return Pitch(4, 2 / _ROW, 3, 2)


@lru_cache(maxsize=64)
def lay_out(
    board: Topology, *, large: bool = False, quarter_turns: int = 0, points_named: bool = False
) -> Layout:
    """Return the layout of a board.

    Args:
        board: the board.
        large: whether cells take several rows.
        quarter_turns: Antipalos: seen from a seat that sees the board turned so far.
        points_named: Antipalos: the coordinates belong to the grid points between the squares.
    """
    pitch = large_pitch(board.kind) if large else small_pitch(board.kind)
    if board.kind == "sphere" and not large:
        return _sphere(board, pitch)
    seen = board.symmetries[quarter_turns] if board.kind == "grid" else None
    raw = [(round(p.x * pitch.across), round(p.y * pitch.down), p) for p in board.places]
    labels = _point_labels(board, pitch) if points_named else _cell_labels(board, pitch)
    edges: list[Text] = []
    if points_named or board.kind in ("rhombus", "cylinder"):
        edges = _edges(board, pitch)
        labels = [_outside(board, pitch, label) for label in labels]
    left = min([x - 1 for x, _, _ in raw] + [x for x, _, _ in labels + edges])
    top = min([y for _, y, _ in raw] + [y for _, y, _ in labels + edges])
    spots = tuple(
        Spot(seen[place.cell] if seen else place.cell, place.board, x - left, y - top, place.name)
        for x, y, place in raw
    )
    texts, moved_edges = (
        tuple((x - left, y - top, text) for x, y, text in items) for items in (labels, edges)
    )
    return _sized(board.kind, pitch, spots, texts, moved_edges)


def _edges(board: Topology, pitch: Pitch) -> list[Text]:
    """Return the places outside the board's rims, where the colours' goals are shown."""
    characters: list[Text] = []
    for rim, cells in board.rims.items():
        for place in (board.places_of[cell][0] for cell in cells):
            x, y = round(place.x * pitch.across), round(place.y * pitch.down)
            if rim in ("top", "bottom"):
                row = y - 1 if rim == "top" else y + pitch.height
                characters.append((x + (pitch.width - 1) // 2, row, rim))
            else:
                column = x - 2 if rim == "left" else x + pitch.width + 1
                characters += [(column, y + i, rim) for i in range(pitch.height)]
    return characters


def _outside(board: Topology, pitch: Pitch, label: Text) -> Text:
    """Move a label out of the way of the edges."""
    x, y, text = label
    bottom = max(round(place.y * pitch.down) for place in board.places) + pitch.height
    if y < 0:
        return x, min(y, -2), text
    if y >= bottom:
        return x, bottom + 1, text
    return x - 2, y, text


def _cell_labels(board: Topology, pitch: Pitch) -> list[Text]:
    labels = []
    for label in board.labels:
        x = round(label.x * pitch.across) + (pitch.width - len(label.text)) // 2
        labels.append((x, round(label.y * pitch.down) + (pitch.height - 1) // 2, label.text))
    return labels


def _point_labels(board: Topology, pitch: Pitch) -> list[Text]:
    """Name grid points: letters under the gaps, and beside a row the points below and above it."""
    size = board.size[0]
    labels = []
    for index in range(size + 1):
        x = round(index * pitch.across) - 1
        labels.append((x, round(size * pitch.down), grid_column(index)))
    for row in range(size):
        y = round((size - 1 - row) * pitch.down)
        text = f"{row + 1}-{row + 2}"
        labels.append((-2 - len(text), y + (pitch.height - 1) // 2, text))
    return labels


def _sized(
    kind: str,
    pitch: Pitch,
    spots: tuple[Spot, ...],
    texts: tuple[Text, ...],
    edges: tuple[Text, ...] = (),
) -> Layout:
    ends = [spot.x + pitch.width + 1 for spot in spots] + [x + len(text) for x, _, text in texts]
    ends += [x + 1 for x, _, _ in edges]
    bottoms = [spot.y + pitch.height for spot in spots] + [y + 1 for _, y, _ in texts + edges]
    return Layout(kind, max(ends), max(bottoms), pitch, spots, texts, edges)


def _sphere(board: Topology, pitch: Pitch) -> Layout:
    """Lay Antipod's boards out as its plain picture does, whose coordinates fit two columns."""
    lines = draw_sphere(board, {}, stacked=False)
    points = sorted(
        (y, x) for y, line in enumerate(lines) for x, char in enumerate(line) if char == "."
    )
    # The picture has the points of both boards row by row; so it orders the places.
    order = sorted(
        range(len(board.places)),
        key=lambda i: (board.places[i].name[0], int(board.places[i].name[1:])),
    )
    left = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    spots: list[Spot | None] = [None] * len(board.places)
    for index, (y, x) in zip(order, points, strict=True):
        place = board.places[index]
        spots[index] = Spot(place.cell, place.board, x - left, y, place.name)
    texts = []
    for y, line in enumerate(lines):
        blanked = line.replace(".", " ")
        texts += [(x - left, y, char) for x, char in enumerate(blanked) if not char.isspace()]
    return _sized(board.kind, pitch, tuple(s for s in spots if s is not None), tuple(texts))
