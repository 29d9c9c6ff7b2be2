"""Explorers: programs that call any operation of the API, and send any command of a socket.

They read the published schemas, and use names and ids that answers have shown them.
"""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Any

from antipodes.web.town.habits import made_up
from antipodes.web.town.habits.play import GAMES, seat_of
from antipodes.web.town.habits.programs import call, make_token
from antipodes.web.town.person import Person

_READS = 0.6  # of the calls
_MOST_CALLS = 5  # in one act
_WANTS_NEWS = 0.7  # chance of an operation that is new to the person
_MOST_IDS = 20  # that an explorer remembers of one kind
_PREFIX = "/api/v1"
_VARIABLE = re.compile(r"\{(\w+)\}")
_IDS = ("slug", "id", "puzzle_id", "name", "token")
_CONTROLS = ("5m+3s", "15m", "1d/move", "2d+1h")
_ENDLESS = "/stream"  # answers that never end

Operation = tuple[str, str, Any]  # method, path, and schema of its body
# By address: the documents are the same for all people, and large.
_documents: dict[str, Any] = {}


async def call_any_operation(person: Person) -> None:
    """Call any operation of the API: more often one that only reads."""
    if person.has_account and not person.memory.get("token"):
        await make_token(person)
    operations = await _operations(person)
    lists = {pattern for method, pattern, _ in operations if method == "get"}
    for _ in range(person.chance.randint(1, _MOST_CALLS) if operations else 0):
        is_read = person.chance.random() < _READS
        fitting = [each for each in operations if (each[0] == "get") == is_read]
        await _call_one(person, fitting, lists)


async def _call_one(person: Person, operations: list[Operation], lists: set[str]) -> None:
    """Call one of some operations, mostly one that has not answered the person yet."""
    answered: set[tuple[str, str]] = person.memory.setdefault("operations", set())
    new = [each for each in operations if each[:2] not in answered]
    is_new = new and person.chance.random() < _WANTS_NEWS
    method, pattern, schema = person.chance.choice(new if is_new else operations)
    first = _VARIABLE.search(pattern)
    if first and pattern[: first.start()].strip("/") not in _ids(person):
        # A list comes before one of its items.
        listed = pattern[: first.start()].rstrip("/")
        if listed in lists:
            _remember(person, listed, await call(person, "GET", listed))
    path = _VARIABLE.sub(lambda name: _id_for(person, pattern[: name.start()], name[1]), pattern)
    body = made_up.value(schema, person.chance, partial(_known, person)) if schema else None
    answer = await call(person, method.upper(), path, body)
    _remember(person, path, answer)
    if isinstance(answer, list) or (isinstance(answer, dict) and "code" not in answer):
        answered.add((method, pattern))


async def send_any_command(person: Person) -> None:
    """Send any command to the socket of a board."""
    boards = [
        (socket, seat)
        for path, socket in person.sockets.items()
        if path.startswith("/m/") and (seat := seat_of(socket)) is not None
    ]
    document = await _document(person, "/api/sockets.json") if boards else None
    if document is None:
        return
    socket, place = person.chance.choice(boards)
    schema = document["match"]["sent"]

    def known(name: str) -> Any:
        return {"seat": place[0], "ply": place[1]}.get(name, _known(person, name))

    message = made_up.value(schema, person.chance, known)
    await socket.send(message)
    await person.site.loop.settle()
    person.did += f" {socket.path} {json.dumps(message, sort_keys=True)} {str(socket.look())[:100]}"


async def _document(person: Person, path: str) -> Any:
    if (address := person.site.origin + path) not in _documents:
        page = await person.browser.get(path)
        if page.ok and "json" in page.visit.kind:
            _documents[address] = json.loads(page.visit.text)
    return _documents.get(address)


async def _operations(person: Person) -> list[Operation]:
    document = await _document(person, "/api/openapi.json")
    if document is None:
        return []
    definitions = document.get("components", {}).get("schemas", {})
    operations = []
    for path, methods in document["paths"].items():
        for method, operation in methods.items() if _ENDLESS not in path else ():
            body = operation.get("requestBody", {}).get("content", {}).get("application/json")
            schema = body and {**body["schema"], "$defs": definitions}
            operations.append((method, path.removeprefix(_PREFIX), schema))
    return operations


def _id_for(person: Person, before: str, name: str) -> str:
    """Return an id of the kind that stands in a path after some text; any word if none is known."""
    if name == "kind":
        return person.chance.choice(["draw", "takeback", "pause"])
    if name == "number":
        return "1"
    kind = "people" if name in ("name", "other") else before.strip("/").split("/")[-1]
    kind = {"door": "people", "leaderboards": "games", "statistics": "games"}.get(kind, kind)
    known = [] if kind == "people" else _ids(person).get(kind, [])
    friends: list[str] = person.memory.get("people", [])
    return str(person.chance.choice(known or ([*friends, "ada0"] if kind == "people" else ["x"])))


def _known(person: Person, name: str) -> Any:
    """Return a value that a person would give for a property."""
    match name:
        case "game" | "game_id":
            return person.chance.choice(GAMES)
        case "control":
            return person.chance.choice(_CONTROLS)
        case "key":
            return f"{person.chance.getrandbits(64):016x}"
        case "name" | "names" | "people" | "player":
            friend = person.memory.get("friend", "ada0")
            return [friend] if name in ("names", "people") else friend
        case "text" | "title" | "description" | "about" | "comment":
            return person.words("I write")
    return None


def _ids(person: Person) -> dict[str, list[str]]:
    ids: dict[str, list[str]] = person.memory.setdefault("ids", {})
    return ids


def _remember(person: Person, path: str, answer: Any) -> None:
    """Remember the ids of an answer by the last fixed part of its path."""
    parts = [part for part in path.partition("?")[0].strip("/").split("/") if part]
    items = answer.get("items", [answer]) if isinstance(answer, dict) else answer
    for item in items if isinstance(items, list) else ():
        for name in _IDS:
            if isinstance(item, dict) and isinstance(item.get(name), str):
                kind = "searches" if parts[0] == "searches" else parts[-1]
                kind = parts[0] if kind in ("daily", "next") or len(parts) == 2 else kind
                known = _ids(person).setdefault(kind, [])
                known.append(item[name])
                del known[:-_MOST_IDS]
                break
        for inner in ("chapters", "steps"):
            if isinstance(item, dict) and isinstance(item.get(inner), list):
                parts_of_item = [each for each in item[inner] if isinstance(each, dict)]
                steps = [str(each["id"]) for each in parts_of_item if "id" in each]
                _ids(person)[inner] = steps[-_MOST_IDS:]
