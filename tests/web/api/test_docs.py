"""The examples and tables of docs/api.md are right."""

import json
import re
import shlex
import time
from functools import partial
from typing import get_args
from urllib.parse import urlsplit

import httpx
import pytest

from antipodes.match import Play
from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.api.schemas.events import Event
from antipodes.web.matches.services import carry_out
from tests.docs.pages import DOCS, text_of

pytestmark = pytest.mark.django_db

PAGE = text_of(DOCS / "api.md")
METHODS = "GET|POST|PUT|PATCH|DELETE"


def commands():
    """Return the commands of the page, each as a list of arguments."""
    blocks = re.findall(r"^```console\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    lines = "".join(blocks).replace("\\\n", " ").splitlines()
    return [shlex.split(line.removeprefix("$ ")) for line in lines if line.startswith("$ curl")]


def examples():
    blocks = re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    return [json.loads(block) for block in blocks]


def table(heading):
    """Return the first column of the table below a heading, without its header."""
    part = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (.+?) \|", part, re.MULTILINE)
    return [row.strip("`") for row in rows[1:]]


@pytest.fixture
def published(client):
    """The OpenAPI document that the site publishes."""
    return client.get("/api/openapi.json").json()


def test_the_page_has_commands_and_examples():
    assert len(commands()) == 7
    assert len(examples()) == 1


@pytest.mark.parametrize("words", commands(), ids=lambda words: words[-1].rpartition("v1")[2])
def test_every_documented_command_succeeds(words, client, begin, people, token):
    row, secret = begin(), token()
    headers, data = {}, None
    rest = iter(words[1:-1])
    for option in rest:
        value = next(rest).replace("$TOKEN", secret)
        if option == "-H":
            name, _, text = value.partition(": ")
            headers[name] = text
        else:
            assert option == "-d", option
            data = value
    path = urlsplit(words[-1]).path.replace("SLUG", row.slug)
    kind = headers.pop("Content-Type", "application/json")
    ask = client.get if data is None else client.post
    given = {} if data is None else {"data": data, "content_type": kind}
    response = ask(path, headers=headers, **given)
    assert response.status_code in {200, 201}, response.content
    assert response.json()


def through(client, work_off):
    """Return a transport that sends requests of httpx to the test client after the jobs ran."""

    def send(request):
        work_off()
        found = client.generic(
            request.method,
            request.url.raw_path.decode(),
            data=request.content,
            content_type=request.headers.get("Content-Type", ""),
            headers={"authorization": request.headers["Authorization"]},
        )
        return httpx.Response(found.status_code, content=found.content)

    return httpx.MockTransport(send)


def test_the_documented_program_plays_a_whole_match(client, work_off, token, monkeypatch, capsys):
    (program,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    make = partial(httpx.Client, transport=through(client, work_off))
    monkeypatch.setattr(httpx, "Client", make)
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    monkeypatch.setenv("TOKEN", token())
    exec(compile(program, "docs/api.md", "exec"), {})
    owner, moves, result = capsys.readouterr().out.splitlines()
    assert owner == "This is the token of ann"
    assert len(moves.split()) >= 5
    assert "wins by connection" in result


def test_an_error_response_is_the_documented_one(begin, people, token, ask):
    row = begin(size=11)
    for ply in range(5):
        move = row.match().position.legal_moves.array()[ply + 3]
        carry_out(row.slug, Play(seat=ply % 2, ply=ply, key=f"{row.slug} {ply}", move=int(move)))
        row.refresh_from_db()
    body = {"text": "c3", "ply": 3, "key": "another key"}
    response = ask("POST", f"matches/{row.slug}/moves", token(people[1]), body)
    assert response.status_code == 409
    assert response.data == examples()[0]


def test_the_table_of_scopes_is_complete():
    assert table("Tokens") == [scope.value for scope in Scope]


def test_the_table_of_statuses_is_complete(published):
    documented = {
        str(status)
        for operations in published["paths"].values()
        for operation in operations.values()
        for status in operation["responses"]
        if int(status) >= 400
    }
    # The URL patterns respond with 405, not an operation.
    assert set(table("Errors")) == documented | {"405"}


def test_the_table_of_events_is_complete():
    kinds = [get_args(one.model_fields["type"].annotation) for one in get_args(Event)]
    assert set(table("Streams")) == {name for names in kinds for name in names}


def test_every_documented_operation_exists(published):
    operations = {
        (method.upper(), re.sub(r"\{[^}]*\}", "*", path.rpartition("/v1")[2]))
        for path, methods in published["paths"].items()
        for method in methods
    }
    several = re.findall(rf"((?:`(?:{METHODS})`, )*)`({METHODS}) (/[^`?]*)[^`]*`", PAGE)
    named = {
        (method, re.sub(r"/[A-Z]+(?=/|$)", "/*", path))
        for before, last, path in several
        for method in [*re.findall(METHODS, before), last]
    }
    assert len(named) > 20
    assert named <= operations, named - operations
