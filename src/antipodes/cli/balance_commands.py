"""``antipodes lab balance`` and ``lab fair``: which colour wins more often, and where none does."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from antipodes.cli.game_progress import GameProgress
from antipodes.cli.parameters import (
    complete_setting,
    game_argument,
    json_option,
    read_settings,
)
from antipodes.cli.terminal import Terminal
from antipodes.errors import Fault, InvalidOptionsError

if TYPE_CHECKING:
    from antipodes.lab.balance import Balance, Setting, Tallies
    from antipodes.lab.fair import Found
    from antipodes.lab.results import Results
    from antipodes.lab.tasks import GameRow, GameTask
    from antipodes.parallel.workers import Workers

Command = TypeVar("Command", bound=Callable[..., Any])

_MOST_VALUES = 1000  # of one option
_DEFAULT_PLAYER = "computer:3"


def _experiment_options(command: Command) -> Command:
    """Add the options that both commands share."""
    for option in (
        json_option,
        click.option(
            "--scheduler",
            metavar="URL",
            help="Play on a cluster of Dask, such as tcp://HOST:8786.",
        ),
        click.option(
            "--jobs",
            type=click.IntRange(1, 1024),
            default=1,
            show_default=True,
            metavar="J",
            help="Games that are played at once.",
        ),
        click.option(
            "--out",
            metavar="DIR",
            type=click.Path(path_type=Path),
            help="Keep the games in a folder, and continue from there; several processes may share"
            " it.",
        ),
        click.option(
            "--seed",
            type=click.IntRange(min=0, max=1 << 32),
            default=1,
            show_default=True,
            metavar="NUMBER",
            help="Decides the choices of the players.",
        ),
        click.option(
            "--player",
            "players",
            multiple=True,
            default=(_DEFAULT_PLAYER,),
            show_default=True,
            metavar="PLAYER",
            help="Who plays all seats, such as computer:5; may be given several times.",
        ),
        click.option(
            "--set",
            "settings",
            metavar="KEY=VALUES",
            multiple=True,
            shell_complete=complete_setting,
            help="Values of an option, such as side=4,6 or side=4..8; may be given several times.",
        ),
        game_argument(),
    ):
        command = option(command)
    return command


@click.command("balance")
@_experiment_options
@click.option(
    "--games",
    type=click.IntRange(1, 1_000_000),
    default=100,
    show_default=True,
    metavar="N",
    help="Games of each setting.",
)
def balance_command(
    game_id: str,
    *,
    settings: tuple[str, ...],
    players: tuple[str, ...],
    games: int,
    seed: int,
    out: Path | None,
    jobs: int,
    scheduler: str | None,
    as_json: bool,
) -> None:
    """Measure how often each colour wins games between equal players.

    Every combination of the values of --set is played by every --player, from the start position
    and without random openings. Shares have 95 % intervals (Wilson). Ctrl-C shows the result so
    far; with --out the same command goes on with it later.
    """
    from antipodes.lab.balance import Tallies, grid, tasks_of

    chosen = grid(game_id, _values(settings), _checked(players))
    tallies = Tallies(chosen, seed)
    terminal = Terminal()
    try:
        with _folder(out) as results:
            workers = _workers(jobs, scheduler, terminal)

            def done() -> int:
                return sum(min(one.total, games) for one in tallies.balances.values())

            tasks = tasks_of(chosen, games, seed)
            tallies.add(results.rows())
            progress = GameProgress(done, lambda: games * len(chosen), terminal)
            _play(tasks, results, tallies, progress, workers)
    finally:
        terminal.end_status()
        if tallies.games:
            balances = list(tallies.balances.values())
            terminal.say(_as_json(balances) if as_json else balance_table(balances))


@click.command("fair")
@_experiment_options
@click.option(
    "--tune",
    metavar="KEY",
    default="extra_stones",
    show_default=True,
    help="The option whose values are searched.",
)
@click.option(
    "--games",
    type=click.IntRange(1, 1_000_000),
    default=100,
    show_default=True,
    metavar="N",
    help="Games of each combination and player, all values together.",
)
def fair_command(
    game_id: str,
    *,
    settings: tuple[str, ...],
    players: tuple[str, ...],
    tune: str,
    games: int,
    seed: int,
    out: Path | None,
    jobs: int,
    scheduler: str | None,
    as_json: bool,
) -> None:
    """Search for the value of an option at which both colours win as often.

    Games gather at the values that tell most. For each combination of the values of --set the
    fairest value is reported, with the share of each --player there by all games (a logistic curve
    over the values) and by the games at this value alone.
    """
    from antipodes.lab.balance import grid
    from antipodes.lab.fair import Family, Search

    values = _values(settings)
    option = _tuned(game_id, tune, values)
    names = _checked(players)
    families = [Family(one.game, option, names) for one in grid(game_id, values, names[:1])]
    search = Search(families, games, seed)
    terminal = Terminal()
    try:
        with _folder(out) as results:
            workers = _workers(jobs, scheduler, terminal)
            search.tallies.add(results.rows())
            progress = GameProgress(lambda: search.done, lambda: search.wanted, terminal)
            _play(search.tasks(), results, search.tallies, progress, workers)
    finally:
        terminal.end_status()
        if search.tallies.games:
            fairest = search.found()
            terminal.say(_as_json(fairest) if as_json else _fair_table(fairest))


def _values(settings: Sequence[str]) -> dict[str, list[str]]:
    """Read options with one value, several with commas between them, or a range ``4..8``.

    Raises:
        InvalidOptionsError: a setting is not of this form.
    """
    values: dict[str, list[str]] = {}
    for name, text in read_settings(settings).items():
        words = [word.strip() for word in text.split(",")]
        values[name] = list(dict.fromkeys(one for word in words for one in _range(name, word)))
    return values


def _range(name: str, word: str) -> list[str]:
    first, dots, last = word.partition("..")
    if not dots or not (first.isdecimal() and last.isdecimal()):
        return [word]
    if len(last) > 9 or not 0 <= int(last) - int(first) < _MOST_VALUES:
        message = f"{name} is {word}, but must be a rising range of at most {_MOST_VALUES} numbers"
        raise InvalidOptionsError([Fault("option/malformed", message, "--set")])
    return [str(number) for number in range(int(first), int(last) + 1)]


def _checked(players: Sequence[str]) -> tuple[str, ...]:
    """Return the players, each once, and raise unless all of them exist.

    Raises:
        InvalidOptionsError: there is no such player.
    """
    from antipodes.lab.contestants import make_contestant

    names = tuple(dict.fromkeys(players))
    for name in names:
        make_contestant(name).close()
    return names


def _tuned(game_id: str, name: str, values: dict[str, list[str]]) -> str:
    """Return the name of an option that is a number and is not set.

    Raises:
        InvalidOptionsError: it is not.
    """
    from antipodes.games.registry import game_class

    wanted = name.strip().lower().replace("-", "_")
    numbers = [one.name for one in game_class(game_id).option_table() if not one.values]
    if wanted in numbers and wanted not in values:
        return wanted
    known = ", ".join(one for one in numbers if one not in values) or "none"
    message = f"{name!r} cannot be tuned in {game_id}; options that can: {known}"
    raise InvalidOptionsError([Fault("lab/tune", message, "--tune")])


@contextmanager
def _folder(out: Path | None) -> Iterator[Results]:
    """Open the folder of results, or one that is deleted at the end."""
    from antipodes.lab.results import Results

    if out is not None:
        yield Results(out)
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Results(Path(folder))


def _workers(jobs: int, scheduler: str | None, terminal: Terminal) -> Workers:
    from antipodes.parallel.workers import Workers

    return Workers(count=jobs, scheduler=scheduler, tell=terminal.remark)


def _play(
    tasks: Iterable[GameTask],
    results: Results,
    tallies: Tallies,
    progress: GameProgress,
    workers: Workers,
) -> None:
    """Play tasks that have no row yet, and count all rows."""
    from antipodes.lab.scheduling import run_tasks

    def watch(rows: list[GameRow]) -> None:
        tallies.add(rows)
        progress.tell()

    run_tasks(tasks, results, workers, watch, progress.wait)
    tallies.add(results.rows())


def _as_json(found: Sequence[Balance] | Sequence[Found]) -> str:
    return json.dumps([one.as_dict() for one in found], indent=1)


def _options_words(setting: Setting, columns: Sequence[str]) -> list[str]:
    values = setting.game.options.as_dict()
    return [str(values[name]) for name in columns]


def _columns(settings: Sequence[Setting]) -> list[str]:
    """Return the options that are not the defaults of all settings."""
    names = settings[0].game.options.as_dict()
    return [name for name in names if any(name in one.game.options.changed() for one in settings)]


def balance_table(balances: Sequence[Balance]) -> str:
    """Return the results of settings as a table."""
    columns = _columns([one.setting for one in balances])
    # Settings may have different numbers of colours.
    colors = max((one.setting.game.colors for one in balances), key=len)
    color = balances[0].of
    head = [*columns, "player", "games", *(color.value for color in colors), "draws"]
    head += [f"{color.value}'s share", "plies"]
    head += ["swaps"] if any(one.swaps for one in balances) else []
    head += ["different"] if any(len(one.courses) < one.games for one in balances) else []
    head += ["failed"] if any(one.failed for one in balances) else []
    rows = []
    for balance in balances:
        row = [
            *_options_words(balance.setting, columns),
            balance.setting.player,
            str(balance.games),
        ]
        theirs = balance.setting.game.colors
        row += [str(balance.wins[color]) if color in theirs else "" for color in colors]
        row += [str(balance.draws), str(balance.share()), f"{balance.length:.0f}"]
        row += [str(balance.swaps)] if "swaps" in head else []
        row += [str(len(balance.courses))] if "different" in head else []
        row += [str(balance.failed)] if "failed" in head else []
        rows.append(row)
    return table(head, rows)


def _fair_table(fairest: Sequence[Found]) -> str:
    settings = [one.lines[0].balances[one.index].setting for one in fairest]
    columns = _columns(settings)
    tuned = fairest[0].family.option
    columns = [*(name for name in columns if name != tuned), tuned]
    color = fairest[0].lines[0].balances[0].of
    head = [
        *columns,
        "verdict",
        "player",
        "games",
        f"{color.value}'s share",
        "games there",
        "share",
    ]
    rows = []
    for fair, setting in zip(fairest, settings, strict=True):
        for line in fair.lines:
            here = line.balances[fair.index]
            row = [*_options_words(setting, columns), fair.verdict.value, line.player]
            row += [str(line.games), str(line.curves.share(fair.value))]
            rows.append([*row, str(here.games), str(here.share())])
    return table(head, rows)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table as text, with aligned columns."""
    lines = [head, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(word.ljust(width) for word, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
