"""Making puzzles in a folder: a line for each game that was mined, so that the work can go on.

``<name>.mined.jsonl``, with the name of the order, begins with a line about the run; each further
line has the puzzles of one game with their proofs. A line that was not written to its end is
dropped. The puzzles that are wanted are chosen from these games in the order of their numbers, so
the choice depends on order and count alone, and not on how many processes mine.
"""

from __future__ import annotations

import itertools
import json
import os
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any

from antipodes.errors import InputError
from antipodes.parallel.running import in_turn, run
from antipodes.parallel.workers import Workers
from antipodes.puzzles.candidates import Find
from antipodes.puzzles.mining import Harvest, Order, mine_game
from antipodes.puzzles.model import puzzle_of_data
from antipodes.puzzles.proofs import proof_data, proof_of_data
from antipodes.puzzles.store import MINED, write_puzzles

FORMAT = "antipodes-mined-puzzles"
VERSION = 1

_MOST_EASY = 0.2  # share of puzzles that the lowest level solves
_MOST_SHORT = 0.06  # share of puzzles with a win at once


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of a run.

    Attributes:
        games: that were mined.
        findings: number of candidates by what was found out about them.
        seconds: CPU time.
        puzzles: number of puzzles that were chosen.
        themes: number of these by their first theme.
        difficulties: number of these by difficulty.
    """

    games: int
    findings: dict[str, int]
    seconds: float
    puzzles: int
    themes: dict[str, int]
    difficulties: dict[int, int]

    @property
    def candidates(self) -> int:
        """The number of candidates."""
        return sum(self.findings.values())

    @property
    def decided(self) -> float:
        """The share of candidates about which everything was proven."""
        open_ones = self.findings.get("unproven", 0)
        return 1 - open_ones / self.candidates if self.candidates else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return the numbers as data for JSON."""
        data = {name: getattr(self, name) for name in self.__slots__}
        return {**data, "candidates": self.candidates, "decided": round(self.decided, 4)}


@dataclass
class Workshop:
    """A folder in which puzzles of one game and goal are made.

    Attributes:
        folder: the folder.
        order: the puzzles to make.
        mined: the games that have been mined, by number.
    """

    folder: Path
    order: Order
    mined: dict[int, Harvest] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read what is in the folder; begin a file if there is none.

        Raises:
            InputError: the folder cannot be used, or has puzzles of another run.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if self._path.exists():
                self._read(self._path.read_text(encoding="utf-8"))
            else:
                self._path.write_text(json.dumps(self._head) + "\n", encoding="utf-8")
        except OSError as error:
            message = f"{str(self._path)!r} cannot be used: {error.strerror}"
            raise InputError.single("puzzle/folder", message) from None

    @property
    def harvests(self) -> list[Harvest]:
        """The mined games in order, up to the first one that has not been mined."""
        return list(takewhile(bool, map(self.mined.get, itertools.count())))  # type: ignore[arg-type]

    @property
    def _path(self) -> Path:
        return self.folder / f"{self.order.name}{MINED}"

    @property
    def _head(self) -> dict[str, Any]:
        order = self.order
        head = {"format": FORMAT, "version": VERSION, "game": order.game_id, "seed": order.seed}
        if order.name != order.game_id:
            head["name"] = order.name
        return head if order.archive is None else {**head, "games": order.archive.digest}

    def _read(self, text: str) -> None:
        """Read the file, and drop a line that was not written to its end."""
        lines = text.split("\n")
        whole, rest = lines[:-1], lines[-1]
        if not whole or json.loads(whole[0]) != self._head:
            message = f"{str(self._path)!r} belongs to another run; choose another folder"
            raise InputError.single("puzzle/folder", message)
        self.mined = {one.number: one for one in map(_read_harvest, whole[1:])}
        if rest:
            self._path.write_text("\n".join([*whole, ""]), encoding="utf-8")

    def make(
        self,
        count: int,
        on_progress: Callable[[Workshop, int], object] = lambda _workshop, _found: None,
        jobs: int = 1,
    ) -> list[Find]:
        """Mine games until there are so many puzzles or no more games, and write the puzzles.

        Args:
            count: of puzzles.
            on_progress: called after each game with the number of puzzles so far. An exception in
                it ends the work; the games that have been mined are kept.
            jobs: how many games are mined at once.

        Raises:
            NotInstalledError: several games at once need the extra ``lab``.
        """
        selected = select(self.harvests, count)
        if len(selected) < count:
            missing = (number for number in self.order.numbers() if number not in self.mined)
            mine = partial(mine_game, self.order)
            with closing(run(mine, in_turn(missing), Workers(jobs), batch_seconds=0)) as batches:
                for harvest in (one for batch in batches for _, one in batch):
                    self.keep(harvest)
                    selected = select(self.harvests, count)
                    on_progress(self, len(selected))
                    if len(selected) == count:
                        break
        write_puzzles(self.folder, self.order.name, [(one.puzzle, one.proof) for one in selected])
        summary = json.dumps(self.summary(selected).as_dict(), indent=2) + "\n"
        path = self.folder / f"{self.order.name}.summary.json"
        path.write_text(summary, encoding="utf-8")
        return selected

    def keep(self, harvest: Harvest) -> None:
        """Add a mined game to the file; when the call returns, it is safe."""
        finds = [
            {"puzzle": find.puzzle.as_dict(), "proof": proof_data(find.proof)}
            for find in harvest.finds
        ]
        line = {
            "number": harvest.number,
            "findings": harvest.findings,
            "seconds": harvest.seconds,
            "finds": finds,
        }
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
            file.flush()
            os.fsync(file.fileno())
        self.mined[harvest.number] = harvest

    def summary(self, finds: Sequence[Find]) -> Summary:
        """Return the numbers of the run, with these puzzles chosen."""
        findings: Counter[str] = Counter()
        harvests = self.harvests
        for harvest in harvests:
            findings.update(harvest.findings)
        return Summary(
            games=len(harvests),
            findings=dict(sorted(findings.items())),
            seconds=round(sum(harvest.seconds for harvest in harvests), 1),
            puzzles=len(finds),
            themes=dict(sorted(Counter(one.puzzle.theme for one in finds).items())),
            difficulties=dict(sorted(Counter(one.puzzle.difficulty for one in finds).items())),
        )


def select(harvests: Sequence[Harvest], count: int) -> list[Find]:
    """Return the first puzzles, so many at most, without symmetric ones and too many easy ones."""
    chosen: dict[str, Find] = {}
    easy = short = 0
    for harvest in harvests:
        for find in harvest.finds:
            if len(chosen) == count:
                break
            puzzle = find.puzzle
            is_easy, is_short = puzzle.difficulty == 1, puzzle.turns == 1
            too_many = easy + is_easy > _MOST_EASY * count, short + is_short > _MOST_SHORT * count
            if puzzle.id in chosen or (is_easy and too_many[0]) or (is_short and too_many[1]):
                continue
            chosen[puzzle.id] = find
            easy += is_easy
            short += is_short
    return list(chosen.values())


def _read_harvest(line: str) -> Harvest:
    """Read a line of the file.

    Raises:
        InputError: it is none.
    """
    try:
        data = json.loads(line)
        finds = tuple(_read_find(one) for one in data["finds"])
        return Harvest(data["number"], finds, data["findings"], data["seconds"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        message = f"a line of mined puzzles cannot be read: {error}"
        raise InputError.single("puzzle/folder", message) from None


def _read_find(data: dict[str, Any]) -> Find:
    return Find(puzzle_of_data(data["puzzle"]), proof_of_data(data["proof"]))
