"""Rows of the permission table.

A row has a URL of the site, the data to send, and for each method a letter for each column of
``permission_world.COLUMNS``; ``World.outcome`` explains the letters.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, reduce
from typing import Any

from django.urls import URLResolver, get_resolver, reverse

from tests.web.permission_world import COLUMNS, World

# Users by how much of a page they see.
_VIEWERS = ("owner", "player", "account", "root", "anonymous", "guest")


@cache
def addresses() -> dict[str, str]:
    """Return the pattern of every URL of the site, by its name, or by itself if it has none.

    URLs of Django's admin without a name are left out; they only redirect.
    """
    found = {name or pattern: pattern for name, pattern in _walk(get_resolver(), "", "")}
    return {name: one for name, one in found.items() if not name.startswith("admin/")}


@cache
def unnamed() -> frozenset[str]:
    """Return the patterns that have no name."""
    return frozenset(name for name, pattern in addresses().items() if name == pattern)


def _walk(resolver: URLResolver, space: str, before: str) -> Iterator[tuple[str, str]]:
    for one in resolver.url_patterns:
        pattern = before + str(one.pattern)
        if isinstance(one, URLResolver):
            inner = f"{space}{one.namespace}:" if one.namespace else space
            yield from _walk(one, inner, pattern)
        else:
            yield (f"{space}{one.name}" if one.name else ""), pattern


@dataclass(frozen=True)
class Row:
    """The expected outcomes of requests to a URL.

    Attributes:
        name: of the URL, or its pattern if it has none.
        arguments: of the URL: with a dot an attribute of the world, such as ``public.slug``;
            otherwise a literal.
        expected: for each method a letter for each column.
        data: to send; its values are like ``arguments``.
    """

    name: str
    arguments: tuple[str, ...]
    expected: dict[str, str]
    data: dict[str, Any]

    def __str__(self) -> str:
        return " ".join([self.name, *self.arguments, *map(str, self.data.values())])

    def args(self, world: World) -> list[Any]:
        """Return the values of the URL's arguments."""
        return [_value(world, one) for one in self.arguments]

    def address(self, world: World) -> str:
        """Return the URL; without a name it is the first argument, or the pattern itself."""
        if self.name in unnamed():
            return "/" + (self.arguments or (self.name,))[0]
        return reverse(self.name, args=self.args(world))

    @property
    def by_token(self) -> bool:
        """Whether clients authenticate with a token instead of a session."""
        return addresses().get(self.name, "").startswith("api/v1/")

    @property
    def viewer(self) -> str | None:
        """The user who sees most of the page; ``None`` if none of them gets a page."""
        letters = self.expected.get("GET", "")
        if self.by_token or not letters:
            return None
        shown = {
            who for who, letter in zip(COLUMNS.values(), letters, strict=True) if letter in ".+"
        }
        return next((who for who in _VIEWERS if who in shown), None)

    def sent(self, world: World) -> dict[str, Any]:
        """Return the data to send."""
        return {name: _value(world, value) for name, value in self.data.items()}


def _value(world: World, name: Any) -> Any:
    """Return an attribute of the world for a name with a dot; other values are unchanged."""
    if not isinstance(name, str) or "." not in name:
        return name
    return reduce(getattr, name.split("."), world)


def row(name: str, *arguments: str, data: dict[str, Any] | None = None, **expected: str) -> Row:
    """Return a row of the table."""
    methods = {method.upper(): letters for method, letters in expected.items()}
    return Row(name, arguments, methods, data or {})
