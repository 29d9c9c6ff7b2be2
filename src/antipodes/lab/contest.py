"""Contests: many games between two sides, openings mirrored, until it is clear who is stronger."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from antipodes.core import Color
from antipodes.games.position import Game
from antipodes.lab.duel import Effort, Fixture, Played, seats_of
from antipodes.lab.matchup import Matchup
from antipodes.lab.openings import Opening, random_openings
from antipodes.lab.ratings import ContestVerdict, Difference, SequentialTest, Tally, difference
from antipodes.lab.sharing import Idle, Runner, Store, Unshared
from antipodes.parallel.running import in_turn
from antipodes.parallel.workers import Workers

Watch = Callable[[Played, "ContestScore"], object]


@dataclass(frozen=True, slots=True)
class Schedule:
    """Which games a contest has.

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

    @property
    def in_pairs(self) -> int:
        """How many games there are in whole pairs."""
        return self.games + self.games % 2


@dataclass(frozen=True, slots=True)
class ContestScore:
    """Score of a contest, seen from side 0.

    Attributes:
        tally: wins, draws, losses and pairs.
        as_first: the same for games in which side 0 had the first colour's seats, without pairs.
        by_color: for each colour how it fared when side 0 had it and when side 1 had it; a win is
            a win of that colour, and pairs are not counted.
        efforts: what each side has spent.
        failures: for each side, kind of failure -> games that it lost by it.
        ratio: log-likelihood ratio of the test; 0 without one.
        verdict: of the test.
    """

    tally: Tally
    as_first: Tally
    by_color: Mapping[Color, tuple[Tally, Tally]]
    efforts: tuple[Effort, Effort]
    failures: tuple[Mapping[str, int], Mapping[str, int]]
    ratio: float
    verdict: ContestVerdict

    @property
    def difference(self) -> Difference:
        """The difference of ratings so far."""
        return difference(self.tally)


