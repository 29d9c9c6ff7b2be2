"""Laws of what clients send: all entry points refuse the same texts, which nothing could store."""

import ast
import asyncio
import json
from pathlib import Path
from unittest.mock import AsyncMock
from urllib.parse import quote

import pytest
from django.contrib.sessions.backends import db

import antipodes.web
from antipodes.errors import InputError
from antipodes.web.accounts.api_tokens import Scope, make_token
from antipodes.web.accounts.session_store import SessionStore
from antipodes.web.api.api import openapi_document
from antipodes.web.connections.consumers import CommandSocket
from antipodes.web.notifications import consumers as notifications

pytestmark = pytest.mark.django_db

BAD = {
    "half a character": r'"\ud800"',
    "the other half": r'"a\udc00b"',
    "a name of half a character": r'{"\udfff": 1}',
    "an escaped NUL": r'["a\u0000"]',
    "a NUL": '"\0"',
    "a control character": '"\x01"',
    "no number": "NaN",
    "no end": "-Infinity",
    "a long number": "1" * 5_000,
    "a name twice": '{"a": 1, "a": 2}',
    "deep lists": "[" * 50 + "]" * 50,
    "two values": "1 2",
    "single quotes": "'a'",
}
# Modules that read JSON which the site itself has written.
OWN_TEXTS = {
    "accounts/masking.py",
    "analysis/models.py",
    "analysis/position_queries.py",
    "email_play/match_emails.py",
    "matches/presenters.py",
    "moderation/admin.py",
    "notifications/email_message.py",
    "notifications/followers.py",
    "notifications/match_events.py",
    "platform/pubsub.py",
    "server/backups.py",
    "server/database_move.py",
    "studies/chapters.py",
    "tournaments/exports.py",
}
# In each of these modules only these functions do.
OWN_FUNCTIONS = {
    "analysis/position_queries.py": {"setup"},
    "studies/chapters.py": {"_stored", "board_of", "_board_text"},
}
SOCKET_MESSAGE = {"key": "12345678", "command": "chat", "edit": {"kind": "add"}, "looking": "abc"}


def with_value(message, value):
    """Return the text of a message with one more value at its end."""
    return f'{json.dumps(message)[:-1]}, "extra": {value}}}'


def is_refused_by(read, text):
    """Return whether a reader of messages refuses a text."""
    try:
        return read(text) is None
    except InputError:
        return True


def received_by(kind):
    """Return a function that sends a text to a socket; it returns the data of the command."""

    def read(text):
        socket = kind()
        socket.call_of = lambda data: data
        socket.execute = AsyncMock()
        asyncio.run(socket.receive(text))
        return socket.execute.call_args.args[1]()

    return read


@pytest.mark.parametrize(
    "read",
    [*map(received_by, CommandSocket.__subclasses__()), notifications._viewed_match],
    ids=[*(kind.__name__ for kind in CommandSocket.__subclasses__()), "notifications"],
)
def test_every_socket_refuses_texts_that_cannot_be_stored(read):
    assert not is_refused_by(read, with_value(SOCKET_MESSAGE, '"\\ud83d\\ude00"'))
    accepted = [
        name
        for name, value in BAD.items()
        if not is_refused_by(read, with_value(SOCKET_MESSAGE, value))
    ]
    assert not accepted


def test_every_operation_of_the_api_refuses_texts_that_cannot_be_stored(client, people):
    _row, token = make_token(people[0], "test", list(Scope), None)
    headers = {"authorization": f"Bearer {token}"}
    accepted, tried = [], 0
    for path, operations in openapi_document()["paths"].items():
        address = path.replace("{number}", "1").replace("{", "").replace("}", "")
        for method, operation in operations.items():
            if "requestBody" not in operation:
                continue
            tried += 1
            for name, value in BAD.items():
                response = client.generic(
                    method.upper(),
                    address,
                    with_value({"text": "a"}, value).encode(),
                    content_type="application/json",
                    headers=headers,
                )
                if (response.status_code, response.json()["code"]) != (422, "api/body"):
                    accepted.append((method, path, name, response.content[:200]))
    assert tried > 20
    assert not accepted


def test_pages_that_read_json_refuse_texts_that_cannot_be_stored(client, people, begin):
    slug = begin(size=3).slug
    client.force_login(people[0])
    good = json.dumps({"text": "a plan"})
    assert client.post(f"/m/{slug}/notes", good, content_type="application/json").status_code == 200
    for name, value in BAD.items():
        text = with_value({"text": "b"}, value)
        for path in (f"/m/{slug}/notes", "/notices/push"):
            answer = client.post(path, text, content_type="application/json")
            assert answer.status_code == 400, (path, name)
    assert client.get(f"/m/{slug}/notes").json() == {"text": "a plan"}


def test_a_setup_in_an_address_refuses_texts_that_cannot_be_stored(client):
    setup = '{"stones": {"a1": "black"}, "to_move": "white"%s}'
    address = "/positions.json?game=hex&size=3&setup="
    assert client.get(address + quote(setup % "")).status_code == 200
    for name, value in BAD.items():
        answer = client.get(address + quote(setup % f', "stones": {value}'))
        assert answer.status_code == 400, name


def readers_of_json(tree):
    """Yield the functions of a module that read JSON."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.Attribute) and ast.unparse(node) in (
                    "json.loads",
                    "json.load",
                    "json.JSONDecoder",
                ):
                    yield function.name


def test_no_module_reads_json_of_clients_by_itself():
    root = Path(antipodes.web.__file__).parent
    found = {}
    for path in root.rglob("*.py"):
        readers = set(readers_of_json(ast.parse(path.read_text(encoding="utf-8"))))
        if readers:
            found[str(path.relative_to(root))] = readers
    # People of the town read what the site sends.
    assert {path for path in found if not path.startswith("town/")} == OWN_TEXTS
    for name, functions in OWN_FUNCTIONS.items():
        assert found[name] == functions


@pytest.mark.parametrize("path", ["/games/", "/clubs/", "/positions.json", "/api/v1/clubs"])
def test_a_nul_in_a_query_is_refused_and_shown(client, path):
    answer = client.get(f"{path}?words=a%00b")
    assert answer.status_code == 400
    assert "a\\x00b" in answer.content.decode().replace("\\\\", "\\")
    assert "U+0000" in answer.content.decode()


def test_a_nul_in_the_path_or_a_form_is_refused(client, people):
    client.force_login(people[0])
    assert client.get("/people/an%00n/").status_code == 400
    for field in ({"theme": "a\0b"}, {"the\0me": "dark"}):
        assert client.post("/theme", field).status_code == 400
    assert client.post("/theme", {"theme": "dark"}).status_code == 302


def test_mails_of_providers_may_hold_a_nul(client, settings):
    settings.MAIL_WEBHOOK_SECRET = ""
    assert client.post("/mail/webhooks/mailgun/", {"body-mime": "a\0b"}).status_code == 404


@pytest.mark.parametrize("key", ["abcdefgh\0", "abcdefgh'", "short", "a" * 41])
def test_session_keys_that_were_never_given_out_are_not_looked_up(key, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert SessionStore(key).get("a") is None
    made = SessionStore()
    made["a"] = 1
    made.save()
    assert isinstance(made, db.SessionStore)
    assert SessionStore(made.session_key)["a"] == 1
