"""Fixtures of the tests of puzzles."""

import pytest

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
