"""The published reference of the API."""

import json
import re

import pytest
from jsonschema import Draft202012Validator

from antipodes.web.api import reference
from antipodes.web.api.api import openapi_document
from tests.golden.api.contract import FILE, contract
from tools import declarations


def test_the_page_shows_every_operation_without_inline_scripts(client, db):
    page = client.get("/api/").content.decode()
    for path in openapi_document()["paths"]:
        assert f"<code>{path}</code>" in page
    assert "cdn" not in page.lower()
    assert not re.search(r"<script(?![^>]*src=)", page)


def test_the_openapi_document_can_be_read_by_other_sites(client, db):
    response = client.get("/api/openapi.json")
    assert response.json()["openapi"].startswith("3.1")
    assert response.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    ("direction", "choice", "kinds"), [("sent", "oneOf", 8), ("told", "anyOf", 9)]
)
def test_socket_schemas_are_valid_json_schemas(client, db, direction, choice, kinds):
    schema = client.get("/api/sockets.json").json()["match"][direction]
    Draft202012Validator.check_schema(schema)
    assert len(schema[choice]) == kinds


def test_the_api_stays_as_programs_know_it():
    assert contract().splitlines() == FILE.read_text(encoding="utf-8").splitlines(), (
        "if the change is meant, run `python -m tests.golden.api.contract` and read the difference"
    )


def test_the_declarations_for_scripts_are_those_of_the_schemas():
    assert declarations.declarations() == declarations.FILE.read_text(encoding="utf-8"), (
        "run `python -m tools.declarations`; `make javascript` checks the scripts against them"
    )


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "integer"}, "number"),
        ({"$ref": "#/$defs/SeatOut"}, "SeatOut"),
        ({"const": "play"}, '"play"'),
        ({"enum": ["a", "b"]}, '"a" | "b"'),
        ({"anyOf": [{"type": "number"}, {"type": "integer"}, {"type": "null"}]}, "number | null"),
        ({"type": "array", "items": {"type": "string"}}, "string[]"),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, '("a" | "b")[]'),
        ({"prefixItems": [{"type": "string"}, {"type": "number"}]}, "[string, number]"),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "Record<string, string>"),
        (
            {
                "type": "object",
                "propertyNames": {"enum": ["a", "b"]},
                "additionalProperties": {"type": "boolean"},
            },
            'Partial<Record<"a" | "b", boolean>>',
        ),
        ({}, "any"),
    ],
)
def test_a_schema_has_a_type_of_typescript(schema, expected):
    assert declarations.type_of(schema) == expected


@pytest.mark.parametrize(("game_id", "rulesets"), [("antipalos", ["boxed", "mail"]), ("hex", [])])
def test_values_of_an_option_are_listed_for_each_ruleset(client, db, game_id, rulesets):
    [size] = [
        option
        for option in client.get(f"/api/v1/games/{game_id}").json()["options"]
        if option["name"] == "size"
    ]
    beside = [one["beside"] for one in size["choices"]]
    assert beside == ([{"ruleset": ruleset} for ruleset in rulesets] or [{}])


def test_every_operation_documents_its_errors_as_problems():
    for path, methods in openapi_document()["paths"].items():
        for operation in methods.values():
            assert {"401", "422", "429"} <= {str(one) for one in operation["responses"]}, path
            for status, response in operation["responses"].items():
                if int(status) >= 400:
                    assert json.dumps(response["content"]).count("Problem") == 1


def test_the_page_is_rendered_once_for_each_language(client, db, monkeypatch):
    calls = []
    groups = reference._groups

    def counted():
        calls.append(1)
        return groups()

    monkeypatch.setattr(reference, "_groups", counted)
    reference._rendered_operations.cache_clear()
    pages = [
        client.get("/api/", headers={"Accept-Language": language}).content.decode()
        for language in ("en", "de", "en", "de")
    ]
    assert len(calls) == 2
    assert "No token is needed." in pages[0]
    assert "No token is needed." not in pages[1]
    assert 'lang="de"' in pages[3]


def test_cached_documents_are_not_sent_again(client, db):
    for path in ("/api/openapi.json", "/api/sockets.json"):
        known = {"If-None-Match": client.get(path).headers["ETag"]}
        assert client.get(path, headers=known).status_code == 304


