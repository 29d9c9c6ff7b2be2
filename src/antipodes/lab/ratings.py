"""Strength from results: Elo differences with intervals, a sequential test, ratings.

Games are played in pairs from one opening with seats exchanged, and a pair is what is counted: its
two games share the opening, so they are not independent, but pairs are. The score of a pair is 0,
1/2, 1, 3/2 or 2 points, hence *pentanomial*.

Sources: A. Elo, *The Rating of Chessplayers* (1978); M. Van den Bergh, "A practical introduction to
the GSPRT" (2020), after Chernoff and Siegmund, for the test, in the form that the testing framework
of Stockfish made common; D. Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of
Statistics 32 (2004).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from antipodes.lab.intervals import share_interval

Floats = npt.NDArray[np.float64]

PAIR_SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # points of a pair, as shares of the two
_PRIOR = 0.5  # pairs: keeps a handful of equal pairs from looking like certainty
_TINY = 1e-3  # pairs of a kind that has not happened yet, in the sequential test


def elo_of(score: float) -> float:
    """Return the difference of ratings that expects a score between 0 and 1."""
    if score <= 0.0:
        return -math.inf
    return math.inf if score >= 1.0 else -400.0 * math.log10(1.0 / score - 1.0)


def score_of(elo: float) -> float:
    """Return the score that a difference of ratings expects."""
    return 1.0 / (1.0 + math.pow(10.0, -elo / 400.0))


@dataclass(frozen=True, slots=True)
class Tally:
    """Results of one side against another.

    Attributes:
        wins: games won.
        draws: games drawn.
        losses: games lost.
        pairs: how many pairs had 0, 1/2, 1, 3/2 and 2 points; games whose other half has not been
            played are in none.
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    @property
    def games(self) -> int:
        """All games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A win is a point and a draw half a point."""
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        """The share of the points, one half before the first game."""
        return self.points / self.games if self.games else 0.5

    def __add__(self, other: Tally) -> Tally:
        """Return what both together have."""
        if not isinstance(other, Tally):
            return NotImplemented
        pairs = tuple(own + more for own, more in zip(self.pairs, other.pairs, strict=True))
        return Tally(
            self.wins + other.wins,
            self.draws + other.draws,
            self.losses + other.losses,
            pairs,  # type: ignore[arg-type]  # five of them, as before
        )

    def __radd__(self, other: int) -> Tally:
        """Let ``sum`` begin with 0."""
        return self if other == 0 else NotImplemented

    def with_game(self, points: float) -> Tally:
        """Return the tally with one more game; pairs are as before."""
        won, lost = int(points == 1.0), int(points == 0.0)
        drawn = 1 - won - lost
        return Tally(self.wins + won, self.draws + drawn, self.losses + lost, self.pairs)

    def with_pair(self, points: float) -> Tally:
        """Return the tally with one more pair, whose games are counted already."""
        counts = list(self.pairs)
        counts[PAIR_SCORES.index(points / 2)] += 1
        return Tally(self.wins, self.draws, self.losses, tuple(counts))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference of ratings.

    Attributes:
        elo: the estimate; infinite if one side made all points.
        low: lower end of the 95 % interval.
        high: upper end.
        superiority: how likely it is that the first side is the stronger one.
    """

    elo: float
    low: float
    high: float
    superiority: float

    def __str__(self) -> str:
        """Say it in short."""
        return f"Elo {_signed(self.elo)}, 95 % from {_signed(self.low)} to {_signed(self.high)}"


def _signed(elo: float) -> str:
    if not math.isfinite(elo):
        return "+inf" if elo > 0 else "-inf"
    return f"{round(elo):+}"


def effective_games(tally: Tally) -> float:
    """Return how many independent games without draws would be as precise as these.

    Pairs that are even more often than chance would make them, and draws, say more than independent
    games; pairs that are won 2-0 and lost 0-2 say less.
    """
    count = sum(tally.pairs)
    if not count:
        return float(tally.games)
    scores = np.array(PAIR_SCORES)
    shares = np.array(tally.pairs) / count
    mean = float(shares @ scores)
    variance = float(shares @ (scores - mean) ** 2)
    independent = mean * (1.0 - mean) / 2.0
    return tally.games * (independent * count + _PRIOR) / (variance * count + _PRIOR)


def difference(tally: Tally) -> Difference:
    """Return the difference of ratings with its 95 % interval.

    The interval is Wilson's for the score, with the number of games that these pairs are worth.
    """
    games = effective_games(tally)
    low, high = share_interval(tally.score, games)
    deviations = (tally.score - 0.5) * 2.0 * math.sqrt(games)
    superiority = 0.5 * math.erfc(-deviations / math.sqrt(2.0))
    return Difference(elo_of(tally.score), elo_of(low), elo_of(high), superiority)


# The sequential test.


class ContestVerdict(StrEnum):
    """Verdict of a sequential test."""

    STRONGER = "stronger"
    NOT_STRONGER = "not-stronger"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class SequentialTest:
    """A generalised sequential probability ratio test between two differences of ratings.

    Attributes:
        elo0: the difference that is to be rejected.
        elo1: the one that is hoped for.
        alpha: the chance to accept ``elo1`` though ``elo0`` is true.
        beta: the chance to accept ``elo0`` though ``elo1`` is true.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        """Refuse what can never end."""
        if not self.elo0 < self.elo1:
            raise ValueError(f"the first difference, {self.elo0}, must be below {self.elo1}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the test ends, after Wald."""
        return (
            math.log(self.beta / (1.0 - self.alpha)),
            math.log((1.0 - self.beta) / self.alpha),
        )

    def ratio(self, tally: Tally) -> float:
        """Return the log of how much likelier the pairs are with ``elo1`` than with ``elo0``.

        For each difference the distribution of pair scores is taken that has its mean and makes the
        pairs likeliest.
        """
        if not sum(tally.pairs):
            return 0.0
        counts = np.maximum(np.array(tally.pairs, np.float64), _TINY)
        scores = np.array(PAIR_SCORES)
        return _log_likelihood(counts, scores - score_of(self.elo1)) - _log_likelihood(
            counts, scores - score_of(self.elo0)
        )

    def verdict(self, tally: Tally) -> ContestVerdict:
        """Return whether the test has ended, and how."""
        low, high = self.bounds
        ratio = self.ratio(tally)
        if ratio >= high:
            return ContestVerdict.STRONGER
        return ContestVerdict.NOT_STRONGER if ratio <= low else ContestVerdict.OPEN


def _log_likelihood(counts: Floats, distances: Floats) -> float:
    """Return the greatest log-likelihood of counts with mean distance 0, up to a constant.

    The likeliest shares are ``counts / (1 + t * distances)`` of the whole, with the ``t`` that
    makes the mean right; the sum that tells falls with ``t``.
    """
    low = -1.0 / float(distances.max())
    high = -1.0 / float(distances.min())
    for _ in range(60):
        middle = (low + high) / 2.0
        if float(np.sum(counts * distances / (1.0 + middle * distances))) > 0.0:
            low = middle
        else:
            high = middle
    return -float(np.sum(counts * np.log1p((low + high) / 2.0 * distances)))


# Ratings of many players.


@dataclass(frozen=True, slots=True)
class Rating:
    """Strength of a player among others.

    Attributes:
        elo: relative to the mean of all players.
        error: one standard error.
        games: how many were played.
    """

    elo: float
    error: float
    games: int


def rate(points: Mapping[tuple[str, str], tuple[float, int]]) -> dict[str, Rating]:
    """Rate players by the model of Bradley and Terry, the best first.

    Each is also credited with one draw against an average player, so that ratings are finite.

    Args:
        points: (first, second) -> points of the first against the second, and games of the two.
    """
    names = sorted({name for pair in points for name in pair})
    index = {name: number for number, name in enumerate(names)}
    size = len(names)
    won = np.full(size, 0.5)
    games = np.zeros((size, size))
    for (first, second), (own, count) in points.items():
        i, j = index[first], index[second]
        won[i] += own
        won[j] += count - own
        games[i, j] += count
        games[j, i] += count
    strength = _maximised(won, games)
    errors = _errors(strength, games)
    elos = 400.0 * np.log10(strength)
    elos -= elos.mean()
    ratings = {
        name: Rating(float(elos[i]), float(errors[i]), int(games[i].sum()))
        for name, i in index.items()
    }
    return dict(sorted(ratings.items(), key=lambda item: -item[1].elo))


def _maximised(won: Floats, games: Floats) -> Floats:
    """Return the likeliest strengths: Hunter's iteration, with an average player of strength 1."""
    strength = np.ones(len(won))
    for _ in range(10_000):
        shared = games / (strength[:, None] + strength[None, :])
        new = won / (shared.sum(axis=1) + 1.0 / (strength + 1.0))
        change = np.abs(np.log(new / strength)).max()
        strength = new
        if change < 1e-9:
            break
    return strength


def _errors(strength: Floats, games: Floats) -> Floats:
    """Return the standard errors in Elo, from the curvature of the likelihood."""
    expected = strength[:, None] / (strength[:, None] + strength[None, :])
    weights = games * expected * (1.0 - expected)
    average = strength / (1.0 + strength) ** 2
    information = np.diag(weights.sum(axis=1) + average) - weights
    # Ratings are told relative to their mean, which is therefore certain.
    centred = np.eye(len(strength)) - 1.0 / len(strength)
    variances = np.diag(centred @ np.linalg.inv(information) @ centred)
    return np.sqrt(variances) * 400.0 / math.log(10.0)
