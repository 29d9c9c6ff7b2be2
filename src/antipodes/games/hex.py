"""Hex (Piet Hein 1942, John Nash 1948): join your two sides of a rhombus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from antipodes.boards import Topology, rhombus
from antipodes.core import Color
from antipodes.games.kernels import header, placement
from antipodes.games.options import Options, choice, whole
from antipodes.games.placement import PlacementGame, PlacementPosition, Step
from antipodes.games.samples import FinishedGame, FirstGame, RuleExample

_FINISHED = FinishedGame("c6 swap b4 b5 c5 c4 d4 d3 e3 e2 f2 b6 c6 b7 c7 f1 g1", {"size": 7})


@dataclass(frozen=True, kw_only=True)
class HexOptions(Options):
    """Options of Hex."""

    size: int = whole(11, 2, 26, "rows and columns of the board")
    swap: str = choice(
        "pieces",
        "sides",
        "off",
        help="the second move may turn the first stone into a white mirrored one, or swap seats",
    )


class Hex(PlacementGame[HexOptions, "HexPosition"]):
    """Black joins top and bottom of a rhombus, White left and right."""

    id = "hex"
    title = "Hex"
    summary = "Black joins the top and bottom of a rhombus, White the left and right."
    options_type = HexOptions
    plays_in_hexgui = True
    plays_on_hexworld = True
    sgf_number = "11"
    swap_names: ClassVar = {"pieces": "swap-pieces", "sides": "swap-sides"}
    goals: ClassVar = {Color.BLACK: ("top", "bottom"), Color.WHITE: ("left", "right")}
    sized_boards: ClassVar = {"small": {"size": 8}, "large": {"size": 14}}
    first_game: ClassVar[FirstGame | None] = FirstGame({"size": 5, "swap": "off"})
    finished_game: ClassVar[FinishedGame | None] = _FINISHED
    rule_examples: ClassVar[tuple[RuleExample, ...]] = (
        RuleExample(
            0,
            "Black is to join the dark edges, top and bottom; White the light ones. Try it.",
            {"size": 5, "swap": "off"},
        ),
        RuleExample(
            1,
            "Black has won. Every full board has exactly one winner.",
            _FINISHED.options,
            _FINISHED.moves,
        ),
        RuleExample(
            2,
            "The first stone is strong, so White may swap: press Swap and see where it goes.",
            {"size": 5},
            "b4",
        ),
    )

    if TYPE_CHECKING:

        def __init__(
            self,
            options: HexOptions | None = None,
            *,
            size: int = 11,
            swap: Literal["pieces", "sides", "off"] = "pieces",
        ) -> None: ...

    @property
    def topology(self) -> Topology:
        """The rhombus."""
        return rhombus(self.options.size)

    @property
    def goals_in_words(self) -> Mapping[Color, str]:
        """Two edges for each colour."""
        return {
            Color.BLACK: "join the top and the bottom edge",
            Color.WHITE: "join the left and the right edge",
        }

    @property
    def brief_goals(self) -> Mapping[Color, str]:
        """Two edges for each colour."""
        return {Color.BLACK: "top to bottom", Color.WHITE: "left to right"}

    @property
    def swap_mode(self) -> int:
        """The kind of swap for kernels."""
        modes = {"pieces": placement.SWAP_PIECES, "sides": placement.SWAP_SEATS}
        return modes.get(self.options.swap, placement.NO_SWAPS)

    # Behind the cells: top, bottom, and one white node behind both the left and the right edge.

    def _border_owners(self) -> list[int]:
        return [1, 1, 2]

    def _borders_of(self, cell: int) -> list[Step]:
        count = self.topology.cell_count
        borders = (
            ("top", count, 0),
            ("bottom", count + 1, 0),
            ("left", count + 2, 0),
            ("right", count + 2, 1),
        )
        return [(node, turn) for rim, node, turn in borders if cell in self.topology.rims[rim]]

    def _winding(self, cell: int, neighbour: int) -> int:
        return 0

    def _terminals(self) -> tuple[int, int]:
        return self.topology.cell_count, self.topology.cell_count + 1

    @property
    def _white_reason(self) -> int:
        return header.CONNECTION

    def _mirror(self) -> list[int]:
        size = self.options.size
        return [column * size + row for row in range(size) for column in range(size)]


class HexPosition(PlacementPosition[Hex]):
    """A position of Hex."""

    __slots__ = ()


Hex.position_type = HexPosition
