"""Experiments as files: a game, a grid of options, players, openings, and when it is enough.

An experiment says which tasks there are; their results stand in a folder, and a task that has a row
is not played again, whatever experiment it came from.
"""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from antipodes.errors import Fault, InputError, InvalidOptionsError
from antipodes.files import replace_file
from antipodes.games.position import Game
from antipodes.games.registry import make_game
from antipodes.lab.balance import Balance, Setting
from antipodes.lab.contestants import make_contestant
from antipodes.lab.intervals import share_interval
from antipodes.lab.results import Results
from antipodes.lab.schema import EXPERIMENT, schema
from antipodes.lab.tasks import GameTask
from antipodes.records.schema import shape_faults

FILE = "experiment.toml"  # in the folder of the results
STEP = 50  # games of a setting between two looks at the width of its interval


@dataclass(frozen=True, slots=True)
class Series:
    """The games of one setting.

    Attributes:
        game: the game with its options.
        players: one for each seat, or one for all.
        openings: moves with spaces between them, taken in turn; none if empty.
        seed: of the experiment.
        games: how many at most.
        width: of the interval that is narrow enough, or ``None``.
    """

    game: Game
    players: tuple[str, ...]
    openings: tuple[str, ...]
    seed: int
    games: int
    width: float | None

    @property
    def setting(self) -> Setting:
        """Game and players, as results are reported."""
        return Setting(self.game, " / ".join(self.players))

    def task(self, number: int) -> GameTask:
        """Return a game of the series, from 1."""
        opening = self.openings[(number - 1) % len(self.openings)] if self.openings else ""
        return GameTask.numbered(self.game, self.players, self.seed, number, opening.split())


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment as its file tells it.

    Attributes:
        text: of the file.
        title: the question, or an empty text.
        series: the games of each setting.
    """

    text: str
    title: str
    series: tuple[Series, ...]

    @classmethod
    def read(cls, path: Path) -> Experiment:
        """Read a file.

        Raises:
            InputError: it cannot be read, or is no experiment; with all faults.
            UnknownGameError: no game has this id.
        """
        try:
            text = path.read_bytes().decode()
            data = tomllib.loads(text)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            message = f"{str(path)!r} cannot be read: {reason}"
            raise InputError([Fault("lab/experiment", message)]) from None
        faults = list(shape_faults(_validator(), data, "lab/experiment"))
        if faults:
            raise InputError(faults, f"{str(path)!r} is no experiment:")
        games = list(_games(data["game"], data.get("options", {})))
        openings = tuple(data.get("openings", ()))
        for game in games:
            _check_openings(game, openings)
        players = [(one,) if isinstance(one, str) else tuple(one) for one in data["players"]]
        for name in dict.fromkeys(itertools.chain.from_iterable(players)):
            make_contestant(name).close()
        stop = data["stop"]
        series = tuple(
            Series(game, names, openings, data.get("seed", 1), stop["games"], stop.get("width"))
            for names in players
            for game in games
        )
        for one_series in series:
            one_series.task(1)  # tells a wrong number of players
        return cls(text, data.get("title", ""), series)

    def keep(self, folder: Path) -> None:
        """Write the file into the folder of the results, so that it can be resumed.

        Raises:
            InputError: the folder has results of another game, or cannot be written.
        """
        path = folder / FILE
        if path.exists():
            self.check_same_game(Experiment.read(path))
        try:
            replace_file(path, self.text.encode())
        except OSError as error:
            message = f"{str(folder)!r} cannot be used for results: {error.strerror or error}"
            raise InputError([Fault("lab/folder", message)]) from None

    def check_same_game(self, other: Experiment) -> None:
        """Raise InputError unless another experiment has the same game."""
        ours, theirs = (one.series[0].game.title for one in (self, other))
        if ours != theirs:
            message = f"the folder has an experiment with {theirs}, not {ours}; take another folder"
            raise InputError([Fault("lab/other", message)])


def _validator() -> Any:
    from jsonschema import Draft202012Validator  # noqa: PLC0415 - takes a tenth of a second

    return Draft202012Validator(schema(EXPERIMENT))


def _games(game_id: str, options: Mapping[str, Any]) -> Iterator[Game]:
    values = [one if isinstance(one, list) else [one] for one in options.values()]
    for chosen in itertools.product(*values):
        yield make_game(game_id, dict(zip(options, chosen, strict=True)))


def _check_openings(game: Game, openings: Sequence[str]) -> None:
    """Raise InvalidOptionsError unless a game can begin with each opening."""
    for opening in openings:
        position = game.initial()
        try:
            for word in opening.split():
                position = position.play(word)
        except InputError as error:
            message = f"{opening!r} cannot be played: {error}"
            raise InvalidOptionsError([Fault("openings/over", message, "openings")]) from None
        if position.outcome is not None:
            message = f"{opening!r} is a whole game, not an opening"
            raise InvalidOptionsError([Fault("openings/over", message, "openings")])


@dataclass(slots=True)
class SeriesProgress:
    """How far the games of a series are.

    Attributes:
        series: the series.
        ids: of its tasks so far, in order.
        next: how many of these have been given out, or had a row then.
        done: how many have a row.
        counted: of these, games in which no player failed.
        wins: of these, won by the colour whose share is asked for; draws count in parts.
        has_ended: whether no more games are wanted.
        of: the colour whose share is asked for.
    """

    series: Series
    ids: list[str] = field(default_factory=list)
    next: int = 0
    done: int = 0
    counted: int = 0
    wins: float = 0.0
    has_ended: bool = False
    of: str = field(init=False)

    def __post_init__(self) -> None:
        """Choose the colour as for the balance."""
        self.of = Balance(self.series.setting).of.value

    def add(self, winner: str | None) -> None:
        """Count a game; see :meth:`~antipodes.lab.results.Results.winners`."""
        self.done += 1
        if winner is not None:
            self.counted += 1
            drawn = 1.0 / len(self.series.game.colors)
            self.wins += float(winner == self.of) if winner else drawn

    def new_ids(self) -> list[str]:
        """Return the ids of further tasks if all before have rows and more are wanted."""
        first = len(self.ids)
        if self.has_ended or self.done < first:
            return []
        low, high = self.interval
        width = self.series.width
        self.has_ended = first == self.series.games or (width is not None and high - low <= width)
        step = 0 if self.has_ended else self.series.games if width is None else STEP
        last = min(first + step, self.series.games)
        new = [self.series.task(number).id for number in range(first + 1, last + 1)]
        self.ids += new
        return new

    @property
    def share(self) -> float:
        """The share of points of the colour that is asked for; one half without games."""
        return self.wins / self.counted if self.counted else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share."""
        return share_interval(self.share, self.counted)


