"""Texts of the screen about games, keys and marks."""

from __future__ import annotations

from antipodes.core import Color
from antipodes.games.position import Game
from antipodes.tui.glyphs import Glyphs
from antipodes.tui.session import Session

_KEYS = """\
Arrow keys        move the cursor ([ ] on the board)
7 9 1 3           move it diagonally; also Home, PgUp, End, PgDn
Enter, Space      choose the point; the mouse does it too
Escape            take back one step of a turn
t                 type a move{slash}
u                 take back; while the computer thinks, stop it
h                 ask the computer for a hint
w                 swap, where the rules allow it
s                 save the game
n                 new game
R                 resign
z                 larger or smaller cells
p                 show or hide the panel
?                 this help
q                 quit
"""

_ROD_KEYS = """
Rods: / and \\ propose a rod under the cursor, Space turns it, Enter plays it. With the mouse,
click a square, click it again to turn the rod, then click Play. v shows the board from the next
seat's side.
"""

_MARKS = """
Marks
[ ]  the cursor           ( )  the newest piece
{ }  chosen in this turn  ? ?  a hint
"""


def goal(game: Game, color: Color) -> str:
    """Return in a few words what a colour wants; empty if all colours want the same."""
    goals = game.brief_goals
    return goals.get(color, "") if len(set(goals.values())) > 1 else ""


def common_goal(game: Game) -> str:
    """Return in one short line what all colours want; empty if they want different things."""
    goals = set(game.brief_goals.values())
    return f"{goals.pop().capitalize()}." if len(goals) == 1 else ""


def help_text(session: Session, glyphs: Glyphs) -> str:
    """Return the help of the session's game."""
    game = session.game
    parts = [f"{game.title}. {game.summary}\n\n"]
    parts.append(_KEYS.format(slash="" if game.has_rods else "; also /"))
    if game.has_rods:
        parts.append(_ROD_KEYS)
    parts.append(_MARKS)
    if any(len(places) > 1 for places in game.topology.places_of):
        parts.append(f"{glyphs.twin[0]} {glyphs.twin[1]}  the same rim point on the other board\n")
    if session.position.scene().pawns:
        parts.append("+    the pawn may come to rest here\n~    this token would flip\n")
        parts.append("Capital letters and double frames are pawns.\n")
    parts.append("\nEsc closes this help.")
    return "".join(parts)


def move_list(session: Session, width: int) -> str:
    """Return the moves with their numbers, two in a row where they fit."""
    texts = [f"{ply:>3} {text}" for ply, text in enumerate(session.move_texts(), start=1)]
    column = max((len(text) for text in texts), default=0) + 2
    per_row = 2 if 2 * column <= width + 2 else 1
    rows = [texts[i : i + per_row] for i in range(0, len(texts), per_row)]
    return "\n".join("".join(text.ljust(column) for text in row).rstrip() for row in rows)
