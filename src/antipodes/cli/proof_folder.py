"""Proofs in folders: ``antipodes solve --out``, and their progress in ``antipodes lab status``."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from antipodes.cli.balance_commands import table
from antipodes.cli.terminal import Terminal

if TYPE_CHECKING:
    from antipodes.lab.proofs import ProofProgress
    from antipodes.search.proof.solver import Solver

PROOF = "proof.json.xz"
_ROWS = 20  # of the progress


@dataclass(frozen=True, slots=True)
class FolderTerms:
    """Where and by whom a proof is searched.

    Attributes:
        folder: that keeps it.
        jobs: processes on this machine.
        scheduler: address of a scheduler of Dask, or ``None``.
        memory: of the table in MiB.
    """

    folder: Path
    jobs: int
    scheduler: str | None
    memory: int


def search_in_folder(
    solver: Solver, terms: FolderTerms, seconds: float | None, *, all_moves: bool
) -> Solver:
    """Search in a folder; return a solver with the table, from which results can be read at once.

    A pairing needs no search.

    Raises:
        InputError: the folder cannot be used.
    """
    from antipodes.lab.proofs import ProofFolder
    from antipodes.parallel.workers import Workers
    from antipodes.search.proof.solver import Solver

    terminal = Terminal()

    def tell(sentence: str) -> None:
        terminal.end_status()
        click.echo(sentence, err=True)

    def watch(progress: ProofProgress) -> None:
        news = (
            f"positions {progress.nodes:,}, {progress.seconds:.0f} s, proof number"
            f" {progress.proof:,}, disproof number {progress.disproof:,},"
            f" {progress.open_positions} positions open, table {progress.entries:,}"
        )
        terminal.remark(news)
        terminal.status(news)

    folder = ProofFolder(terms.folder, solver.position)
    if solver.strategy is not None:
        return solver
    workers = Workers(terms.jobs, terms.scheduler, dashboard=True, tell=tell)
    terminal.status("Preparing the engine")
    try:
        table = folder.solve(
            workers, watch, memory=terms.memory, all_moves=all_moves, seconds=seconds
        )
    finally:
        terminal.end_status()
    return Solver(solver.position, table=table)


def show_proof_status(path: Path, *, as_json: bool) -> None:
    """Print the progress of the proof in a folder.

    Raises:
        InputError: it cannot be read.
    """
    from antipodes.lab.proofs import ProofFolder
    from antipodes.search.proof.files import read_proof

    folder = ProofFolder(path)
    position, history = folder.position, folder.history()
    file = path / PROOF
    proof = read_proof(file.read_bytes()) if file.exists() else None
    if as_json:
        data = {
            "game": position.game.id,
            "options": position.game.options.as_dict(),
            "to_move": position.to_move.value,
            "winner": None if proof is None else proof.winner.value,
            "proof": None if proof is None else str(file),
            "history": [asdict(one) for one in history],
        }
        click.echo(json.dumps(data, indent=1))
        return
    click.echo(position.caption())
    head = ["seconds", "positions", "proof number", "disproof number", "open", "table"]
    rows = [
        [
            f"{moment.seconds:,.0f}",
            f"{moment.nodes:,}",
            _number(moment.proof),
            _number(moment.disproof),
            str(moment.open_positions),
            f"{moment.entries:,}",
        ]
        for moment in _sample(history)
    ]
    click.echo(table(head, rows))
    if proof is not None:
        click.echo(f"{proof.winner.title} wins: proof of {len(proof.lines):,} lines in {file}")


def _number(number: int) -> str:
    """Return a proof number; those of solved positions are infinite or 0."""
    from antipodes.search.kernels.proof_table import INFINITY

    return "infinite" if number >= INFINITY - 1 else f"{number:,}"


def _sample(history: list[ProofProgress]) -> list[ProofProgress]:
    """Return some lines of a history, evenly spread, the last one included."""
    steps = min(len(history), _ROWS)
    places = [round(step * (len(history) - 1) / max(steps - 1, 1)) for step in range(steps)]
    return [history[place] for place in places]
