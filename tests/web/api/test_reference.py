"""Laws of what is published about the interface."""

import json
import re

import pytest
from jsonschema import Draft202012Validator

from antipodes.web.api import reference
from antipodes.web.api.api import document


def test_the_page_shows_every_operation_without_any_script(client, db):
    page = client.get("/api/").content.decode()
    for path in document()["paths"]:
        assert f"<code>{path}</code>" in page
    assert "cdn" not in page.lower()
    assert not re.search(r"<script(?![^>]*src=)", page)


def test_the_document_is_openapi_and_can_be_read_by_other_sites(client, db):
    answer = client.get("/api/openapi.json")
    assert answer.json()["openapi"].startswith("3.1")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(("way", "kinds"), [("sent", 7), ("told", 8)])
def test_schemas_of_sockets_are_schemas(client, db, way, kinds):
    schema = client.get("/api/sockets.json").json()["match"][way]
    Draft202012Validator.check_schema(schema)
    assert len(schema["anyOf"]) == kinds


def test_every_operation_tells_its_errors_in_one_shape():
    for path, methods in document()["paths"].items():
        for operation in methods.values():
            assert {"401", "422", "429"} <= {str(one) for one in operation["responses"]}, path
            for status, answer in operation["responses"].items():
                if int(status) >= 400:
                    assert json.dumps(answer["content"]).count("Problem") == 1


def test_the_page_is_made_once_for_each_language(client, db, monkeypatch):
    made = []
    make = reference._groups

    def counted():
        made.append(1)
        return make()

    monkeypatch.setattr(reference, "_groups", counted)
    reference._operations_in.cache_clear()
    pages = [
        client.get("/api/", headers={"Accept-Language": language}).content.decode()
        for language in ("en", "de", "en", "de")
    ]
    assert len(made) == 2
    assert "No token is needed." in pages[0]
    assert "No token is needed." not in pages[1]
    assert 'lang="de"' in pages[3]


def test_the_document_is_sent_once_to_whoever_keeps_it(client, db):
    for path in ("/api/openapi.json", "/api/sockets.json"):
        known = {"If-None-Match": client.get(path).headers["ETag"]}
        assert client.get(path, headers=known).status_code == 304
