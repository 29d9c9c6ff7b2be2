"""``antipodes puzzles``: list, show, play, verify and make puzzles."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from antipodes.cli import exits
from antipodes.cli.parameters import (
    chosen_game,
    complete_game,
    game_argument,
    jobs_option,
    json_option,
    read_settings,
    set_option,
)
from antipodes.cli.sources import write_output
from antipodes.cli.terminal import Terminal
from antipodes.errors import InputError

if TYPE_CHECKING:
    from antipodes.puzzles.model import Puzzle
    from antipodes.puzzles.workshop import Summary, Workshop

_VERBS = {"win": "wins", "draw": "draws", "save": "saves"}

Command = TypeVar("Command", bound=Callable[..., Any])


@click.group("puzzles")
def puzzles_command() -> None:
    """Solve puzzles: positions in which exactly one move wins, draws or saves, with proofs."""


def _filters(command: Command) -> Command:
    """Add the options that choose puzzles."""
    for option in (
        click.option("--difficulty", type=click.IntRange(1, 9), metavar="N", help="Difficulty."),
        click.option("--goal", type=click.Choice(tuple(_VERBS)), help="Goal: win, draw or save."),
        click.option("--theme", metavar="THEME", help="Theme, such as fork."),
        click.option(
            "--game", "game_id", metavar="GAME", shell_complete=complete_game, help="Game."
        ),
    ):
        command = option(command)
    return command


def _folder_option(command: Command) -> Command:
    """Add the option ``--data``, passed on as ``folder``."""
    return click.option(
        "--data",
        "folder",
        type=click.Path(path_type=Path, file_okay=False, exists=True),
        metavar="DIR",
        help="Folder of puzzles; by default those that come with the program.",
    )(command)


def _folder(folder: Path | None) -> Path:
    from antipodes.puzzles.store import FOLDER

    return folder or FOLDER


@puzzles_command.command("list")
@_filters
@_folder_option
@json_option
def list_command(
    game_id: str | None,
    theme: str | None,
    difficulty: int | None,
    goal: str | None,
    folder: Path | None,
    *,
    as_json: bool,
) -> None:
    """List the puzzles."""
    from antipodes.puzzles.store import chosen

    where = _folder(folder)
    puzzles = chosen(where, game_id=game_id, theme=theme, difficulty=difficulty, goal=goal)
    if as_json:
        click.echo(json.dumps([_row(one) for one in puzzles], indent=1))
        return
    for puzzle in puzzles:
        turns = "" if puzzle.turns is None else f" in {puzzle.turns}"
        themes = f"  {', '.join(puzzle.themes)}" if puzzle.themes else ""
        click.echo(
            f"{puzzle.id}  {puzzle.game_id:15}  difficulty {puzzle.difficulty}"
            f"  {puzzle.solver.title} {_VERBS[puzzle.goal]}{turns}{themes}"
        )
    counts = ", ".join(f"{game} {n}" for game, n in Counter(p.game_id for p in puzzles).items())
    click.echo(f"{len(puzzles)} puzzles" + (f": {counts}" if counts else ""), err=True)


def _row(puzzle: Puzzle) -> dict[str, Any]:
    """Return a puzzle without its solution."""
    return {
        "id": puzzle.id,
        "game": puzzle.game_id,
        "options": puzzle.game.options.as_dict(),
        "goal": puzzle.goal,
        "turns": puzzle.turns,
        "length": puzzle.length,
        "theme": puzzle.theme,
        "themes": list(puzzle.themes),
        "difficulty": puzzle.difficulty,
    }


@puzzles_command.command("show")
@click.argument("puzzle_id", metavar="ID")
@click.option("--proof", "proof_path", metavar="OUT", help="Write the proof to a file.")
@click.option("--solution", "with_solution", is_flag=True, help="Show the solution as well.")
@_folder_option
@json_option
def show_command(
    puzzle_id: str,
    proof_path: str | None,
    folder: Path | None,
    *,
    with_solution: bool,
    as_json: bool,
) -> None:
    """Show a puzzle; with --json also its solution.

    With --proof the proof that the solver wins is written to a file; that of Antipod, Hex or
    Cylindrical Hex is one for "antipodes solve --verify".
    """
    from antipodes.puzzles.proofs import proof_file
    from antipodes.puzzles.store import find_puzzle, proof_of

    puzzle = find_puzzle(puzzle_id, _folder(folder))
    if proof_path is not None:
        write_output(proof_path, proof_file(puzzle, proof_of(puzzle, _folder(folder))))
    if as_json:
        click.echo(json.dumps(_details(puzzle), indent=1))
        return
    click.echo(puzzle.position.picture())
    click.echo(_task(puzzle))
    if with_solution:
        click.echo(f"Solution: {' '.join(puzzle.line)}")


def _details(puzzle: Puzzle) -> dict[str, Any]:
    """Return all that is known about a puzzle."""
    data = puzzle.as_dict()
    return {
        **_row(puzzle),
        "setup": data["setup"],
        "to_move": puzzle.solver.value,
        "solutions": list(puzzle.solutions),
        "line": data["line"],
        "source": data["source"],
    }


def _task(puzzle: Puzzle) -> str:
    """Return what the solver has to do, in a sentence."""
    name = puzzle.solver.title
    if puzzle.goal == "draw":
        return f"{name} to move and draw. Only one move draws. (Difficulty {puzzle.difficulty})"
    if puzzle.goal == "save":
        other = puzzle.game.opponent_of(puzzle.solver)
        assert other is not None
        turns = "1 turn" if puzzle.turns == 1 else f"{puzzle.turns} turns"
        return (
            f"{name} to move and save the game: after any other move {other.title} wins in {turns}."
            f" (Difficulty {puzzle.difficulty})"
        )
    if puzzle.turns is None:
        return f"{name} to move and win. Only one move wins. (Difficulty {puzzle.difficulty})"
    turns = "at once" if puzzle.turns == 1 else f"in {puzzle.turns} turns"
    return f"{name} to move and win {turns}. (Difficulty {puzzle.difficulty})"


@puzzles_command.command("verify")
@click.option("--game", "game_id", metavar="GAME", shell_complete=complete_game, help="Game.")
@click.option("--sample", type=click.IntRange(1), metavar="N", help="Verify only N puzzles.")
@click.option("--seed", type=int, default=1, show_default=True, help="Chooses these puzzles.")
@_folder_option
@json_option
def verify_command(
    game_id: str | None, sample: int | None, seed: int, folder: Path | None, *, as_json: bool
) -> int:
    """Verify the proofs: that the solution wins, draws or saves, and that no other move does.

    The exit code is 0 only if every proof holds.
    """
    from antipodes.puzzles import store

    puzzles = store.chosen(_folder(folder), game_id=game_id)
    if sample is not None:
        puzzles = store.sample(puzzles, sample, seed)
    faults = _verify(puzzles, _folder(folder))
    if as_json:
        verified = len(puzzles) - len(faults)
        click.echo(json.dumps({"verified": verified, "faults": faults}, indent=1))
    else:
        for fault in faults:
            place = f" at {fault['place']}" if fault["place"] else ""
            click.echo(f"{fault['id']}: does not hold{place}: {fault['message']}")
        click.echo(f"{len(puzzles) - len(faults)} of {len(puzzles)} puzzles verified")
    return exits.NO if faults else exits.OK


def _verify(puzzles: Sequence[Puzzle], folder: Path) -> list[dict[str, str]]:
    from antipodes.puzzles.proofs import PuzzleError
    from antipodes.puzzles.store import proof_of
    from antipodes.puzzles.verification import verify_puzzle

    terminal = Terminal()
    faults = []
    for number, puzzle in enumerate(puzzles):
        terminal.status(f"Verifying: {number} of {len(puzzles)}")
        try:
            verify_puzzle(puzzle, proof_of(puzzle, folder))
        except PuzzleError as error:
            faults.append({"id": puzzle.id, "place": error.place, "message": str(error)})
        except InputError as error:
            faults.append({"id": puzzle.id, "place": "", "message": str(error)})
    terminal.end_status()
    return faults


@puzzles_command.command("make")
@game_argument()
@click.option("--count", type=click.IntRange(1), required=True, metavar="N", help="How many.")
@click.option("--seed", type=int, default=1, show_default=True, help="Decides everything.")
@click.option(
    "--out",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("puzzles"),
    show_default=True,
    metavar="DIR",
    help="Folder for the puzzles; work in it is continued.",
)
@set_option
@click.option(
    "--games",
    "paths",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="Records from which to take positions: JSON, SGF, or .jsonl with one on each line, such as"
    " a site's open data; .gz as well. Several times for several files.",
)
@jobs_option
@json_option
def make_command(
    game_id: str,
    count: int,
    seed: int,
    folder: Path,
    settings: Sequence[str],
    paths: tuple[Path, ...],
    *,
    jobs: int,
    as_json: bool,
) -> None:
    """Make puzzles from games of the computer, or from records, and prove them.

    Ctrl-C stops the work; the same command continues it.
    """
    from antipodes.games.registry import game_class
    from antipodes.puzzles.archive_games import Archive
    from antipodes.puzzles.mining import Order
    from antipodes.puzzles.workshop import Workshop

    if paths and settings:
        raise click.UsageError("--set chooses the computer's games and does not go with --games.")
    known = game_class(game_id).id
    options = read_settings(settings)
    chosen_game(known, settings)
    archive = Archive(paths, known) if paths else None
    workshop = Workshop(folder, Order(known, seed, options, archive))
    terminal = Terminal()

    def tell(made: Workshop, found: int) -> None:
        text = f"{found} of {count} puzzles, {len(made.harvests)} games"
        terminal.status(text)
        if len(made.harvests) % 25 == 0:
            terminal.remark(text)

    try:
        made = workshop.make(count, tell, jobs)
    except KeyboardInterrupt:
        terminal.end_status()
        mined = len(workshop.mined)
        click.echo(f"Stopped after {mined} games; the same command continues.", err=True)
        raise
    finally:
        terminal.end_status()
    summary = workshop.summary(made)
    if as_json:
        click.echo(json.dumps(summary.as_dict(), indent=1))
    else:
        click.echo("\n".join(_summary_lines(summary)))


def _summary_lines(summary: Summary) -> list[str]:
    """Return the numbers of a run for people."""

    def listed(counts: Any) -> str:
        return ", ".join(f"{name or 'none'} {count}" for name, count in counts.items())

    minutes = f"{summary.seconds / 60:.1f} minutes of CPU time"
    decided = f"{summary.decided:.0%} decided"
    return [
        f"{summary.puzzles} puzzles from {summary.games} games, {minutes}",
        f"Candidates: {summary.candidates} ({listed(summary.findings)}); {decided}",
        f"Themes: {listed(summary.themes)}",
        f"Difficulties: {listed(summary.difficulties)}",
    ]


@puzzles_command.command("play")
@click.argument("puzzle_id", metavar="[ID]", required=False)
@_filters
@click.option("--seed", type=int, metavar="NUMBER", help="Chooses the puzzle if no ID is given.")
@_folder_option
def play_command(
    puzzle_id: str | None,
    game_id: str | None,
    theme: str | None,
    difficulty: int | None,
    goal: str | None,
    seed: int | None,
    folder: Path | None,
) -> int:
    """Solve a puzzle at the terminal, by default a random one.

    Type a move, "hint", "solution", "board" or "quit".
    """
    from antipodes.puzzles.store import chosen, find_puzzle

    where = _folder(folder)
    if puzzle_id is not None:
        puzzle = find_puzzle(puzzle_id, where)
    else:
        puzzles = chosen(where, game_id=game_id, theme=theme, difficulty=difficulty, goal=goal)
        if not puzzles:
            raise InputError.single("puzzle/unknown", "there is no such puzzle")
        puzzle = random.Random(seed).choice(puzzles)
    from antipodes.cli.puzzle_game import PuzzleGame

    return exits.OK if PuzzleGame(puzzle, Terminal(), _task(puzzle)).run() else exits.NO