def fixtures_of(game: Game, schedule: Schedule) -> Iterator[Fixture]:
    """Yield the games of a schedule: pairs from one opening with the sides exchanged."""
    openings: Iterator[Opening] = (
        itertools.cycle(schedule.lines)
        if schedule.lines
        else random_openings(game, schedule.plies, schedule.seed)
    )
    for pair in range(schedule.in_pairs // 2):
        opening = next(openings)
        for half in (0, 1):
            yield fixture_of(game, schedule.seed, 2 * pair + half + 1, opening)


def fixture_of(game: Game, seed: int, number: int, opening: Opening) -> Fixture:
    """Return a game of a contest with a seed, from 1."""
    pair, half = divmod(number - 1, 2)
    alone = pair % len(game.colors) if len(game.colors) > 2 else 0
    seeds = (_seed(seed, number, 0), _seed(seed, number, 1))
    return Fixture(number, pair, seats_of(game, alone, half), opening, seeds)


def _seed(seed: int, number: int, side: int) -> int:
    """Return a seed below 2**31, as most programs take it, for one side in one game."""
    mixed = (seed * 1_000_003 + 2 * number + side) * 0x9E3779B97F4A7C15
    return (mixed >> 13) & 0x7FFFFFFF


def contest_score(played: Sequence[Played], test: SequentialTest | None = None) -> ContestScore:
    """Return the score of a contest after some of its games, in any order."""
    tally, as_first = Tally(), Tally()
    by_color: dict[Color, tuple[Tally, Tally]] = {}
    halves: dict[int, list[float]] = {}
    efforts = [Effort(), Effort()]
    failures: tuple[dict[str, int], dict[str, int]] = ({}, {})
    for game in played:
        tally = tally.with_game(game.points)
        if game.fixture.sides[0] == 0:
            as_first = as_first.with_game(game.points)
        _count_colors(game, by_color)
        halves.setdefault(game.fixture.pair, []).append(game.points)
        for side in (0, 1):
            efforts[side] += game.efforts[side]
        if game.failing is not None:
            # Side 0 has failed where it got no point.
            kinds = failures[0 if game.points == 0.0 else 1]
            kinds[game.failing.value] = kinds.get(game.failing.value, 0) + 1
    for points in halves.values():
        if len(points) == 2:
            tally = tally.with_pair(sum(points))
    ratio = test.ratio(tally) if test else 0.0
    verdict = test.verdict(tally) if test else ContestVerdict.OPEN
    spent = (efforts[0], efforts[1])
    return ContestScore(tally, as_first, by_color, spent, failures, ratio, verdict)


def _count_colors(one: Played, by_color: dict[Color, tuple[Tally, Tally]]) -> None:
    for color, side in one.colors.items():
        first, second = by_color.get(color, (Tally(), Tally()))
        winner = one.result.winner
        points = 0.5 if winner is None else float(winner is color)
        by_color[color] = (
            (first.with_game(points), second) if side == 0 else (first, second.with_game(points))
        )


class GameStore(Store[Played], Protocol):
    """The games of a contest, such as a folder; their names are their numbers."""

    def played(self) -> list[Played]:
        """Return the games that are there by now, those of other processes too."""
        ...


class _Memory:
    """The games of a contest that are kept by this process alone."""

    def __init__(self, played: Sequence[Played]) -> None:
        self.claims = Unshared()
        self._played = list(played)

    def played(self) -> list[Played]:
        """Return the games by now."""
        return list(self._played)

    def done(self) -> set[str]:
        """Return the names of the games by now."""
        return {str(game.fixture.number) for game in self._played}

    def append(self, results: Sequence[Played]) -> None:
        """Add games."""
        self._played += results


class Contest:
    """Many games between two sides; a contest can go on from games that were played before.

    Attributes:
        matchup: the game and the two sides.
        schedule: which games it has.
        store: keeps the games; a folder shares them with other processes.
        played: all games that were played, in the order of their ends.
    """

    def __init__(
        self,
        matchup: Matchup,
        schedule: Schedule,
        played: Sequence[Played] = (),
        folder: GameStore | None = None,
    ) -> None:
        """Begin, or go on after the games in ``played`` or in the folder."""
        self.matchup = matchup
        self.schedule = schedule
        self.store: GameStore = _Memory(played) if folder is None else folder
        self.played = self.store.played()

    @property
    def score(self) -> ContestScore:
        """The score so far."""
        return contest_score(self.played, self.schedule.test)

    def run(self, watch: Watch, jobs: int = 1, idle: Idle | None = None) -> ContestScore:
        """Play what is left, until the test has ended if there is one.

        Where other processes play games of the same folder, what they play counts as well. At the
        end their last games are waited for, and a game that was not finished is played here.

        Args:
            watch: told each game that is played here, with the score after it; what it raises
                ends the contest, as does Ctrl-C. Games that were played before stay in ``played``.
            jobs: how many games are played at once.
            idle: told how many games others are playing, now and then while they are waited for.

        Raises:
            InvalidOptionsError: there is no such player.
            NotInstalledError: several games at once need the extra ``lab``.
            WorkerError: the processes that play cannot.
        """

        def tell(games: list[Played]) -> None:
            self.played = self.store.played()
            for game in games:
                watch(game, self.score)

        def is_open() -> bool:
            self.played = self.store.played()
            return self.score.verdict is ContestVerdict.OPEN

        runner = Runner(self.matchup.play, _name, self.store, tell, idle, is_open, between=0.0)
        runner.play(in_turn(self._missing()), Workers(jobs))
        return self.score

    def _missing(self) -> Iterator[Fixture]:
        """Yield the games that have not been played; both halves of a pair have one opening."""
        for fixture in fixtures_of(self.matchup.game, self.schedule):
            if any(one.fixture.number == fixture.number for one in self.played):
                continue
            used = (one.fixture.opening for one in self.played if one.fixture.pair == fixture.pair)
            yield replace(fixture, opening=next(used, fixture.opening))


def _name(fixture: Fixture) -> str:
    return str(fixture.number)
