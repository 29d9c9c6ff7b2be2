"""What pages, downloads and programs are given of finished games."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import Prefetch

from antipodes.web.accounts.models import User
from antipodes.web.archive.facts import Ending
from antipodes.web.archive.labels import color_words, result_of
from antipodes.web.archive.models import GameRow, PlayerRow, RecordRow
from antipodes.web.archive.queries import Query
from antipodes.web.archive.search import Key, find
from antipodes.web.platform.translations import game_words
from antipodes.web.ratings.classes import Speed
from antipodes.web.ratings.models import Unrated

PAGE = 24  # games of a page
MOST_TAKEN = 2_000  # games of a download
DELETED = "deleted"

_AT_ONCE = 200  # games of a download that are read together
_GONE = "deleted"  # how names of accounts begin that are no more


@dataclass(frozen=True, slots=True)
class GameLine:
    """A finished game in a list.

    Attributes:
        row: the game.
        title: which one, with options that are not the usual ones.
        players: the seats, each with its user.
        result: how it ended, in words.
        speed: the class of its clock, in words.
        ended: when.
        is_voided: whether moderators have taken back what it made of ratings.
    """

    row: GameRow
    title: str
    players: list[Player]
    result: str
    speed: str
    ended: datetime
    is_voided: bool


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at a game: who, the colour at the end in words, and whether they won."""

    user: User
    color: str
    won: bool


@dataclass(frozen=True, slots=True)
class GamesPage:
    """Some of the games that were asked for; the other names are as in ``search.Found``."""

    lines: list[GameLine]
    count: int | None
    are_more: bool
    after: Key | None


def open_name(user: User) -> str:
    """Return what somebody is called in what everybody may take along, in whatever language."""
    if user.is_computer:
        return f"computer, {user.first_name}"
    if user.username.lower().startswith(_GONE):
        return DELETED
    return f"{user.username} (bot)" if user.is_bot else user.username


def games_page(
    query: Query, user: User | None, *, after: Key | None = None, most: int = PAGE
) -> GamesPage:
    """Return games that somebody may see, the latest first."""
    found = find(query, user, after=after, most=most)
    lines = [_line(row) for row in _rows(found.keys)]
    return GamesPage(lines, found.count, found.are_more, found.after)


def _rows(keys: Sequence[Key]) -> list[GameRow]:
    """Return games with all that is shown of them, in this order."""
    rows = GameRow.objects.select_related("match__unrated", "shelf", "option_set")
    rows = rows.prefetch_related(Prefetch("players", PlayerRow.objects.select_related("user")))
    found = rows.in_bulk([match for _, match in keys])
    return [found[match] for _, match in keys if match in found]


def _line(row: GameRow) -> GameLine:
    return GameLine(
        row=row,
        title=game_words(row.option_set.game_id, row.option_set.options),
        players=[
            Player(seat.user, color_words(seat.color), bool(seat.won)) for seat in row.players.all()
        ],
        result=result_of(row.shelf),
        speed=str(Speed(row.shelf.speed).words),
        ended=_instant(row.ended_at),
        is_voided=_is_voided(row),
    )


def _is_voided(row: GameRow) -> bool:
    unrated: Unrated | None = getattr(row.match, "unrated", None)
    return unrated is not None and unrated.reason == Unrated.Reason.VOIDED


def _instant(at: int) -> datetime:
    return datetime.fromtimestamp(at / 1000, UTC)


def instant_text(at: int) -> str:
    """Write an instant in milliseconds since 1970 as ISO 8601 does, in UTC."""
    return _instant(at).isoformat(timespec="seconds").replace("+00:00", "Z")


def game_data(row: GameRow) -> dict[str, Any]:
    """Return a finished game as programs are told of it."""
    shelf = row.shelf
    return {
        "match": row.match.slug,
        "game": row.option_set.game_id,
        "options": row.option_set.game.options.as_dict(),
        "speed": shelf.speed,
        "board": row.option_set.board_class,
        "rated": shelf.rated,
        "voided": _is_voided(row),
        "private": shelf.is_private,
        "players": [
            {"seat": seat.number, "name": seat.user.name, "color": seat.color, "won": seat.won}
            for seat in row.players.all()
        ],
        "winner": shelf.winner or None,
        "reason": shelf.reason,
        "ending": Ending.of(shelf.winner, shelf.reason).value,
        "moves": row.moves,
        "swapped": row.swapped,
        "ended_at": row.ended_at,
    }


def record_line(data: str, names: Sequence[str], more: Mapping[str, Any]) -> str:
    """Return a record as a line of JSON, with names and what else is known of the match."""
    players = json.dumps(list(names), separators=(",", ":"), ensure_ascii=False)
    extra = json.dumps({"antipodes-site": more}, separators=(",", ":"), ensure_ascii=False)
    return f'{data[:-1]},"players":{players},"extra":{extra}}}\n'


def about(row: GameRow, slug: str) -> dict[str, Any]:
    """Return what a line says of a match besides its record."""
    return {
        "match": slug,
        "rated": row.shelf.rated,
        "speed": row.shelf.speed,
        "ended": instant_text(row.ended_at),
    }


def found_records(query: Query, user: User | None, most: int = MOST_TAKEN) -> Iterator[bytes]:
    """Yield the records of games that somebody may see as lines of JSON, the latest first."""
    after: Key | None = None
    while most > 0:
        # A count is wanted of the first page alone, and only by people.
        found = find(query, user, after=after, most=min(most, _AT_ONCE))
        yield _lines_of([match for _, match in found.keys]).encode()
        most -= len(found.keys)
        after = found.after
        if after is None:
            return


def _lines_of(matches: Sequence[int]) -> str:
    rows = GameRow.objects.select_related("match", "shelf").in_bulk(matches)
    data = dict(RecordRow.objects.filter(pk__in=matches).values_list("pk", "data"))
    names: dict[int, list[str]] = {}
    seats = PlayerRow.objects.filter(game__in=matches).select_related("user")
    for seat in seats.order_by("game", "number"):
        names.setdefault(seat.game_id, []).append(open_name(seat.user))
    return "".join(
        record_line(data[match], names[match], about(rows[match], rows[match].match.slug))
        for match in matches
        if match in data
    )
