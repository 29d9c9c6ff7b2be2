"""Clients of the site: browsers with pages and forms, WebSockets, programs that use the API."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import urldefrag, urlencode, urljoin, urlsplit

import httpx
from lxml import etree, html

from antipodes.web.town.coverage import Coverage

_MAX_REDIRECTS = 10
_LONGEST_QUERY = 60_000  # characters; browsers and the HTTP library send no much longer address
_LINKS = etree.XPath("//a/@href", smart_strings=False)
_VALUES = etree.XPath("//@*", smart_strings=False)
NO_ANSWER = 0  # status of a request that got none


class Channel(Protocol):
    """The connection of a WebSocket."""

    async def open(self) -> None:
        """Connect."""

    async def send(self, text: str) -> None:
        """Send a text."""

    async def close(self) -> None:
        """Close the connection, as a browser does."""

    def lose(self) -> None:
        """End the connection without a word."""

    def received(self) -> Iterable[Mapping[str, Any]]:
        """Yield what has come since the last call, as messages of ASGI."""


class Server(Protocol):
    """A site as clients reach it, in this process or elsewhere."""

    @property
    def origin(self) -> str:
        """The address of the site without a path."""

    def transport(self, address: str) -> httpx.AsyncBaseTransport:
        """Return what carries the requests of a client with an address."""

    def channel(self, path: str, headers: Mapping[str, str], address: str) -> Channel:
        """Return the connection of a WebSocket that is not open yet."""

    def stopwatch(self) -> float:
        """Return seconds, of which a difference says how long an answer took."""


@dataclass(frozen=True)
class Visit:
    """A response of the site to a client.

    Attributes:
        method: of the request.
        path: of the request, with its query.
        status: of the answer; :data:`NO_ANSWER` without one.
        kind: its content type, without parameters.
        text: its body.
        milliseconds: that the answer took, by the site's stopwatch.
    """

    method: str
    path: str
    status: int
    kind: str
    text: str
    milliseconds: float = 0.0


@dataclass
class Page:
    """A page in a browser."""

    visit: Visit
    origin: str
    tree: Any = None

    def __post_init__(self) -> None:
        if self.visit.kind == "text/html":
            with suppress(etree.ParserError):  # a part of a page, as scripts fetch it, may be empty
                self.tree = html.fromstring(self.visit.text, base_url=self.origin + self.path)

    @property
    def path(self) -> str:
        return self.visit.path

    @property
    def ok(self) -> bool:
        return self.visit.status < 400

    def links(self) -> list[str]:
        """Return the paths of this site to which the page links, each once, in their order."""
        if self.tree is None:
            return []
        paths = map(self._here, _LINKS(self.tree))
        return [path for path in dict.fromkeys(paths) if path]

    def addresses(self) -> list[str]:
        """Return all paths of this site in attributes of the page, but those of static files."""
        if self.tree is None:
            return []
        values = (value for value in _VALUES(self.tree) if value.startswith(("/", self.origin)))
        paths = map(self._here, values)
        return [path for path in dict.fromkeys(paths) if path and not path.startswith("/static/")]

    def forms(self) -> list[Form]:
        """Return the forms that can be sent to this site."""
        if self.tree is None:
            return []
        return [
            Form(form, path)
            for form in self.tree.forms
            if (path := self._here(form.get("action") or self.path))
        ]

    def form(self, action: str) -> Form | None:
        """Return the first form whose address ends in or begins with a text."""
        for form in self.forms():
            bare = form.path.partition("?")[0]
            if bare.endswith(action) or bare.startswith(action):
                return form
        return None

    def _here(self, address: str | None) -> str | None:
        """Return the path of an address on this site; ``None`` for other addresses."""
        if not address or address.startswith(("mailto:", "javascript:", "data:", "#")):
            return None
        if address.startswith("/") and not address.startswith("//"):
            return address.partition("#")[0]  # much quicker than to join them
        parts = urlsplit(urldefrag(urljoin(self.origin + self.path, address))[0])
        if parts.netloc != urlsplit(self.origin).netloc:
            return None
        return parts.path + (f"?{parts.query}" if parts.query else "")


@dataclass
class Form:
    """A form of a page, with the values that it has."""

    element: Any
    path: str

    @property
    def method(self) -> str:
        return str(self.element.method or "GET").upper()

    def values(self) -> dict[str, str]:
        """Return the values that a browser would send if nothing was changed."""
        # A line break just after a textarea's tag is not part of its value.
        return {
            name: value.removeprefix("\n")
            for name, value in self.element.form_values()
            if value is not None
        }

    def options(self, name: str) -> list[str]:
        """Return the values from which a field lets one choose; empty if there is no such field."""
        if name not in self.element.inputs:
            return []
        element = self.element.inputs[name]
        if getattr(element, "tag", "") == "select":
            return [option.get("value") or "" for option in element.iter("option")]
        return list(getattr(element, "value_options", ()))

    def buttons(self) -> list[tuple[str, str]]:
        """Return name and value of each button that sends the form."""
        return [
            (button.get("name"), button.get("value") or "")
            for button in self.element.iter("button")
            if button.get("name") and (button.get("type") or "submit") == "submit"
        ]


@dataclass
class Browser:
    """A browser of one person, with its cookies."""

    server: Server
    address: str
    language: str = "en"
    visits: list[Visit] = field(default_factory=list)
    coverage: Coverage = field(default_factory=Coverage)

    def __post_init__(self) -> None:
        self.client = self._client()

    def _client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            transport=self.server.transport(self.address),
            base_url=self.server.origin,
            headers={"Accept-Language": self.language, "User-Agent": "Town/1"},
        )

    def forget(self) -> None:
        """Lose all cookies."""
        self.client = self._client()

    @property
    def csrf(self) -> dict[str, str]:
        """The header by which the site knows scripts of its own pages."""
        return {"X-CSRFToken": self.client.cookies.get("csrftoken") or ""}

    async def get(self, path: str) -> Page:
        """Open a page, and follow where it leads."""
        return await self._send("GET", path)

    async def submit(self, form: Form, **changed: str | list[str]) -> Page:
        """Send a form with some values changed."""
        values = {**form.values(), **changed}
        if form.method == "GET":
            query = urlencode(values, doseq=True)[:_LONGEST_QUERY]
            return await self.get(f"{form.path.partition('?')[0]}?{query}")
        return await self._send("POST", form.path, data=values)

    async def post(self, path: str, data: Mapping[str, str] | None = None) -> Page:
        """Send fields as scripts of pages do."""
        return await self._send("POST", path, data=data, headers=self.csrf)

    async def send_data(
        self, method: str, path: str, body: str | None, headers: Mapping[str, str]
    ) -> Page:
        """Send JSON as programs do."""
        more = {"Content-Type": "application/json"} if body is not None else {}
        visit = await self._request(method, path, content=body, headers={**headers, **more})
        return Page(visit, self.server.origin)

    async def _send(self, method: str, path: str, **given: Any) -> Page:
        page = Page(await self._request(method, path, **given), self.server.origin)
        for _ in range(_MAX_REDIRECTS):
            if not 300 <= page.visit.status < 400 or not (target := page.visit.text):
                break
            parts = urlsplit(urljoin(page.origin + page.path, target))
            query = f"?{parts.query}" if parts.query else ""
            page = Page(await self._request("GET", parts.path + query), self.server.origin)
        return page

    async def _request(self, method: str, path: str, **given: Any) -> Visit:
        """Send one request; the text of a redirection is where it leads."""
        headers = {"Referer": self.server.origin + path, **given.pop("headers", {})}
        begun = self.server.stopwatch()
        try:
            response = await self.client.request(method, path, headers=headers, **given)
        except httpx.TransportError as error:
            response = httpx.Response(NO_ANSWER, text=repr(error))
        milliseconds = (self.server.stopwatch() - begun) * 1_000
        kind = response.headers.get("content-type", "").partition(";")[0]
        is_text = kind.startswith("text/") or "json" in kind or "xml" in kind
        text = response.text if is_text else ""
        if response.is_redirect:
            text = response.headers.get("location", "")
        visit = Visit(method, path, response.status_code, kind, text, milliseconds)
        self.visits.append(visit)
        if visit.status < 400:
            self.coverage.visit(method, path)
        return visit

    async def open_socket(self, path: str) -> Socket:
        """Open a socket as a page of the site does."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        headers = {"origin": self.server.origin, "cookie": cookies}
        socket = Socket(path, self.server.channel(path, headers, self.address), self.coverage)
        await socket.open()
        return socket


