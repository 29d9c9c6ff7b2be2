"""Records that several tests look at."""

import random

import pytest

from antipodes import Antipalos
from antipodes.games.position import BoardPosition
from antipodes.records import Record


@pytest.fixture(scope="session")
def deep_record():
    """A game of thousands of moves with a variation at every one."""
    chance = random.Random(3)
    record = Record(Antipalos(size=12, rods=1, phase_two_limit=0))
    node, position = record.root, record.root.position
    for _ in range(3000):
        moves = position.legal_moves
        if not moves:
            break
        node.add(chance.choice(moves))
        node = node.add(chance.choice(moves))
        position = node.position
    return record


@pytest.fixture
def played(monkeypatch):
    """Return the list of all moves that are played on any position from now on."""
    moves = []
    play = BoardPosition.play

    def counted(position, move):
        moves.append(move)
        return play(position, move)

    monkeypatch.setattr(BoardPosition, "play", counted)
    return moves
