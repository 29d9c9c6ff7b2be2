"""``antipodes solve``: prove who wins, write the proof down, and verify such proofs."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from antipodes.cli import exits
from antipodes.cli.parameters import (
    jobs_option,
    json_option,
    lenient_option,
    memory_option,
    set_option,
    source_argument,
)
from antipodes.cli.proof_folder import PROOF, FolderTerms, search_in_folder
from antipodes.cli.sources import chosen_position, read_bytes, write_bytes, write_output
from antipodes.cli.terminal import Terminal
from antipodes.errors import Fault, InputError, InvalidOptionsError

if TYPE_CHECKING:
    from antipodes.games.position import Position
    from antipodes.search.proof.files import Proof
    from antipodes.search.proof.solver import Solver, SolverProgress
    from antipodes.search.proof.table import ProofTable

_BETWEEN_REMARKS = 60.0  # seconds between lines on progress where none can be overwritten
_BETWEEN_SAVES = 600.0
_GROWTH = 1.2  # of the time between entries of the history


@click.command("solve")
@source_argument(required=False)
@set_option
@click.option("--ply", type=int, metavar="N", help="After N moves; negative: from the end.")
@click.option("--all-moves", is_flag=True, help="Find out of each move whether it wins.")
@click.option("--proof", "proof_path", metavar="OUT", help="Write a proof; OUT.xz compressed.")
@click.option("--verify", "verify_path", metavar="PROOF", help="Verify a proof, solve nothing.")
@click.option(
    "--table",
    "table_path",
    metavar="FILE",
    help="Go on from a table if it is there, and save it at the end.",
)
@click.option("--seconds", type=click.FloatRange(min=0), metavar="S", help="Give up after S.")
@click.option(
    "--out",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Keep progress, table and proof in a folder, and continue from there.",
)
@jobs_option
@click.option(
    "--scheduler",
    metavar="URL",
    help="With --out: solve on a cluster of Dask, such as tcp://HOST:8786.",
)
@memory_option
@json_option
@lenient_option
def solve_command(
    source: str | None,
    *,
    settings: tuple[str, ...],
    ply: int | None,
    all_moves: bool,
    proof_path: str | None,
    verify_path: str | None,
    table_path: str | None,
    seconds: float | None,
    folder: Path | None,
    jobs: int,
    scheduler: str | None,
    memory: int,
    as_json: bool,
    lenient: bool,
) -> int:
    """Prove who wins a position of Antipod, Hex or Cylindrical Hex.

    FILE is a record, or a picture of a board as text; - is standard input. The last position is
    solved if you do not say which. With GAME it is the start of a game. Ctrl-C ends the work.

    With --out, several processes can share the work; "antipodes lab status DIR" shows the progress.
    """
    position = None
    if source is not None:
        position = chosen_position(source, settings, ply, lenient=lenient)
    elif verify_path is None:
        message = "name a file or a game to solve, or a proof with --verify"
        raise InvalidOptionsError([Fault("option/conflict", message)])
    if verify_path is not None:
        return _verify(verify_path, position, as_json=as_json)
    assert position is not None
    solver = _solver(position, memory, table_path)
    terms = _terms(folder, jobs, scheduler, memory, table_path)
    if terms is not None:
        began = time.monotonic()
        proof_path = proof_path or str(terms.folder / PROOF)
        solver = search_in_folder(solver, terms, seconds, all_moves=all_moves)
        seconds = None if seconds is None else max(seconds - time.monotonic() + began, 0.0)
    run = _Run(solver, table_path)
    is_solved = run.run(seconds, all_moves=all_moves)
    proof = None
    if proof_path is not None and run.solver.winner is not None:
        proof = run.prove()
        proof.verify()
        if proof_path.endswith(".xz"):
            write_bytes(proof_path, proof.compressed())
        else:
            write_output(proof_path, proof.text())
    if as_json:
        click.echo(json.dumps(run.as_dict(proof_path if proof else None), indent=2))
    else:
        click.echo("\n".join(run.lines(all_moves=all_moves)))
        if proof is not None:
            click.echo(f"Proof: {len(proof.lines):,} lines, verified; in {proof_path}.")
        click.echo(run.figures(), err=True)
    return exits.OK if is_solved else exits.NO


def _terms(
    folder: Path | None, jobs: int, scheduler: str | None, memory: int, table_path: str | None
) -> FolderTerms | None:
    """Return where and by whom a proof is searched; ``None`` for this process alone.

    Raises:
        InvalidOptionsError: the options do not agree.
    """
    if folder is None and (jobs > 1 or scheduler is not None):
        message = "several processes need a folder to share: --out DIR"
        raise InvalidOptionsError([Fault("option/conflict", message)])
    if folder is not None and table_path is not None:
        message = f"{str(folder)!r} has a table of its own: leave out --table"
        raise InvalidOptionsError([Fault("option/conflict", message)])
    return None if folder is None else FolderTerms(folder, jobs, scheduler, memory)


def _solver(position: Position, memory: int, table_path: str | None) -> Solver:
    """Return a solver with its table.

    Raises:
        InputError: the position cannot be solved, or the table is not for it.
    """
    from antipodes.games.placement import is_connection_game
    from antipodes.search.proof.solver import Solver
    from antipodes.search.proof.table import ProofTable

    if not is_connection_game(position.game):
        message = f"{position.game.title} cannot be solved; Antipod, Hex and Cylindrical Hex can"
        raise InputError([Fault("solve/no-such-game", message)])
    if position.outcome is not None:
        message = f"there is nothing to solve, the game is over: {position.outcome}"
        raise InputError([Fault("solve/game-over", message)])
    table: ProofTable | None = None
    if table_path is not None and Path(table_path).exists():
        table = ProofTable.load(table_path, memory)
    return Solver(position, memory=memory, table=table)


class _Run:
    """A run of the solver: it shows the progress, and saves the table."""

    def __init__(self, solver: Solver, table_path: str | None) -> None:
        self.solver = solver
        self._table_path = table_path
        self._terminal = Terminal()
        self._began = self._saved = self._remarked = time.monotonic()
        self._text = ""
        self._history: list[dict[str, float]] = []
        self._all_moves = False

    def run(self, seconds: float | None, *, all_moves: bool) -> bool:
        """Solve; save the table, also when interrupted."""
        self._all_moves = all_moves
        self._terminal.status("Preparing the engine")
        try:
            return self.solver.run(seconds=seconds, all_moves=all_moves, on_progress=self._watch)
        except KeyboardInterrupt:
            self._terminal.end_status()
            click.echo(f"Interrupted: {self._text or 'nothing is known yet'}", err=True)
            raise
        finally:
            self._save()
            self._terminal.end_status()

    def prove(self) -> Proof:
        """Return the proof, and show how it grows."""
        try:
            return self.solver.prove(
                lambda lines: self._tell(f"Writing the proof: {lines:,} lines")
            )
        finally:
            self._terminal.end_status()

    def _tell(self, text: str) -> None:
        """Show how far the work has come, and now and then leave a line of it."""
        self._terminal.status(text)
        now = time.monotonic()
        if now - self._remarked > _BETWEEN_REMARKS:
            self._remarked = now
            self._terminal.remark(text)

    def _watch(self, progress: SolverProgress) -> None:
        self._text = (
            f"positions {progress.nodes:,}, {progress.seconds:.0f} s, proof number"
            f" {progress.proof:,}, disproof number {progress.disproof:,},"
            f" {progress.open_moves} moves open, table {progress.entries:,}"
        )
        self._tell(self._text)
        if not self._history or progress.seconds > _GROWTH * self._history[-1]["seconds"]:
            self._history.append(
                {
                    "seconds": round(progress.seconds, 3),
                    "nodes": progress.nodes,
                    "proof_number": progress.proof,
                    "disproof_number": progress.disproof,
                }
            )
        if time.monotonic() - self._saved > _BETWEEN_SAVES:
            self._save()

    def _save(self) -> None:
        self._saved = time.monotonic()
        if self._table_path is not None:
            self.solver.table.save(self._table_path)

    def lines(self, *, all_moves: bool) -> list[str]:
        """Return what was found, for people."""
        position, winner = self.solver.position, self.solver.winner
        lines = [position.caption()]
        if self.solver.leaves_out_swap:
            lines.append("A swap is left out: this is who wins if no player swaps.")
        moves = ", ".join(map(position.format_move, self.solver.winning_moves))
        if winner is None:
            lines.append(f"Not solved: {self._text}.")
        elif winner is position.to_move and not all_moves:
            lines.append(f"{winner.title} wins with {moves}.")
        elif winner is position.to_move:
            lines.append(f"{winner.title} wins with {moves}; other moves lose.")
            if not self.solver.is_complete:
                lines[-1] = f"{winner.title} wins with {moves}; other moves are not decided."
        else:
            lines.append(f"{winner.title} wins, whatever {position.to_move.title} plays.")
        strategy = self.solver.strategy
        if winner is not None and strategy is not None:
            lines.append(
                f"This needs no search: there are {len(strategy.pairs)} pairs of points, and"
                f" {winner.title} answers a stone on one point with the other."
            )
        return lines

    def figures(self) -> str:
        """Return a line on the size of the search."""
        spent = time.monotonic() - self._began
        table = f"{len(self.solver.table):,} in the table"
        return f"positions looked at: {self.solver.nodes:,}, {table}, {spent:.2f} s"

    def as_dict(self, proof_path: str | None) -> dict[str, Any]:
        """Return what was found, for programs."""
        solver = self.solver
        position = solver.position
        return {
            "game": position.game.id,
            "options": position.game.options.as_dict(),
            "ply": position.ply,
            "to_move": position.to_move.value,
            "winner": None if solver.winner is None else solver.winner.value,
            "moves": [position.format_move(move) for move in solver.winning_moves],
            "complete": solver.is_complete,
            "proof_number": None if solver.winner else solver.progress(0.0).proof,
            "disproof_number": None if solver.winner else solver.progress(0.0).disproof,
            "pairing": None if solver.strategy is None else solver.strategy.pairs,
            "history": self._history,
            "nodes": solver.nodes,
            "entries": len(solver.table),
            "seconds": round(time.monotonic() - self._began, 3),
            "proof": proof_path,
        }


def _verify(path: str, position: Position | None, *, as_json: bool) -> int:
    """Verify a proof, and that it is for a position if one is given; return an exit code."""
    from antipodes.search.proof.checker import ProofError
    from antipodes.search.proof.files import read_proof

    proof = read_proof(read_bytes(path))
    if position is not None and proof.position != position:
        message = f"the proof is for another position: {proof.position.caption()}"
        raise InputError([Fault("proof/other-position", message)])
    told = {
        "holds": True,
        "game": proof.position.game.id,
        "options": proof.position.game.options.as_dict(),
        "to_move": proof.position.to_move.value,
        "winner": proof.winner.value,
        "lines": len(proof.lines),
        "wrong_line": None,
        "message": "",
    }
    try:
        proof.verify()
    except ProofError as error:
        told.update(holds=False, wrong_line=error.place, message=str(error))
    if as_json:
        click.echo(json.dumps(told, indent=2))
    elif told["holds"]:
        click.echo(proof.position.caption())
        click.echo(f"The proof holds: {proof.winner.title} wins. {len(proof.lines):,} lines.")
    else:
        place = "" if told["wrong_line"] is None else f" in line {told['wrong_line']}"
        click.echo(f"The proof does not hold{place}: {told['message']}.")
    return exits.OK if told["holds"] else exits.NO
