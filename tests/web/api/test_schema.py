"""Schemathesis asks every operation: no 500, and every documented answer is true."""

import os

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, Phase, settings
from schemathesis.specs.openapi.checks import (
    ignored_auth,
    negative_data_rejection,
    positive_data_acceptance,
)

from antipodes.match import Play
from antipodes.web.api import auth
from antipodes.web.api.api import document
from antipodes.web.challenges import services as lobby
from antipodes.web.challenges.services import GameRequest, Opponent
from antipodes.web.matches.services import carry_out
from antipodes.web.platform.limits import RateLimit

pytestmark = pytest.mark.slow

# A handful of requests for each operation in `make test`, many in `make fuzz`.
EXAMPLES = int(os.environ.get("API_EXAMPLES", "3"))

# A stream goes on for ever; its own tests listen to it.
CALM = {path: ways for path, ways in document()["paths"].items() if "stream" not in path}

# Tokens are tested cell by cell, with better ones than schemathesis makes up. What a schema allows
# may still be no game, no name or no move; those answers are documented too. And what is wrong on
# purpose is put right below, where names and tokens are replaced by good ones.
ELSEWHERE = [ignored_auth, negative_data_rejection, positive_data_acceptance]

schema = schemathesis.openapi.from_dict({**document(), "paths": CALM})
schema.app = get_wsgi_application()


@pytest.fixture
def world(people, begin, token, monkeypatch):
    """Things to ask for: a match that goes on, one that is over, a challenge; and nobody waits."""
    plenty = RateLimit("plenty", "1000000/second", "token", "requests")
    monkeypatch.setattr(auth, "REQUESTS", plenty)
    monkeypatch.setattr(auth, "STRANGERS", plenty)
    monkeypatch.setattr(lobby, "NEW_GAMES", plenty)
    running = begin(size=3)
    over = begin("antipode")
    carry_out(running.slug, Play(seat=0, ply=0, key="a first move", move=4))
    wish = GameRequest(game=running.game, opponent=Opponent.ANYBODY)
    made = lobby.request_game(people[1], wish)
    return {"matches": [running.slug, over.slug], "challenges": [made.slug], "token": token()}


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@pytest.mark.parametrize("who", ["nobody", "somebody"])
def test_every_answer_is_as_the_document_says(case, world, who):
    slugs = world["matches" if "/matches/" in case.path else "challenges"]
    # Most names that are made up name nothing: two of three requests are for what there is.
    if case.path_parameters.get("slug") and len(str(case.path_parameters["slug"])) % 3:
        chosen = slugs[len(str(case.body)) % len(slugs)]
        case.path_parameters = {**case.path_parameters, "slug": chosen}
    headers = {"Accept-Encoding": "identity"}
    if who == "somebody":
        headers["Authorization"] = f"Bearer {world['token']}"
    answer = case.call(headers=headers)
    case.validate_response(answer, excluded_checks=ELSEWHERE)
