"""Play: begin games, sit down at boards, move, talk, offer, and lose connections."""

from __future__ import annotations

import json
from typing import Any

from antipodes.web.town.clients import Socket
from antipodes.web.town.person import Person

GAMES = ("antipod", "antipalos", "antipode", "hex", "cylindrical-hex")
# Boards on which games end within days although their players rarely look.
_SMALL = {
    "antipod": {"side": "4"},
    "hex": {"size": "3"},
    "cylindrical-hex": {"rows": "3", "columns": "4"},
}
_SENTENCES = ("hello", "good game", "thank you", "well played!", "see http://spam.example", "...",
              "write to me: {own}")  # fmt: skip


async def begin_alone(person: Person) -> None:
    """Begin a game against the computer."""
    game = person.chance.choice(GAMES)
    await person.open(f"/new/{game}/")
    await person.submit(
        f"/new/{game}/", opponent="computer", level="1", control="", **_SMALL.get(game, {})
    )


async def post_challenge(person: Person) -> None:
    """Challenge everyone, or another player by name."""
    game = person.chance.choice(GAMES)
    values: dict[str, str | None] = {
        "opponent": person.chance.choice(["anybody", "people", "link"]),
        "names": person.memory.get("friend", "ada0"),
        "control": None,
        "rated": "on" if person.has_account and person.chance.random() < 0.7 else "",
        **_SMALL.get(game, {}),
    }
    await person.open(f"/new/{game}/")
    await person.submit(f"/new/{game}/", **values)


async def post_slow_challenge(person: Person) -> None:
    """Challenge anybody to a rated game over days, which can be played by mail."""
    game = person.chance.choice([*GAMES, *_SMALL])
    page = await person.open(f"/new/{game}/")
    form = page.form(f"/new/{game}/")
    slow = [text for text in form.options("control") if "d" in text] if form else []
    if slow:
        control = person.chance.choice(slow)
        values = {"rated": "on", **_SMALL.get(game, {})}
        await person.submit(f"/new/{game}/", opponent="anybody", control=control, **values)


async def join_anybody(person: Person) -> None:
    """Join a challenge of the lobby."""
    page = await person.open("/lobby/")
    links = [link for link in page.links() if link.startswith("/c/")]
    if links:
        await person.open(person.chance.choice(links))
        await person.submit("/join")


async def sit_down(person: Person) -> None:
    """Go to a board where it is one's turn, or to one of one's boards."""
    page = await person.open("/next-game/")
    if not page.path.startswith("/m/"):
        if person.chance.random() < 0.2:
            page = await person.open("/games/")
        links = [link for link in page.links() if link.startswith("/m/")]
        if not links:
            return
        page = await person.open(person.chance.choice(links))
    slug = page.path.split("/")[2]
    socket = await person.socket(f"/m/{slug}/socket")
    await act_at_board(person, socket)


async def go_on(person: Person) -> None:
    """Act at a board where one sits."""
    boards = _boards(person)
    mine = [board for board in boards if _is_my_turn(board)]
    if mine or (boards and person.chance.random() < 0.7):
        await act_at_board(person, person.chance.choice(mine or boards))
    else:
        await sit_down(person)


def is_to_move(person: Person) -> bool:
    """Return whether a person sees that it is their turn."""
    return any(map(_is_my_turn, _boards(person)))


def _boards(person: Person) -> list[Socket]:
    """Return the open boards at which a person sits, and forget closed ones."""
    for path, socket in list(person.sockets.items()):
        socket.look()
        if not socket.is_open:
            del person.sockets[path]
    return [socket for path, socket in person.sockets.items() if path.startswith("/m/")]


def _is_my_turn(socket: Socket) -> bool:
    view = view_of(socket)
    return view is not None and view["toMove"] in view["own"]


def view_of(socket: Socket) -> dict[str, Any] | None:
    """Return the latest state of the match that a socket has received."""
    socket.look()
    message = socket.latest.get("match")
    view: dict[str, Any] | None = message and message["match"]
    return view


async def act_at_board(person: Person, socket: Socket) -> None:
    """Do one thing at a board: mostly a move."""
    view = view_of(socket)
    if view is None or not view["own"]:
        person.did += " watches"
        return
    if view["result"] is not None:
        await socket.close()
        return
    mine = view["toMove"] in view["own"]
    roll = person.chance.random()
    ply = len(view["moves"])
    message: dict[str, Any] = {
        "seat": view["toMove"] if mine else view["own"][0],
        "ply": ply,
        "key": f"{person.chance.getrandbits(64):016x}",
    }
    if roll < 0.04:
        kind = person.chance.choice(["draw", "takeback", "pause"])
        answer = person.chance.choice(["offer", "accept", "decline"])
        message |= {"command": answer, "kind": kind}
    elif roll < 0.07:
        message |= {"command": person.chance.choice(["resign", "abort", "claim-flag"])}
    elif roll < 0.13:
        sentence = person.chance.choice(_SENTENCES).format(own=person.mail_address)
        text = person.words(sentence)
        message = {"command": "chat", "key": message["key"], "text": text}
    elif mine and (moves := legal_moves(view)):
        message |= {"command": "play", "move": person.chance.choice(moves)}
    else:
        person.did += " waits"
        return
    times = 2 if person.chance.random() < 0.05 else 1  # an impatient click
    for _ in range(times):
        await socket.send(message)
    person.did += f" {socket.path} {json.dumps(message, sort_keys=True)}"
    await person.site.loop.settle()
    refusals = [
        str(each.get("message") or each) for each in socket.look() if each.get("type") == "error"
    ]
    if refusals:
        person.did += f" refused: {refusals[0]}"


def legal_moves(view: dict[str, Any]) -> list[int]:
    """Return some of the legal moves of a view."""
    moves: list[int] = []
    for part in view["legal"]:
        if isinstance(part, dict):
            number = part["base"]
            moves.append(
                number + sum(s[0] * k for s, k in zip(part["steps"], part["strides"], strict=True))
            )
        else:
            moves.append(part[0])
    return moves


async def lose_connection(person: Person) -> None:
    """Lose all connections at once."""
    for socket in person.sockets.values():
        socket.lose()
    person.sockets.clear()
