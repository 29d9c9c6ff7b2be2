"""Proofs of forced wins: the checker follows the rules, and refuses what is wrong."""

import random
from typing import Any

import pytest

from antipodes.games.registry import make_game
from antipodes.games.winning import winning_move
from antipodes.puzzles.forced_wins import EffortSpent, ForcedWins, StrategyWriter
from antipodes.puzzles.strategies import (
    Strategies,
    StrategyError,
    check_strategies,
)

MAIL = make_game("antipalos", {"ruleset": "mail", "size": 4, "swap": "off"})
ANTIPODE = make_game("antipode")


def wins(position, turns):
    """Return by the rules alone whether the colour to move wins within so many turns."""
    for move in position.legal_moves:
        after = position.play(move)
        if after.outcome is not None:
            if after.outcome.winner is position.to_move:
                return True
        elif turns > 1 and all(
            answered(after.play(reply), position.to_move, turns - 1) for reply in after.legal_moves
        ):
            return True
    return False


def answered(position, color, turns):
    if position.outcome is not None:
        return position.outcome.winner is color
    return wins(position, turns)


def random_position(game, chance, plies):
    while True:
        position = game.initial()
        for _ in range(plies):
            if position.outcome is None:
                position = position.play(chance.choice(position.legal_moves))
        if position.outcome is None:
            return position


def puzzles(game, plies, turns, count, seed):
    """Return positions with exactly one move that wins within ``turns``, none faster."""
    chance = random.Random(seed)
    search = ForcedWins(game)
    found: list[tuple[Any, Any]] = []
    while len(found) < count:
        position = random_position(game, chance, plies)
        if search.distance(position, turns) != turns:
            continue
        winning = [
            move
            for move in position.legal_moves
            if position.play(move).outcome is None
            and not search.holds(position.play(move), turns - 1)
        ]
        if len(winning) == 1:
            found.append((position, winning[0]))
    return found


def proof_of(position, turns, solution):
    writer = StrategyWriter(ForcedWins(position.game))
    writer.write_attack(position, turns, solution)
    writer.write_defence(position, turns, solution)
    return Strategies(writer.attack, writer.defence)


@pytest.fixture(scope="module")
def mail_puzzle():
    ((position, solution),) = puzzles(MAIL, 8, 2, 1, seed=3)
    return position, solution, proof_of(position, 2, solution)


@pytest.mark.parametrize(("game", "plies"), [(MAIL, 9), (MAIL, 11), (ANTIPODE, 46)])
def test_the_search_agrees_with_the_rules(game, plies):
    chance = random.Random(1)
    search = ForcedWins(game)
    for _ in range(4):
        position = random_position(game, chance, plies)
        assert search.wins(position, 1) == wins(position, 1) == bool(winning_move(position))
        assert search.wins(position, 2) == wins(position, 2)


@pytest.mark.parametrize(("game", "plies"), [(MAIL, 8), (ANTIPODE, 50)])
def test_a_game_without_a_kernel_for_wins_at_once_is_searched_as_well(monkeypatch, game, plies):
    usual = ForcedWins(game)
    monkeypatch.setattr("antipodes.puzzles.forced_wins.search_family", lambda _: None)
    plain = ForcedWins(game)
    chance = random.Random(2)
    for _ in range(6):
        position = random_position(game, chance, plies)
        for turns in (1, 2):
            assert plain.wins(position, turns) == usual.wins(position, turns)
            assert plain.holds(position, turns) == usual.holds(position, turns)
            assert (plain.attack(position, turns) is None) == (not usual.wins(position, turns))


def test_a_search_stops_when_its_effort_is_spent():
    with pytest.raises(EffortSpent):
        ForcedWins(MAIL, effort=20).wins(MAIL.initial(), 3)


@pytest.mark.parametrize("turns", [2, 3])
def test_a_forced_win_has_a_proof(turns):
    for position, solution in puzzles(MAIL, 12 - 3 * turns + 3, turns, 2, seed=turns):
        check_strategies(proof_of(position, turns, solution), position, turns, solution)


def test_a_proof_is_for_its_number_of_turns_and_its_solution(mail_puzzle):
    position, solution, proof = mail_puzzle
    with pytest.raises(StrategyError, match="more turns"):
        check_strategies(proof, position, 1, solution)
    other = next(move for move in position.legal_moves if move != solution)
    with pytest.raises(StrategyError, match="another move"):
        check_strategies(proof, position, 2, other)


def test_an_attack_that_does_not_answer_every_reply_is_refused_there(mail_puzzle):
    position, solution, proof = mail_puzzle
    move, default, others = proof.attack[-1]
    assert others
    reply = next(iter(others))
    fewer = {key: node for key, node in others.items() if key != reply}
    wrong = Strategies([*proof.attack[:-1], [move, default, fewer]], proof.defence)
    with pytest.raises(StrategyError) as raised:
        check_strategies(wrong, position, 2, solution)
    assert raised.value.place == f"{move} {reply}"


def test_a_wrong_reply_of_the_defence_is_refused_there(mail_puzzle):
    position, solution, proof = mail_puzzle
    reply, child, others = proof.defence[-1]
    text = next(iter(others), None)
    assert text is not None
    wrong = Strategies(proof.attack, [[reply, child, {**others, text: [text, None]}]])
    with pytest.raises(StrategyError) as raised:
        check_strategies(wrong, position, 2, solution)
    assert raised.value.place.startswith(text)


@pytest.mark.parametrize(
    "nodes", [[], [[7]], [["a1-b2", 0, {}]], [["a1-b2", None, {}]], [None], [["nonsense"]]]
)
def test_a_malformed_attack_is_refused(mail_puzzle, nodes):
    position, solution, proof = mail_puzzle
    with pytest.raises(StrategyError):
        check_strategies(Strategies(nodes, proof.defence), position, 2, solution)


@pytest.mark.parametrize("nodes", [[], [[7]], [None], [["a1-b2", 3, {}]], [[None, None, {}]]])
def test_a_malformed_defence_is_refused(mail_puzzle, nodes):
    position, solution, proof = mail_puzzle
    with pytest.raises(StrategyError):
        check_strategies(Strategies(proof.attack, nodes), position, 2, solution)
