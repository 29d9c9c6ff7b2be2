"""Proofs in folders: a position that many processes solve, and that can be continued at any time.

A folder has the position as a record, ``position.json``; the table of the search, ``table.npz``;
and the progress, a line of ``history.jsonl`` now and then.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from antipodes.errors import Fault, InputError
from antipodes.games.kernels import Array, header
from antipodes.games.placement import PlacementPosition
from antipodes.games.position import Position
from antipodes.parallel.running import run
from antipodes.parallel.workers import Workers
from antipodes.records import Record, load, save
from antipodes.search.kernels.proof_table import INFINITY
from antipodes.search.proof.jobs import JobTree, ProofJob, forget_searches, search_job
from antipodes.search.proof.table import ProofTable

POSITION = "position.json"
_TABLE = "table.npz"
_HISTORY = "history.jsonl"
_LOCK = "folder.lock"

_BETWEEN_SAVES = 300.0  # seconds
_GROWTH = 1.05  # of the time between lines of the history
_LEAST = 1.0  # seconds between them


@dataclass(frozen=True, slots=True)
class ProofProgress:
    """How far a proof was at one time.

    Attributes:
        seconds: of work so far, in all runs.
        nodes: positions evaluated.
        proof: work left to prove that the side to move wins; 0 once all is solved.
        disproof: the same for the other side.
        open_positions: not solved: the one of the folder, or those after its moves.
        entries: positions in the table.
    """

    seconds: float
    nodes: int
    proof: int
    disproof: int
    open_positions: int
    entries: int


Watch = Callable[[ProofProgress], object]


class ProofFolder:
    """A folder with a proof in progress.

    Attributes:
        path: of the folder.
        position: that is solved.
    """

    def __init__(self, path: Path, position: Position | None = None) -> None:
        """Open a folder, or begin one for a position.

        Raises:
            InputError: it cannot be used, has no proof in it, or that of another position.
        """
        self.path = path
        file = path / POSITION
        if position is not None and not file.exists():
            is_start = position == position.game.initial()
            record = Record(position.game, None if is_start else position.to_setup())
            with _folder_errors(path):
                path.mkdir(parents=True, exist_ok=True)
            save(file, record)
        stored = load(file).final_position()
        if position is not None and stored != position:
            message = f"{str(path)!r} has the proof of another position: {stored.caption()}"
            raise InputError([Fault("solve/other-position", message, "--out")])
        self.position = position or stored

    def history(self) -> list[ProofProgress]:
        """Return the progress so far; a line that was not written to its end is left out."""
        try:
            lines = (self.path / _HISTORY).read_text(encoding="utf-8").splitlines(keepends=True)
        except FileNotFoundError:
            return []
        return [ProofProgress(**json.loads(line)) for line in lines if line.endswith("\n")]

    def table(self, memory: int) -> ProofTable:
        """Return the table so far, at most ``memory`` MiB.

        Raises:
            InputError: it cannot be read.
        """
        path = self.path / _TABLE
        return ProofTable.load(str(path), memory) if path.exists() else ProofTable(memory)

    def solve(
        self,
        workers: Workers,
        watch: Watch,
        *,
        memory: int = 256,
        all_moves: bool = False,
        seconds: float | None = None,
    ) -> ProofTable:
        """Search until the position is solved, or the time is over; return the table.

        The progress is kept also when an exception, such as Ctrl-C, ends the work.

        Args:
            workers: who searches.
            watch: called with the progress after each result.
            memory: bound of the table in MiB.
            all_moves: whether to solve the position after each move instead.
            seconds: from now.

        Raises:
            InputError: another process works in the folder, or it cannot be written.
            NotInstalledError: the extra ``lab`` is missing.
            WorkerError: the workers cannot work.
        """
        lock = FileLock(self.path / _LOCK)
        try:
            held = lock.acquire(blocking=False)
        except Timeout:
            message = f"another process works on the proof in {str(self.path)!r}"
            raise InputError([Fault("solve/in-use", message, "--out")]) from None
        with held:
            search = _Run(self, self.table(memory), all_moves=all_moves)
            search.run(workers, watch, seconds)
            return search.tree.table


class _Run:
    """One run of the search in a folder."""

    def __init__(self, folder: ProofFolder, table: ProofTable, *, all_moves: bool) -> None:
        position = folder.position
        assert isinstance(position, PlacementPosition)
        states = list(_states_after(position)) if all_moves else [_without_swap(position)]
        self.tree = JobTree(position.game, states, table)
        self._folder = folder
        self._all_moves = all_moves
        history = folder.history()
        self._before = history[-1] if history else None
        self._began = self._saved = time.monotonic()
        self._noted = 0.0  # seconds at the last line of the history

    def run(self, workers: Workers, watch: Watch, seconds: float | None) -> None:
        """Search, note the progress, and save the table now and then and at the end."""

        def take(_count: int) -> list[ProofJob]:
            is_over = seconds is not None and time.monotonic() - self._began >= seconds
            job = None if is_over else self.tree.next_job()
            return [] if job is None else [job]

        try:
            with closing(run(search_job, take, workers, forget_searches, 0.0)) as batches:
                for batch in batches:
                    for job, result in batch:
                        self.tree.learn(job, result)
                    watch(self._progress())
                    self._keep()
        finally:
            self._keep(at_end=True)

    def _progress(self) -> ProofProgress:
        before = self._before
        entries = self.tree.numbers()
        if self._all_moves:
            disproofs = [entry.disproof for entry in entries]
            proof, disproof = min(disproofs, default=0), sum(entry.proof for entry in entries)
        elif entries:
            proof, disproof = entries[0].proof, entries[0].disproof
        else:
            proof, disproof = 0, 0
        return ProofProgress(
            seconds=round(time.monotonic() - self._began + (before.seconds if before else 0.0), 1),
            nodes=self.tree.nodes + (before.nodes if before else 0),
            proof=min(proof, INFINITY),
            disproof=min(disproof, INFINITY),
            open_positions=len(entries),
            entries=len(self.tree.table),
        )

    def _keep(self, *, at_end: bool = False) -> None:
        progress = self._progress()
        is_due = progress.seconds > max(_GROWTH * self._noted, self._noted + _LEAST)
        if at_end or is_due:
            self._noted = progress.seconds
            path = self._folder.path
            with _folder_errors(path), (path / _HISTORY).open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(progress)) + "\n")
        if at_end or time.monotonic() - self._saved > _BETWEEN_SAVES:
            self._saved = time.monotonic()
            self.tree.table.save(str(self._folder.path / _TABLE))


def _without_swap(position: PlacementPosition[Any]) -> Array:
    state = position.kernel_state.copy()
    state[header.SWAP_OPEN] = 0
    return state


def _states_after(position: PlacementPosition[Any]) -> Iterator[Array]:
    """Yield the states after the moves that do not end the game."""
    game = position.game
    for cell in range(game.topology.cell_count):
        state = _without_swap(position)
        if state[header.HEADER + cell] == 0:
            game.rules.play(game.tables, state, game.work(), cell)
            state[header.SWAP_OPEN] = 0
            if not state[header.WINNER]:
                yield state


@contextmanager
def _folder_errors(path: Path) -> Iterator[None]:
    """Report that a folder cannot be used."""
    try:
        yield
    except OSError as error:
        message = f"{str(path)!r} cannot be used for a proof: {error.strerror or error}"
        raise InputError([Fault("lab/folder", message)]) from None
