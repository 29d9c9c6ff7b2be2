"""Fixtures of the tests of puzzles."""

import pytest

from antipodes.puzzles import store
from antipodes.web.accounts.models import User


@pytest.fixture
def ann(db):
    """An account."""
    return User.objects.create_user("ann", password="correct horse")


@pytest.fixture
def bob(db):
    """Another account."""
    return User.objects.create_user("bob", password="correct horse")


@pytest.fixture
def guest(db):
    """A guest."""
    return User.objects.create(username="Guest 4821", is_guest=True)


@pytest.fixture
def puzzle():
    """A puzzle of Hex with several moves to find."""
    return next(one for one in store.puzzles("hex") if one.length >= 3)


@pytest.fixture
def wrong(puzzle):
    """A first move that does not win."""
    position = puzzle.position
    moves = (position.format_move(move) for move in position.legal_moves)
    return next(text for text in moves if text != puzzle.line[0])
