"""Contents of an answer about a board, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from antipodes.core import Setup
from antipodes.games.position import Position
from antipodes.match import Match


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLine:
    """The player of a seat.

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
    """The contents of an answer about a board for one reader.

    Private parts of a seat are shown only to its player, the ``viewer``.

    Attributes:
        number: the board's number on the site.
        match: the match.
        players: one for each seat.
        now: when the answer is written, in milliseconds since 1970.
        link: address of the match's page.
        viewer: the seat of the reader, or ``None`` for a follower.
        news: sentences about the latest events, in order.
        queued: the viewer's conditional moves as text, or empty.
        submitted: the viewer's submitted move as text, or empty.
        followers: names of users who follow the match.
        comments: names and messages, in order.
        address: for the viewer's replies; empty if the site receives no mail. It is never part
            of an answer, which people quote and forward.
        reply_to: the viewer's reply address for this board in a digest, where replies to the
            whole mail go elsewhere. It is part of the answer.
        series: target and scores of the match play that the match belongs to, or empty.
        tournament: title, round and score of the tournament that the match belongs to, or empty.
        side: the seat whose view board and moves have.
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
    tournament: str = ""
    side: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """Moves tried on a board, which are not stored.

    Attributes:
        start: the position before the moves.
        moves: the moves, each legal in its position.
        made: the moves from the start of the game to ``start``.
        now: when the answer is written, in milliseconds since 1970.
        number: of the board, or ``None`` for a new one.
        link: address of the match's page, or empty.
        players: one for each seat, or none.
        side: the seat whose view board and moves have.
        setup: the position before the moves made, if it is not the start of the game.
    """

    start: Position
    moves: tuple[int, ...]
    now: int
    made: tuple[int, ...] = ()
    number: int | None = None
    link: str = ""
    players: tuple[PlayerLine, ...] = ()
    side: int = 0
    setup: Setup | None = None
