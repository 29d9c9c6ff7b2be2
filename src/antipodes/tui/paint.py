"""Painting a picture of the game on a canvas of characters, by a layout and a set of glyphs."""

from __future__ import annotations

from collections.abc import Iterator

from rich.segment import Segment
from rich.style import Style

from antipodes.core import Color
from antipodes.notation.scene import Scene
from antipodes.tui.glyphs import Glyphs
from antipodes.tui.layout import Layout, Spot
from antipodes.tui.session import Picture

_WOOD = "#a97b45"
_WOOD_2 = "#9f7240"
_EDGE_WOOD = "#7d592d"
_LEGAL = "#c79a5e"
_GOLD = "#e9c43c"
_POINTED = "#e8dcc0"
_TWIN = "#cfe0e8"

_INKS = {
    Color.BLACK: Style(color="#000000", bold=True),
    Color.WHITE: Style(color="#ffffff", bold=True),
    Color.RED: Style(color="#ffffff", bgcolor="#b3261e", bold=True),
    Color.BLUE: Style(color="#ffffff", bgcolor="#1f4fbf", bold=True),
    Color.VERT: Style(color="#000000", bold=True),
    Color.HORZ: Style(color="#ffffff", bold=True),
}
_DARK_ON_LIGHT = Style(color="#000000", bold=True)
_FREE = Style(color="#3a2508", bold=True)
_CLOSED = Style(color="#7d592d", dim=True)
_LABEL = Style(dim=True)


