"""Schemathesis sends requests to every operation: no 500, and responses match their schemas."""

import os
from functools import cache

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, Phase, settings
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import (
    ignored_auth,
    negative_data_rejection,
    positive_data_acceptance,
)

from antipodes.games.registry import make_game
from antipodes.match import Play, Terms
from antipodes.web.accounts.api_tokens import Scope, make_token
from antipodes.web.accounts.models import User
from antipodes.web.api import auth
from antipodes.web.api.api import openapi_document
from antipodes.web.challenges.services import GameRequest, Opponent, request_game
from antipodes.web.matches import snapshots
from antipodes.web.matches.services import begin_match, carry_out
from antipodes.web.platform.limits import NEW_GAMES, RateLimit
from tests.thorough import THOROUGH, repetitions
from tests.web.conftest import kept

pytestmark = pytest.mark.slow

# A few requests for each operation in `make test`, many in `make fuzz`. Schemathesis also makes
# some dozens for the limits of each schema, and searches the code for values to send; only
# `make test-all` does that.
EXAMPLES = int(os.environ.get("API_EXAMPLES", str(repetitions(1, 3))))
CONFIG = {
    "phases": {"coverage": {"enabled": THOROUGH}},
    "analysis": {"constants": {"enabled": THOROUGH}},
}

# Streams do not end; they have their own tests.
PATHS = {
    path: methods for path, methods in openapi_document()["paths"].items() if "stream" not in path
}

# Tokens and scopes have their own tests. Data that a schema allows may still name no game, player
# or move, with a documented error. And names and tokens that schemathesis made invalid on purpose
# are replaced by valid ones below.
EXCLUDED = [ignored_auth, negative_data_rejection, positive_data_acceptance]


def without_tuples(data):
    """Return a schema without types of tuples, which schemathesis reads as those of Draft 7."""
    if isinstance(data, list):
        return [without_tuples(one) for one in data]
    if not isinstance(data, dict):
        return data
    return {name: without_tuples(one) for name, one in data.items() if name != "prefixItems"}


schema = schemathesis.openapi.from_dict(
    without_tuples({**openapi_document(), "paths": PATHS}),
    config=SchemathesisConfig.from_dict(CONFIG),
)


@cache
def site():
    return get_wsgi_application()


def application(environ, start_response):
    """The site, which each process would otherwise make when it collects the tests."""
    return site()(environ, start_response)


schema.app = application


@pytest.fixture(scope="module")
def rows(django_db_setup, django_db_blocker):
    """A match in progress, one at its start, and a challenge, created once."""
    with kept(django_db_blocker):
        ann, bob = [User.objects.create(username=name) for name in ("ann", "bob")]
        running, over = begin(ann, bob, "hex", size=3), begin(ann, bob, "antipode")
        carry_out(running.slug, Play(seat=0, ply=0, key="a first move", move=4))
        game = GameRequest(game=running.game, opponent=Opponent.ANYBODY)
        made = request_game(bob, game)
        _row, token = make_token(ann, "a test", list(Scope), None)
        yield {"matches": [running.slug, over.slug], "challenges": [made.slug], "token": token}


def begin(ann, bob, game_id, **options):
    players = (str(ann.pk), str(bob.pk))
    return begin_match(Terms(game=make_game(game_id, options), players=players), [ann, bob])


@pytest.fixture
def world(db, rows, monkeypatch):
    """The rows, as they were at first, without rate limits."""
    plenty = RateLimit("plenty", "1000000/second", "token", "requests")
    monkeypatch.setattr(auth, "REQUESTS", plenty)
    monkeypatch.setattr(auth, "ANONYMOUS_REQUESTS", plenty)
    monkeypatch.setenv(NEW_GAMES.setting, "1000000/second")
    snapshots.forget()
    yield rows
    snapshots.forget()


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_response_matches_the_openapi_document(case, world):
    slugs = world["matches" if "/matches/" in case.path else "challenges"]
    # Generated slugs hardly ever exist, so two of three requests get one that does.
    if case.path_parameters.get("slug") and len(str(case.path_parameters["slug"])) % 3:
        chosen = slugs[len(str(case.body)) % len(slugs)]
        case.path_parameters = {**case.path_parameters, "slug": chosen}
    for caller in ({}, {"Authorization": f"Bearer {world['token']}"}):
        response = case.call(headers={"Accept-Encoding": "identity", **caller})
        case.validate_response(response, excluded_checks=EXCLUDED)
