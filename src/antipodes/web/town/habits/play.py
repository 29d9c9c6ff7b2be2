"""Play: begin games, sit down at boards, move, talk, offer, and lose connections."""

from __future__ import annotations

import json
from typing import Any, get_args

from antipodes.web.matches.messages import PlainCommand
from antipodes.web.town.clients import Socket
from antipodes.web.town.person import Person

GAMES = ("antipod", "antipalos", "antipode", "hex", "hex", "hex", "cylindrical-hex")
# Boards on which games end within days although their players rarely look.
_SMALL = {
    "antipod": {"side": "4"},
    "hex": {"size": "3"},
    "cylindrical-hex": {"rows": "3", "columns": "4"},
}
_LIVE = 0.75  # of the challenges
_PRIVATE = 0.15  # of the challenges of people with an account
_LEAVES = 0.3  # chance of a watcher at each look, and of who waits for others
_CLAIMS = 0.5  # chance at each look, when the opponent has been away for long
_PLANS = 0.1  # chance to enter conditional moves while the opponent is to move
# Commands that players send now and then, resigning more often than the others.
_RARE = ("resign", "resign", "resign", "queue-resignation", *get_args(PlainCommand))
_SENTENCES = ("hello", "good game", "thank you", "well played!", "see http://spam.example", "...",
              "write to me: {own}")  # fmt: skip


async def begin_alone(person: Person) -> None:
    """Begin a game against the computer."""
    game = person.chance.choice(GAMES)
    await person.open(f"/new/{game}/")
    await person.submit(
        f"/new/{game}/", opponent="computer", level="1", control="", **_SMALL.get(game, {})
    )
    await _take_seat(person)


async def post_challenge(person: Person) -> None:
    """Challenge everyone, or another player by name, mostly to a live game."""
    friend = person.memory.get("friend")
    opponents = ["anybody", "anybody", "link", *(["people"] if friend else [])]
    await _challenge(
        person,
        "m+" if person.chance.random() < _LIVE else "",
        opponent=person.chance.choice(opponents),
        names=friend or "",
        rated="on" if person.has_account and person.chance.random() < 0.7 else "",
        is_private="on" if person.has_account and person.chance.random() < _PRIVATE else "",
    )
    await wait_for_game(person)


async def wait_for_game(person: Person) -> None:
    """Keep a page open that tells when a game begins, and expect one."""
    person.memory["expects"] = True
    await person.socket("/notices/socket")


async def post_slow_challenge(person: Person) -> None:
    """Challenge anybody to a rated game over days, which can be played by mail."""
    await _challenge(person, "d", opponent="anybody", rated="on")


async def _challenge(person: Person, clock: str, **values: str) -> None:
    """Send the form of a new game, with any clock whose text has another one in it."""
    game = person.chance.choice(GAMES)
    form = (await person.open(f"/new/{game}/")).form(f"/new/{game}/")
    clocks = [text for text in form.options("control") if clock in text] if form else []
    if clocks:
        values |= {"control": person.chance.choice(clocks), **_SMALL.get(game, {})}
        await person.submit(f"/new/{game}/", **values)


async def join_anybody(person: Person) -> None:
    """Join a challenge of the lobby, and leave it now and then while others are missing."""
    if await _open_challenge(person, "/lobby/"):
        await person.submit("/join")
        await _take_seat(person)
        if person.chance.random() < _LEAVES:
            await person.submit("/leave")


async def answer_invitation(person: Person) -> None:
    """Join a challenge to oneself, or decline it."""
    if await _open_challenge(person, "/"):
        await person.submit(person.chance.choice(["/join", "/decline"]))
        await _take_seat(person)


async def _open_challenge(person: Person, path: str) -> bool:
    """Open a challenge to which a page links; return whether it does."""
    page = await person.open(path)
    links = [link for link in page.links() if link.startswith("/c/")]
    if links:
        await person.open(person.chance.choice(links))
    return bool(links)


async def sit_down(person: Person) -> None:
    """Go to a board where it is one's turn, or to one of one's boards."""
    page = await person.open("/next-game/")
    if not page.path.startswith("/m/"):
        if person.chance.random() < 0.2:
            page = await person.open("/games/")
        links = [link for link in page.links() if link.startswith("/m/")]
        if not links:
            return
        await person.open(person.chance.choice(links))
    if (socket := await _take_seat(person)) is not None:
        await act_at_board(person, socket)


