"""The items of an answer, before it becomes text or HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from antipodes.core import Setup
from antipodes.games.position import Position
from antipodes.notation.scene import Scene


@dataclass(frozen=True, slots=True)
class Title:
    """The first line about a board or a preview, such as ``Antipod Board 101``."""

    text: str


@dataclass(frozen=True, slots=True)
class Field:
    """A name with one value, such as ``Game: antipod``."""

    name: str
    value: str

    @classmethod
    def of(cls, name: str, *parts: str) -> Field:
        """Return a field of several parts without empty ones."""
        return cls(name, "; ".join(one_line for part in parts if (one_line := part.strip())))


@dataclass(frozen=True, slots=True)
class Listing:
    """A table with column heads; cells may be empty."""

    name: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moves:
    """Numbered moves.

    Attributes:
        name: the name of the list.
        texts: the moves as text.
        seats: number of players, so that moves of one player are in the same columns.
        first: number of the first move.
        automatic: for each move whether it was a conditional one; by default not.
    """

    name: str
    texts: tuple[str, ...]
    seats: int
    first: int = 1
    automatic: tuple[bool, ...] = ()

    def marked(self) -> list[tuple[int, str]]:
        """Return number and text of each move, with automatic ones marked."""
        marks = [*self.automatic, *[False] * (len(self.texts) - len(self.automatic))]
        shown = zip(self.texts, marks, strict=True)
        return [
            (number, f"{text} (auto)" if mark else text)
            for number, (text, mark) in enumerate(shown, start=self.first)
        ]


@dataclass(frozen=True, slots=True)
class Picture:
    """A position after a number of moves.

    Attributes:
        position: the board.
        ply: number of moves made.
        moves: all of them, so that the board can be drawn elsewhere.
        side: the seat whose view the picture has.
        setup: the position before the moves, if it is not the start of the game.
    """

    position: Position
    ply: int
    moves: tuple[int, ...] = ()
    side: int = 0
    setup: Setup | None = None

    @property
    def scene(self) -> Scene:
        """The scene to draw."""
        return self.position.seen_from(self.side)


@dataclass(frozen=True, slots=True)
class Comment:
    """A message of one player to the others."""

    who: str
    text: str


@dataclass(frozen=True, slots=True)
class Original:
    """Quotation of the mail that is answered."""

    text: str


Item = Title | Field | Listing | Moves | Picture | Comment | Original
Block = Sequence[Item]


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer: blocks of items, separated by blank lines.

    Attributes:
        blocks: in order.
    """

    blocks: tuple[tuple[Item, ...], ...]

    @classmethod
    def of(cls, *blocks: Block) -> Answer:
        """Return an answer of blocks without empty ones."""
        return cls(tuple(tuple(block) for block in blocks if block))

    @property
    def picture(self) -> Picture | None:
        """The first picture in it."""
        items = (item for block in self.blocks for item in block)
        return next((item for item in items if isinstance(item, Picture)), None)

    @property
    def title(self) -> str:
        """The title of the first board in it, or empty."""
        items = (item for block in self.blocks for item in block)
        return next((item.text for item in items if isinstance(item, Title)), "")
