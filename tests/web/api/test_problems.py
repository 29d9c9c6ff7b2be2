"""Error responses of the API to requests that do not fit its schemas."""

import json

import pytest
from django.test import Client
from ninja.errors import HttpError

from antipodes.errors import Fault, IllegalMoveError, InputError, MatchError
from antipodes.web.api.auth import Caller
from antipodes.web.api.problems import (
    ApiError,
    _handle_http_error,
    error_response,
    problem,
    status_of,
)
from antipodes.web.connections.credentials import Credentials
from antipodes.web.platform.limits import TooManyError


@pytest.mark.parametrize(
    ("path", "wanted", "fields"),
    [
        ("challenges", {}, {"game": ""}),
        ("challenges", {"game": "hex", "points": -1}, {"points": " (given: -1)"}),
        ("challenges", {"game": "hex", "opponent": "cat"}, {"opponent": " (given: 'cat')"}),
        ("challenges", {"game": "hex", "options": [1]}, {"options": ""}),
        ("challenges", {"game": 1, "color": 2}, {"game": " (given: 1)", "color": " (given: 2)"}),
    ],
)
def test_each_fault_names_its_field_and_shows_its_value(ask, token, path, wanted, fields):
    faults = ask("POST", path, token(), wanted).data["faults"]
    assert {fault["where"] for fault in faults} == set(fields)
    for fault in faults:
        given = fields[fault["where"]]
        assert fault["message"].startswith(f"{fault['where']}: ")
        assert ("(given: " in fault["message"]) == bool(given)
        assert fault["message"].endswith(given)


def test_a_long_value_is_shown_in_part(ask, token):
    (fault,) = ask("POST", "challenges", token(), {"game": "hex", "opponent": "x" * 500}).data[
        "faults"
    ]
    assert len(fault["message"]) < 200
    assert "xxx..." in fault["message"]


@pytest.mark.parametrize(
    ("status", "answered", "code", "message"),
    [
        (400, 422, "api/body", "The body is not JSON."),
        (401, 401, "api/refused", "no tea"),
        (429, 429, "api/refused", "no tea"),
    ],
)
def test_errors_of_the_framework_become_problems(status, answered, code, message):
    response = _handle_http_error(HttpError(status, "no tea"))
    assert response.status_code == answered
    told = json.loads(response.content)
    assert (told["code"], told["message"]) == (code, message)


@pytest.mark.parametrize(
    ("status", "wait", "headers"),
    [
        (401, None, {"WWW-Authenticate": 'Bearer realm="Antipodes"'}),
        (404, None, {}),
        (429, None, {"Retry-After": "10"}),
        (429, 7, {"Retry-After": "7"}),
        (503, None, {"Retry-After": "10"}),
        (500, 7, {}),
    ],
)
def test_a_problem_has_the_headers_of_its_status(status, wait, headers):
    response = problem([Fault("one/code", "first", "x"), Fault("two", "second")], status, wait=wait)
    assert response.status_code == status
    assert json.loads(response.content) == {
        "code": "one/code",
        "message": "first",
        "faults": [
            {"code": "one/code", "message": "first", "where": "x"},
            {"code": "two", "message": "second", "where": ""},
        ],
    }
    assert response.headers == {"Content-Type": "application/json", **headers}


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (MatchError([Fault("some/code", "not now")]), 409),
        (IllegalMoveError([Fault("some/code", "not now")]), 409),
        (InputError([Fault("some/code", "never")]), 422),
        (MatchError([Fault("api/no-token", "who are you")]), 401),
    ],
)
def test_the_status_of_an_error_follows_from_its_code_or_class(error, status):
    assert status_of(error) == status


def test_a_refused_request_is_repeated_after_the_time_of_its_limit():
    response = error_response(TooManyError(33))
    assert (response.status_code, response.headers["Retry-After"]) == (429, "33")


@pytest.mark.parametrize(
    ("path", "where", "message"),
    [
        ("challenges?count=101", "count", "count: Input should be less than or equal to 100"),
        ("challenges?which=some", "which", "which: Input should be 'open', 'mine' or 'all'"),
    ],
)
def test_a_wrong_parameter_is_named(ask, db, path, where, message):
    refused = ask("GET", path)
    assert (refused.status_code, refused.data["code"]) == (422, "api/parameter")
    [fault] = refused.data["faults"]
    assert fault["where"] == where
    assert fault["message"].startswith(message)


@pytest.mark.parametrize(
    ("path", "status"), [("challenges", 201), ("games", 405), ("stream/events", 405), ("none", 404)]
)
def test_programs_need_no_csrf_token(token, path, status):
    response = Client(enforce_csrf_checks=True).post(
        f"/api/v1/{path}",
        {"game": "hex"},
        content_type="application/json",
        headers={"authorization": f"Bearer {token()}"},
    )
    assert response.status_code == status
    if status == 405:
        message = "POST is not allowed here; the allowed methods are GET."
        assert response.json()["message"] == message


@pytest.mark.parametrize("field", ["accounts_only", "accountsonly", "AccountsOnly"])
def test_fields_of_a_body_have_exactly_the_documented_names(ask, token, field):
    wanted = {"game": "hex", field: True}
    refused = ask("POST", "challenges", token(), wanted)
    assert (refused.status_code, refused.data["faults"][0]["where"]) == (422, field)


@pytest.mark.parametrize("value", ["true", 1, 0, "yes"])
def test_a_flag_is_true_or_false_in_json(ask, token, value):
    refused = ask("POST", "challenges", token(), {"game": "hex", "rated": value})
    assert (refused.status_code, refused.data["faults"][0]["where"]) == (422, "rated")


def test_credentials_of_a_stream_are_those_of_its_token(people):
    assert Caller(people[0], token=7).credentials == Credentials(people[0].pk, token=7)
    assert Caller().credentials is None
    assert Caller(people[0]).credentials is None


def test_an_operation_that_needs_an_account_is_refused_without_a_token(people):
    assert Caller(people[0]).account == people[0]
    with pytest.raises(ApiError) as refused:
        _ = Caller().account
    assert (refused.value.code, status_of(refused.value)) == ("api/no-token", 401)
