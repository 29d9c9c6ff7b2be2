"""Study: solve puzzles, write studies, read lessons, ask for analyses."""

from __future__ import annotations

import json
import re
from typing import Any

from antipodes.web.town.habits import curious
from antipodes.web.town.habits.play import legal_moves
from antipodes.web.town.person import Person

_ANSWERS = 0.5  # chance to try a move of a puzzle
_ENDS = 0.3  # chance to stop an analysis
_EXERCISE = re.compile(r"/puzzles/mistakes/\d+/")


async def solve_puzzle(person: Person) -> None:
    """Try a puzzle, ask for its hint, or look at the solution; vote on it, and perhaps again."""
    page = await person.open(person.chance.choice(["/puzzles/next", "/puzzles/daily/"]))
    identifier = page.path.split("/")[2] if page.path.startswith("/puzzles/") else ""
    if identifier and person.chance.random() < _ANSWERS:
        await _answer(person, identifier)
    if (form := page.form("/puzzles/")) is not None:
        name, value = person.chance.choice(form.buttons() or [("ask", "hint")])
        person.page = await person.browser.submit(form, **{name: value})
        person.did += f" {name}={value}:{person.page.visit.status}"
    if identifier and person.has_account:
        for _ in range(person.chance.randint(0, 2)):
            await _vote(person, identifier)


async def _answer(person: Person, puzzle: str) -> None:
    """Try a move as the script of a puzzle's page does, and ask whether it wins."""
    page = await person.browser.get(f"/puzzles/{puzzle}/position.json")
    if page.ok:
        move = person.chance.choice(legal_moves(json.loads(page.visit.text)["position"]))
        answer = {"moves": "", "move": str(move), "refutes": "1"}
        page = await person.browser.post(f"/puzzles/{puzzle}/answer", answer)
        person.did += f" move={move}:{page.visit.status}"
        await person.browser.get(f"/puzzles/{puzzle}/result")


async def solve_mistake(person: Person) -> None:
    """Search for mistakes in one's latest games, or try to do better."""
    page = await person.open("/puzzles/mistakes/")
    exercises = [link for link in page.links() if _EXERCISE.fullmatch(link)]
    if not exercises:
        await person.submit("/puzzles/mistakes/")
        return
    page = await person.open(person.chance.choice(exercises))
    if not page.ok:
        return
    exercise = page.path.removeprefix("/puzzles/").strip("/")
    await _answer(person, exercise)
    asked = person.chance.choice(["judgement", "hint", "solution"])
    page = await person.browser.post(f"/puzzles/{exercise}/{asked}", {"moves": ""})
    person.did += f" {asked}:{page.visit.status}"


async def analyse(person: Person) -> None:
    """Ask for an analysis as the script of a board does, look at it, and end it."""
    asked = {"game": "hex", "size": "3", "moves": person.chance.choice(["", "4"]),
             "effort": "glance"}  # fmt: skip
    page = await person.browser.post("/analyses", asked)
    person.did += f" /analyses:{page.visit.status}"
    if not page.ok:
        return
    path = f"/analyses/{json.loads(page.visit.text)['slug']}"
    await person.browser.get(path)
    if person.chance.random() < _ENDS:
        await person.browser.send_data("DELETE", path, None, person.browser.csrf)


async def _vote(person: Person, puzzle: str) -> None:
    """Vote on a puzzle as the script of its page does; remember the last vote that counted."""
    vote = person.chance.choice(["up", "up", "down", "none"])
    page = await person.browser.post(f"/puzzles/{puzzle}/vote", {"vote": vote})
    person.did += f" vote={vote}:{page.visit.status}"
    if page.ok:
        person.memory.setdefault("votes", {})[person.name, puzzle] = vote


async def write_study(person: Person) -> None:
    """Begin a study, or write in one of one's own."""
    known: list[str] = person.memory.setdefault("studies", [])
    if not known or person.chance.random() < 0.2:
        await person.open("/studies/new/")
        page = await person.submit(
            "/studies/new/", title=person.words("Study"), visibility=None, game=None, text=""
        )
        if page is not None and page.path.startswith("/study/"):
            known.append(page.path)
        return
    page = await person.open(person.chance.choice(known))
    if not page.path.startswith("/study/"):
        return
    parts = page.path.strip("/").split("/")
    number = parts[2] if len(parts) > 2 else "1"
    socket = await person.socket(f"/study/{parts[1]}/{number}/socket")
    path = [person.chance.randrange(3) for _ in range(person.chance.randrange(3))]
    edits: list[dict[str, Any]] = [
        {"kind": "add", "path": path, "move": person.chance.randrange(25)},
        {"kind": "add", "path": [], "move": person.chance.randrange(25)},
        {"kind": "comment", "path": path, "text": person.words("I say"), "before": ""},
        {"kind": "mark", "path": path, "mark": person.chance.choice(["good", "bad", None])},
        {"kind": "promote", "path": path},
        {"kind": "shape", "path": path, "shape": ["circle", person.chance.randrange(25)]},
        {"kind": "remove", "path": path, "seen": 1},
    ]
    key = f"{person.chance.getrandbits(64):016x}"
    await socket.send({"key": key, "edit": person.chance.choice(edits)})
    await person.site.loop.settle()
    person.did += f" {str(socket.look())[:100]}"


async def share_study(person: Person) -> None:
    """Invite a friend to write in a study with oneself, or open one that others write."""
    known: list[str] = person.memory.setdefault("studies", [])
    if known and person.chance.random() < 0.5:
        slug = person.chance.choice(known).split("/")[2]
        await person.open(f"/study/{slug}/settings/")
        friend = person.memory.get("friend", "ada0")
        role = person.chance.choice(["writer", "writer", "reader"])
        await person.submit(f"/study/{slug}/do/invite", names=friend, role=role)
    else:
        page = await person.open("/studies/")
        links = [link for link in page.links() if link.startswith("/study/")]
        if links:
            known.append(person.chance.choice(links))


async def learn(person: Person) -> None:
    """Go through the lessons."""
    page = await person.open("/learn/")
    links = [link for link in page.links() if link.startswith("/learn/")]
    if links:
        page = await person.open(person.chance.choice(links))
        forms = [form for form in page.forms() if form.path.startswith("/learn/")]
        if forms:
            await curious.send(person, person.chance.choice(forms))


async def write_note(person: Person) -> None:
    """Write a private note at a game."""
    page = await person.open("/next-game/")
    if page.path.startswith("/m/"):
        slug = page.path.split("/")[2]
        text = f"private-note-{person.number}"
        page = await person.browser.post(f"/m/{slug}/notes", {"text": text})
        person.did += f" note:{page.visit.status}"
