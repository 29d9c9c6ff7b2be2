"""Contents of an answer about a board: plain values, ready to be laid out."""

from __future__ import annotations

from dataclasses import dataclass

from antipodes.games.position import Position
from antipodes.match import Match


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLine:
    """Who sits on a seat.

    Attributes:
        name: as the site shows it.
        rating: as the site shows it, such as ``1612`` or ``1500?``; empty if there is none.
        before: the rating before a finished rated match, rounded; ``None`` if it did not change.
        after: the rating after it.
    """

    name: str
    rating: str = ""
    before: int | None = None
    after: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardReport:
    """Everything that an answer about a board tells to one reader.

    The layout shows private parts of a seat to its own player alone, whom ``viewer`` names.

    Attributes:
        number: the board's number on the site.
        match: how the match stands.
        players: one for each seat.
        now: when the answer is written, in milliseconds since 1970.
        link: address of the match's page.
        viewer: the seat of the reader, or ``None`` for a follower.
        news: sentences about what has just happened, the latest last.
        queued: the viewer's queued move as text, or empty.
        submitted: the viewer's move that waits for ``confirm``, as text, or empty.
        followers: names of those who follow the match.
        comments: who says what, in the order in which it was said.
        address: where the viewer's replies go; empty if the site receives no mail. It is never
            written into an answer, which people quote and pass on.
        reply_to: where the viewer answers this board, if that is not where replies to the whole
            letter go: in a digest. This one is written into the answer, for its reader alone.
        series: how the series stands that the match belongs to, or empty.
        side: the seat from whose side the board and its moves are shown.
    """

    number: int
    match: Match
    players: tuple[PlayerLine, ...]
    now: int
    link: str
    viewer: int | None = None
    news: tuple[str, ...] = ()
    queued: str = ""
    submitted: str = ""
    followers: tuple[str, ...] = ()
    comments: tuple[tuple[str, str], ...] = ()
    address: str = ""
    reply_to: str = ""
    series: str = ""
    side: int = 0

    @property
    def game_id(self) -> str:
        """The id of the game."""
        return self.match.terms.game.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """Moves that were tried on a board, of which nothing is stored.

    Attributes:
        start: the position from which they were tried.
        moves: the moves, all legal one after another.
        made: the moves before, from the start of the game on.
        now: when the answer is written, in milliseconds since 1970.
        number: of the board, or ``None`` for a new one.
        link: address of the match's page, or empty.
        players: one for each seat, or none.
        side: the seat from whose side the board and its moves are shown.
    """

    start: Position
    moves: tuple[int, ...]
    now: int
    made: tuple[int, ...] = ()
    number: int | None = None
    link: str = ""
    players: tuple[PlayerLine, ...] = ()
    side: int = 0
