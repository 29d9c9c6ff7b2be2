"""Fixtures of API tests."""

import pytest

from antipodes.web.accounts.api_tokens import Scope, make_token


@pytest.fixture
def token(people):
    """Return a function that makes a token of a user, by default Ann's with all scopes."""

    def make(user=None, *scopes):
        _row, text = make_token(user or people[0], "a test", scopes or list(Scope), None)
        return text

    return make


@pytest.fixture
def ask(client):
    """Return a function that sends a request; the response also has its JSON as ``data``."""

    def send(method, path, token=None, body=None, **headers):
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        content = {} if body is None else {"data": body, "content_type": "application/json"}
        address = path if path.startswith("/") else f"/api/v1/{path}"
        request = client.generic if method == "GENERIC" else getattr(client, method.lower())
        response = request(address, headers=headers, **content)
        is_json = response.headers.get("Content-Type", "").startswith("application/json")
        response.data = response.json() if is_json else None
        return response

    return send


def person(name):
    """Return an account as the API names it."""
    return {"name": name, "shown": name, "kind": "account"}