class Plan:
    """The tasks of an experiment, in an order in which all series are about equally far.

    Attributes:
        progress: of each series.
    """

    def __init__(self, experiment: Experiment, results: Results) -> None:
        self.progress = [SeriesProgress(one) for one in experiment.series]
        self._results = results
        self._of: dict[str, SeriesProgress] = {}  # by the ids of tasks
        self._counted = 0  # results, those of other experiments too
        self.look()

    def look(self) -> Mapping[str, str | None]:
        """Count the results of all processes; return them."""
        winners = self._results.winners()
        # New results stand last.
        for name, winner in itertools.islice(winners.items(), self._counted, None):
            if name in self._of:
                self._of[name].add(winner)
        self._counted = len(winners)
        for progress in self.progress:
            while new := progress.new_ids():
                for name in new:
                    self._of[name] = progress
                    if name in winners:
                        progress.add(winners[name])
        return winners

    def take(self, count: int) -> list[GameTask]:
        """Return the next tasks that have no row, so many at most.

        None are returned where results must come before it is known whether more are wanted.
        """
        winners = self.look()
        tasks: list[GameTask] = []
        while left := [one for one in self.progress if one.next < len(one.ids)]:
            # Tasks of one setting together, so that programs need not be started for each game.
            progress = min(left, key=lambda progress: progress.next)
            while progress.next < len(progress.ids) and len(tasks) < count:
                progress.next += 1
                if progress.ids[progress.next - 1] not in winners:
                    tasks.append(progress.series.task(progress.next))
            if len(tasks) == count:
                break
        return tasks

    @property
    def done(self) -> int:
        """Games of the experiment that have a row."""
        return sum(one.done for one in self.progress)

    @property
    def wanted(self) -> int:
        """Games that there will be; with a width, at most."""
        return sum(len(one.ids) if one.has_ended else one.series.games for one in self.progress)

    def balances(self) -> list[Balance]:
        """Return the results of each series."""
        found = {id(one): Balance(one.series.setting) for one in self.progress}
        for row in self._results.rows():
            if row.id in self._of:
                found[id(self._of[row.id])].add(row)
        return list(found.values())
