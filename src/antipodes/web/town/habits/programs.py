"""Programs: bots and scripts, which use the API with a token."""

from __future__ import annotations

import json
import re
from typing import Any

from antipodes.games.registry import make_game
from antipodes.match import Start
from antipodes.records.json_format import read_setup
from antipodes.search.analysis import analyze
from antipodes.search.analysis_result import data_with_overlay
from antipodes.search.interface import Limits
from antipodes.web.town.habits.play import GAMES, legal_moves
from antipodes.web.town.person import Person

# Answers to a challenge of one's own, or to oneself: method, and end of the path.
_ANSWERS = (("DELETE", ""), ("POST", "/leave"), ("POST", "/decline"), ("POST", "/join"))
_VISITS = 20  # of an engine that is lent
_STOPS = 0.2  # chance to stop the engine in the middle of a job
_TOKEN = re.compile(r"\batp_[A-Za-z0-9_-]{20,}")


async def make_token(person: Person) -> None:
    """Make a token of the API."""
    page = await person.open("/accounts/tokens/new/")
    form = page.form("/accounts/tokens/new/")
    if form is None:
        return
    page = await person.browser.submit(form, name="robot", scopes=form.options("scopes"))
    if token := _TOKEN.search(page.visit.text):
        person.memory["token"] = token[0]
    person.did += f" token:{page.visit.status}"


async def call(person: Person, method: str, path: str, data: object = None) -> Any:
    """Call the API, with the person's token if there is one; return what it answers."""
    token = person.memory.get("token")
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    body = None if data is None else json.dumps(data)
    page = await person.browser.send_data(method, f"/api/v1{path}", body, headers)
    person.did += f" {method} {path}:{page.visit.status}"
    return json.loads(page.visit.text) if "json" in page.visit.kind else None


async def challenge_by_program(person: Person) -> None:
    """Challenge anybody through the API."""
    game = person.chance.choice(GAMES)
    await call(person, "POST", "/challenges", {"game": game, "control": "5m+3s", "rated": True})


async def answer_challenge(person: Person) -> None:
    """Withdraw, leave, decline or join a challenge through the API."""
    challenges = await call(person, "GET", "/challenges?which=mine")
    if isinstance(challenges, list) and challenges:
        method, end = person.chance.choice(_ANSWERS)
        path = f"/challenges/{person.chance.choice(challenges)['slug']}{end}"
        await call(person, method, path, {} if end == "/join" else None)


async def lend_engine(person: Person) -> None:
    """Do a job of the site with an engine of one's own, or stop in its middle."""
    answer = await call(person, "POST", "/engine/jobs")
    job = answer.get("job") if isinstance(answer, dict) else None
    if job is not None and person.chance.random() >= _STOPS:
        await call(person, "POST", "/engine/answers", {"loan": job["loan"], **_answer_of(job)})


def _answer_of(job: dict[str, Any]) -> dict[str, Any]:
    """Return the best move, and for an analysis its result."""
    setup = None if job["setup"] is None else read_setup(job["setup"])
    start = Start(setup=setup, moves=tuple(job["moves"]))
    position = start.position(make_game(job["game"], job["options"]))
    result = analyze(position, limits=Limits(visits=_VISITS), threats=True)
    data = data_with_overlay(result, 1.0)
    moves = [info["move"] for info in data["moveInfos"]]
    return {"move": moves[0] if moves else "", "analysis": None if job["player"] else data}


async def become_bot(person: Person) -> None:
    """Declare the account to be a program's; only programs do."""
    if person.has_account and person.memory.get("token") and not person.memory.get("is bot"):
        await person.open("/accounts/bot/")
        person.memory["is bot"] = True
        await person.submit("/accounts/bot/")


async def move_by_program(person: Person) -> None:
    """Play a move through the API."""
    listed = await call(person, "GET", "/matches")
    matches = listed.get("matches", []) if isinstance(listed, dict) else []
    if not matches:
        return
    slug = person.chance.choice(matches)["slug"]
    view = await call(person, "GET", f"/matches/{slug}")
    if isinstance(view, dict) and view.get("own") and view.get("legal"):
        move = person.chance.choice(legal_moves(view))
        await call(
            person,
            "POST",
            f"/matches/{slug}/moves",
            {"move": move, "ply": len(view["moves"]), "key": f"{person.chance.getrandbits(64):x}"},
        )