def reference_of(name):
    """Return the operation with a name, as the page shows it."""
    (found,) = [
        one for group in reference._groups() for one in group["operations"] if one["id"] == name
    ]
    return found


def test_an_operation_is_shown_with_its_parameters_body_and_responses():
    schemas = openapi_document()["components"]["schemas"]
    found = reference_of("answer_offer")
    parameters, body, responses = (found.pop(name) for name in ("parameters", "body", "responses"))
    more = found.pop("more")
    assert found == {
        "id": "answer_offer",
        "path": "/api/v1/matches/{slug}/offers/{kind}",
        "method": "POST",
        "summary": "Make an offer, accept it, or decline or withdraw it.",
        "scope": "play",
    }
    assert more.startswith("A draw, a takeback of your last move and a pause can be offered until")
    assert "\n" not in more
    assert [(one["name"], one["type"]) for one in parameters] == [
        ("slug", "string"),
        ("kind", "draw | takeback | pause | rematch"),
    ]
    assert json.loads(body) == schemas["OfferIn"]
    success, *errors = responses
    assert (int(success["status"]), success["media_type"]) == (200, "application/json")
    assert success["type"] == "MatchOut"
    assert json.loads(success["schema"])["required"] == schemas["MatchOut"]["required"]
    assert [(int(one["status"]), one["type"], one["schema"]) for one in errors] == [
        (status, "Problem", "") for status in (401, 403, 404, 409, 422, 429)
    ]


def test_a_list_is_shown_with_the_schema_of_its_items():
    schemas = openapi_document()["components"]["schemas"]
    found = reference_of("list_challenges")
    assert (found["body"], found["scope"], found["more"][:15]) == (None, None, "Open challenges")
    [success, *_] = found["responses"]
    assert success["type"] == "list of ChallengeOut"
    assert json.loads(success["schema"])["required"] == schemas["ChallengeOut"]["required"]


def test_a_shown_schema_has_the_values_of_its_enumerations():
    found = json.loads(reference_of("make_study")["body"])["properties"]["visibility"]
    assert found["allOf"] == [{"enum": ["public", "unlisted", "private"]}]
    assert openapi_document()["components"]["schemas"]["StudyIn"]["properties"]["visibility"][
        "allOf"
    ] == [{"$ref": "#/components/schemas/Visibility"}]


def test_the_page_groups_operations_by_their_subject():
    groups = {
        group["name"]: [one["id"] for one in group["operations"]] for group in reference._groups()
    }
    assert groups["games"] == ["list_games", "get_game", "list_levels"]
    assert groups["lobby"] == ["get_lobby_chat", "say_in_lobby"]
    operations = openapi_document()["paths"].values()
    assert sum(map(len, groups.values())) == sum(map(len, operations))


def test_the_summary_of_an_operation_is_the_first_line_of_its_description():
    paths = openapi_document()["paths"]
    assert paths["/api/v1/matches/{slug}"]["get"]["summary"] == "Return a match"
    assert paths["/api/v1/analyses"]["post"]["summary"] == (
        "Start an analysis of a position; poll it until it is over"
    )


@pytest.mark.parametrize(
    ("schema", "label"),
    [
        ({"const": "match", "type": "string"}, "match"),
        ({"enum": ["a", 2]}, "a | 2"),
        ({"anyOf": [{"const": 3}, {"type": "null"}]}, "3 or null"),
        ({"allOf": [{"enum": ["a", "b"]}], "default": "a"}, "a | b"),
        ({"type": "array", "items": {"$ref": "#/components/schemas/Move"}}, "list of Move"),
        ({"type": "array"}, "list of anything"),
        ({"type": "integer"}, "integer"),
        ({}, "anything"),
    ],
)
def test_types_have_short_labels(schema, label):
    assert reference.type_label(schema) == label


@pytest.mark.parametrize(
    ("status", "content", "shows"),
    [
        ("200", {"application/json": {"schema": {"type": "object"}}}, True),
        ("404", {"application/json": {"schema": {"type": "object"}}}, False),
        ("204", {}, False),
    ],
)
def test_only_the_schema_of_a_success_is_shown(status, content, shows):
    found = reference._response_context(status, {"description": "it", "content": content})
    assert bool(found["schema"]) is shows
    assert bool(found["type"]) is bool(content)
