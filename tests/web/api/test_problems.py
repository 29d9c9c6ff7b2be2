"""Error responses of the API to requests that do not fit its schemas."""

import json

import pytest
from ninja.errors import HttpError

from antipodes.web.api.auth import Caller
from antipodes.web.api.problems import ApiError, _handle_http_error, status_of


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


def test_an_operation_that_needs_an_account_is_refused_without_a_token(people):
    assert Caller(people[0]).account == people[0]
    with pytest.raises(ApiError) as refused:
        _ = Caller().account
    assert (refused.value.code, status_of(refused.value)) == ("api/no-token", 401)
