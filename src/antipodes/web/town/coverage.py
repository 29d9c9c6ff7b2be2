"""Coverage: which addresses, operations of the API and commands of sockets people have used."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

_API = "api/"
_VARIABLE = re.compile(r"<[^>]*>|\{[^}]*\}|\(\?P.*?\)(?=[/$-])")
# Parts that no inhabitant visits: the operator's pages, and those of other programs.
_OTHERS = ("admin/", "mail/webhooks/", "metrics", "healthz", "readyz", "styleguide/", "docs/")


@dataclass
class Coverage:
    """Counts of what people have used.

    Attributes:
        counts: whether anything is counted.
        routes: patterns of addresses, with the method for those of the API.
        commands: of sockets, with the pattern of the socket's address.
    """

    counts: bool = True
    routes: Counter[str] = field(default_factory=Counter)
    commands: Counter[str] = field(default_factory=Counter)

    def visit(self, method: str, path: str) -> None:
        """Count a request."""
        if not self.counts:
            return
        from django.urls import Resolver404, resolve

        try:
            route = resolve(path.partition("?")[0]).route
        except Resolver404:
            return
        is_api = route.startswith(_API)
        self.routes[f"{method} {_bare(route)}" if is_api else _bare(route)] += 1

    def send(self, path: str, message: object) -> None:
        """Count a message to a socket."""
        if isinstance(message, dict):
            name = message.get("command") or dict(message.get("edit", {})).get("kind", "")
            self.commands[f"{path.split('/')[1]} {name}"] += 1

    def lines(self) -> Iterator[str]:
        """Yield the shares of what has been used, and what has not."""
        patterns = set(_patterns())
        pages = {each for each in patterns if not each.startswith((_API, *_OTHERS))}
        operations = set(_operations())
        for title, known in (("URL patterns", pages), ("operations of the API", operations)):
            missing = sorted(known - self.routes.keys())
            yield f"{title}: {len(known) - len(missing)} of {len(known)}; not {', '.join(missing)}"
        yield f"commands of sockets: {', '.join(sorted(self.commands))}"


def _patterns() -> Iterator[str]:
    from django.urls import URLPattern, get_resolver

    def below(resolver: Any, before: str) -> Iterator[str]:
        for pattern in resolver.url_patterns:
            route = before + str(pattern.pattern)
            if isinstance(pattern, URLPattern):
                yield _bare(route)
            else:
                yield from below(pattern, route)

    return below(get_resolver(), "")


def _operations() -> Iterator[str]:
    """Yield method and pattern of each operation of the API."""
    from antipodes.web.api.api import PREFIX, api

    for path, methods in api.get_openapi_schema(path_prefix=PREFIX)["paths"].items():
        yield from (f"{method.upper()} {_bare(path.lstrip('/'))}" for method in methods)


def _bare(route: str) -> str:
    """Return the pattern of an address without the names of its variables."""
    return _VARIABLE.sub("*", route)
