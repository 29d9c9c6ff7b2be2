"""An inhabitant of the town: a name, a browser, a mailbox and what it remembers."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any

from antipodes.web.town.clients import Browser, Page, Socket
from antipodes.web.town.site import TownSite

Habit = Callable[["Person"], Awaitable[None]]

PASSWORD = "as-secret-as-a-town-needs"  # noqa: S105 - of people of the town only
_ASKS_AGAIN = "/accounts/reauthenticate/"


@dataclass
class Person:
    """An inhabitant.

    Attributes:
        number: from 0; decides name, addresses and language.
        chance: of this act alone, so that acts of others do not change it.
        mails: the mails that have not been answered yet, oldest first.
        has_account: whether the person has signed up.
        sockets: open ones, by path.
        did: what the present act was, in a few words.
    """

    number: int
    site: TownSite
    chance: random.Random
    browser: Browser
    mails: list[EmailMessage] = field(default_factory=list)
    has_account: bool = False
    sockets: dict[str, Socket] = field(default_factory=dict)
    did: str = ""
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

    def receive(self, mail: EmailMessage) -> None:
        """Find a mail in the mailbox."""
        self.mails.append(mail)
        self._unread.append(mail.as_string())

    def new_letters(self) -> list[str]:
        """Return the mails that have come since the last call, as texts."""
        unread, self._unread = self._unread, []
        return unread

    def new_messages(self) -> list[tuple[str, list[Any]]]:
        """Return what has come over sockets since the last call, with their paths."""
        for socket in self.sockets.values():
            socket.look()
        return [(path, socket.unread()) for path, socket in self.sockets.items()]

    @property
    def mail_address(self) -> str:
        return f"{self.name}@home.example"

    async def open(self, path: str) -> Page:
        """Open a page."""
        self.page = await self.browser.get(path)
        self.did += f" {path}:{self.page.visit.status}"
        if self.page.path.startswith(_ASKS_AGAIN) and self.has_account:
            await self.submit(_ASKS_AGAIN, password=PASSWORD)
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
        return self.page

    async def socket(self, path: str) -> Socket:
        """Return the open socket of an address; open it if there is none."""
        known = self.sockets.get(path)
        if known is None or not known.is_open:
            known = self.sockets[path] = await self.browser.open_socket(path)
            await self.site.loop.settle()
            known.look()
        return known


_NAMES = ("ada", "ben", "cleo", "dora", "emil", "fay", "gus", "hana", "ivo", "jana", "kim", "lea")
