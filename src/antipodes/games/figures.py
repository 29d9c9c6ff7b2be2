"""The figures with which an inventor explains a game, redrawn by this program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode

from antipodes.errors import InputError
from antipodes.games.position import Position
from antipodes.games.registry import make_game
from antipodes.notation.scene import Overlay
from antipodes.notation.svg import render_svg
from antipodes.notation.svg.graph import graph_words
from antipodes.notation.text import shorten


@dataclass(frozen=True, slots=True)
class Drawing:
    """One picture of a figure.

    Attributes:
        view: of the board.
        lines: drawn between its cells, as in an overlay.
        game_id: the game.
        options: of the game that differ from the defaults.
        moves: from the start, separated by spaces.
        marks: letter -> its points, separated by spaces.
    """

    view: str = "flat"
    lines: str = ""
    game_id: str = "antipod"
    options: Mapping[str, int | str] = field(default_factory=dict)
    moves: str = ""
    marks: Mapping[str, str] = field(default_factory=dict)

    def position(self) -> Position:
        """Return the position that is drawn."""
        position: Position = make_game(self.game_id, self.options).initial()
        for text in self.moves.split():
            position = position.play(position.parse_move(text))
        return position

    @property
    def query(self) -> str:
        """The query of an analysis board's address for the position."""
        moves = {"moves": ",".join(self.moves.split())} if self.moves else {}
        return urlencode({**self.options, **moves})

    def svg(self, *, bare: bool = False) -> str:
        """Return the picture."""
        position = self.position()
        overlay = drawn_overlay(position, self.lines, self.marks)
        return render_svg(position.scene().with_overlay(overlay), bare=bare, view=self.view)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of an inventor's text.

    Attributes:
        letter: its name in that text.
        caption: in our words.
        drawings: its pictures, from left to right.
    """

    letter: str
    caption: str
    drawings: tuple[Drawing, ...]


def drawn_overlay(position: Position, lines: str, marks: Mapping[str, str]) -> Overlay:
    """Return the overlay of a position: lines, and letters on points.

    Raises:
        InputError: a point with a letter is not on the board.
    """
    board = position.game.topology
    placed: dict[int, str] = {}
    for letter, points in marks.items():
        for name in points.split():
            cell = board.cell(name)
            if cell is None:
                message = f"{shorten(name)} is not a point of this board"
                raise InputError.single("show/no-such-point", message)
            placed[cell] = letter
    words = [f"{letter}: {', '.join(points.split())}." for letter, points in marks.items()]
    if lines == "graph":
        words.append(graph_words(position.scene()))
    return Overlay(marks=placed, lines=lines, words=tuple(words))


_RING = {"side": 4}
_RING_MOVES = (
    "d12 d3 d5 c11 g5+ d9 c4 b3 e2+ c1+ d10 d2 a2+ b2 c10 b5+ b10 e11 e10 f5 f3+ c12 b4 f4 g6+"
    " b11 a3+ f7+ f6 e5 e6"
)

_FORK_MOVES = "e6 f7 f8 g8 g7 g9 f17 g17 g16 f16 d7 d6 c5 c6 d16 c7 c14 c15 f15 d15 d14"

# After Cameron Browne's page about Antipod. The positions are ours: his are not in its text.
FIGURES: Mapping[str, tuple[Figure, ...]] = {
    "antipod": (
        Figure(
            "C",
            "A cylinder, pinched at both ends, becomes a sphere with two poles. Black joins top"
            " and bottom, White goes round.",
            (
                Drawing("cylinder", "", "cylindrical-hex", {"rows": 7, "columns": 12}),
                Drawing("sphere", "", "cylindrical-hex", {"rows": 7, "columns": 12}),
            ),
        ),
        Figure(
            "D",
            "The two boards as the halves of the sphere. Both are seen from outside, so the second"
            " one is mirrored.",
            (Drawing("hemispheres", options=_RING, moves=_RING_MOVES),),
        ),
        Figure(
            "E",
            "Who is whose neighbour, on a small board. No two lines cross. The right half is"
            " mirrored, as if seen from inside the sphere.",
            (Drawing("hemispheres", "neighbours", options={"side": 3}),),
        ),
        Figure(
            "F",
            "The same game and its graph: White's stones are taken out. The poles lie in two parts"
            " that nothing joins any more, so White has won.",
            (
                Drawing("flat", options=_RING, moves=_RING_MOVES),
                Drawing("hemispheres", "graph", options=_RING, moves=_RING_MOVES),
            ),
        ),
        Figure(
            "G",
            "A fork. Black's move a makes two attacks along different meridians. White can stop"
            " either of them at a point b, but not both.",
            (
                Drawing(
                    "flat", options={"side": 5}, moves=_FORK_MOVES, marks={"a": "e15", "b": "d5 f6"}
                ),
            ),
        ),
    ),
}
