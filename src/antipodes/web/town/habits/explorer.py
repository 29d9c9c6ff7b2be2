"""Explorers: programs that call any operation of the API, and send any command of a socket.

They read the published schemas, and use names and ids that answers have shown them.
"""

from __future__ import annotations

import json
import re
from typing import Any

from antipodes.web.town.habits import made_up
from antipodes.web.town.habits.play import GAMES, legal_moves, seat_of
from antipodes.web.town.habits.programs import call, make_token
from antipodes.web.town.person import Person

_MOST_CALLS = 10  # in one act
_MOST_COMMANDS = 3  # likewise
_WANTS_NEWS = 0.7  # chance of an operation that is new to the person
_OWN = 0.6  # chance of a thing that the person has made
_CREATES = 0.5  # chance to make a thing where the person has made none
_LOOKS_FIRST = 0.7  # chance to see a board before acting on it
_GIVEN = (0.0, 0.1, 0.5)  # chances of each part that may be left out
_MOST_IDS = 20  # that an explorer remembers of one kind
_PREFIX = "/api/v1"
_VARIABLE = re.compile(r"\{(\w+)\}")
_IDS = ("slug", "id", "puzzle", "token", "name")
_CONTROLS = ("5m+3s", "10m+5s", "1d/move", "2d+1h")
_PEOPLE = ("ada0", "ben1", "cleo2", "fay5")
_KINDS = {"leaderboards": "games", "statistics": "games", "club-links": "links"}
# Where people remember the addresses of what they have made on pages.
_MADE = {"clubs": "clubs", "tournaments": "hosted", "simuls": "simuls", "studies": "studies"}
_ENDLESS = "/stream"  # answers that never end

Operation = tuple[str, str, Any]  # method, path, and schema of its body
# By address: the documents are the same for all people, and large.
_documents: dict[str, Any] = {}


async def call_any_operation(person: Person) -> None:
    """Call some operations of one part of the API, mostly one with much that is new."""
    if person.has_account and not person.memory.get("token"):
        await make_token(person)
    person.memory["lists seen"] = set()
    parts: dict[str, list[Operation]] = {}
    for operation in await _operations(person):
        if operation[0] != "get" and not person.memory.get("token"):
            continue  # others are only refused
        first = operation[1].split("/")[1]
        parts.setdefault("clubs" if first == "club-links" else first, []).append(operation)
    if not parts:
        return
    weights = [1 + len(_new(person, operations)) for operations in parts.values()]
    [chosen] = person.chance.choices(list(parts.values()), weights)
    for _ in range(person.chance.randint(2, _MOST_CALLS)):
        new = _new(person, chosen)
        is_new = bool(new) and person.chance.random() < _WANTS_NEWS
        await _call_one(person, person.chance.choice(new if is_new else chosen), chosen)


def _new(person: Person, operations: list[Operation]) -> list[Operation]:
    """Return those of some operations that have not succeeded for the person yet."""
    succeeded: set[tuple[str, str]] = person.memory.setdefault("operations", set())
    return [each for each in operations if each[:2] not in succeeded]


async def _call_one(person: Person, operation: Operation, others: list[Operation]) -> None:
    """Call an operation, after another that shows or makes what it needs."""
    method, pattern, schema = operation
    before = pattern.partition("/{")[0]
    kind = _KINDS.get(before.strip("/"), before.strip("/"))
    if before != pattern:
        known = {each[:2]: each for each in others}
        # A list comes before one of its items, a new item before changes of it.
        listed = known.get(("get", before))
        if listed and not _ids(person).get(kind) and not _is_seen(person, listed):
            await _send(person, listed, before)
        created = known.get(("post", before)) if not _own(person, kind) else None
        if created is not None and person.chance.random() < _CREATES:
            await _send(person, created, before)
        plain = [each for each in others if "{" not in each[1]]
        if plain and not _ids(person).get(kind):
            # Without an id, another answer may tell one.
            unseen = [each for each in plain if not _is_seen(person, each)]
            if not unseen:
                return
            method, pattern, schema = person.chance.choice(unseen)
    path = _VARIABLE.sub(lambda name: _id_for(person, pattern[: name.start()], name[1]), pattern)
    await _send(person, (method, pattern, schema), path)


def _is_seen(person: Person, operation: Operation) -> bool:
    """Return whether an operation is a list that the person has seen in this act."""
    return operation[0] == "get" and operation[1] in person.memory["lists seen"]


