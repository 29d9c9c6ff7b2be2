"""An inhabitant of the town: a name, a browser, a mailbox and what it remembers."""

from __future__ import annotations

import json
import random
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any, Protocol

from antipodes.web.town.clients import Browser, Page, Server, Socket

Habit = Callable[["Person"], Awaitable[None]]

_ASKS_TO_SIGN_IN = "/accounts/login/?"
_ASKS_AGAIN = "/accounts/reauthenticate/"


class Time(Protocol):
    """The time in which people live."""

    def time(self) -> float:
        """Return seconds."""

    async def settle(self) -> object:
        """Wait until the site has done what people have asked for."""


class Site(Server, Protocol):
    """A site as people know it."""

    @property
    def loop(self) -> Time:
        """Its time."""

    @property
    def mail_host(self) -> str:
        """The domain of its mail addresses."""

    @property
    def password(self) -> str:
        """That of all people of the town."""

    def now(self) -> int:
        """Return the time of the site in milliseconds since 1970."""

    async def post(self, raw: bytes, sender: str, to: Iterable[str]) -> None:
        """Hand a mail to the site."""

    async def appoint(self, name: str) -> bool:
        """Make a person a moderator; return whether that was possible."""


@dataclass(frozen=True)
class Received:
    """A text that a person has received: a mail, a page, an answer or messages of a socket.

    Attributes:
        person: who received it.
        where: from where it came.
        text: of it.
        status: of an answer; 200 for others.
    """

    person: Person
    where: str
    text: str
    status: int = 200


class Witness(Protocol):
    """People at a site, for laws that are checked by what these have received."""

    @property
    def people(self) -> list[Person]:
        """All of them."""

    @property
    def received(self) -> list[Received]:
        """Texts that came since the last act, mails first."""

    @property
    def memory(self) -> dict[str, Any]:
        """The memory of laws."""

    def is_excused(self, status: int) -> bool:
        """Return whether an outage excuses a status."""


@dataclass(eq=False)
class Person:
    """An inhabitant.

    Attributes:
        number: from 0; decides name, addresses and language.
        chance: of this act alone, so that acts of others do not change it.
        mails: the mails that have not been answered yet, oldest first.
        has_account: whether the person has signed up.
        sockets: open ones, by path.
        did: what the present act was, in a few words.
        spoken: the words that the person said in the present act, each unlike all others.
        acted_at: the virtual time of the last act.
        asleep_until: a virtual time before which the person does nothing.
    """

    number: int
    site: Site
    chance: random.Random
    browser: Browser
    mails: list[EmailMessage] = field(default_factory=list)
    has_account: bool = False
    sockets: dict[str, Socket] = field(default_factory=dict)
    did: str = ""
    spoken: list[str] = field(default_factory=list)
    asleep_until: float = 0.0
    acted_at: float = 0.0
    page: Page | None = None
    memory: dict[str, Any] = field(default_factory=dict)
    _unread: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.character = self.number
        self.names = {self.name}

    @property
    def name(self) -> str:
        return f"{_NAMES[self.number % len(_NAMES)]}{self.number}"

    def begin_again(self) -> None:
        """Begin again with another name, and without cookies."""
        self.number += 1_000
        self.names.add(self.name)
        self.has_account = False
        self.browser.forget()
        self.sockets.clear()
        for name in ("token", "is bot", "own ids", "totp", "related"):
            self.memory.pop(name, None)

    def receive(self, mail: EmailMessage, source: str) -> None:
        """Find a mail in the mailbox, also as the text that came."""
        self.mails.append(mail)
        self._unread.append(source)

    def new_letters(self) -> Iterator[Received]:
        """Yield the mails that have come since the last call."""
        unread, self._unread = self._unread, []
        return (Received(self, "a mail", text) for text in unread)

    def new_texts(self) -> Iterator[Received]:
        """Yield the pages and messages that have come since the last call."""
        visits, self.browser.visits[:] = list(self.browser.visits), []
        for visit in visits:
            yield Received(self, f"{visit.method} {visit.path}", visit.text, visit.status)
        for path, socket in self.sockets.items():
            socket.look()
            if messages := socket.unread():
                yield Received(self, path, json.dumps(messages))

    @property
    def has_page(self) -> bool:
        """Whether a page with a socket is open."""
        return any(socket.is_open for socket in self.sockets.values())

    @property
    def is_moderator(self) -> bool:
        """Whether the person keeps order in the town."""
        return self.character % 10 == 9 and self.has_account

    def words(self, sentence: str) -> str:
        """Return a sentence with a word of its own, so that laws see who gets to read it."""
        word = f"word-{self.character}-{self.chance.getrandbits(40):x}"
        self.spoken.append(word)
        return f"{sentence} {word}"

    @property
    def mail_address(self) -> str:
        return f"{self.name}@home.example"

    async def open(self, path: str) -> Page:
        """Open a page."""
        self.page = await self.browser.get(path)
        self.did += f" {path}:{self.page.visit.status}"
        if self.page.path.startswith(_ASKS_TO_SIGN_IN) and self.has_account:
            await self.submit(_ASKS_TO_SIGN_IN[:-1], login=self.name, password=self.site.password)
            assert self.page is not None
        if self.page.path.startswith(_ASKS_AGAIN) and self.has_account:
            await self.submit(_ASKS_AGAIN, password=self.site.password)
            assert self.page is not None
        return self.page

    async def submit(self, action: str, **values: str | list[str] | None) -> Page | None:
        """Send the form of the page that has an address; return ``None`` if there is none.

        A value ``None`` stands for any of those from which the form lets one choose.
        """
        form = None if self.page is None else self.page.form(action)
        if form is None:
            return None
        chosen = {
            name: self.chance.choice(form.options(name) or [""]) if value is None else value
            for name, value in values.items()
        }
        self.page = await self.browser.submit(form, **chosen)
        self.did += f" {form.method} {form.path}:{self.page.visit.status}"
        if self.page.path != form.path:
            self.did += f" {self.page.path}"
        return self.page

    async def leave(self) -> None:
        """Close all pages."""
        for socket in self.sockets.values():
            await socket.close()
        self.sockets.clear()
        self.did += ", and closes all pages"

    async def reconnect(self) -> None:
        """Open again the sockets of open pages that were lost, as scripts of pages do."""
        for path, socket in list(self.sockets.items()):
            if socket.is_lost:
                await self.socket(path)

    async def socket(self, path: str) -> Socket:
        """Return the open socket of an address; open it if there is none."""
        known = self.sockets.get(path)
        if known is None or not known.is_open:
            known = self.sockets[path] = await self.browser.open_socket(path)
            await self.site.loop.settle()
            known.look()
        return known


_NAMES = ("ada", "ben", "cleo", "dora", "emil", "fay", "gus", "hana", "ivo", "jana", "kim", "lea")
