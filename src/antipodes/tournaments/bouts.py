"""Bouts: how many games two players of a pairing play, who begins each, and who wins the pairing.

A bout is one game, two mirrored ones, the best of several, or match play to a number of points. Any
format with rounds can have any of them: a format decides who meets whom, the bout decides how.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from antipodes.errors import Fault, InputError, Phrase
from antipodes.games.match_play import TARGETS, MatchPlay, most_decided_games, next_beginner
from antipodes.games.position import Game
from antipodes.notation.text import shorten

Score = tuple[float, float]  # of the pairing's first player, and of the second

DECIDERS = 3  # further games of an equal pairing that needs a winner
_WON, _LOST, _DRAWN = (1.0, 0.0), (0.0, 1.0), (0.5, 0.5)


@dataclass(frozen=True, slots=True)
class BoutGame:
    """A game of a pairing.

    Attributes:
        score: the points of both players; ``None`` while they are playing.
        is_forfeit: whether the loser made no move.
    """

    score: Score | None
    is_forfeit: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """The result of a pairing.

    Attributes:
        points: of both players.
        is_forfeit: whether it was decided without a game.
    """

    points: Score
    is_forfeit: bool = False


def total(games: Sequence[BoutGame]) -> Score:
    """Return the points of both players in all games that are over."""
    scores = [one.score for one in games if one.score is not None]
    return sum(one for one, _ in scores), sum(other for _, other in scores)


def _lead(games: Sequence[BoutGame]) -> float:
    """Return by how many points the first player is ahead."""
    first, second = total(games)
    return first - second


@dataclass(frozen=True, slots=True)
class Bout(ABC):
    """The games of a pairing.

    Attributes:
        counts_chart: whether a win counts the points that the game gives it, as in match play.
    """

    counts_chart: ClassVar[bool] = False

    @property
    @abstractmethod
    def name(self) -> str:
        """The name in forms, files and the API."""

    @property
    @abstractmethod
    def title(self) -> Phrase:
        """The games in words, such as "best of 3 games"."""

    @property
    @abstractmethod
    def most(self) -> int:
        """How many games there are at most, without those that decide an equal pairing."""

    @property
    def is_series(self) -> bool:
        """Whether there can be several games."""
        return self.most > 1

    @property
    def can_overlap(self) -> bool:
        """Whether the games can be played at the same time, as by correspondence."""
        return False

    def check(self, game: Game) -> None:  # noqa: B027 - most bouts are of any game
        """Check that a game can be played so.

        Raises:
            InputError: it cannot.
        """

    @abstractmethod
    def is_settled(self, games: Sequence[BoutGame]) -> bool:
        """Return whether the winner is certain before all games are played."""

    def points(self, games: Sequence[BoutGame]) -> Score:
        """Return the points of a pairing whose games are over: it is won, drawn or lost."""
        lead = _lead(games)
        return _DRAWN if lead == 0 else _WON if lead > 0 else _LOST

    def is_exchanged(self, number: int, games: Sequence[BoutGame]) -> bool:  # noqa: ARG002
        """Return whether the second player of the pairing has the first seat in a game.

        Args:
            number: of the game, from 1.
            games: those before it.
        """
        return number % 2 == 0

    def wanted(
        self, games: Sequence[BoutGame], *, needs_winner: bool = False, at_once: bool = False
    ) -> int:
        """Return how many games an undecided pairing needs so far.

        Args:
            games: those that have begun, in order.
            needs_winner: whether the pairing must be won, as in a knockout.
            at_once: whether games are played at the same time, if the bout allows it.
        """
        count = len(games)
        if at_once and self.can_overlap and count < self.most:
            return self.most
        if any(one.score is None for one in games):
            return count
        is_over = self.decision(games, needs_winner=needs_winner) is not None
        return count if is_over else count + 1

    def decision(
        self, games: Sequence[BoutGame], *, needs_winner: bool = False, is_first_ahead: bool = True
    ) -> Decision | None:
        """Return the result of a pairing; ``None`` if it goes on.

        Players of a series who lose its first game without any move lose the pairing. One that
        needs a winner and is equal goes on with single games; after `DECIDERS` of them the player
        who was ahead before it wins.

        Args:
            games: those that have begun, in order.
            needs_winner: whether the pairing must be won, as in a knockout.
            is_first_ahead: whether the first player has the better pairing number.
        """
        if not games or any(one.score is None for one in games):
            return None
        lead = _lead(games)
        is_forfeit = all(one.is_forfeit for one in games)
        is_absent = is_forfeit and lead != 0 and not self.can_overlap
        if not (len(games) >= self.most or self.is_settled(games) or is_absent):
            return None
        if is_forfeit and lead == 0 and not needs_winner:
            return Decision((0.0, 0.0), is_forfeit=True)  # neither player came
        if is_absent:
            return Decision(_WON if lead > 0 else _LOST, is_forfeit=True)
        if not needs_winner:
            return Decision(self.points(games), is_forfeit)
        if lead == 0:
            if len(games) < self.most + DECIDERS:
                return None
            return Decision(_WON if is_first_ahead else _LOST)
        return Decision(_WON if lead > 0 else _LOST, is_forfeit)


@dataclass(frozen=True, slots=True)
class AllGames(Bout):
    """A number of games that are all played, with seats exchanged.

    Attributes:
        count: 1, or 2 for mirrored games.
        is_shared: whether each game counts its share of the point; otherwise the pair of games is
            won, drawn or lost.
    """

    count: int = 1
    is_shared: bool = True

    @property
    def name(self) -> str:
        """The name in forms, files and the API."""
        if self.count == 1:
            return "single"
        return "mirrored" if self.is_shared else "pair"

    @property
    def title(self) -> Phrase:
        """The games in words."""
        if self.count == 1:
            return Phrase("one game")
        if self.is_shared:
            return Phrase("mirrored: two games, with seats exchanged")
        return Phrase("a pair: two games, with seats exchanged and one result")

    @property
    def most(self) -> int:
        """How many games there are."""
        return self.count

    @property
    def can_overlap(self) -> bool:
        """Whether the games can be played at the same time: all of them are played."""
        return self.is_series

    def is_settled(self, games: Sequence[BoutGame]) -> bool:  # noqa: ARG002
        """Return no: every game counts."""
        return False

    def points(self, games: Sequence[BoutGame]) -> Score:
        """Return the points of both players, as a share of one point."""
        if not self.is_shared:
            return Bout.points(self, games)
        share = (1 + _lead(games) / len(games)) / 2
        return share, 1 - share


@dataclass(frozen=True, slots=True)
class BestOf(Bout):
    """Games with seats exchanged, until a player has won more than half of them.

    Attributes:
        count: an odd number of games.
    """

    count: int

    @property
    def name(self) -> str:
        """The name in forms, files and the API."""
        return f"best-of-{self.count}"

    @property
    def title(self) -> Phrase:
        """The games in words."""
        return Phrase("best of {count} games", {"count": self.count})

    @property
    def most(self) -> int:
        """How many games there are at most."""
        return self.count

    def is_settled(self, games: Sequence[BoutGame]) -> bool:
        """Return whether one player cannot catch up."""
        return abs(_lead(games)) > self.count - len(games)


@dataclass(frozen=True, slots=True)
class MatchPlayBout(Bout):
    """Match play of Antipalos: games until a player has the points, and the loser begins the next.

    Draws score nothing. After as many games as a match without draws can have, the player who is
    ahead wins.

    Attributes:
        target: the points.
    """

    counts_chart = True

    target: int

    @property
    def name(self) -> str:
        """The name in forms, files and the API."""
        return f"match-{self.target}"

    @property
    def title(self) -> Phrase:
        """The games in words."""
        return Phrase("match play to {points} points", {"points": self.target})

    @property
    def most(self) -> int:
        """How many games there are at most."""
        return most_decided_games(self.target)

    def check(self, game: Game) -> None:
        """Check that a game has match play to so many points.

        Raises:
            InputError: it has not.
        """
        MatchPlay.of(game, self.target)

    def is_settled(self, games: Sequence[BoutGame]) -> bool:
        """Return whether a player has the points."""
        return max(total(games)) >= self.target

    def is_exchanged(self, number: int, games: Sequence[BoutGame]) -> bool:  # noqa: ARG002
        """Return whether the second player begins: who lost begins the next game."""
        beginner = 0
        for one in games:
            if one.score is not None and one.score[0] != one.score[1]:
                beginner = next_beginner(one.score.index(max(one.score)), len(one.score))
        return beginner == 1


SINGLE = AllGames()
MIRRORED = AllGames(2)  # both players have each seat
BOUTS: dict[str, Bout] = {
    one.name: one
    for one in (
        SINGLE,
        MIRRORED,
        AllGames(2, is_shared=False),
        *map(BestOf, (3, 5, 7, 9)),
        *map(MatchPlayBout, TARGETS),
    )
}
"""All bouts by name, in the order in which hosts see them."""


def make_bout(name: str) -> Bout:
    """Return a bout by its name.

    Raises:
        InputError: there is none.
    """
    if name not in BOUTS:
        fault = Fault.of(
            "tournament/bout",
            "no pairing has games of the kind {name}; there are {known}",
            where="games",
            name=shorten(name),
            known=", ".join(BOUTS),
        )
        raise InputError([fault])
    return BOUTS[name]
