"""Example positions for the rules pages, as lines of moves from the start of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from urllib.parse import urlencode

from django.utils.translation import gettext_noop as _

from antipodes.games.figures import FIGURES
from antipodes.games.position import Position
from antipodes.games.registry import game_class, make_game
from antipodes.games.texts import FINISHED_GAME
from antipodes.notation.svg import render_svg


@dataclass(frozen=True)
class Example:
    """An example position beside the text of the rules.

    Attributes:
        after: index of its paragraph, or the title of its section of the notes.
        caption: describes the position.
        options: of the game that differ from the defaults.
        moves: from the start, with spaces between them.
    """

    after: int | str
    caption: str
    options: Mapping[str, int | str] = field(default_factory=dict)
    moves: str = ""

    def position(self, game_id: str) -> Position:
        position: Position = make_game(game_id, self.options).initial()
        for text in self.moves.split():
            position = position.play(position.parse_move(text))
        return position

    @property
    def moves_listed(self) -> str:
        """The moves with commas between them."""
        return ",".join(self.moves.split())

    @property
    def analysis_query(self) -> str:
        """The position as a query of the analysis page's URL."""
        moves = {"moves": self.moves_listed} if self.moves else {}
        return urlencode({**self.options, **moves})

    @property
    def query(self) -> str:
        """The options as a query of a URL."""
        return "&".join(f"{name}={value}" for name, value in self.options.items())


def _finished(game_id: str) -> tuple[Mapping[str, int | str], str]:
    """Return options and moves of the finished game that the help shows too."""
    example = game_class(game_id).finished_game
    assert example is not None, f"{game_id} declares no finished_game"
    return example.options, example.moves


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
        Example(
            FINISHED_GAME,
            _("Black has joined the poles with the last stone. Step back and try something else."),
            *_finished("antipod"),
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
            *_finished("antipalos"),
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
            *_finished("antipode"),
        ),
        Example(
            "Positions from the rules",
            _("After one turn of each player. Blue is to move."),
            {},
            "e2-e2 a4-a5",
        ),
        Example(
            "Positions from the rules",
            _(
                "After five turns of each player. The photograph does not tell in which order"
                " they were made."
            ),
            {},
            "e2-e2 a4-a5 f8-e9 e6-a4 g6-e2 e4-a1 d7-e9 e3-a4 d5-e6 g3-e4",
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
            *_finished("hex"),
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
            *_finished("cylindrical-hex"),
        ),
    ),
}


def showpiece(game_id: str) -> Example:
    """Return the example that stands for a game: the fullest board beside its rules.

    For a game without examples that is the start.
    """
    beside = (one for one in EXAMPLES.get(game_id, ()) if isinstance(one.after, int))
    return max(beside, key=lambda one: len(one.moves), default=Example(0, ""))


@lru_cache
def picture(game_id: str, number: int | None = None) -> str:
    """Return an example as SVG, by its index, or the one that represents the game.

    Raises:
        IndexError: there is no such example.
    """
    example = showpiece(game_id) if number is None else EXAMPLES.get(game_id, ())[number]
    return render_svg(example.position(game_id).scene(), bare=True)


@lru_cache
def figure_picture(game_id: str, letter: str, number: int) -> str:
    """Return a picture of a figure as SVG, by the figure's letter and its own number.

    Raises:
        KeyError: there is no such figure.
        IndexError: it has no such picture.
    """
    figures = {one.letter: one for one in FIGURES.get(game_id, ())}
    return figures[letter].drawings[number].svg(bare=True)
