"""Crosstable of two players: the score of all their finished games against each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import Count, Exists, OuterRef
from django.urls import reverse
from django.utils.formats import number_format

from antipodes.games.position import Game
from antipodes.games.registry import game_class
from antipodes.web.accounts.models import User
from antipodes.web.archive.facts import ABORTED
from antipodes.web.archive.finished_games import archived_seats
from antipodes.web.archive.models import PlayerRow
from antipodes.web.archive.queries import Query
from antipodes.web.archive.selectors import GameLine, games_page

_MOST_LINES = 12  # latest games


@dataclass(frozen=True, slots=True)
class Score:
    """Games of two players, as the first one sees them.

    Attributes:
        won: games that the first player won.
        drawn: games without a winner.
        lost: games that the second player won.
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def __add__(self, other: Score) -> Score:
        """Return the score of both together."""
        return Score(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> tuple[float, float]:
        """The points of both players: one for a win, half for a draw."""
        return self.won + self.drawn / 2, self.lost + self.drawn / 2

    @property
    def text(self) -> str:
        """The points, such as ``2.5 : 1.5``."""
        return " : ".join(number_format(one, 1 if one % 1 else 0) for one in self.points)


@dataclass(frozen=True, slots=True)
class GameScore:
    """The score of two players at one game, and the address of the games."""

    game: type[Game]
    score: Score
    address: str


@dataclass(frozen=True, slots=True)
class Crosstable:
    """The finished games of two players against each other that a viewer may see.

    Attributes:
        first: a player.
        second: another player.
        scores: the score for each game that they played.
        latest: the latest games.
    """

    first: User
    second: User
    scores: list[GameScore]
    latest: list[GameLine]

    @property
    def total(self) -> Score:
        """The score of all games together."""
        return sum((one.score for one in self.scores), Score())

    @property
    def address(self) -> str:
        return _address(self.first, self.second)


def crosstable(first: User, second: User, viewer: User | None) -> Crosstable:
    """Return the crosstable of two players; aborted games and games as partners do not count."""
    score_of_game: dict[str, Score] = {}
    for game_id, won, count in _counts(first, second, viewer):
        score = (
            Score(won=count) if won else Score(drawn=count) if won is None else Score(lost=count)
        )
        score_of_game[game_id] = score_of_game.get(game_id, Score()) + score
    scores = [
        GameScore(game_class(game_id), score, _address(first, second, game_id))
        for game_id, score in sorted(score_of_game.items(), key=lambda one: (-one[1].games, one[0]))
    ]
    latest = games_page(Query(players=(first, second)), viewer, most=_MOST_LINES).lines
    return Crosstable(first, second, scores, latest)


def _counts(
    first: User, second: User, viewer: User | None
) -> Iterable[tuple[str, bool | None, int]]:
    """Return game, whether the first player won, and the number of such games.

    The seats of the player with fewer games are read, since the computer has most games.
    """
    is_turned = first.is_computer
    owner, other = (second, first) if is_turned else (first, second)
    facing = PlayerRow.objects.filter(user=other, ended_at=OuterRef("ended_at"))
    facing = facing.filter(game=OuterRef("game")).exclude(color=OuterRef("color"))
    rows = archived_seats(owner, viewer).filter(Exists(facing)).exclude(bucket__reason__in=ABORTED)
    counted = rows.order_by().values_list("game__option_set__game_id", "won")
    for game_id, won, count in counted.annotate(games=Count("game", distinct=True)):
        yield game_id, (not won if is_turned and won is not None else won), count


def _address(first: User, second: User, game_id: str = "") -> str:
    fields = {"player": first.username, "opponent": second.username, "game": game_id}
    query = urlencode({name: value for name, value in fields.items() if value})
    return f"{reverse('games')}?{query}"
