"""Antipod (Cameron Browne, 2003): join the poles of a sphere, or ring one of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from antipodes.boards import Topology, sphere
from antipodes.boards.sphere import longitudes, rim_in_order
from antipodes.core import Color, Move, Setup
from antipodes.errors import Fault, InvalidPictureError, InvalidPositionError, Phrase
from antipodes.games.kernels import placement
from antipodes.games.options import Options, choice, in_words, whole
from antipodes.games.placement import PlacementGame, PlacementPosition
from antipodes.games.samples import FINISHED_GAME, FinishedGame, FirstGame, RuleExample
from antipodes.notation.sphere_reading import examine_sphere, read_sphere

_HANDICAPS = {"six": 6, "two": 2, "none": 0}

# Side -> extra stones with which equal players win about as often, measured by `antipodes lab
# fair`. Games keep the numbers that they were begun with, so these may change.
FAIR = {4: 4, 5: 4, 6: 6, 7: 8, 8: 10, 9: 13, 10: 16}


@dataclass(frozen=True, kw_only=True)
class AntipodOptions(Options):
    """Options of Antipod."""

    side: int = whole(6, 2, 10, "points along each edge of the two boards", offered_low=4)
    handicap: str = choice(
        "six",
        "two",
        "none",
        "fair",
        help="White's stones at the start: all six corners, two, none, or six and as many extra"
        " stones as are measured to be fair",
    )
    first: str = choice("white", "black", help="the colour that begins")
    swap: str = choice("off", "on", help="whether the second player may exchange seats")
    extra_stones: int = whole(
        0, 0, 47, "more white stones at the start, spread evenly over the rim"
    )

    def __post_init__(self) -> None:
        """Check all values, and replace ``fair`` by the stones that it stands for."""
        super().__post_init__()
        if self.handicap == "fair":
            object.__setattr__(self, "handicap", "six")
            object.__setattr__(self, "extra_stones", FAIR[self.side])

    def _check_together(self) -> list[Fault]:
        if self.handicap == "fair":
            is_known = self.side in FAIR and self.extra_stones in (0, FAIR[self.side])
            return [] if is_known else [self._not_fair()]
        most = self.most_extra_stones
        if self.extra_stones <= most:
            return []
        return [
            Fault.of(
                "option/conflict",
                "extra_stones is {extra}, but side {side} with handicap {handicap} has room for"
                " 0..{most}",
                where="extra_stones",
                extra=self.extra_stones,
                side=self.side,
                handicap=self.handicap,
                most=most,
            )
        ]

    def _not_fair(self) -> Fault:
        if self.side in FAIR:
            return Fault.of(
                "option/conflict",
                "extra_stones is {extra}, but handicap fair stands for {stones} on side {side}",
                where="extra_stones",
                extra=self.extra_stones,
                stones=FAIR[self.side],
                side=self.side,
            )
        return Fault.of(
            "option/conflict",
            "side is {side}, but fair handicaps are known for sides {sides}",
            where="handicap",
            side=self.side,
            sides=in_words(tuple(FAIR)),
        )

    @property
    def most_extra_stones(self) -> int:
        """The largest number of extra stones; they leave one point of the rim empty."""
        given = _HANDICAPS[self.handicap]
        return max(6 * (self.side - 1) - given - 1, 0) if given else 0


class Antipod(PlacementGame[AntipodOptions, "AntipodPosition"]):
    """Two hexagonal boards are the halves of a sphere. Black joins the poles, White rings one."""

    id = "antipod"
    title = "Antipod"
    summary = "Two hexagonal boards are a sphere: Black joins the poles, White rings one."
    options_type = AntipodOptions
    size_options = ("side",)
    goals: ClassVar = {Color.BLACK: ("poles",)}
    sized_boards: ClassVar = {"small": {"side": 4}, "large": {"side": 8}}
    first_game = FirstGame({"side": 4}, seat=1)
    # The game in the inventor's help text for the mail server, which shows only its last position;
    # the order of the moves is ours.
    finished_game = FinishedGame(
        "e5 e4 f5 f4 g4 g5 g6 h6 h7 i7 i8 i9 h8 g8 h9 g9 i10 h10 h11+ g10 h21 i11+ j10 j11+"
        " j21 i20 k10+ k9+ j9 j7 i4+ h3+ g3 h4 f2 d2 d1+ c1+ e1+ d13 e13 e14 f14 f15 g15 g14"
        " h15 h5 h16 k8+ g19 h20 g20 f20 e19 d18 d19 c17 b16 a4+ b4 b1+ a2+ c15 b14 c16 b15"
        " d15 d16 e15 e16 e18 d17 g21 f19 g11+ d9+ d7 c6 f7 c7 d3 f16 j20 g17 i21 g18 e17"
    )
    rule_examples: ClassVar = (
        RuleExample(
            0,
            "The start on a small board. Stars mark the poles; the shaded rims are one.",
            {"side": 4},
        ),
        RuleExample(
            1,
            "One white stone on the rim, shown twice. Put another stone on the rim and see.",
            {"side": 4, "handicap": "none"},
            "b1",
        ),
        RuleExample(
            2,
            "Black has won: the chain leaves the left board over the rim and goes on to the right.",
            {"side": 5},
            "d13 e13 g8 e12 c3 f16 f5 f6 e15 d4 d14 f15 h16 d3 e11 h4+ g6 f12 g9+ f2+ c4 e2 d2 e3",
        ),
        RuleExample(
            2,
            "White has won with a small ring round the right pole.",
            {"side": 5},
            "d13 g15 d14 g13 e15 g3+ e13 d3 f14 i7+ f15",
        ),
        RuleExample(
            FINISHED_GAME,
            "Black has joined the poles with the last stone. Step back and try something else.",
            finished_game.options,
            finished_game.moves,
        ),
    )

    if TYPE_CHECKING:

        def __init__(
            self,
            options: AntipodOptions | None = None,
            *,
            side: int = 6,
            handicap: Literal["six", "two", "none", "fair"] = "six",
            first: Literal["white", "black"] = "white",
            swap: Literal["off", "on"] = "off",
            extra_stones: int = 0,
        ) -> None: ...

    @property
    def topology(self) -> Topology:
        """The sphere."""
        return sphere(self.options.side)

    @property
    def first(self) -> Color:
        """The colour that begins."""
        return Color(self.options.first)

    @property
    def swap_mode(self) -> int:
        """The kind of swap for kernels: an exchange of seats, or none."""
        return placement.SWAP_SEATS if self.options.swap == "on" else placement.NO_SWAPS

    @property
    def goals_in_words(self) -> Mapping[Color, str]:
        """A chain for Black, a ring for White."""
        return {
            Color.BLACK: "join the two poles with a chain of black stones",
            Color.WHITE: "close a ring of white stones round a pole",
        }

    @property
    def brief_goals(self) -> Mapping[Color, str]:
        """A chain for Black, a ring for White."""
        return {Color.BLACK: "joins the centres", Color.WHITE: "parts the centres"}

    def start_stones(self) -> dict[int, Color]:
        """Return Black's poles, and White's handicap stones and extra stones."""
        rims = self.topology.rims
        stones = dict.fromkeys(rims["poles"], Color.BLACK)
        # With two stones, they are the pair in the middle row.
        corners = {"six": rims["corners"], "two": rims["corners"][2::3], "none": ()}
        given = corners[self.options.handicap]
        stones.update(dict.fromkeys((*given, *self._extra_stones(given)), Color.WHITE))
        return stones

    def _extra_stones(self, given: Sequence[int]) -> list[int]:
        """Share the extra stones out evenly among the gaps of the rim, and spread each share."""
        rim, extra = rim_in_order(self.options.side), self.options.extra_stones
        length = len(rim) // len(given) if given else 0
        found = []
        for gap, corner in enumerate(given):
            share = (gap + 1) * extra // len(given) - gap * extra // len(given)
            steps = (part * length // (share + 1) for part in range(1, share + 1))
            found += [rim[(rim.index(corner) + step) % len(rim)] for step in steps]
        return found

    def _terminals(self) -> tuple[int, int]:
        left, right = self.topology.rims["poles"]
        return left, right

    def _winding(self, cell: int, neighbour: int) -> int:
        """Return the crossings of the seam, where the angle about the axis jumps by a full turn."""
        if cell in self.topology.rims["poles"] or neighbour in self.topology.rims["poles"]:
            return 0
        angles = longitudes(self.options.side)
        return -round((angles[neighbour] - angles[cell]) / (2 * math.pi))

    def read_picture(self, text: str) -> Setup:
        """Read a picture in the mail server's layout.

        Raises:
            InvalidPictureError: with all faults, each with its line or point.
        """
        return read_sphere(text, self.topology)

    def position_from_picture(self, text: str) -> AntipodPosition:
        """Read a picture and check its position.

        Raises:
            InvalidPictureError: with all faults of the picture, and those of the position that
                concern points that could be read.
        """
        reading = examine_sphere(text, self.topology)
        faults = list(reading.faults)
        try:
            position = self.position(reading.setup)
        except InvalidPositionError as error:
            # Other faults of the position may be consequences of unreadable points.
            faults += [f for f in error.faults if not reading.faults or f.where in reading.known]
            raise InvalidPictureError(faults) from error
        if faults:
            raise InvalidPictureError(faults)
        return position


class AntipodPosition(PlacementPosition[Antipod]):
    """A position of Antipod."""

    __slots__ = ()

    def _read(self, text: str) -> Move | None:
        move = super()._read(text.removesuffix("+"))
        if move is not None and text.endswith("+") and len(self._names(move)) < 2:
            return None
        return move

    def _names(self, move: int) -> tuple[str, ...]:
        return () if move == self.game.swap_move else self.game.topology.names[move]

    def _move_help(self) -> Phrase:
        values = self.game.point_names.span().values
        return Phrase("points run from {first} to {last}, and + marks points of the rim", values)

    def format_move(self, move: int, seat: int | None = None) -> str:
        """Write a move as its point, with ``+`` on the rim, or ``swap``."""
        return super().format_move(move, seat) + ("+" if len(self._names(move)) == 2 else "")


Antipod.position_type = AntipodPosition
