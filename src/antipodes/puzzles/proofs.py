"""Proofs of puzzles of all games and goals: reading, writing and checking."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from antipodes.errors import InputError
from antipodes.games.placement import PlacementPosition, is_connection_game
from antipodes.notation.text import shorten
from antipodes.puzzles.connection_proofs import ConnectionProof, check_connection_proof
from antipodes.puzzles.model import Puzzle
from antipodes.puzzles.strategies import (
    Rescue,
    Strategies,
    StrategyError,
    check_rescue,
    check_strategies,
)
from antipodes.records.json_format import setup_data
from antipodes.search.proof.checker import ProofError
from antipodes.search.proof.files import Proof as WinProof

FORMAT = "antipodes-forced-win"
VERSION = 1

Proof = ConnectionProof | Strategies | Rescue

_KINDS: Mapping[str, type[Proof]] = {
    "win": ConnectionProof,
    "attack": Strategies,
    "losses": Rescue,
}  # by a part that only this kind has
_RESCUES = (("draw", True), ("save", False))  # goals, and whether any number of turns counts


class PuzzleError(Exception):
    """A puzzle or its proof is wrong; ``place`` is a line of the proof or moves, if known."""

    def __init__(self, message: str, place: str = "") -> None:
        super().__init__(message)
        self.place = place


def proof_text(puzzle_id: str, proof: Proof) -> str:
    """Return a proof as a line of JSON."""
    return json.dumps({"id": puzzle_id, **proof_data(proof)}, separators=(",", ":"))


def proof_data(proof: Proof) -> dict[str, Any]:
    """Return a proof as data for JSON."""
    return {name: getattr(proof, name) for name in proof.__slots__}


def proof_of_data(data: Mapping[str, Any]) -> Proof:
    """Return a proof from data of JSON; it is not checked.

    Raises:
        KeyError, TypeError: the data are not a proof.
    """
    kind = next((kind for part, kind in _KINDS.items() if part in data), Strategies)
    parts = {name: data[name] for name in kind.__slots__}
    if not all(isinstance(part, list) for part in parts.values()):
        raise TypeError("a part is not a list")
    return kind(**parts)


def read_proof(text: str) -> tuple[str, Proof]:
    """Read a line of JSON; return the id of the puzzle and its proof, which is not checked.

    Raises:
        InputError: the text is not a proof.
    """
    try:
        data = json.loads(text)
        return str(data["id"]), proof_of_data(data)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        message = f"{shorten(text)} is not a proof of a puzzle: {error}"
        raise InputError.single("puzzle/malformed", message) from None


def check_proof(puzzle: Puzzle, proof: Proof) -> None:
    """Verify the proof of a puzzle: its solution wins, and no other move does.

    Raises:
        PuzzleError: the proof does not hold.
        InputError: the puzzle's position or solution is none of the game.
    """
    position, solution = puzzle.position, puzzle.solution
    if position.to_move is not puzzle.solver or position.outcome is not None:
        raise PuzzleError("the solver is not to move")
    try:
        match proof, position:
            case ConnectionProof(), PlacementPosition() if (
                puzzle.goal == "win" and is_connection_game(puzzle.game)
            ):
                if puzzle.turns is not None:
                    raise PuzzleError("the proof says nothing about the number of turns")
                check_connection_proof(proof, position, solution)
            case Strategies(), _ if puzzle.goal == "win" and puzzle.turns is not None:
                check_strategies(proof, position, puzzle.turns, solution)
            case Rescue(), _ if (puzzle.goal, puzzle.turns is None) in _RESCUES:
                check_rescue(proof, position, puzzle.turns, solution)
            case _:
                raise PuzzleError("the proof is of the wrong kind")
    except ProofError as error:
        place = "" if error.place is None else f"line {error.place}"
        raise PuzzleError(str(error), place) from None
    except StrategyError as error:
        raise PuzzleError(str(error), error.place) from None


def proof_file(puzzle: Puzzle, proof: Proof) -> str:
    """Return the proof of a puzzle as a file.

    That of a placement game is one that ``antipodes solve --verify`` verifies.
    """
    position = puzzle.position
    if isinstance(proof, ConnectionProof):
        assert isinstance(position, PlacementPosition)
        return WinProof(position, puzzle.solver, proof.win).text()
    data: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "game": puzzle.game_id,
        "rules_version": puzzle.game.rules_version,
        "options": puzzle.game.options.as_dict(),
        "position": setup_data(puzzle.setup),
        "goal": puzzle.goal,
        "solution": puzzle.line[0],
        "turns": puzzle.turns,
        **proof_data(proof),
    }
    return json.dumps(data, indent=1) + "\n"
