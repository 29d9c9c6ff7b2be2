"""What the page of a person shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from antipodes.games import pairing
from antipodes.games.base import BoardGame
from antipodes.games.registry import game_class, game_ids
from antipodes.search.levels import Level, level_of
from antipodes.web.accounts.models import ProfileRow, User
from antipodes.web.archive.finished_games import count_finished, last_finished
from antipodes.web.matches.access import played_by, visible_to
from antipodes.web.matches.models import MatchRow, seated
from antipodes.web.matches.selectors import MatchLine, match_line
from antipodes.web.platform.translations import said
from antipodes.web.ratings.charts import history_chart
from antipodes.web.ratings.history import ChangeLine, History, history, latest_changes, moment
from antipodes.web.ratings.selectors import PoolStanding, find_pool, ratings_of

_GOING_ON, _FINISHED = 12, 12  # matches that are shown


@dataclass(frozen=True)
class RatingLine:
    """A rating in the table of a person.

    Attributes:
        game: the game.
        pool: how strong, at which speed, on which boards.
        key: names it in the address of the page.
        is_shown: whether its history is shown.
    """

    game: type[BoardGame[Any, Any]]
    pool: PoolStanding
    key: str
    is_shown: bool

    @property
    def latest(self) -> object:
        """When the last rated game ended."""
        return moment(self.pool.latest)


@dataclass(frozen=True)
class Shown:
    """The history of a rating.

    Attributes:
        line: of which one.
        history: all that has become of it.
        title: names the rating.
        chart: the history as a chart.
        latest: what the last matches made of it.
    """

    line: RatingLine
    history: History
    title: str
    chart: SafeString
    latest: list[ChangeLine]


@dataclass(frozen=True)
class Page:
    """All that the page of a person shows.

    Attributes:
        row: what they tell about themselves, if anything.
        ratings: one for each pool, most games first.
        shown: the history of one of them.
        going_on: matches that go on, those with the last changes first.
        finished: the last ones that have ended.
        games: how many matches there are that whoever looks may see.
        level: of the computer, if it is one.
        level_ratings: what was measured of the level, for each game where it was.
        why: why the computer's pairing strategy cannot lose, if this is it.
    """

    row: ProfileRow | None
    ratings: list[RatingLine]
    shown: Shown | None
    going_on: list[MatchLine]
    finished: list[MatchLine]
    games: int
    level: Level | None
    level_ratings: list[tuple[type[BoardGame[Any, Any]], int]]
    why: str


def page_of(person: User, viewer: User | None, wanted: str = "") -> Page:
    """Return what the page of a person shows to somebody.

    Args:
        person: whose page it is.
        viewer: who looks; ``None`` for somebody without a name.
        wanted: the rating whose history is shown; one with most games if there is no such rating.
    """
    standings = ratings_of(person)
    keys = [f"{one.game_id}-{one.speed}-{one.board_class}" for one in standings]
    chosen = wanted if wanted in keys else next(iter(keys), "")
    ratings = [
        RatingLine(game_class(one.game_id), one, key, key == chosen)
        for one, key in zip(standings, keys, strict=True)
    ]
    level = level_of(person.computer)
    going_on = _going_on(person, viewer)
    return Page(
        row=ProfileRow.objects.filter(user=person).first() if person.is_active else None,
        ratings=ratings,
        shown=_shown(person, viewer, next((one for one in ratings if one.is_shown), None)),
        going_on=_lines(going_on.order_by("-changed_at")[:_GOING_ON]),
        finished=_lines(last_finished(person, viewer, _FINISHED)),
        games=going_on.count() + count_finished(person, viewer),
        level=level,
        level_ratings=_measured(level),
        why=str(pairing.WHY) if person.computer == pairing.PLAYER else "",
    )


def _going_on(person: User, viewer: User | None) -> QuerySet[MatchRow]:
    mine = MatchRow.objects.filter(pk__in=played_by(person), ended_at=None)
    return mine.filter(visible_to(viewer))


def _lines(rows: QuerySet[MatchRow]) -> list[MatchLine]:
    return [match_line(row, None) for row in rows.prefetch_related(seated())]


def _shown(person: User, viewer: User | None, line: RatingLine | None) -> Shown | None:
    if line is None:
        return None
    pool = find_pool(line.pool.game_id, line.pool.speed, line.pool.board_class)
    if pool is None:
        return None
    past = history(person, pool)
    title = _("%(game)s, %(speed)s, %(board)s: the rating's history") % {
        "game": said(line.game.title),
        "speed": line.pool.speed.words,
        "board": line.pool.board_class.words,
    }
    chart = history_chart(past.points, title) if past.points else SafeString("")
    return Shown(line, past, title, chart, latest_changes(person, pool, viewer))


def _measured(level: Level | None) -> list[tuple[type[BoardGame[Any, Any]], int]]:
    if level is None:
        return []
    found = [(game_class(game_id), level.rating(game_id)) for game_id in game_ids()]
    return [(game, rating) for game, rating in found if rating is not None]
