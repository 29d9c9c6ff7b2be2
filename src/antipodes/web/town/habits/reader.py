"""Readers: open what is new to them - pages, files and what scripts fetch - and send new forms."""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.parse import urljoin
from uuid import UUID

from antipodes.web.town.clients import Page
from antipodes.web.town.habits.curious import NEVER, STARTS, send, shape
from antipodes.web.town.habits.play import GAMES
from antipodes.web.town.person import Person

_STEPS = 8  # pages, files and forms in one act
_SENDS = 0.5  # chance to send a form that is new
_BYSTANDERS = ("/admin/", "/docs/", "/styleguide/", "/metrics", "/static/")
_NEVER_SENT = (*NEVER, "/accounts/bot/")
_POSITION = "game=hex&size=5&moves=3,7"

# What browsers, feed readers and scripts of a page ask for, by its address, where ``*`` stands for
# any part; relative to the page.
_FETCHED = {
    "/": "favicon.ico robots.txt service_worker.js offline/ offline/kept.json boards.json"
    " manifest.webmanifest qr.svg?path=/lobby/ oembed?url={origin}/tv/ data/ practice/?{position}"
    " positions.json?{position} explorer.json?{position} engine.json?{position} engine.kit"
    " practice/board.svg?{position} import/ editor/hex/ analysis/hex/?size=5&moves=3,7 tv/"
    " statistics/hex/ clubs/ puzzles/daily/atom.xml puzzles/daily/rss.xml accounts/2fa/"
    " accounts/password/reset/ accounts/password/change/ accounts/limits/ puzzles/mistakes/"
    " accounts/moderation/ accounts/inactive/ puzzles/history/ tournaments/calendar.ics"
    " tournaments/atom.xml tournaments/rss.xml tournaments/hosted/ blocked/ knowledge/",
    "/lobby/": "now/",
    "/c/*/": "now",
    "/pair/*/": "now",
    "/tv/": "now?game=hex&current=",
    "/m/*/": "board.json match.json ratings.json engine.json hint review.json record.json"
    " record.sgf hexworld board.svg board.png embed/ report/",
    "/games/": "found.jsonl",
    "/data/": "manifest.json SHA256SUMS puzzles.jsonl.gz",
    "/editor/*/": "position.json?black=d4&white=a1",
    "/study/*/*/": "tree.json chapter.json chapter.sgf board.png embed/ report/ ../study.sgf"
    " ../print/ ../new/ ../settings/",
    "/simul/*/": "now next",
    "/statistics/*/": "statistics.json first-moves.svg results.csv",
    "/tournament/*/": "now games/ games/now log/ embed/ season/ tournament.csv tournament.trf"
    " tournament.ics tournament.json games.sgf games.jsonl",
    "/puzzles/*/": "position.json board.svg board.png embed/ result",
    "/puzzles/mistakes/*/": "position.json board.svg result",
    "/clubs/*/": "leaderboard/ people/ change/ challenge/",
}
# What scripts of a page send, likewise, with the fields.
_SENT: dict[str, tuple[tuple[str, dict[str, str]], ...]] = {
    "/": (
        ("/notices/browser", {"zone": "Europe/Vienna"}),
        ("/notices/see", {}),
        ("notices/push/end", {"browser": "", "endpoint": "https://push.example/1"}),
        ("/tv/computer", {"game": "hex"}),
        ("analyses", {"game": "hex", "size": "5", "moves": "3,7", "effort": "glance"}),
        ("/offline/games", {"sent": "{offline}"}),
    ),
    "/m/*/": (("hint", {}), ("review.json", {}), ("notes", {"text": ""}), ("unfollow", {})),
    "/puzzles/*/": (
        ("hint", {"moves": ""}),
        ("judgement", {"moves": ""}),
        ("answer", {"moves": "", "move": "3"}),
        ("solution", {}),
        ("vote", {"vote": "up"}),
        ("report", {"reason": "other", "text": "is it right?"}),
    ),
    "/puzzles/mistakes/*/": (
        ("hint", {"moves": ""}),
        ("judgement", {"moves": ""}),
        ("answer", {"moves": "", "move": "3"}),
        ("solution", {}),
    ),
    "/learn/*/*/": (("answer", {"state": "", "answer": "3"}), ("answer", {"ask": "solution"})),
    "/c/*/": (("fill", {}), ("leave", {}), ("decline", {})),
    "/pair/*/": (("computer", {"level": "1"}),),
}


