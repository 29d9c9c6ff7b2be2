"""Queries for players' pages: ratings, rating history and matches."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.db.models import QuerySet
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from antipodes.games import pairing_strategy
from antipodes.games.position import Game
from antipodes.games.registry import game_class, game_ids
from antipodes.search.levels import Level, level_of
from antipodes.web.accounts.models import ProfileRow, User
from antipodes.web.archive.finished_games import count_finished, last_finished, outcomes_of
from antipodes.web.matches.access import played_by, visible_to
from antipodes.web.matches.models import MatchRow, seated
from antipodes.web.matches.selectors import MatchLine, match_line
from antipodes.web.platform.translations import translate
from antipodes.web.ratings.charts import history_chart
from antipodes.web.ratings.history import ChangeLine, History, history, latest_changes, moment
from antipodes.web.ratings.selectors import PoolRating, find_pool, ratings_of

_MOST_MATCHES = 12  # of those in progress and of finished ones


@dataclass(frozen=True)
class RatingLine:
    """A row of the table of ratings.

    Attributes:
        game: the game.
        pool: the rating, with speed and board class.
        key: name of the pool in the page's URL.
        is_shown: whether its history is shown.
    """

    game: type[Game]
    pool: PoolRating
    key: str
    is_shown: bool

    @property
    def latest(self) -> object:
        """End of the last rated game."""
        return moment(self.pool.latest)


@dataclass(frozen=True)
class RatingHistory:
    """The history of a rating as the page shows it.

    Attributes:
        line: the rating.
        history: the history.
        title: title of section and chart.
        chart: the chart as SVG.
        latest: changes by the last matches.
    """

    line: RatingLine
    history: History
    title: str
    chart: SafeString
    latest: list[ChangeLine]


@dataclass(frozen=True)
class ProfilePage:
    """Content of a player's page.

    Attributes:
        row: the player's own description, if any.
        ratings: one row per pool, most games first.
        history: the history of one of the ratings.
        in_progress: matches in progress, last changed first.
        finished: the last finished matches.
        games: number of matches that the viewer may see.
        level: the computer's level, if the player is one.
        level_ratings: measured ratings of the level, by game.
        why: why the computer's pairing strategy cannot lose, if the player is it.
    """

    row: ProfileRow | None
    ratings: list[RatingLine]
    history: RatingHistory | None
    in_progress: list[MatchLine]
    finished: list[MatchLine]
    games: int
    level: Level | None
    level_ratings: list[tuple[type[Game], int]]
    why: str


def profile_page(person: User, viewer: User | None, key: str = "") -> ProfilePage:
    """Return the content of a player's page.

    Args:
        person: the player.
        viewer: the user who sees the page; ``None`` for anonymous visitors.
        key: the pool whose history is shown; the one with most games if there is no such pool.
    """
    pools = ratings_of(person)
    keys = [f"{one.game_id}-{one.speed}-{one.board_class}" for one in pools]
    chosen = key if key in keys else next(iter(keys), "")
    ratings = [
        RatingLine(game_class(pool.game_id), pool, of_pool, of_pool == chosen)
        for pool, of_pool in zip(pools, keys, strict=True)
    ]
    level = level_of(person.computer)
    in_progress = _in_progress(person, viewer)
    shown = next((one for one in ratings if one.is_shown), None)
    return ProfilePage(
        row=ProfileRow.objects.filter(user=person).first() if person.is_active else None,
        ratings=ratings,
        history=None if shown is None else _history(person, viewer, shown),
        in_progress=_lines(in_progress.order_by("-changed_at")[:_MOST_MATCHES]),
        finished=_finished(person, viewer),
        games=in_progress.count() + count_finished(person, viewer),
        level=level,
        level_ratings=_level_ratings(level),
        why=str(pairing_strategy.WHY) if person.computer == pairing_strategy.PLAYER else "",
    )


def _in_progress(person: User, viewer: User | None) -> QuerySet[MatchRow]:
    rows = MatchRow.objects.filter(pk__in=played_by(person), ended_at=None)
    return rows.filter(visible_to(viewer))


def _lines(rows: QuerySet[MatchRow]) -> list[MatchLine]:
    return [match_line(row, None) for row in rows.prefetch_related(seated())]


def _finished(person: User, viewer: User | None) -> list[MatchLine]:
    """Return the last finished matches of a player, as the player sees them."""
    rows = list(last_finished(person, viewer, _MOST_MATCHES).prefetch_related(seated()))
    outcomes = {key: one.label for key, one in outcomes_of(person, rows).items()}
    return [replace(match_line(row, person), outcome=outcomes.get(row.pk, "")) for row in rows]


def _history(person: User, viewer: User | None, line: RatingLine) -> RatingHistory | None:
    pool = find_pool(line.pool.game_id, line.pool.speed, line.pool.board_class)
    if pool is None:
        return None
    past = history(person, pool)
    title = _("%(game)s, %(speed)s, %(board)s: rating history") % {
        "game": translate(line.game.title),
        "speed": line.pool.speed.label,
        "board": line.pool.board_class.label,
    }
    chart = history_chart(past.points, title) if past.points else SafeString("")
    return RatingHistory(line, past, title, chart, latest_changes(person, pool, viewer))


def _level_ratings(level: Level | None) -> list[tuple[type[Game], int]]:
    if level is None:
        return []
    ratings = [(game_class(game_id), level.rating(game_id)) for game_id in game_ids()]
    return [(game, rating) for game, rating in ratings if rating is not None]