async def _send(person: Person, operation: Operation, path: str) -> None:
    """Send a request for an operation, and remember what it tells."""
    method, pattern, schema = operation
    values: dict[str, Any] = {}
    if schema and pattern.startswith("/matches/{slug}/") and person.chance.random() < _LOOKS_FIRST:
        values = _at_board(person, await call(person, "GET", "/".join(path.split("/")[:3])))
    is_import = pattern.startswith("/studies") and person.chance.random() < _LOOKS_FIRST
    if is_import:
        values["text"] = "(;FF[4]GM[11]SZ[5])"
    if pattern.startswith("/puzzles/"):
        values["move"] = f"{person.chance.choice('abcde')}{person.chance.randint(1, 5)}"

    def known(name: str) -> Any:
        return values[name] if name in values else _known(person, name)

    given = person.chance.choice(_GIVEN)
    body = made_up.value(schema, person.chance, known, given=given) if schema else None
    answer = await call(person, method.upper(), path, body)
    person.memory["lists seen"].add(path)
    _remember(person, path, answer)
    if person.browser.visits[-1].status < 400:
        person.memory.setdefault("operations", set()).add((method, pattern))
        if method == "post" and path == pattern:
            made = [answer[name] for name in _IDS if isinstance(answer, dict) and name in answer]
            _made(person).setdefault(path.strip("/"), []).extend(map(str, made[:1]))


def _at_board(person: Person, view: Any) -> dict[str, Any]:
    """Return seat, number of moves and a legal move, as far as a view of a match shows them."""
    if not isinstance(view, dict) or not view.get("own"):
        return {}
    is_turn = view["toMove"] in view["own"]
    values = {"seat": view["toMove"] if is_turn else view["own"][0], "ply": len(view["moves"])}
    moves = legal_moves(view) if is_turn and view.get("legal") else []
    return {**values, "move": person.chance.choice(moves)} if moves else values


async def send_any_commands(person: Person) -> None:
    """Send some commands to the sockets of boards, mostly new ones."""
    for _ in range(person.chance.randint(1, _MOST_COMMANDS)):
        await _send_any_command(person)


async def _send_any_command(person: Person) -> None:
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
    sent: set[str] = person.memory.setdefault("sent commands", set())
    commands = [part["$ref"] for part in schema["oneOf"]]
    new = [name for name in commands if name not in sent]
    is_new = bool(new) and person.chance.random() < _WANTS_NEWS
    chosen = person.chance.choice(new if is_new else commands)
    sent.add(chosen)
    schema = {"$ref": chosen, "$defs": schema["$defs"]}

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
    if name == "course_id" and "course" in person.memory:
        return str(person.memory["course"])  # of the steps that the person remembers
    kind = before.strip("/").split("/")[-1]
    kind = _KINDS.get(kind, kind)
    known, own = _ids(person).get(kind, []), _own(person, kind)
    if own and person.chance.random() < _OWN:
        return person.chance.choice(own)
    people = [*person.memory.get("people", []), *_PEOPLE] if name in ("name", "other") else ["x"]
    return str(person.chance.choice(known or people))


def _known(person: Person, name: str) -> Any:
    """Return a value that a person would give for a property."""
    match name:
        case "game" | "game_id":
            return person.chance.choice(GAMES)
        case "control":
            return person.chance.choice(_CONTROLS)
        case "key":
            return f"{person.chance.getrandbits(64):016x}"
        case "name" | "names" | "people" | "player" | "username":
            friend = person.memory.get("friend", person.chance.choice(_PEOPLE))
            return [friend] if name in ("names", "people") else friend
        case "until":
            return "2030-04-01"
        case "answer":
            return f"{person.chance.choice('abcd')}{person.chance.randint(1, 4)}"
        case "text" | "title" | "description" | "about" | "comment":
            return person.words("I write")
    return None


def _ids(person: Person) -> dict[str, list[str]]:
    ids: dict[str, list[str]] = person.memory.setdefault("ids", {"games": list(GAMES)})
    return ids


def _made(person: Person) -> dict[str, list[str]]:
    """Return the ids of what the person has made through the API, by kind."""
    made: dict[str, list[str]] = person.memory.setdefault("own ids", {})
    return made


def _own(person: Person, kind: str) -> list[str]:
    """Return the ids of what the person has made of a kind, on pages too."""
    paths: list[str] = person.memory.get(_MADE.get(kind, ""), [])
    return [*_made(person).get(kind, []), *(path.split("/")[2] for path in paths)]


def _remember(person: Person, path: str, answer: Any) -> None:
    """Remember the ids of an answer by the last fixed part of its path."""
    parts = path.strip("/").split("/")
    # A list stands alone, or in an object under its own name.
    items = answer.get(parts[-1], [answer]) if isinstance(answer, dict) else answer
    for item in items if isinstance(items, list) else ():
        for name in _IDS:
            if isinstance(item, dict) and isinstance(item.get(name), str):
                is_nested = len(parts) > 2 and parts[-1] in ("links", "members", "door")
                kind = parts[-1] if is_nested else parts[0]
                known = _ids(person).setdefault(kind, [])
                known.append(item[name])
                del known[:-_MOST_IDS]
                break
        for inner in ("chapters", "steps"):
            if isinstance(item, dict) and isinstance(item.get(inner), list):
                parts_of_item = [each for each in item[inner] if isinstance(each, dict)]
                steps = [str(each["id"]) for each in parts_of_item if "id" in each]
                _ids(person)[inner] = steps[-_MOST_IDS:]
                if inner == "steps":
                    person.memory["course"] = item.get("id", parts[-1])
