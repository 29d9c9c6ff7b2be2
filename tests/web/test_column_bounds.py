"""Law: what clients may send and the site stores fits the columns of both databases.

Each field of each form, operation and message is tried at both ends of what it accepts and beyond
them. Fields are found by walking the tables of URLs and of operations, and by noting what a view
reads; so a new one is tried without being listed here.
"""

import json
from contextlib import contextmanager
from typing import get_args

import pytest
from django.forms import BaseForm
from django.http import QueryDict

from antipodes.errors import InputError
from antipodes.web.api.api import openapi_document
from antipodes.web.clubs.models import ClubRow
from antipodes.web.matches.consumers import MatchSocket
from antipodes.web.matches.messages import ClientMessage, SayMessage
from antipodes.web.matches.models import ChatLine
from antipodes.web.matches.open_chat_socket import ChatSocket
from antipodes.web.platform.client_json import read_object
from antipodes.web.studies import schemas
from antipodes.web.studies.consumers import StudySocket
from antipodes.web.tournaments.models import TournamentRow
from tests.thorough import sample
from tests.web.columns import LAST_INSTANT, checked, why_not
from tests.web.permission_table import ROWS
from tests.web.permission_world import COLUMNS

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

LONGEST = 20_000
# One character that becomes eighteen if a text is normalised, and one of four bytes.
GROWS, WIDE = "\ufdfa", "\U0001f600"
NUMBERS = (-(2**63) - 1, -1, 0, 2**15 - 1, 2**15, 2**31 - 1, 2**31, LAST_INSTANT + 1, 2**63, 10**30)
DATES = ("0001-01-01", "9999-12-31", "0001-01-01T00:00", "9999-12-31T23:59")


def texts(most):
    """Return texts at and beyond the end of what a field accepts."""
    lengths = [LONGEST] if most is None else [most, most + 1]
    ends = [character * count for count in lengths for character in (GROWS, "x", WIDE)]
    return [*ends, "", "a\x00b"]


def acts(by_token):
    """Yield each row of the table that changes something: the method, and a user who may.

    Operations of the API that change nothing in the small site are tried as well, by the owner.
    """
    columns = list(COLUMNS.values())
    for row in ROWS:
        for method, letters in row.expected.items():
            can_act = method in {"POST", "PUT", "PATCH"} and row.by_token == by_token
            if can_act and ("+" in letters or by_token):
                place = letters.find("+")
                yield row, method, "owner" if place < 0 else columns[place]


def tried(world, row, method, who, sent):
    """Send a request, which may be refused; return what it wrote and no column holds."""
    with checked() as faults:
        try:
            world.outcome(who, method, row.address(world), sent, by_token=row.by_token)
        except Exception as error:  # noqa: BLE001 - any is a fault
            faults.append(f"{type(error).__name__}: {str(error)[:200]}")
        return faults


def test_a_value_that_does_not_fit_its_column_is_found():
    event, club, line = TournamentRow, ClubRow, ChatLine
    for field, fits, too_much in (
        (event.lowest, 2**15 - 1, 2**15),
        (event.version, 2**31 - 1, 2**31),
        (event.opens_at, LAST_INSTANT, LAST_INSTANT + 1),
        (event.starts_at, 0, -(2**63) - 1),
        (club.name, WIDE * 60, WIDE * 61),
        (line.text, "a", "a\x00b"),
        (line.text, "a", "\ud800"),
    ):
        assert why_not(field.field, fits) is None
        assert why_not(field.field, too_much) is not None


# --- pages -------------------------------------------------------------------------------------


@contextmanager
def fields_read():
    """Collect the names that views read from posted forms, with their longest text if known."""
    found: dict[str, int | None] = {}
    with pytest.MonkeyPatch.context() as patch:
        for method in ("get", "getlist", "__getitem__"):
            patch.setattr(QueryDict, method, _noting(getattr(QueryDict, method), found))
        clean = BaseForm.full_clean

        def noted(form):
            for name, field in form.fields.items():
                found[form.add_prefix(name)] = getattr(field, "max_length", None)
            return clean(form)

        patch.setattr(BaseForm, "full_clean", noted)
        yield found


def _noting(read, found):
    def noted(data, name, *default):
        found.setdefault(name, None)
        return read(data, name, *default)

    return noted


PAGES = list(acts(by_token=False))


@pytest.mark.parametrize("start", range(0, len(PAGES), 20))
def test_what_pages_accept_fits_the_columns(world, start):
    faults = []
    for row, method, who in PAGES[start : start + 20]:
        sent = row.sent(world)
        with fields_read() as found:
            assert tried(world, row, method, who, sent) == []
        for name, most in found.items():
            values = [*texts(most), *map(str, NUMBERS), *DATES]
            for value in sample(values, 3):
                found_here = tried(world, row, method, who, {**sent, name: value})
                faults += [f"{row} {name}={value[:20]!r}: {why}" for why in found_here]
    assert not faults, "\n".join(faults)


# --- the API -----------------------------------------------------------------------------------


def api_fields(schema, path=()):
    """Yield the path of each text and number in a schema of the API, with its schema."""
    if len(path) > 4:
        return  # a tree of moves
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        yield from api_fields(openapi_document()["components"]["schemas"][name], path)
    for key in ("anyOf", "oneOf", "allOf"):
        for one in schema.get(key, ()):
            yield from api_fields(one, path)
    for name, one in schema.get("properties", {}).items():
        yield from api_fields(one, (*path, name))
    if isinstance(schema.get("additionalProperties"), dict):
        yield from api_fields(schema["additionalProperties"], (*path, "size"))
    if "items" in schema:
        yield from api_fields(schema["items"], (*path, 0))
    if schema.get("type") in {"integer", "string"} and not {"enum", "const"} & set(schema):
        yield path, schema


