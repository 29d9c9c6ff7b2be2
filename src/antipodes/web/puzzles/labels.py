"""Words about puzzles: tasks, themes and outcomes."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from antipodes.puzzles.model import THEMES, Puzzle
from antipodes.web.platform.translations import color_name, translate


@dataclass(frozen=True, slots=True)
class Theme:
    """A theme as pages show it.

    Attributes:
        name: in URLs.
        title: a label.
        description: what the solution does.
    """

    name: str
    title: str | Promise
    description: str | Promise


_THEMES = {
    "bridge": (
        gettext_lazy("Bridge"),
        gettext_lazy("Join stones that can be connected in two ways, so that one always remains."),
    ),
    "edge": (
        gettext_lazy("Edge"),
        gettext_lazy("Reach a border, or fight beside one."),
    ),
    "ladder": (
        gettext_lazy("Ladder"),
        gettext_lazy("Both sides push along side by side until the ladder reaches its escape."),
    ),
    "fork": (
        gettext_lazy("Fork"),
        gettext_lazy("Make two threats at once; the opponent can stop only one."),
    ),
    "ring": (
        gettext_lazy("Ring"),
        gettext_lazy("Close a ring as White."),
    ),
    "block": (
        gettext_lazy("Block"),
        gettext_lazy("Stop the opponent, at a distance or at the last moment."),
    ),
    "dead-cell": (
        gettext_lazy("Dead cells"),
        gettext_lazy("Make empty cells useless to the opponent."),
    ),
    "double-option": (
        gettext_lazy("Double option"),
        gettext_lazy("Threaten to win in two ways at once."),
    ),
    "flip": (
        gettext_lazy("Flip"),
        gettext_lazy("Gain several tokens with one move."),
    ),
    "lock": (
        gettext_lazy("Lock"),
        gettext_lazy("Locked corners decide which pair of corners can still be joined."),
    ),
}


def theme(name: str) -> Theme | None:
    """Return a theme by its name, or ``None`` if there is none."""
    return Theme(name, *_THEMES[name]) if name in _THEMES else None


def themes_of(puzzle: Puzzle) -> list[Theme]:
    """Return the themes of a puzzle, the most characteristic first."""
    return [found for name in puzzle.themes if (found := theme(name)) is not None]


def all_themes() -> list[Theme]:
    return [found for name in THEMES if (found := theme(name)) is not None]


def role_of(puzzle: Puzzle) -> dict[str, str]:
    """Return the solver's colour and what it has to do to win, for templates."""
    goal = puzzle.game.goals_in_words[puzzle.solver]
    return {"side_name": color_name(puzzle.solver), "goal": translate(goal)}


def task_of(puzzle: Puzzle) -> str:
    """Return what to do, such as "White to move and win"."""
    values = {"color": color_name(puzzle.solver), "turns": puzzle.turns}
    if puzzle.goal == "draw":
        return _("%(color)s to move and draw") % values
    if puzzle.goal == "save":
        return _("%(color)s to move: only one move stops the opponent") % values
    if puzzle.turns is None:
        return _("%(color)s to move and win") % values
    if puzzle.turns == 1:
        return _("%(color)s to move and win at once") % values
    text = ngettext(
        "%(color)s to move and win in %(turns)s turn",
        "%(color)s to move and win in %(turns)s turns",
        puzzle.turns,
    )
    return text % values
