"""Which address does what for whom: the table itself.

A row is an address of the site, what it is asked for, and for each way to ask a letter for each
column of ``permission_world.COLUMNS``; ``World.outcome`` says what the letters mean.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, reduce
from typing import Any

from django.urls import URLResolver, get_resolver, reverse

from tests.web.permission_world import World


@cache
def addresses() -> dict[str, str]:
    """Return the pattern of every address of the site, by its name or else by the pattern.

    Those of Django's admin without a name only lead to others that have one.
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
    """What an address does for whom.

    Attributes:
        name: of the address, or its pattern where it has none.
        things: what the address is made of: with a dot something of the world, such as
            ``public.slug``, otherwise a word as it is.
        expected: for each method a letter for each column.
        data: what is sent, its values like ``things``.
    """

    name: str
    things: tuple[str, ...]
    expected: dict[str, str]
    data: dict[str, Any]

    def __str__(self) -> str:
        """Name the row."""
        return " ".join([self.name, *self.things, *map(str, self.data.values())])

    def args(self, world: World) -> list[Any]:
        """Return what the address is made of."""
        return [_thing(world, thing) for thing in self.things]

    def address(self, world: World) -> str:
        """Return the address; where it has no name, a thing says it, or the pattern itself."""
        if self.name in unnamed():
            return "/" + (self.things or (self.name,))[0]
        return reverse(self.name, args=self.args(world))

    @property
    def by_token(self) -> bool:
        """Whether those who ask are known by a token, not by a session."""
        return addresses().get(self.name, "").startswith("api/v1/")

    def sent(self, world: World) -> dict[str, Any]:
        """Return what is sent."""
        return {name: _thing(world, value) for name, value in self.data.items()}


def _thing(world: World, name: Any) -> Any:
    """Return what a name with a dot stands for in the world; anything else is itself."""
    if not isinstance(name, str) or "." not in name:
        return name
    return reduce(getattr, name.split("."), world)


def row(name: str, *things: str, data: dict[str, Any] | None = None, **expected: str) -> Row:
    """Return a row of the table."""
    ways = {method.upper(): letters for method, letters in expected.items()}
    return Row(name, things, ways, data or {})