def ends(schema):
    """Return values at and beyond both ends of what a schema accepts."""
    if schema["type"] == "string":
        return [*texts(schema.get("maxLength")), "\ud800", *DATES]
    low, high = schema.get("minimum"), schema.get("maximum")
    given = [one for end in (high, low) if end is not None for one in (end, end - 1, end + 1)]
    return [*given, *NUMBERS]


def placed(body, path, value):
    """Return a body with a value at a path."""
    if not path:
        return value
    first, *rest = path
    if first == 0:
        return [placed(body[0] if isinstance(body, list) and body else None, rest, value)]
    here = body if isinstance(body, dict) else {}
    return {**here, first: placed(here.get(first), rest, value)}


BODIES = {
    f"api:{operation['operationId']}": operation["requestBody"]["content"]["application/json"]
    for methods in openapi_document()["paths"].values()
    for operation in methods.values()
    if "requestBody" in operation
}
OPERATIONS = [act for act in acts(by_token=True) if act[0].name in BODIES]


@pytest.mark.parametrize("start", range(0, len(OPERATIONS), 10))
def test_what_the_api_accepts_fits_the_columns(world, start):
    faults = []
    for row, method, who in OPERATIONS[start : start + 10]:
        sent = row.sent(world)
        for path, schema in api_fields(BODIES[row.name]["schema"]):
            for value in sample(ends(schema), 3):
                found = tried(world, row, method, who, placed(sent, path, value))
                faults += [f"{row} {path}={str(value)[:20]!r}: {why}" for why in found]
    assert not faults, "\n".join(faults)


def test_every_operation_with_a_body_is_tried():
    assert {row.name for row, _method, _who in OPERATIONS} == set(BODIES)


# --- sockets -----------------------------------------------------------------------------------


def socket_of(kind, user, **attributes):
    """Return a socket without a connection, which carries out the commands of a user."""
    found = kind.__new__(kind)
    vars(found).update(viewer=user.pk, user=user, reload_user=lambda: user, **attributes)
    return found


def carried_out_by(socket):
    """Return a function that carries out the text of a message."""
    return lambda text: socket.call_of(read_object(text, "any"))()


def told(world, carry_out, data):
    """Carry out a message, which may be refused; return what it wrote and no column holds."""
    with world._rolled_back(), checked() as faults:
        try:
            carry_out(json.dumps(data))
        except InputError:
            pass
        except Exception as error:  # noqa: BLE001 - any is a fault
            faults.append(f"{type(error).__name__}: {str(error)[:200]}")
        return faults


def tried_by_socket(world, carry_out, base, fields):
    """Return the faults of a message, each of whose fields is tried at both ends."""
    faults = []
    for path, schema in fields:
        for value in ends(schema):
            found = told(world, carry_out, placed(base, path, value))
            faults += [f"{base} {path}={str(value)[:20]!r}: {why}" for why in found]
    return faults


USUAL = {"seat": 0, "ply": 0, "key": "a new key", "move": 4, "text": "b2", "kind": "draw"}


def messages_of(kind):
    """Yield each form of a kind of messages, complete, with its fields and their schemas."""
    names = kind.model_fields
    (command, *_others) = get_args(names["command"].annotation)
    usual = {name: value for name, value in USUAL.items() if name in names}
    usual |= {"command": command, **({"moves": []} if "moves" in names else {})}
    # A move has either a number or a text.
    for other in ("text", "move") if "move" in names else ("",):
        base = {name: value for name, value in usual.items() if name != other}
        fields = api_fields(kind.model_json_schema())
        yield base, [(path, schema) for path, schema in fields if path[0] != other]


@pytest.mark.parametrize("kind", get_args(ClientMessage), ids=lambda kind: kind.__name__)
def test_what_sockets_of_matches_accept_fits_the_columns(world, kind):
    carry_out = carried_out_by(socket_of(MatchSocket, world.ann, slug=world.public.slug))
    for base, fields in messages_of(kind):
        assert not (found := tried_by_socket(world, carry_out, base, fields)), found


def test_what_sockets_of_chats_accept_fits_the_columns(world):
    socket = socket_of(ChatSocket, world.ann, room="tournament", slug=world.event.slug)
    base = {"command": "chat", "key": "a new key", "text": "hello"}
    carry_out = carried_out_by(socket)
    fields = api_fields(SayMessage.model_json_schema())
    assert not (found := tried_by_socket(world, carry_out, base, fields)), found


@pytest.mark.parametrize("kind", get_args(schemas.EditKind))
def test_what_sockets_of_studies_accept_fits_the_columns(world, kind):
    usual = {"move": 4, "text": "", "before": "", "mark": "good", "shape": ["circle", 0]}
    edit = {"kind": kind, "path": [], "on": True, "seen": 1, **usual}
    socket = socket_of(StudySocket, world.ann, slug=world.study.slug, number=1)
    carry_out = carried_out_by(socket)
    numbers, words = {"type": "integer"}, {"type": "string", "maxLength": schemas.COMMENT.value}
    fields = [
        (("key",), {"type": "string", "maxLength": 64}),
        (("edit", "path", 0), numbers),
        *((("edit", name), one) for name in edit for one in (numbers, words)),
        (("edit", "shape"), {"type": "string", "maxLength": 20}),
    ]
    base = {"key": "a new key", "edit": edit}
    assert told(world, carry_out, base) == []
    assert not (found := tried_by_socket(world, carry_out, base, fields)), found
