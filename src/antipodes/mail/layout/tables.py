"""Answers that are tables: standings, histories, games, challenges, clocks, accounts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from antipodes.mail.layout.board import result_words
from antipodes.mail.layout.items import Answer, Field, Item, Listing
from antipodes.mail.layout.text import day, instant, rating_change, span, write
from antipodes.records import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingLine:
    """A player in the standings of a game.

    Attributes:
        rank: the place, from 1; ``None`` for a player who is not ranked yet.
        name: the player.
        rating: as the site shows it, such as ``1612`` or ``1500?``.
        deviation: the rating deviation, in points.
        games: rated games so far.
    """

    rank: int | None
    name: str
    rating: str
    deviation: int
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLine:
    """A finished game in the history of a player.

    Attributes:
        at: when it ended, in milliseconds since 1970.
        number: of the board.
        game_id: id of the game.
        opponents: their names.
        result: such as ``won``, ``lost`` or ``drawn``.
        before: the rating before it, rounded; ``None`` if it was not rated.
        after: the rating after it.
    """

    at: int
    number: int
    game_id: str
    opponents: tuple[str, ...]
    result: str
    before: int | None = None
    after: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLine:
    """A board in a list.

    Attributes:
        number: of the board.
        game_id: id of the game.
        players: in the order of the seats.
        turn: whose turn it is; empty after the end.
        moves: made so far.
        deadline: end of the time for the move, in milliseconds since 1970.
        left: remaining time, in milliseconds.
        result: how it ended; ``None`` before the end.
    """

    number: int
    game_id: str
    players: tuple[str, ...]
    turn: str = ""
    moves: int = 0
    deadline: int | None = None
    left: int | None = None
    result: Result | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengeLine:
    """An open challenge in a list.

    Attributes:
        number: of the challenge.
        game_id: id of the game.
        options: those that differ from the defaults, such as ``side=5``.
        by: name of the challenger.
        control: the time control, such as ``3d/move``.
        rated: whether the game will be rated.
        invited: names of users who may accept; empty for all.
        joined: names of users who have accepted.
        free: number of free seats.
    """

    number: int
    game_id: str
    options: str
    by: str
    control: str
    rated: bool
    invited: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    free: int = 1


def write_standings(headline: str, lines: Sequence[StandingLine]) -> str:
    """Write the standings of a game."""
    rows = [
        (
            "" if line.rank is None else str(line.rank),
            line.name,
            line.rating,
            f"+-{line.deviation}",
            str(line.games),
        )
        for line in lines
    ]
    return _answer(headline, "Standings", ("Rank", "Player", "Rating", "Deviation", "Games"), rows)


def write_history(headline: str, lines: Sequence[HistoryLine]) -> str:
    """Write the finished games of a player with the changes of the rating, in the given order."""
    heads = ("Day", "Board", "Game", "Against", "Result", "Before", "After", "Change")
    rows = [
        (
            day(line.at),
            str(line.number),
            line.game_id,
            ", ".join(line.opponents),
            line.result,
            *rating_change(line.before, line.after),
        )
        for line in lines
    ]
    return _answer(headline, "History", heads, rows)


def write_games(headline: str, lines: Sequence[GameLine]) -> str:
    """Write boards with their players and whose turn it is, or the results."""
    heads = ("Board", "Game", "Players", "Moves", "Turn", "Result")
    rows = [
        (
            str(line.number),
            line.game_id,
            ", ".join(line.players),
            str(line.moves),
            line.turn,
            "" if line.result is None else result_words(line.result),
        )
        for line in lines
    ]
    return _answer(headline, "Games", heads, rows)


def write_clocks(headline: str, lines: Sequence[GameLine]) -> str:
    """Write the running clocks of boards, with their deadlines."""
    rows = [
        (
            str(line.number),
            line.game_id,
            line.turn,
            "" if line.left is None else span(line.left),
            "" if line.deadline is None else instant(line.deadline),
        )
        for line in lines
    ]
    return _answer(headline, "Clocks", ("Board", "Game", "Turn", "Left", "Deadline"), rows)


def write_challenges(headline: str, lines: Sequence[ChallengeLine]) -> str:
    """Write challenges that can be accepted, each with its options in a separate line."""
    heads = ("Number", "Game", "By", "Time", "Rated", "Free")
    rows = [
        (
            str(line.number),
            line.game_id,
            line.by,
            line.control,
            "yes" if line.rated else "no",
            str(line.free),
        )
        for line in lines
    ]
    details: list[Item] = [
        Field.of("Challenge", str(line.number), *said) for line in lines if (said := _details(line))
    ]
    table = Listing("Challenges", heads, tuple(rows))
    return write(Answer.of([Field("News", headline)], [table], details))


def _details(line: ChallengeLine) -> list[str]:
    return [
        f"{name} {value}"
        for name, value in (
            ("options", line.options),
            ("for", ", ".join(line.invited)),
            ("joined", ", ".join(line.joined)),
        )
        if value
    ]


def write_table(
    headline: str, name: str, heads: Sequence[str], rows: Sequence[Sequence[str]]
) -> str:
    """Write any other table, such as settings; its name is one word."""
    return _answer(headline, name, heads, rows)


def _answer(headline: str, name: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    table = Listing(name, tuple(heads), tuple(tuple(row) for row in rows))
    return write(Answer.of([Field("News", headline)], [table]))