class Socket:
    """A WebSocket of a browser.

    Attributes:
        latest: the latest message of each type that the site has sent.
        is_open: whether neither side has closed it.
        is_lost: whether its page is open, but not its connection.
    """

    def __init__(self, path: str, channel: Channel, coverage: Coverage) -> None:
        """Take an address of the site, and the connection to it."""
        self.path = path
        self.latest: dict[str, Any] = {}
        self.is_open = self.is_lost = False
        self._coverage = coverage
        self._channel = channel
        self._unread: list[Any] = []

    async def open(self) -> None:
        """Connect."""
        await self._channel.open()

    async def send(self, message: object) -> None:
        """Send a message."""
        if self.is_open:
            self._coverage.send(self.path, message)
            await self._channel.send(json.dumps(message))

    async def close(self) -> None:
        """Close the tab."""
        if self.is_open:
            self.is_open = False
            await self._channel.close()

    def lose(self) -> None:
        """Lose the connection without a word."""
        self.is_open, self.is_lost = False, True
        self._channel.lose()

    def look(self) -> list[Any]:
        """Return what has come since the last look."""
        new: list[Any] = []
        for message in self._channel.received():
            if message["type"] == "websocket.accept":
                self.is_open = True
            elif message["type"] == "websocket.close":
                self.is_open = False
            elif message["type"] == "websocket.send":
                new.append(json.loads(message.get("text") or "null"))
        self.latest |= {
            each["type"]: each for each in new if isinstance(each, dict) and "type" in each
        }
        self._unread += new
        return new

    def unread(self) -> list[Any]:
        """Return what has come since the last call of this method."""
        unread, self._unread = self._unread, []
        return unread
