"""The puzzles that come with the program, read when they are asked for.

Each run that made puzzles has two files: ``<name>.jsonl`` has a puzzle on each line, and
``<name>.proofs.jsonl.xz`` their proofs in the same order. The name is that of the game, and may be
followed by a goal and by options, such as ``antipode.draw`` or ``antipod.side-6``.
"""

from __future__ import annotations

import lzma
import random
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from antipodes.errors import InputError
from antipodes.files import replace_file
from antipodes.games.registry import game_class, game_ids
from antipodes.notation.text import shorten
from antipodes.puzzles.model import THEMES, Puzzle, read_puzzle
from antipodes.puzzles.proofs import Proof, proof_text, read_proof

FOLDER = Path(__file__).with_name("data")


MINED = ".mined.jsonl"  # ends the names of unfinished work in the same folder

_PUZZLES = ".jsonl"
_PROOFS = ".proofs.jsonl.xz"


def files_of(folder: Path, game_id: str) -> list[tuple[Path, Path]]:
    """Return the files with a game's puzzles, each with the file of their proofs."""
    found = [folder / f"{game_id}{_PUZZLES}", *sorted(folder.glob(f"{game_id}.*{_PUZZLES}"))]
    return [
        (path, path.with_name(path.name.removesuffix(_PUZZLES) + _PROOFS))
        for path in found
        if path.exists() and not path.name.endswith(MINED)
    ]


@cache
def puzzles(game_id: str, folder: Path = FOLDER) -> tuple[Puzzle, ...]:
    """Return the puzzles of a game in the order of the files; none if there is no file.

    Raises:
        UnknownGameError: no game has this id.
        InputError: the file cannot be read.
    """
    known = game_class(game_id).id
    texts = (path.read_text(encoding="utf-8") for path, _ in files_of(folder, known))
    return tuple(read_puzzle(line) for text in texts for line in text.splitlines())


@cache
def _proof_texts(game_id: str, folder: Path) -> dict[str, str]:
    """Return the proofs of a game as text, by the id of the puzzle."""
    prefix = len('{"id":"')
    proofs: dict[str, str] = {}
    for _, path in files_of(folder, game_id):
        try:
            text = lzma.decompress(path.read_bytes()).decode()
        except (OSError, lzma.LZMAError, UnicodeDecodeError) as error:
            message = f"{str(path)!r} cannot be read: {error}"
            raise InputError.single("puzzle/unreadable", message) from None
        proofs |= {line[prefix : line.index('"', prefix)]: line for line in text.splitlines()}
    return proofs


def proof_of(puzzle: Puzzle, folder: Path = FOLDER) -> Proof:
    """Return the proof of a puzzle, which is not checked.

    Raises:
        InputError: it cannot be read, or there is none.
    """
    text = _proof_texts(puzzle.game_id, folder).get(puzzle.id)
    if text is None:
        message = f"there is no proof of puzzle {puzzle.id}"
        raise InputError.single("puzzle/no-proof", message)
    return read_proof(text)[1]


def all_puzzles(folder: Path = FOLDER) -> list[Puzzle]:
    """Return the puzzles of all games."""
    return [puzzle for game_id in game_ids() for puzzle in puzzles(game_id, folder)]


def find_puzzle(puzzle_id: str, folder: Path = FOLDER) -> Puzzle:
    """Return the puzzle with an id.

    Raises:
        InputError: there is none.
    """
    wanted = puzzle_id.strip().lower()
    puzzle = next((one for one in all_puzzles(folder) if one.id == wanted), None)
    if puzzle is None:
        message = f'there is no puzzle {shorten(puzzle_id)}; "antipodes puzzles list" lists them'
        raise InputError.single("puzzle/unknown", message)
    return puzzle


def chosen(
    folder: Path = FOLDER,
    *,
    game_id: str | None = None,
    theme: str | None = None,
    difficulty: int | None = None,
    goal: str | None = None,
) -> list[Puzzle]:
    """Return the puzzles of a game, with a theme, of a difficulty, or with a goal.

    Raises:
        UnknownGameError: no game has this id.
        InputError: there is no such theme.
    """
    if theme is not None and theme not in THEMES:
        message = f"there is no theme {shorten(theme)}; there are {', '.join(THEMES)}"
        raise InputError.single("puzzle/theme", message)
    candidates = all_puzzles(folder) if game_id is None else list(puzzles(game_id, folder))
    return [
        puzzle
        for puzzle in candidates
        if (theme is None or theme in puzzle.themes)
        and (difficulty is None or difficulty == puzzle.difficulty)
        and (goal is None or goal == puzzle.goal)
    ]


def sample(found: Sequence[Puzzle], count: int, seed: int) -> list[Puzzle]:
    """Return so many of the puzzles, the same ones for the same seed."""
    return random.Random(seed).sample(list(found), min(count, len(found)))


def write_puzzles(folder: Path, name: str, proven: Iterable[tuple[Puzzle, Proof]]) -> None:
    """Write the files of a run, each at once.

    Raises:
        InputError: they cannot be written.
    """
    pairs = list(proven)
    rows = "".join(f"{puzzle.text()}\n" for puzzle, _ in pairs)
    proofs = "".join(f"{proof_text(puzzle.id, proof)}\n" for puzzle, proof in pairs)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(folder / f"{name}{_PUZZLES}", rows.encode())
        packed = lzma.compress(proofs.encode(), preset=9 | lzma.PRESET_EXTREME)
        replace_file(folder / f"{name}{_PROOFS}", packed)
    except OSError as error:
        message = f"{str(folder)!r} cannot be written: {error.strerror}"
        raise InputError.single("file/unwritable", message) from None
