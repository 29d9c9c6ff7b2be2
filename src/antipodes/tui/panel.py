"""The panel beside the board: who plays what, the computer's thoughts, the moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static

from antipodes.core import Color
from antipodes.games.antipalos import AntipalosPosition
from antipodes.search.chances import chance_text
from antipodes.tui.glyphs import Glyphs
from antipodes.tui.session import Session
from antipodes.tui.texts import common_goal, goal, move_list

if TYPE_CHECKING:
    from antipodes.search.players import SearchProgress

PANEL_WIDTH = 24
_TEXT_WIDTH = PANEL_WIDTH - 2


class Panel(Vertical):
    """Shows a session in words."""

    def __init__(self, glyphs: Glyphs, *, id: str | None = None) -> None:  # noqa: A002 - textual's word
        """Use a set of characters."""
        super().__init__(id=id)
        self._glyphs = glyphs

    def compose(self) -> ComposeResult:
        """Lay out players, thoughts, moves."""
        yield Static(id="players", markup=False)
        yield Static(id="thoughts", markup=False)
        yield Static("Moves", id="moves-title", markup=False)
        with VerticalScroll(id="moves-window", can_focus=False):
            yield Static(id="moves", markup=False)

    def show(self, session: Session, point: str) -> None:
        """Show where a session stands; ``point`` names the point under the cursor."""
        self.query_one("#players", Static).update(players_text(session, self._glyphs, point))
        self.query_one("#moves", Static).update(move_list(session, _TEXT_WIDTH))
        self.query_one("#moves-window", VerticalScroll).scroll_end(animate=False)

    def think(self, text: str) -> None:
        """Show what the computer thinks; an empty text removes it."""
        # What a search has told last may come when the panel is being taken down.
        for thoughts in self.query("#thoughts").results(Static):
            thoughts.update(text)
            thoughts.display = bool(text)


def players_text(session: Session, glyphs: Glyphs, point: str) -> str:
    """Return lines for each colour: its sign, who plays it, what it wants, its rods left."""
    left: dict[Color, int] = {}
    position = session.position
    if isinstance(position, AntipalosPosition) and not session.points_named:
        left = position.rods_left()
    lines = []
    for color in session.game.colors:
        to_move = color is position.to_move and not session.is_over
        sign = f"{'>' if to_move else ' '}{glyphs.stones[color]}"
        lines.append(f"{sign} {color.title}: {', '.join(session.players_of(color))}")
        wish = goal(session.game, color)
        if wish:
            lines.append(f"   {wish}")
        if color in left:
            lines.append(f"   {left[color]} rods left")
    if common := common_goal(session.game):
        lines.append(common)
    return "\n".join([*lines, f"Cursor: {point}"])


def thoughts_text(session: Session, progress: SearchProgress) -> str:
    """Return a search's progress in three lines."""
    bar_width = _TEXT_WIDTH - 2
    done = min(bar_width, int(bar_width * progress.share))
    return (
        f"Thinking {progress.seconds:.1f} s\n"
        f"[{'#' * done}{'.' * (bar_width - done)}]\n"
        f"{progress.visits:,} visits\n"
        f"Best {best_text(session, progress)}"
    )


def best_text(session: Session, progress: SearchProgress) -> str:
    """Return the best move so far with the chance of its player."""
    chance = chance_text(session.game, session.position.to_move, progress.value)
    return f"{session.format(progress.best)} ({chance})"
