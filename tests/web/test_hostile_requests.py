"""Tests of malformed requests, which are refused without an error of the site."""

import json
import logging

import pytest

from antipodes.web.accounts.api_tokens import Scope, make_token

pytestmark = pytest.mark.django_db

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
PARTS = "multipart/form-data; boundary=x"
FIELDS = "&".join(f"field{number}=1" for number in range(2_000))
MANY_PARTS = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n' * 2_000 + "--x--"
BODIES = {
    "deep lists": "[" * 100_000,
    "deep objects": '{"a":' * 50_000,
    "a long number": "1" * 10_000,
    "nothing": "",
    "invalid UTF-8": b"\xff\xfe\x00",
    "half of an object": '{"game":',
}


@pytest.fixture
def stranger(client, caplog):
    """A client whose requests must not log a traceback."""
    client.raise_request_exception = False
    yield client
    assert not [one for one in caplog.records if one.name == "django.request" and one.exc_info]


def post(client, path, body, kind, **headers):
    data = body if isinstance(body, bytes) else body.encode()
    return client.generic("POST", path, data, content_type=kind, headers=headers)


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_the_api_refuses_invalid_json(stranger, people, begin, body):
    _row, token = make_token(people[0], "test", list(Scope), None)
    slug = begin(size=3).slug
    for path in ("challenges", "analyses", f"matches/{slug}/moves"):
        response = post(stranger, f"/api/v1/{path}", body, JSON, authorization=f"Bearer {token}")
        assert response.status_code == 422
        assert response.json()["code"] == "api/body"


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_pages_survive_invalid_json(stranger, people, begin, body):
    slug = begin(size=3).slug
    stranger.force_login(people[0])
    for path in (f"/m/{slug}/notes", "/notices/push"):
        assert post(stranger, path, body, JSON).status_code < 500


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (FIELDS, FORM),
        (MANY_PARTS, PARTS),
        ("--", "multipart/form-data"),
        ("", f"{FORM}; charset=x"),
    ],
    ids=["many fields", "many parts", "no boundary", "no such charset"],
)
def test_pages_survive_malformed_forms(stranger, body, kind):
    for path in ("/pair/", "/analyses", "/theme", "/accounts/login/"):
        assert post(stranger, path, body, kind).status_code < 500, path


@pytest.mark.parametrize("path", ["/games/", "/positions.json", "/api/v1/challenges", "/data/"])
def test_pages_survive_queries_with_many_fields(stranger, path):
    assert stranger.get(f"{path}?{FIELDS}").status_code < 500


@pytest.mark.parametrize("path", ["/", "/api/v1/games", "/positions.json"])
def test_an_invalid_host_is_refused_in_the_format_of_the_client(stranger, path):
    response = stranger.get(path, headers={"Host": "evil..%%"})
    assert response.status_code == 400
    if path != "/":
        assert json.loads(response.content)["code"] == "api/refused"


def test_djangos_refusals_log_no_traceback():
    from antipodes.web.platform.logs import logging_to_output

    made = logging_to_output("text", "DEBUG")
    assert made["loggers"]["django.security"]["level"] == logging.getLevelName(logging.CRITICAL)
