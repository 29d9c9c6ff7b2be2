"""What tests of the interface for programs share."""

import pytest

from antipodes.web.accounts.api_tokens import Scope, make_token


@pytest.fixture
def token(people):
    """Make a token of somebody, with all scopes or with those that are named."""

    def make(user=None, *scopes):
        _row, text = make_token(user or people[0], "a test", scopes or list(Scope), None)
        return text

    return make


@pytest.fixture
def ask(client):
    """Ask the interface something; the answer has ``data`` besides what Django's answers have."""

    def send(method, path, token=None, body=None, **headers):
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        given = {} if body is None else {"data": body, "content_type": "application/json"}
        address = path if path.startswith("/") else f"/api/v1/{path}"
        answer = client.generic if method == "GENERIC" else getattr(client, method.lower())
        found = answer(address, headers=headers, **given)
        is_json = found.headers.get("Content-Type", "").startswith("application/json")
        found.data = found.json() if is_json else None
        return found

    return send
