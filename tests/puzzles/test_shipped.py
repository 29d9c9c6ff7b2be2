"""The puzzles that come with the program: each has a proof, and no two are the same."""

from collections import Counter
from itertools import chain

import pytest

from antipodes.games.registry import game_ids
from antipodes.puzzles import store
from antipodes.puzzles.model import THEMES, read_puzzle
from antipodes.puzzles.proofs import check_proof, proof_text, read_proof
from antipodes.puzzles.symmetry import puzzle_id
from antipodes.puzzles.verification import verify_puzzle
from tests.thorough import sample

GAMES = [game_id for game_id in game_ids() if store.puzzles(game_id)]
SAMPLE = [one for game_id in GAMES for one in sample(store.puzzles(game_id), 4)]
MOST_BYTES = 2_000_000


def test_every_game_has_puzzles():
    assert list(game_ids()) == GAMES


@pytest.mark.parametrize("puzzle", SAMPLE, ids=lambda one: f"{one.game_id}-{one.id}")
def test_a_puzzle_is_verified(puzzle):
    verify_puzzle(puzzle, store.proof_of(puzzle))


@pytest.mark.parametrize("game_id", GAMES)
def test_no_two_puzzles_are_symmetric(game_id):
    found = [puzzle_id(puzzle.position) for puzzle in store.puzzles(game_id)]
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("game_id", GAMES)
def test_the_files_are_small(game_id):
    paths = chain.from_iterable(store.files_of(store.FOLDER, game_id))
    assert sum(path.stat().st_size for path in paths) < MOST_BYTES


@pytest.mark.parametrize("game_id", GAMES)
def test_every_puzzle_has_exactly_one_solution_and_a_known_difficulty(game_id):
    for puzzle in store.puzzles(game_id):
        assert len(puzzle.solutions) == 1
        assert puzzle.position.to_move is puzzle.solver
        assert set(puzzle.themes) <= set(THEMES)
        assert 1 <= puzzle.difficulty <= 9


@pytest.mark.parametrize("game_id", GAMES)
def test_few_puzzles_are_easy(game_id):
    found = store.puzzles(game_id)
    difficulties = Counter(puzzle.difficulty for puzzle in found)
    turns = Counter(puzzle.turns for puzzle in found)
    assert difficulties[1] <= 0.2 * len(found) + 1
    assert turns[1] <= 0.06 * len(found) + 1


@pytest.mark.parametrize("puzzle", SAMPLE[:3], ids=lambda one: one.id)
def test_a_puzzle_and_its_proof_are_read_as_they_were_written(puzzle):
    assert read_puzzle(puzzle.text()) == puzzle
    proof = store.proof_of(puzzle)
    name, again = read_proof(proof_text(puzzle.id, proof))
    assert name == puzzle.id
    assert again == proof
    check_proof(puzzle, again)
