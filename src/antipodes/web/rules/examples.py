"""Positions that show what a rule means: lines of moves from the start of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext_noop as _

from antipodes.games.position import BoardPosition
from antipodes.games.registry import make_game
from antipodes.notation.svg import render_svg


@dataclass(frozen=True)
class Example:
    """A position beside the text of the rules.

    Attributes:
        after: number of the paragraph that it belongs to, from 0.
        caption: what to see there.
        options: of the game, where they are not the usual ones.
        moves: from the start, with spaces between them.
    """

    after: int
    caption: str
    options: Mapping[str, int | str] = field(default_factory=dict)
    moves: str = ""

    def position(self, game_id: str) -> BoardPosition[Any]:
        """Return the position."""
        position: BoardPosition[Any] = make_game(game_id, self.options).initial()
        for text in self.moves.split():
            position = position.play(position.parse_move(text))
        return position

    @property
    def moves_listed(self) -> str:
        """The moves with commas between them."""
        return ",".join(self.moves.split())

    @property
    def query(self) -> str:
        """The options as addresses have them."""
        return "&".join(f"{name}={value}" for name, value in self.options.items())


EXAMPLES: Mapping[str, tuple[Example, ...]] = {
    "antipod": (
        Example(
            0,
            _("The start on a small board. Stars mark the poles; the shaded rims are one."),
            {"side": 4},
        ),
        Example(
            1,
            _("One white stone on the rim, shown twice. Put another stone on the rim and see."),
            {"side": 4, "handicap": "none"},
            "b1",
        ),
        Example(
            2,
            _(
                "Black has won: the chain leaves the left board over the rim and goes on to"
                " the right."
            ),
            {"side": 5},
            "d13 e13 g8 e12 c3 f16 f5 f6 e15 d4 d14 f15 h16 d3 e11 h4+ g6 f12 g9+ f2+ c4 e2 d2 e3",
        ),
        Example(
            2,
            _("White has won with a small ring round the right pole."),
            {"side": 5},
            "d13 g15 d14 g13 e15 g3+ e13 d3 f14 i7+ f15",
        ),
    ),
    "antipalos": (
        Example(
            0,
            _(
                "White's two rods touch in a grid point and are one chain. Black's cross it there,"
                " and neither stops the other."
            ),
            {"size": 12},
            "F6* *F7 G7* *G6",
        ),
        Example(
            1,
            _(
                "All rods are laid: from here on each turn takes a rod up and lays it down"
                " elsewhere."
            ),
            {"size": 12},
            "L12* *F6 *J7 *C9 *I8 *G5 J10* *I3 H4* *I5 *H5 *H6 *G6 *G7 J4* *E9 *F8 I4* K11* *J2"
            " I9* *K1 J6* L1* *G8 F7* *A10 *B10 E7* D7* A11* E6* B12* C12* *B11 *A5",
        ),
        Example(
            2,
            _("White has joined left and right. Top and bottom would have done as well."),
            {"size": 12},
            "*A7 *A8 B7* J8* *C7 I7* D7* L10* *K9 H6* *G5 B8* E8* *G8 F9* *I10 J9* *G12 H11* *G10"
            " *G9 *D9 *L8 C9* H9* H10* *I9",
        ),
        Example(
            5,
            _("The mail server's version on a small board: Vert has joined top and bottom."),
            {"ruleset": "mail", "size": 6},
            "e4-f3 a5-b4 d5-e4 c5-d6 d5-e6 e7-f6 d7-e6 e2-f3 f3-g2 f2-g1 d3-e4 c3-d2 d3-e2 e1-f2"
            " d1-e2",
        ),
    ),
    "antipode": (
        Example(
            0,
            _(
                "The start. Pawns stand on the corners in front of the players, on their own"
                " tokens."
            ),
        ),
        Example(
            1,
            _(
                "Blue has put a token on e4 and slid the pawn onto it. Choose a cell for"
                " Red's token,"
                " then where the pawn goes: what flips is shown."
            ),
            {},
            "e4-e4",
        ),
        Example(
            1,
            _(
                "All three neighbours of the corner e9 have tokens, and no line leads across"
                " a corner:"
                " nothing flips it any more. It is locked."
            ),
            {},
            "e8-e8 d8-d8 f8-e1",
        ),
        Example(
            2,
            _("Blue has joined the corners e1 and e9 along the right edge."),
            {},
            "f1-f1 e8-e8 h2-e1 d1-e9 e2-d1 a4-e8 h1-e2 f8-a4 e7-e9 b6-a1 d8-e2 a2-a2 i2-i2 b3-b3"
            " d4-i5 c3-c3 h6-e9 c2-b3 i4-e2 g5-h6 h5-e8 b5-h2 f4-d8 c5-h6 g4-d1 d2-h2 c1-d2 h3-f4"
            " f2-f1 g7-i4 g2-d2 b1-h5 d6-f1 b2-h3 g1-a2 g3-h5 f7-b2 g6-e8 i3-i5",
        ),
    ),
    "hex": (
        Example(
            0,
            _("Black is to join the dark edges, top and bottom; White the light ones. Try it."),
            {"size": 5, "swap": "off"},
        ),
        Example(
            1,
            _("Black has won. Every full board has exactly one winner."),
            {"size": 7},
            "c6 swap b4 b5 c5 c4 d4 d3 e3 e2 f2 b6 c6 b7 c7 f1 g1",
        ),
        Example(
            2,
            _("The first stone is strong, so White may swap: press Swap and see where it goes."),
            {"size": 5},
            "b4",
        ),
    ),
    "cylindrical-hex": (
        Example(
            0,
            _(
                "Left and right belong together: stones at the seam are shown faintly on"
                " both sides."
            ),
            {"rows": 5, "columns": 6},
            "a3 c2 f3",
        ),
        Example(
            1,
            _("White has won: the ring goes round the cylinder and crosses the seam."),
            {"rows": 6, "columns": 8},
            "g2 e3 e1 g3 c4 f3 a3 c3 a1 d3 b4 a2 e6 b2 b3 c2 h3 h2",
        ),
    ),
}


def showpiece(game_id: str) -> Example:
    """Return the example that stands for a game: the one with most on the board."""
    return max(EXAMPLES[game_id], key=lambda example: len(example.moves))


@lru_cache
def picture(game_id: str, number: int | None = None) -> str:
    """Return an example as SVG, by its number, or the one that stands for the game.

    Raises:
        IndexError: there are not so many.
    """
    example = showpiece(game_id) if number is None else EXAMPLES[game_id][number]
    return render_svg(example.position(game_id).scene(), bare=True)
