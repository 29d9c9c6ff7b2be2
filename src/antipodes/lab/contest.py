"""Contests: many games between two sides, openings mirrored, until it is clear who is stronger."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from antipodes.games.base import BoardGame
from antipodes.lab.duel import Effort, Fixture, Played, seats_of
from antipodes.lab.openings import Opening, random_openings
from antipodes.lab.ratings import Difference, SequentialTest, Tally, Verdict, difference
from antipodes.lab.workers import Table, play_all

Watch = Callable[[Played, "Standing"], object]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played.

    Attributes:
        games: how many at most; made even, because games come in pairs.
        plies: random moves that open each pair of games.
        lines: openings to be used in turn in place of random ones; none if empty.
        seed: decides openings and the choices of players that take seeds.
        test: ends the contest early, or ``None``.
    """

    games: int = 100
    plies: int = 2
    lines: tuple[Opening, ...] = ()
    seed: int = 1
    test: SequentialTest | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """How a contest stands, seen from side 0.

    Attributes:
        tally: wins, draws, losses and pairs.
        as_first: the same for games in which side 0 had the first colour's seats, without pairs.
        efforts: what each side has spent.
        failures: for each side, kind of failure -> games that it lost by it.
        ratio: log-likelihood ratio of the test; 0 without one.
        verdict: of the test.
    """

    tally: Tally
    as_first: Tally
    efforts: tuple[Effort, Effort]
    failures: tuple[Mapping[str, int], Mapping[str, int]]
    ratio: float
    verdict: Verdict

    @property
    def difference(self) -> Difference:
        """The difference of ratings so far."""
        return difference(self.tally)


def fixtures_of(game: BoardGame[Any, Any], plan: Plan) -> Iterator[Fixture]:
    """Yield the games of a plan: pairs from one opening with the sides exchanged."""
    openings: Iterator[Opening] = (
        itertools.cycle(plan.lines) if plan.lines else random_openings(game, plan.plies, plan.seed)
    )
    for pair in range((plan.games + 1) // 2):
        opening = next(openings)
        alone = pair % len(game.colors) if len(game.colors) > 2 else 0
        for half in (0, 1):
            number = 2 * pair + half + 1
            seeds = (_seed(plan.seed, number, 0), _seed(plan.seed, number, 1))
            yield Fixture(number, pair, seats_of(game, alone, half), opening, seeds)


def _seed(seed: int, number: int, side: int) -> int:
    """Return a seed below 2**31, as most programs take it, for one side in one game."""
    mixed = (seed * 1_000_003 + 2 * number + side) * 0x9E3779B97F4A7C15
    return (mixed >> 13) & 0x7FFFFFFF


def standing_of(played: Sequence[Played], test: SequentialTest | None = None) -> Standing:
    """Return how a contest stands after some of its games, in whatever order."""
    tally, as_first = Tally(), Tally()
    halves: dict[int, list[float]] = {}
    efforts = [Effort(), Effort()]
    failures: tuple[dict[str, int], dict[str, int]] = ({}, {})
    for one in played:
        tally = tally.with_game(one.points)
        if one.fixture.sides[0] == 0:
            as_first = as_first.with_game(one.points)
        halves.setdefault(one.fixture.pair, []).append(one.points)
        for side in (0, 1):
            efforts[side] = _added(efforts[side], one.efforts[side])
        if one.failing is not None:
            # Side 0 has failed where it got no point.
            kinds = failures[0 if one.points == 0.0 else 1]
            kinds[one.failing.value] = kinds.get(one.failing.value, 0) + 1
    for points in halves.values():
        if len(points) == 2:
            tally = tally.with_pair(sum(points))
    ratio = test.ratio(tally) if test else 0.0
    verdict = test.verdict(tally) if test else Verdict.OPEN
    return Standing(tally, as_first, (efforts[0], efforts[1]), failures, ratio, verdict)


def _added(one: Effort, other: Effort) -> Effort:
    return Effort(one.moves + other.moves, one.seconds + other.seconds, one.cpu + other.cpu)


class Contest:
    """Many games between two sides; what was played before counts, and can be gone on from.

    Attributes:
        table: the game and the two sides.
        plan: what is to be played.
        played: all games that were played, in the order of their ends.
    """

    def __init__(self, table: Table, plan: Plan, played: Sequence[Played] = ()) -> None:
        """Begin, or go on after the games in ``played``."""
        self.table = table
        self.plan = plan
        self.played = list(played)

    @property
    def standing(self) -> Standing:
        """How the contest stands."""
        return standing_of(self.played, self.plan.test)

    def run(self, watch: Watch, jobs: int = 1) -> Standing:
        """Play what is left, until the test has ended if there is one.

        Args:
            watch: told each game with the standing after it; what it raises ends the contest, as
                does Ctrl-C. What was played before stays in ``played``.
            jobs: how many games are played at once.

        Raises:
            InvalidOptionsError: there is no such player.
            WorkerError: a process that played games has ended by itself.
        """
        standing = self.standing
        if standing.verdict is not Verdict.OPEN:
            return standing
        games = play_all(self.table, self._missing(), jobs)
        try:
            for one in games:
                self.played.append(one)
                standing = self.standing
                watch(one, standing)
                if standing.verdict is not Verdict.OPEN:
                    break
        finally:
            games.close()  # type: ignore[attr-defined]  # both kinds are generators
        return standing

    def _missing(self) -> Iterator[Fixture]:
        """Yield what has not been played; the other half of a pair has the same opening."""
        done = {one.fixture.number for one in self.played}
        used = {one.fixture.pair: one.fixture.opening for one in self.played}
        for fixture in fixtures_of(self.table.game, self.plan):
            if fixture.number in done:
                continue
            opening = used.get(fixture.pair, fixture.opening)
            yield Fixture(fixture.number, fixture.pair, fixture.sides, opening, fixture.seeds)