class Canvas:
    """Rows of characters, each with a style."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self._chars = [[" "] * width for _ in range(height)]
        self._styles = [[Style.null()] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: Style) -> None:
        """Write characters over what is there; a background that is there stays."""
        for offset, char in enumerate(text):
            if 0 <= x + offset < self.width and 0 <= y < self.height:
                self._chars[y][x + offset] = char
                self._styles[y][x + offset] += style

    def shade(self, x: int, y: int, width: int, height: int, color: str) -> None:
        """Lay a background under a rectangle."""
        style = Style(bgcolor=color)
        for row in range(max(y, 0), min(y + height, self.height)):
            for column in range(max(x, 0), min(x + width, self.width)):
                self._styles[row][column] += style

    def row(self, y: int) -> list[Segment]:
        segments: list[Segment] = []
        start = 0
        chars, styles = self._chars[y], self._styles[y]
        for x in range(1, self.width + 1):
            if x == self.width or styles[x] != styles[start]:
                segments.append(Segment("".join(chars[start:x]), styles[start]))
                start = x
        return segments

    def text(self) -> str:
        """Return the characters alone."""
        return "\n".join("".join(row).rstrip() for row in self._chars)


class Painter:
    """Paints one picture."""

    def __init__(
        self, layout: Layout, glyphs: Glyphs, picture: Picture, pointed: int | None
    ) -> None:
        """Choose what to paint; ``pointed`` is the index of the place under the cursor."""
        self._layout = layout
        self._glyphs = glyphs
        self._picture = picture
        self._scene: Scene = picture.scene
        self._pointed = pointed
        self._pointed_cell = None if pointed is None else layout.spots[pointed].cell
        self._chain = frozenset(self._scene.chain)
        self.canvas = Canvas(layout.width, layout.height)

    def paint(self) -> Canvas:
        for x, y, text in self._layout.texts:
            self.canvas.put(x, y, text, _LABEL)
        self._draw_edges()
        for index, spot in enumerate(self._layout.spots):
            self._shade(index, spot)
        for spot in self._layout.spots:
            self._draw_piece(spot)
        for index, spot in enumerate(self._layout.spots):
            brackets = self._brackets(index, spot)
            if brackets:
                self._bracket(spot, brackets)
        return self.canvas

    def _draw_edges(self) -> None:
        """Show along the rims which colour joins them."""
        owners = {rim: color for color, rims in self._scene.goals.items() for rim in rims}
        for x, y, rim in self._layout.edges:
            if rim in owners:
                reach = round(self._layout.pitch.across) // 2
                across = (x - reach, 2 * reach + 1) if rim in ("top", "bottom") else (x, 1)
                self.canvas.shade(across[0], y, across[1], 1, _EDGE_WOOD)
                self.canvas.put(x, y, self._glyphs.edges[owners[rim]], _INKS[owners[rim]])

    # Backgrounds.

    def _shade(self, index: int, spot: Spot) -> None:
        pitch = self._layout.pitch
        color = self._background(index, spot)
        if self._layout.kind == "grid":
            across = 3 if pitch.height == 1 else 4
            start = spot.x - 1 if pitch.height == 1 else spot.x
            self.canvas.shade(start, spot.y, across, pitch.height, color)
        elif color in (_WOOD, _WOOD_2):
            self.canvas.shade(spot.x - 1, spot.y, pitch.width + 2, pitch.height, color)
        else:
            # The gaps belong to the neighbours too; they stay plain.
            self.canvas.shade(spot.x - 1, spot.y, pitch.width + 1, pitch.height, color)

    def _background(self, index: int, spot: Spot) -> str:
        cell = spot.cell
        if index == self._pointed:
            return _POINTED
        if cell == self._pointed_cell:
            return _TWIN
        if cell in self._chain:
            return _GOLD
        if cell in self._picture.held or cell in self._picture.hints:
            return _TWIN
        if cell in self._picture.legal and (cell in self._scene.stones or self._is_rod(cell)):
            return _LEGAL
        if self._layout.kind == "grid":
            return (_WOOD, _WOOD_2)[(spot.x // (3, 4)[self._is_large] + self._row(spot)) % 2]
        return _WOOD

    @property
    def _is_large(self) -> bool:
        return self._layout.pitch.height > 1

    def _row(self, spot: Spot) -> int:
        return spot.y // self._layout.pitch.height

    def _is_rod(self, cell: int) -> bool:
        return cell in self._scene.rods

    # Pieces.

    def _draw_piece(self, spot: Spot) -> None:
        cell = spot.cell
        if cell in self._scene.rods:
            self._draw_rod(spot)
        elif cell not in self._scene.stones:
            self._draw_free(spot)
        elif self._layout.kind == "hexhex":
            self._draw_token(spot)
        elif self._is_large:
            self._draw_disc(spot)
        else:
            color = self._scene.stones[cell]
            known = self._glyphs.chained if cell in self._chain else self._glyphs.stones
            self.canvas.put(spot.x, spot.y, known[color], self._ink(color, cell))

    def _ink(self, color: Color, cell: int) -> Style:
        """Return a stone's style; white needs a dark outline on light backgrounds."""
        lit = cell in self._chain or cell == self._pointed_cell
        lit = lit or cell in self._picture.held or cell in self._picture.hints
        return _DARK_ON_LIGHT if lit and _INKS[color].bgcolor is None else _INKS[color]

    def _draw_free(self, spot: Spot) -> None:
        legal = spot.cell in self._picture.legal
        lit = spot.cell in (self._pointed_cell, *self._picture.hints)
        style = _FREE if legal or lit else _CLOSED
        x = spot.x + (self._layout.pitch.width - 1) // 2
        y = spot.y + (self._layout.pitch.height - 1) // 2
        self.canvas.put(x, y, self._glyphs.empty, style)

    def _mark(self, cell: int) -> str | None:
        if cell in self._picture.flips:
            return "~"
        if cell in self._chain:
            return "*"
        if cell in self._picture.legal:
            return "+"
        return self._glyphs.last if cell == self._scene.last else None

    def _draw_disc(self, spot: Spot) -> None:
        color = self._scene.stones[spot.cell]
        upper, lower = self._glyphs.discs[color]
        style = self._ink(color, spot.cell)
        mark = self._mark(spot.cell)
        self.canvas.put(spot.x, spot.y, upper, style)
        self.canvas.put(spot.x, spot.y + 1, lower, style)
        if mark is not None:
            reverse = Style(reverse=True) if color is Color.BLACK else Style.null()
            self.canvas.put(spot.x + 1, spot.y + 1, mark, style + reverse)

    def _draw_token(self, spot: Spot) -> None:
        cell = spot.cell
        color = self._scene.stones[cell]
        pawn = cell in self._scene.pawns
        shapes = self._glyphs
        if cell in self._chain:
            rows = shapes.chained_pawn if pawn else shapes.chained_token
        else:
            rows = shapes.pawn if pawn else shapes.token
        symbol = self._glyphs.stones[color]
        mark = self._mark(cell) or {"╰": "─", "╚": "═", "┗": "━"}.get(rows[1][0], " ")
        style = _INKS[color]
        upper = rows[0].replace("%", symbol.upper() if pawn else symbol)
        self.canvas.put(spot.x, spot.y, upper, style)
        self.canvas.put(spot.x, spot.y + 1, rows[1].replace("_", mark), style)

    def _draw_rod(self, spot: Spot) -> None:
        rod = self._scene.rods[spot.cell]
        known = self._glyphs.chained if spot.cell in self._chain else self._glyphs.stones
        symbol = known[rod.color]
        style = self._ink(rod.color, spot.cell)
        if self._is_large:
            for row, text in enumerate(self._glyphs.large_rods[rod.diagonal]):
                self.canvas.put(spot.x, spot.y + row, text.replace("%", symbol), style)
        else:
            self.canvas.put(spot.x, spot.y, self._glyphs.rods[rod.diagonal] + symbol, style)

    # What stands round a cell.

    def _brackets(self, index: int, spot: Spot) -> str:
        cell = spot.cell
        if index == self._pointed:
            return "[]"
        if cell in self._picture.held:
            return "{}"
        if cell in self._picture.hints:
            return "??"
        if cell == self._pointed_cell:
            return self._glyphs.twin
        if cell == self._scene.last and not (self._is_large and cell in self._scene.stones):
            return "()"
        return ""

    def _bracket(self, spot: Spot, brackets: str) -> None:
        pitch = self._layout.pitch
        rod = self._scene.rods.get(spot.cell)
        on_color = rod is not None and _INKS[rod.color].bgcolor is not None
        style = Style(color="#ffffff" if on_color else "#1a0f00", bold=True)
        if self._layout.kind == "grid" and self._is_large:
            free = self._free_corners(spot)
            for (x, y), char in zip(free, brackets, strict=True):
                self.canvas.put(x, y, char, style)
            return
        for row in range(pitch.height):
            self.canvas.put(spot.x - 1, spot.y + row, brackets[0], style)
            self.canvas.put(spot.x + pitch.width, spot.y + row, brackets[1], style)

    def _free_corners(self, spot: Spot) -> Iterator[tuple[int, int]]:
        """Yield the left and the right end where a large rod leaves its square blank."""
        rod = self._scene.rods.get(spot.cell)
        falls = rod is not None and rod.diagonal == "\\"
        yield spot.x, spot.y + (1 if falls else 0)
        yield spot.x + 3, spot.y + (0 if falls else 1)