async def _take_seat(person: Person) -> Socket | None:
    """Stay at the board of the present page, if it has one, with its socket open."""
    if person.page is None or not person.page.path.startswith("/m/"):
        return None
    person.memory["expects"] = False
    return await person.socket(f"/m/{person.page.path.split('/')[2]}/socket")


async def go_on(person: Person) -> None:
    """Act at a board where one sits."""
    await person.reconnect()
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
        if not socket.is_open and not socket.is_lost:
            del person.sockets[path]
    return [
        socket
        for path, socket in person.sockets.items()
        if path.startswith("/m/") and (view := view_of(socket)) is not None and view["own"]
    ]


def _is_my_turn(socket: Socket) -> bool:
    view = view_of(socket)
    return view is not None and view["toMove"] in view["own"]


def seat_of(socket: Socket) -> tuple[int, int] | None:
    """Return a seat of a person at a board, the one to move if it is theirs, and the ply."""
    view = view_of(socket)
    if view is None or not view["own"]:
        return None
    is_mine = view["toMove"] in view["own"]
    return view["toMove"] if is_mine else view["own"][0], len(view["moves"])


def view_of(socket: Socket) -> dict[str, Any] | None:
    """Return the latest state of the match that a socket has received."""
    socket.look()
    message = socket.latest.get("match")
    view: dict[str, Any] | None = message and message["match"]
    return view


async def act_at_board(person: Person, socket: Socket) -> None:
    """Do one thing at a board: mostly a move."""
    view, place = view_of(socket), seat_of(socket)
    if view is None or place is None:
        person.did += " watches"
        if person.chance.random() < _LEAVES:
            await _leave(person, socket)
        return
    if view["result"] is not None:
        await _leave(person, socket)
        return
    key = f"{person.chance.getrandbits(64):016x}"
    act = _act(person, socket, view)
    if act is None:
        person.did += " waits"
        return
    if act["command"] != "chat":
        act |= dict(zip(("seat", "ply"), place, strict=True))
    message = {**act, "key": key}
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


def _act(person: Person, socket: Socket, view: dict[str, Any]) -> dict[str, Any] | None:
    """Return a command for a game in progress, without seat and ply; ``None`` to wait."""
    roll = person.chance.random()
    asked = [kind for kind, seats in view["offers"].items() if not set(seats) & set(view["own"])]
    if asked and roll < 0.6:
        answer = person.chance.choice(["accept", "accept", "decline"])
        return {"command": answer, "kind": person.chance.choice(asked)}
    if roll < 0.05:
        kind = person.chance.choice(["draw", "takeback", "takeback", "takeback", "pause"])
        answer = person.chance.choice(["offer", "offer", "offer", "accept", "decline"])
        return {"command": answer, "kind": kind}
    if roll < 0.08:
        return {"command": person.chance.choice(_RARE)}
    if roll < 0.13:
        # The site knows no address of a guest, and cannot mask it.
        own = person.mail_address if person.has_account else "nowhere"
        sentence = person.chance.choice(_SENTENCES).format(own=own)
        return {"command": "chat", "text": person.words(sentence)}
    moves = legal_moves(view)
    if view["toMove"] in view["own"]:
        return {"command": "play", "move": person.chance.choice(moves)} if moves else None
    return _act_while_waiting(person, socket, moves)


def _act_while_waiting(person: Person, socket: Socket, moves: list[int]) -> dict[str, Any] | None:
    """Return a command for a game in which another player is to move, as :func:`_act`."""
    roll = person.chance.random()
    if _may_claim(person, socket) and roll < _CLAIMS:
        return {"command": person.chance.choice(["claim-win", "claim-win", "claim-draw"])}
    if moves and roll < _PLANS:
        expected, answer = (person.chance.choice(moves) for _ in range(2))
        plan = [{"move": expected, "then": [{"move": answer}]}]
        return {"command": "conditional-moves", "moves": plan}
    return None


def _may_claim(person: Person, socket: Socket) -> bool:
    """Return whether the player to move has been away for so long that the end can be claimed."""
    left, view = socket.latest.get("left"), view_of(socket)
    if left is None or view is None or left["at"] is None or left["seat"] != view["toMove"]:
        return False
    return bool(person.site.now() - left["at"] >= left["claimAfter"])


async def _leave(person: Person, socket: Socket) -> None:
    await socket.close()
    person.sockets.pop(socket.path, None)


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
