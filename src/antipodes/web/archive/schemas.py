"""Schemas of the opening explorer, as pages are told of it."""

from __future__ import annotations

from typing import Annotated

from typing_extensions import TypedDict

from antipodes.search.interface import Proven
from antipodes.web.matches.schemas import Cell
from antipodes.web.platform.schemas import Whole, about, closed


@closed
class ContinuationOut(TypedDict):
    """A next move with the games that went on with it."""

    move: Whole
    text: str
    same: Annotated[Whole, about("number of moves that are the same by a symmetry")]
    cells: Annotated[list[Cell], about("of its piece and of those of the symmetric moves")]
    games: Whole
    wins: Annotated[dict[str, Whole], about("by colour")]
    value: Annotated[float | None, about("for its player, from 0 to 1")]
    proven: Proven | None
    isFair: bool


@closed
class ExploredGameOut(TypedDict):
    """A game that went on from the position."""

    address: str
    players: list[str]
    result: str
    date: str


@closed
class ExploredOut(TypedDict):
    """The next moves after an opening, and the latest games."""

    games: Whole
    isSample: Annotated[bool, about("whether there are more games, which were not counted")]
    moves: list[ContinuationOut]
    colors: list[str]
    latest: list[ExploredGameOut]
    search: Annotated[str | None, about("URL of all these games")]
