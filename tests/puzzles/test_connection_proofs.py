"""Proofs that exactly one move wins in a placement game."""

import random
from typing import Any

import pytest

from antipodes.core import Move
from antipodes.puzzles.connection_proofs import ConnectionProof, check_connection_proof
from antipodes.puzzles.connection_prover import ConnectionProver
from antipodes.puzzles.findings import Finding
from antipodes.search.proof.checker import ProofError
from tests.search.proof.brute_force import game_of, winner_of

BOARDS = [
    ("hex", {"size": 4, "swap": "off"}),
    ("antipod", {"side": 3}),
    ("cylindrical-hex", {"rows": 3, "columns": 5}),
]


def winning_moves(position):
    """Return the moves that win, by trying everything."""
    game = position.game
    mover = 1 + game.kernel_colors.index(position.to_move)
    known: dict[Any, int] = {}
    return [
        move
        for move in position.legal_moves
        if winner_of(game, position.play(move).kernel_state, known) == mover
    ]


def positions(game, seed, count, empty=10):
    """Return random positions with some empty points."""
    chance = random.Random(seed)
    found: list[Any] = []
    while len(found) < count:
        position = game.initial()
        while position.outcome is None and len(position.legal_moves) > empty:
            position = position.play(chance.choice(position.legal_moves))
        if position.outcome is None:
            found.append(position)
    return found


def puzzles(game, seed, count):
    prover = ConnectionProver(game, lines=10_000)
    found = []
    for position in positions(game, seed, 400):
        solution = prover.find(position, 1_000)
        if isinstance(solution, Move):
            proof = prover.prove(position, solution, 1_000)
            assert isinstance(proof, ConnectionProof)
            found.append((position, solution, proof))
            if len(found) == count:
                break
    return found


@pytest.fixture(scope="module")
def hex_puzzle():
    ((position, solution, proof),) = puzzles(game_of(*BOARDS[0]), 2, 1)
    return position, solution, proof


@pytest.mark.parametrize(("game_id", "options"), BOARDS)
def test_the_prover_finds_the_only_win(game_id, options):
    game = game_of(game_id, options)
    prover = ConnectionProver(game, lines=10_000)
    for position in positions(game, 1, 12):
        found = prover.find(position, 1_000)
        wins = winning_moves(position)
        if len(wins) == 1:
            assert found == wins[0]
        else:
            assert found is (Finding.SEVERAL if wins else Finding.LOST)


@pytest.mark.parametrize(("game_id", "options"), BOARDS)
def test_a_proof_holds(game_id, options):
    for position, solution, proof in puzzles(game_of(game_id, options), 1, 3):
        check_connection_proof(proof, position, solution)


def test_a_proof_is_for_its_solution(hex_puzzle):
    position, solution, proof = hex_puzzle
    other = next(move for move in position.legal_moves if move != solution)
    with pytest.raises(ProofError, match=f"no line refutes {position.format_move(solution)}"):
        check_connection_proof(proof, position, other)


def test_without_a_refutation_some_move_is_open(hex_puzzle):
    position, solution, proof = hex_puzzle
    fewer = ConnectionProof(proof.win, proof.refutations, proof.places[:-1])
    with pytest.raises(ProofError, match="no line refutes"):
        check_connection_proof(fewer, position, solution)


def test_a_wrong_line_is_refused_there(hex_puzzle):
    position, solution, proof = hex_puzzle
    lines = list(proof.refutations)
    wrong = next(place for place, line in enumerate(lines) if line[0] == "path")
    lines[wrong] = ["path", ["a1", "d4"]]
    with pytest.raises(ProofError) as raised:
        check_connection_proof(ConnectionProof(proof.win, lines, proof.places), position, solution)
    assert raised.value.place == wrong
    with pytest.raises(ProofError):
        check_connection_proof(
            ConnectionProof(proof.win[:-1], proof.refutations, proof.places), position, solution
        )


def test_an_unknown_place_is_refused(hex_puzzle):
    position, solution, proof = hex_puzzle
    for place in (len(proof.refutations), -1, None, "0"):
        places: list[Any] = [*proof.places, place]
        wrong = ConnectionProof(proof.win, proof.refutations, places)
        with pytest.raises(ProofError, match="not the number"):
            check_connection_proof(wrong, position, solution)


def test_the_start_with_a_swap_is_no_puzzle():
    position = game_of("hex", {"size": 4}).initial().play("a1")
    with pytest.raises(ProofError, match="swap"):
        check_connection_proof(ConnectionProof([], [], []), position, Move(3))


def test_limits_end_the_work():
    game = game_of("hex", {"size": 6, "swap": "off"})
    assert ConnectionProver(game, lines=10).find(game.initial(), 3) is Finding.UNPROVEN
