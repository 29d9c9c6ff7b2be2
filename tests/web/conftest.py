"""What tests of the site share."""

import pytest

from antipodes.games.registry import make_game
from antipodes.match import Terms
from antipodes.web.matches.services import begin_match
from antipodes.web.ops import limits
from antipodes.web.people.models import User


@pytest.fixture(autouse=True)
def nothing_counted():
    """Begin each test as if nobody had done anything yet."""
    limits.limiter.cache_clear()
    yield
    limits.limiter.cache_clear()


@pytest.fixture
def people(db):
    """Four users with accounts."""
    return [User.objects.create(username=name) for name in ("ann", "bob", "cy", "dee")]


@pytest.fixture
def begin(people):
    """Begin matches between the first of them."""

    def make(game_id="hex", **options):
        game = make_game(game_id, options)
        users = people[: game.seats]
        return begin_match(Terms(game=game, players=tuple(str(u.pk) for u in users)), users)

    return make