async def read_on(person: Person) -> None:
    """Open some of what the pages so far have named and that is new, and send new forms."""
    page = person.page if _seen(person) else None
    page = page or await person.open("/")
    for _ in range(_STEPS):
        _gather(person, page)
        forms = [
            form
            for form in page.forms()
            if not form.path.startswith(_NEVER_SENT)
            and ("form", shape(form.path)) not in _seen(person)
        ]
        if forms and person.chance.random() < _SENDS:
            form = person.chance.choice(forms)
            _seen(person).add(("form", shape(form.path)))
            await send(person, form)
        else:
            await _open_next(person)
        assert person.page is not None
        page = person.page


async def _open_next(person: Person) -> None:
    """Open, or send, any of what is new; begin anywhere if there is nothing."""
    new = _new(person)
    if not new:
        await person.open(person.chance.choice(STARTS))
        return
    key = person.chance.choice(list(new))
    path, fields = new.pop(key)
    _seen(person).add(key)
    if key[0] == "script":
        page = await person.browser.post(path, fields)
        person.did += f" POST {path}:{page.visit.status}"
    else:
        page = await person.open(path)
    if page.tree is None or not page.ok:  # no page on which to go on
        person.page = await person.browser.get(person.chance.choice(STARTS))


def _gather(person: Person, page: Page) -> None:
    """Remember what a page names and the person has not seen, the latest of each shape."""
    new, seen = _new(person), _seen(person)
    for kind, path, fields in _named(person, page):
        key = kind, shape(path)
        if key not in seen and not path.startswith((*NEVER, *_BYSTANDERS)):
            new[key] = path, fields


def _named(person: Person, page: Page) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield kind, path and fields of what a page links to, and its scripts fetch and send."""
    actions = {form.path for form in page.forms() if form.method == "POST"}
    yield from (("link", path, {}) for path in page.addresses() if path not in actions)
    bare = page.path.partition("?")[0]
    values = {"origin": person.site.origin, "position": _POSITION}
    for pattern in filter(lambda pattern: _fits(bare, pattern), _FETCHED):
        for name in _FETCHED[pattern].format_map(values).split():
            yield "link", urljoin(bare, name), {}
    for pattern in filter(lambda pattern: _fits(bare, pattern), _SENT):
        for name, fields in _SENT[pattern]:
            filled = {key: _filled(person, value) for key, value in fields.items()}
            yield "script", urljoin(bare, name), filled


def _filled(person: Person, value: str) -> str:
    """Return a value to send; a game that was played without a connection is made up."""
    if value != "{offline}":
        return value
    key = str(UUID(int=person.chance.getrandbits(128)))
    game = person.chance.choice(GAMES)
    return json.dumps({"key": key, "game": game, "level": 1, "seat": 0, "moves": []})


def _fits(path: str, pattern: str) -> bool:
    parts, wanted = path.split("/"), pattern.split("/")
    return len(parts) == len(wanted) and all(
        want in ("*", part) for part, want in zip(parts, wanted, strict=True)
    )


Key = tuple[str, str]  # kind and shape of an address


def _new(person: Person) -> dict[Key, tuple[str, dict[str, str]]]:
    new: dict[Key, tuple[str, dict[str, str]]] = person.memory.setdefault("unread", {})
    return new


def _seen(person: Person) -> set[Key]:
    seen: set[Key] = person.memory.setdefault("read", set())
    return seen
