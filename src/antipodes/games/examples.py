"""An example of a finished game for the pages and the help of most games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from antipodes.games.position import Position
from antipodes.games.registry import make_game


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game from its start to its end.

    Attributes:
        moves: separated by spaces.
        options: of the game that differ from the defaults.
    """

    moves: str
    options: Mapping[str, int | str] = field(default_factory=dict)


# That of Antipod is the game in the inventor's help text for the mail server, which shows only its
# last position; the order of the moves is ours. The others were played for this program.
_FINISHED: Mapping[str, FinishedGame] = {
    "antipod": FinishedGame(
        "e5 e4 f5 f4 g4 g5 g6 h6 h7 i7 i8 i9 h8 g8 h9 g9 i10 h10 h11+ g10 h21 i11+ j10 j11+"
        " j21 i20 k10+ k9+ j9 j7 i4+ h3+ g3 h4 f2 d2 d1+ c1+ e1+ d13 e13 e14 f14 f15 g15 g14"
        " h15 h5 h16 k8+ g19 h20 g20 f20 e19 d18 d19 c17 b16 a4+ b4 b1+ a2+ c15 b14 c16 b15"
        " d15 d16 e15 e16 e18 d17 g21 f19 g11+ d9+ d7 c6 f7 c7 d3 f16 j20 g17 i21 g18 e17"
    ),
    "antipalos": FinishedGame(
        "*A7 *A8 B7* J8* *C7 I7* D7* L10* *K9 H6* *G5 B8* E8* *G8 F9* *I10 J9* *G12 H11* *G10"
        " *G9 *D9 *L8 C9* H9* H10* *I9",
        {"size": 12},
    ),
    "antipode": FinishedGame(
        "f1-f1 e8-e8 h2-e1 d1-e9 e2-d1 a4-e8 h1-e2 f8-a4 e7-e9 b6-a1 d8-e2 a2-a2 i2-i2 b3-b3"
        " d4-i5 c3-c3 h6-e9 c2-b3 i4-e2 g5-h6 h5-e8 b5-h2 f4-d8 c5-h6 g4-d1 d2-h2 c1-d2 h3-f4"
        " f2-f1 g7-i4 g2-d2 b1-h5 d6-f1 b2-h3 g1-a2 g3-h5 f7-b2 g6-e8 i3-i5"
    ),
    "hex": FinishedGame("c6 swap b4 b5 c5 c4 d4 d3 e3 e2 f2 b6 c6 b7 c7 f1 g1", {"size": 7}),
    "cylindrical-hex": FinishedGame(
        "g2 e3 e1 g3 c4 f3 a3 c3 a1 d3 b4 a2 e6 b2 b3 c2 h3 h2", {"rows": 6, "columns": 8}
    ),
}


def finished_game(game_id: str) -> FinishedGame | None:
    """Return the example of a game; ``None`` if it has none."""
    return _FINISHED.get(game_id)


def finished_position(game_id: str) -> Position | None:
    """Return the position at the end of a game's example; ``None`` if it has none."""
    example = finished_game(game_id)
    if example is None:
        return None
    position: Position = make_game(game_id, example.options).initial()
    for text in example.moves.split():
        position = position.play(position.parse_move(text))
    return position
