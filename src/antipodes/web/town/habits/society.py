"""Society: follow, block, report, go away, and talk in the lobby and at events."""

from __future__ import annotations

import json
import re

from antipodes.web.town.clients import Socket
from antipodes.web.town.habits.play import wait_for_game
from antipodes.web.town.person import Person

_EVENT = re.compile(r"(/(?:tournament|simul)/[\w-]+)/")
_UNDOES = 0.4  # chance to stop following or blocking, of who does
_CLICKS_TWICE = 0.2  # chance of an impatient click


def _acquaintance(person: Person) -> str:
    known: list[str] = person.memory.get("people", [])
    return person.chance.choice(known) if known else "ada0"


async def look_around(person: Person) -> None:
    """Look at a leaderboard or a profile, and remember names."""
    game = person.chance.choice(["hex", "antipod", "antipalos", "antipode"])
    page = await person.open(person.chance.choice([f"/ratings/{game}/", "/games/", "/lobby/"]))
    names = [link.split("/")[2] for link in page.links() if link.startswith("/people/")]
    person.memory["people"] = list(dict.fromkeys([*person.memory.get("people", []), *names]))[-30:]
    if names:
        person.memory["friend"] = person.chance.choice(names)


async def relate(person: Person) -> None:
    """Follow or block another player, or undo what one has done."""
    related: dict[str, str] = person.memory.setdefault("related", {})
    if related and person.chance.random() < _UNDOES:
        name = person.chance.choice(list(related))
        act = f"un{related.pop(name)}"
    else:
        name = _acquaintance(person)
        act = related[name] = person.chance.choice(["follow", "follow", "block"])
    await person.open(f"/people/{name}/")
    await person.submit(f"/people/{name}/{act}")


async def report(person: Person) -> None:
    """Report another player."""
    path = f"/people/{_acquaintance(person)}/report/"
    page = await person.open(path)
    if (form := page.form(path)) is not None:
        person.page = await person.browser.submit(form, text="cheats, I think")
        person.did += f" report:{person.page.visit.status}"


async def go_away(person: Person) -> None:
    """Go on a vacation, or come back."""
    await person.open("/accounts/away/")
    await person.submit("/accounts/away/")


async def speak_up(person: Person) -> None:
    """Say something where others read it: beside a game, of oneself, or in a public study."""
    roll = person.chance.random()
    if roll < 0.2:
        await person.open("/accounts/profile/")
        await person.submit("/accounts/profile/", about=person.words("I am"))
    elif roll < 0.4:
        await person.open("/studies/new/")
        title = person.words("Study")
        await person.submit("/studies/new/", title=title, visibility="public", game=None, text="")
    else:
        page = await person.open(person.chance.choice(["/lobby/", "/games/"]))
        boards = [link.split("/")[2] for link in page.links() if link.startswith("/m/")]
        if boards:
            socket = await person.socket(f"/m/{person.chance.choice(boards)}/socket")
            await _say(person, socket)


async def talk(person: Person) -> None:
    """Say something in the lobby or at an event."""
    path = "/lobby/socket"
    if person.chance.random() < 0.5:
        page = await person.open(person.chance.choice(["/tournaments/", "/simuls/"]))
        events = sorted({found[1] for link in page.links() if (found := _EVENT.match(link))})
        path = f"{person.chance.choice(events)}/chat" if events else path
    await _say(person, await person.socket(path))


async def _say(person: Person, socket: Socket) -> None:
    key = f"{person.chance.getrandbits(64):016x}"
    text = person.words("hello")
    for _ in range(2 if person.chance.random() < _CLICKS_TWICE else 1):
        await socket.send({"command": "chat", "key": key, "text": text})
    await person.site.loop.settle()
    person.did += f" {json.dumps(socket.look())[:100]}"


async def seek(person: Person) -> None:
    """Look for an opponent with usual settings, and wait at the page."""
    await person.open("/pair/")
    game = person.chance.choice(["hex", "antipod"])
    page = await person.submit("/pair/", game=game)
    if page is not None and page.path.startswith("/pair/"):
        await person.browser.get(page.path + "now")
        await wait_for_game(person)
