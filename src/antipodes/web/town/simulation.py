"""Simulations: runs of the town, each in a process of its own, and the search for short ones."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path

from antipodes.errors import Fault, InputError
from antipodes.parallel import running
from antipodes.parallel.workers import Workers

Say = Callable[[str], object]
Act = tuple[int, int]  # a person, and the number of the act among those of the person

BROKEN = "BROKEN "  # begins a line about a breach of a law
_WORLD = -1  # acts too, like a person
_MEMORY = Path("/dev/shm")  # noqa: S108 - a folder in memory, where the system has one
_LAW = re.compile(rf"{BROKEN}after \d+: (\w+): ")
_DONE = re.compile(r"day (\d+) (\d\d):(\d\d) (?:person (\d+)|world), act (\d+):")


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a run, which decide all of it.

    Attributes:
        seed: of everything that is random.
        people: how many live in the town.
        days: of virtual time.
        events: at most; ``None`` for no limit.
        acts: the only acts that people do; ``None`` for all.
        program: the module that runs, with its first arguments.
        coverage: whether what people have used is said at the end.
        picture: a file for a picture of all hours; ``None`` for no picture.
        database: a migrated one that the site gets a copy of; ``None`` to make one.
    """

    seed: int
    people: int = 20
    days: float = 7.0
    events: int | None = None
    acts: frozenset[Act] | None = None
    program: tuple[str, ...] = ("antipodes.web.town.run",)
    database: Path | None = None
    coverage: bool = False
    picture: Path | None = None


@dataclass(frozen=True, slots=True)
class Run:
    """The result of a run.

    Attributes:
        broken: laws that were broken, by name, in the order of their first breaches.
        acts: that were done before the first breach, or all.
        days: until then.
        summary: the last line.
    """

    broken: tuple[str, ...]
    acts: tuple[Act, ...]
    days: float
    summary: str


def simulate(
    settings: Settings, say: Say, is_enough: Callable[[Collection[str]], bool] = lambda _: False
) -> Run:
    """Run the town once.

    Args:
        settings: of the run.
        say: gets each event and each breach as a line.
        is_enough: told the names of the laws that are broken after each breach; the run ends when
            it is true.
    """
    broken: dict[str, None] = {}
    acts: list[Act] = []
    days, line = settings.days, ""
    with closing(_lines(settings)) as lines:
        for line in lines:
            say(line)
            if law := _LAW.match(line):
                broken.setdefault(law[1])
                if is_enough(broken):
                    break
            elif not broken and (done := _DONE.search(line)):
                day, hours, minutes, act = map(int, done.group(1, 2, 3, 5))
                who = _WORLD if done[4] is None else int(done[4])
                acts.append((who, act))
                days = day + (hours * 60 + minutes + 1) / 1_440
    return Run(tuple(broken), tuple(acts), days, line)


def _lines(settings: Settings) -> Generator[str]:
    """Yield what the process of a run writes."""
    with _folder(settings.database) as folder:
        command = [sys.executable, "-m", *settings.program, str(folder)]
        for name in ("seed", "people", "days"):
            command += [f"--{name}", str(getattr(settings, name))]
        if settings.events is not None:
            command += ["--events", str(settings.events)]
        if settings.coverage:
            command.append("--coverage")
        if settings.picture is not None:
            command += ["--picture", str(settings.picture.absolute())]
        if settings.acts is not None:
            chosen = folder.with_suffix(".json")
            chosen.write_text(json.dumps(sorted(settings.acts)), encoding="utf-8")
            command += ["--acts", str(chosen)]
        environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "1"}
        for name in ("DATABASE_URL", "REDIS_URL"):
            environment.pop(name, None)
        with subprocess.Popen(  # noqa: S603 - this program
            command, env=environment, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        ) as process:
            assert process.stdout is not None
            try:
                yield from (line.rstrip("\n") for line in process.stdout)
            finally:
                process.terminate()  # if its other lines are not wanted


def simulate_seeds(
    settings: Settings, seeds: int, workers: Workers, results: Path | None
) -> Iterator[tuple[int, Run]]:
    """Yield seeds with their runs, as these end; those of an earlier call come first.

    Args:
        settings: of the first seed.
        seeds: how many, one after another.
        workers: run several at once.
        results: a file that gets each run that has ended, so that a later call with the same
            numbers does the others only; ``None`` for none.

    Raises:
        InputError: the file has other lines.
    """
    ended = {} if results is None else _ended(results, settings)
    wanted = range(settings.seed, settings.seed + seeds)
    yield from ((seed, ended[seed]) for seed in wanted if seed in ended)
    left = [replace(settings, seed=seed) for seed in wanted if seed not in ended]
    work = partial(simulate, say=_ignore)
    for batch in running.run(work, running.in_turn(left), workers, batch_seconds=0):
        for done, run in batch:
            if results is not None:
                line = {"terms": _terms(settings), "seed": done.seed, **asdict(run), "acts": ()}
                with results.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(line) + "\n")
            yield done.seed, run


def _terms(settings: Settings) -> list[float | None]:
    """Return the numbers that decide a run beside its seed."""
    return [settings.people, settings.days, settings.events]


def _ended(results: Path, settings: Settings) -> dict[int, Run]:
    """Return the runs of a file that have the same numbers, by their seeds."""
    ended = {}
    lines = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
    for number, text in enumerate(lines, 1):
        try:
            line = json.loads(text)
            run = Run(tuple(line["broken"]), (), float(line["days"]), str(line["summary"]))
            if line["terms"] == _terms(settings):
                ended[int(line["seed"])] = run
        except (ValueError, TypeError, KeyError):
            message = f"line {number} of {str(results)!r} is no run of the town: {text[:60]!r}"
            raise InputError([Fault("simulate/results", message, "--results")]) from None
    return ended


def _ignore(_line: str) -> None:
    """Take no notice."""


@contextmanager
def _folder(database: Path | None) -> Iterator[Path]:
    """Make a folder for the data of one run, perhaps with a database; delete it at last."""
    base = Path(tempfile.mkdtemp(dir=_MEMORY if os.access(_MEMORY, os.W_OK) else None))
    folder = base / "site"
    folder.mkdir(mode=0o700)
    try:
        if database is not None:
            shutil.copyfile(database, folder / "site.sqlite3")
        yield folder
    finally:
        shutil.rmtree(base, ignore_errors=True)


def shrink(settings: Settings, run: Run, say: Say, most: int = 60) -> tuple[Act, ...]:
    """Return a few acts of a run that break the same law without the others.

    People are left out first, then acts: half of them, a quarter of them, and so on, as long as the
    law is still broken.

    Args:
        settings: of the run.
        run: the run, which has broken a law.
        say: gets a line after each attempt.
        most: attempts.
    """
    law = run.broken[0]
    left = most

    def breaks(acts: Sequence[Act]) -> bool:
        nonlocal left
        left -= 1
        tried = replace(settings, acts=frozenset(acts), days=run.days, events=None)
        is_broken = law in simulate(tried, lambda _line: None).broken
        say(f"{len(acts)} acts {'break' if is_broken else 'do not break'} the law")
        return is_broken

    acts = list(run.acts)
    for who in sorted({who for who, _ in acts}):
        others = [act for act in acts if act[0] != who]
        if left and len(others) < len(acts) and breaks(others):
            acts = others
    size = len(acts) // 2
    while size and left:
        first = 0
        while first < len(acts) and left:
            others = acts[:first] + acts[first + size :]
            if others and breaks(others):
                acts = others
            else:
                first += size
        size //= 2
    return tuple(acts)
