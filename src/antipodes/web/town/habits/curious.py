"""The curious: click on any link, and send any form with whatever comes to mind."""

from __future__ import annotations

import re
from typing import Any

from antipodes.web.town.clients import Form, Page
from antipodes.web.town.person import Person

_WORDS = (
    "", "hello", "ada0", "ben1", "x", "0", "-1", "7", "11", "5m+3s", "3d/move", "2031-01-01",
    "23:59", "Zürich", "d4", "a1 b2 c3", "<b>bold</b>", "'; --", "łódź ☃", "999999999999999999999",
    "1e9", "word " * 60, "[](javascript:1)", "@ben1", "hex", "antipod", "https://town.example/",
    "\u202eabc", "a\r\nBcc: b@c.example", "long" * 15_000,
)  # fmt: skip
_SPEAKS = 0.2  # of the values
_WANTS_NEWS = 0.7  # chance of an address of a new shape
_LOOKS_CLOSER = 0.4  # chance to see also addresses of pictures, files and scripts
STARTS = ("/", "/lobby/", "/games/", "/tournaments/", "/accounts/", "/learn/", "/puzzles/",
           "/studies/", "/clubs/", "/ratings/hex/", "/accounts/2fa/")  # fmt: skip
_WORD_OF_SITE = re.compile(r"[a-z._-]*|2fa")
_ELSEWHERE = 0.3  # chance to begin at another page than the present one
NEVER = ("/accounts/logout/", "/accounts/delete/")


async def follow_links(person: Person) -> None:
    """Begin anywhere, and follow some links."""
    page = person.page
    if page is None or not page.links() or person.chance.random() < _ELSEWHERE:
        page = await person.open(person.chance.choice(STARTS))
    for _ in range(person.chance.randint(1, 3)):
        links = [link for link in _addresses(person, page) if not link.startswith(NEVER)]
        if not links:
            break
        page = await person.open(_choose(person, links))
        if page.tree is None:  # a file or a picture
            page = person.page = await person.browser.get(person.chance.choice(STARTS))


def _addresses(person: Person, page: Page) -> list[str]:
    """Return the addresses to which a page links, sometimes all that are in it."""
    return page.addresses() if person.chance.random() < _LOOKS_CLOSER else page.links()


def _choose(person: Person, paths: list[str]) -> str:
    """Choose an address, mostly of a shape that the person has not seen yet."""
    seen: set[str] = person.memory.setdefault("shapes", set())
    new = [path for path in paths if shape(path) not in seen]
    path = person.chance.choice(new if new and person.chance.random() < _WANTS_NEWS else paths)
    seen.add(shape(path))
    return path


def shape(path: str) -> str:
    """Return an address without its ids: words of the site have small letters and no digit."""
    parts = path.partition("?")[0].split("/")
    return "/".join(part if _WORD_OF_SITE.fullmatch(part) else "*" for part in parts)


async def send_any_form(person: Person) -> None:
    """Send any form of the page, with some values changed."""
    page = person.page or await person.open("/")
    forms = [form for form in page.forms() if not form.path.startswith(NEVER)]
    if not forms:
        await follow_links(person)
        return
    path = _choose(person, [form.path for form in forms])
    await send(person, next(form for form in forms if form.path == path))


async def send(person: Person, form: Form) -> None:
    """Send a form with some values changed."""
    values: dict[str, str] = {}
    for name in dict.fromkeys(form.element.inputs.keys()):
        field = form.element.inputs[name]
        if name == "csrfmiddlewaretoken":
            continue
        if person.chance.random() < 0.5:
            value = _value(person, field, form.options(name))
            if value is not None:
                values[name] = value
    if (buttons := form.buttons()) and person.chance.random() < 0.8:
        name, value = person.chance.choice(buttons)
        values[name] = value
    person.page = await person.browser.submit(form, **values)
    person.did += f" {form.method} {form.path}:{person.page.visit.status}"


def _value(person: Person, field: Any, options: list[str]) -> str | None:
    roll = person.chance.random()
    if options:
        return person.chance.choice(options)
    kind = getattr(field, "type", "") or ""
    if kind == "password":
        return person.site.password
    if kind == "hidden":
        return None if person.chance.random() < 0.9 else person.chance.choice(_WORDS)
    if kind == "checkbox":
        return "on"
    if kind == "number" and person.chance.random() < 0.7:
        low, high = field.get("min"), field.get("max")
        near = [text for text in (low, high) if text]
        return str(person.chance.choice([*near, "3", "10"]))
    return person.words("I write") if roll < _SPEAKS else person.chance.choice(_WORDS)
