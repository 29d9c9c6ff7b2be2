"""Finished games for pages, downloads and the API."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from django.db.models import Prefetch

from antipodes.clocks import Pace
from antipodes.web.accounts.models import User
from antipodes.web.archive.facts import Ending
from antipodes.web.archive.labels import color_label, result_label
from antipodes.web.archive.models import GameRow, PlayerRow, RecordRow
from antipodes.web.archive.queries import Query
from antipodes.web.archive.search import Cursor, find
from antipodes.web.matches.labels import control_words, pace_of
from antipodes.web.platform.translations import game_label
from antipodes.web.ratings.classes import Speed, speed_name
from antipodes.web.ratings.models import Unrated

PAGE_SIZE = 24  # games
DOWNLOAD_LIMIT = 2_000  # games
DELETED = "deleted"  # name of deleted accounts, and beginning of their usernames

_BATCH = 200  # games of a download per query


@dataclass(frozen=True)
class GameLine:
    """A finished game in a list."""

    row: GameRow

    @property
    def key(self) -> tuple[object, ...]:
        """The values that the line shows, besides the language; names and a voiding can change."""
        names = (player.user.name for player in self._players)
        return self.row.match.slug, self.row.match.version, self.is_voided, *names

    @property
    def title(self) -> str:
        """The game, with options that differ from the defaults."""
        return game_label(self.row.option_set.game_id, self.row.option_set.options)

    @property
    def players(self) -> list[Player]:
        """The players by seat."""
        return [
            Player(player.user, color_label(player.color), bool(player.won))
            for player in self._players
        ]

    @cached_property
    def _players(self) -> list[PlayerRow]:
        return list(self.row.players.all())

    @property
    def result(self) -> str:
        """The result as text."""
        return result_label(self.row.bucket)

    @property
    def speed(self) -> str:
        """The speed, or that there was no clock."""
        if pace_of(self.row.match.control) is Pace.UNLIMITED:
            return control_words(self.row.match.control)
        return str(Speed(self.row.bucket.speed).label)

    @property
    def ended(self) -> datetime:
        """The end of the game."""
        return _time(self.row.ended_at)

    @property
    def is_voided(self) -> bool:
        """Whether moderators have voided its rating."""
        return _is_voided(self.row)


@dataclass(frozen=True, slots=True)
class Player:
    """A player of a game: the user, the name of the colour, and whether they won."""

    user: User
    color: str
    won: bool


@dataclass(frozen=True, slots=True)
class GamesPage:
    """A page of a list of games; for the other fields see ``search.SearchPage``."""

    lines: list[GameLine]
    count: int | None
    are_more: bool
    after: Cursor | None


def open_name(user: User) -> str:
    """Return the name of a user in downloads, which does not depend on the language."""
    if user.is_computer:
        return f"computer, {user.first_name}"
    if user.username.lower().startswith(DELETED):
        return DELETED
    return f"{user.username} (bot)" if user.is_bot else user.username


def games_page(
    query: Query, user: User | None, *, after: Cursor | None = None, most: int = PAGE_SIZE
) -> GamesPage:
    """Return a page of games that a user may see, latest first."""
    found = find(query, user, after=after, most=most)
    lines = [GameLine(row) for row in _rows(found.keys)]
    return GamesPage(lines, found.count, found.are_more, found.after)


def _rows(keys: Sequence[Cursor]) -> list[GameRow]:
    """Return games with related rows, in the given order."""
    rows = GameRow.objects.select_related("match__unrated", "bucket", "option_set")
    rows = rows.prefetch_related(Prefetch("players", PlayerRow.objects.select_related("user")))
    found = rows.in_bulk([match for _, match in keys])
    return [found[match] for _, match in keys if match in found]


def _is_voided(row: GameRow) -> bool:
    unrated: Unrated | None = getattr(row.match, "unrated", None)
    return unrated is not None and unrated.reason == Unrated.Reason.VOIDED


def _time(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1000, UTC)


def time_text(at: int) -> str:
    """Format a time in milliseconds since 1970 according to ISO 8601, in UTC."""
    return _time(at).isoformat(timespec="seconds").replace("+00:00", "Z")


def game_data(row: GameRow) -> dict[str, Any]:
    """Return a finished game as data for the API."""
    bucket = row.bucket
    return {
        "match": row.match.slug,
        "game": row.option_set.game_id,
        "options": row.option_set.game.options.as_dict(),
        "speed": speed_name(row.match.control),
        "board": row.option_set.board_class,
        "rated": bucket.rated,
        "voided": _is_voided(row),
        "private": bucket.is_private,
        "from_position": bucket.from_position,
        "players": [
            {"seat": seat.number, "name": seat.user.name, "color": seat.color, "won": seat.won}
            for seat in row.players.all()
        ],
        "winner": bucket.winner or None,
        "reason": bucket.reason,
        "ending": Ending.of(bucket.winner, bucket.reason).value,
        "moves": row.moves,
        "swapped": row.swapped,
        "ended_at": row.ended_at,
    }


def record_line(data: str, names: Sequence[str], more: Mapping[str, Any]) -> str:
    """Return a game record as a line of JSON, with names and data of the site."""
    players = json.dumps(list(names), separators=(",", ":"), ensure_ascii=False)
    extra = json.dumps({"antipodes-site": more}, separators=(",", ":"), ensure_ascii=False)
    return f'{data[:-1]},"players":{players},"extra":{extra}}}\n'


def _site_data(row: GameRow) -> dict[str, Any]:
    """Return the site's data about a match besides its record."""
    return {
        "match": row.match.slug,
        "rated": row.bucket.rated,
        "speed": speed_name(row.match.control),
        "ended": time_text(row.ended_at),
    }


def found_records(query: Query, user: User | None, most: int = DOWNLOAD_LIMIT) -> Iterator[bytes]:
    """Yield the records of games that a user may see as lines of JSON, latest first."""
    after: Cursor | None = None
    while most > 0:
        found = find(query, user, after=after, most=min(most, _BATCH))
        yield _lines_of([match for _, match in found.keys]).encode()
        most -= len(found.keys)
        after = found.after
        if after is None:
            return


def _lines_of(matches: Sequence[int]) -> str:
    rows = GameRow.objects.select_related("match", "bucket").in_bulk(matches)
    data = dict(RecordRow.objects.filter(pk__in=matches).values_list("pk", "data"))
    names: dict[int, list[str]] = {}
    seats = PlayerRow.objects.filter(game__in=matches).select_related("user")
    for seat in seats.order_by("game", "number"):
        names.setdefault(seat.game_id, []).append(open_name(seat.user))
    return "".join(
        record_line(data[match], names[match], _site_data(rows[match]))
        for match in matches
        if match in data
    )
