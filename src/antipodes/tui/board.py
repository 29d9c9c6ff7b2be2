"""The board on the screen: draws, moves the cursor, and says what was chosen."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from antipodes.notation.rods import rod_by_points
from antipodes.tui.glyphs import Glyphs
from antipodes.tui.layout import Layout, lay_out
from antipodes.tui.paint import Painter
from antipodes.tui.session import Session
from antipodes.tui.turns import DIAGONALS

_VERTICAL = ("up", "down")


class BoardView(ScrollView, can_focus=True):
    """Shows a session's board.

    Attributes:
        cursor: index of the layout's place that the keys move.
        hovered: index of the place under the mouse; ``None`` once a key was used.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,4", "move('left')", "Left", show=False),
        Binding("right,6", "move('right')", "Right", show=False),
        Binding("up,8", "move('up')", "Up", show=False),
        Binding("down,2", "move('down')", "Down", show=False),
        Binding("home,7", "move('up-left')", "Up left", show=False),
        Binding("pageup,9", "move('up-right')", "Up right", show=False),
        Binding("end,1", "move('down-left')", "Down left", show=False),
        Binding("pagedown,3", "move('down-right')", "Down right", show=False),
        Binding("enter", "choose(True)", "Play", show=False),
        Binding("space", "choose(False)", "Play", show=False),
        Binding("slash", "diagonal('/')", "/ rod", show=False),
        Binding("backslash", r"diagonal('\\')", "\\ rod", show=False),
    ]

    class Chosen(Message):
        """A cell was chosen; ``confirm`` tells that the Enter key did it."""

        def __init__(self, cell: int, *, confirm: bool) -> None:
            super().__init__()
            self.cell = cell
            self.confirm = confirm

    class DiagonalWanted(Message):
        """A diagonal's key, one of the two slashes, was pressed on a cell."""

        def __init__(self, cell: int, diagonal: str) -> None:
            super().__init__()
            self.cell = cell
            self.diagonal = diagonal

    class Pointed(Message):
        """The cursor or the mouse is on another cell."""

    def __init__(self, session: Session, glyphs: Glyphs, *, id: str | None = None) -> None:  # noqa: A002 - textual's word
        super().__init__(id=id)
        self._session = session
        self._glyphs = glyphs
        self.large = False
        self.layout_shown: Layout = lay_out(session.game.topology)
        self.cursor = self.layout_shown.middle()
        self.hovered: int | None = None
        self._aim: tuple[str, float, float] | None = None
        self._rows: list[list[Segment]] = []

    def on_mount(self) -> None:
        """Draw for the first time."""
        self.redraw()

    # Drawing.

    def show(self, session: Session) -> None:
        """Show another session of any game."""
        self._session = session
        self.cursor = lay_out(session.game.topology).middle()
        self.hovered = None
        self.redraw()

    def make_large(self, *, large: bool) -> None:
        """Choose the size of the cells."""
        if self.large != large:
            self.large = large
            self.redraw()
            self.call_after_refresh(self._keep_cursor_visible)

    def redraw(self) -> None:
        """Paint the session as it is now."""
        session = self._session
        self.layout_shown = lay_out(
            session.game.topology,
            large=self.large,
            quarter_turns=session.quarter_turns,
            points_named=session.points_named,
        )
        pointed = self.pointed
        picture = session.picture(self.layout_shown.spots[pointed].cell)
        canvas = Painter(self.layout_shown, self._glyphs, picture, pointed).paint()
        self._rows = [canvas.row(y) for y in range(canvas.height)]
        self.virtual_size = Size(canvas.width, canvas.height)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return one line of the visible part."""
        scroll_x, scroll_y = self.scroll_offset
        left, top = self._margins()
        row = y + scroll_y - top
        style = self.rich_style
        if not 0 <= row < len(self._rows):
            return Strip.blank(self.size.width, style)
        strip = Strip([Segment(" " * left), *self._rows[row]])
        return strip.crop_extend(scroll_x, scroll_x + self.size.width, style).apply_style(style)

    def _margins(self) -> tuple[int, int]:
        """Return the blanks left of and above a board that is smaller than its window."""
        layout = self.layout_shown
        return (
            max(0, (self.size.width - layout.width) // 2),
            max(0, (self.size.height - layout.height) // 2),
        )

    def screen_offset(self, index: int) -> tuple[int, int]:
        """Return where in this widget a place's first character is."""
        spot = self.layout_shown.spots[index]
        left, top = self._margins()
        return spot.x + left - self.scroll_offset.x, spot.y + top - self.scroll_offset.y

    # The cursor and the mouse.

    @property
    def pointed(self) -> int:
        """The place under the mouse, or under the cursor."""
        return self.cursor if self.hovered is None else self.hovered

    @property
    def pointed_cell(self) -> int:
        return self.layout_shown.spots[self.pointed].cell

    @property
    def pointed_name(self) -> str:
        """All names of that cell, the one that is pointed at first.

        Where grid points are named, these are the two rods that the square has room for.
        """
        spot = self.layout_shown.spots[self.pointed]
        if self._session.points_named:
            row, column = divmod(spot.cell, self._session.game.topology.size[0])
            rods = (rod_by_points(row, column, diagonal) for diagonal in DIAGONALS)
            return " or ".join(rods)
        others = [self.layout_shown.spots[i].name for i in self.layout_shown.spots_of(spot.cell)]
        return " = ".join([spot.name, *(name for name in others if name != spot.name)])

    def point_at(self, cell: int) -> None:
        """Put the cursor on a cell."""
        self._put_cursor(self.layout_shown.spots_of(cell)[0])

    def _put_cursor(self, index: int) -> None:
        self.cursor = index
        self.hovered = None
        self.redraw()
        self._keep_cursor_visible()
        self.post_message(self.Pointed())

    def _keep_cursor_visible(self) -> None:
        spot = self.layout_shown.spots[self.cursor]
        pitch = self.layout_shown.pitch
        region = Region(max(spot.x - 2, 0), max(spot.y - 1, 0), pitch.width + 4, pitch.height + 2)
        self.scroll_to_region(region, animate=False, force=True)

    def action_move(self, direction: str) -> None:
        """Move the cursor one step."""
        spot = self.layout_shown.spots[self.cursor]
        axis = "vertical" if direction in _VERTICAL else direction
        if self._aim is None or self._aim[0] != axis:
            self._aim = (axis, spot.x, spot.y)
        following = self.layout_shown.step(self.cursor, direction, self._aim[1:])
        self._put_cursor(following)

    def action_choose(self, confirm: bool) -> None:
        """Choose the cell under the cursor."""
        self.hovered = None
        self.post_message(self.Chosen(self.pointed_cell, confirm=confirm))

    def action_diagonal(self, diagonal: str) -> None:
        """Propose a rod under the cursor."""
        self.post_message(self.DiagonalWanted(self.pointed_cell, diagonal))

    def _spot_at(self, offset: Offset) -> int | None:
        left, top = self._margins()
        at = offset + self.scroll_offset
        return self.layout_shown.at(at.x - left, at.y - top)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Light the place under the mouse."""
        spot = self._spot_at(event.offset)
        if spot != self.hovered:
            self.hovered = spot
            self.redraw()
            self.post_message(self.Pointed())

    def on_leave(self) -> None:
        """Go back to the cursor when the mouse is gone."""
        if self.hovered is not None:
            self.hovered = None
            self.redraw()
            self.post_message(self.Pointed())

    def on_click(self, event: events.Click) -> None:
        """Choose the place under the mouse."""
        index = self._spot_at(event.offset)
        if index is not None:
            self._aim = None
            self._put_cursor(index)
            self.post_message(self.Chosen(self.layout_shown.spots[index].cell, confirm=False))
