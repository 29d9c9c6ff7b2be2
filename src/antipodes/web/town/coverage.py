"""Coverage: which addresses, operations of the API, commands of sockets and mails people use."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
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
        commands: of sockets, with the first part of the socket's address.
        verbs: of commands by mail.
    """

    counts: bool = True
    routes: Counter[str] = field(default_factory=Counter)
    commands: Counter[str] = field(default_factory=Counter)
    verbs: Counter[str] = field(default_factory=Counter)

    def reach_site(self) -> None:
        """Count the commands by mail that the site in this process reads."""
        from antipodes.mail import requests
        from antipodes.mail.commands import Verb
        from antipodes.web.email_play import processing

        name = "handler_for"
        find: Any = vars(processing)[name]

        def find_and_count(verb: Any, *, on_board: bool) -> Any:
            self.verbs[verb.value] += 1
            return find(verb, on_board=on_board)

        vars(processing)[name] = find_and_count
        # ``multiple`` only introduces other commands.
        is_multiple: Any = vars(requests)["_is_multiple"]
        vars(requests)["_is_multiple"] = self._counting(is_multiple, Verb.MULTIPLE.value)

    def _counting(self, is_command: Callable[[str], bool], verb: str) -> Callable[[str], bool]:
        def is_and_count(line: str) -> bool:
            is_one = is_command(line)
            self.verbs[verb] += is_one
            return is_one

        return is_and_count

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
        from antipodes.mail.commands import Verb

        patterns = set(_patterns())
        pages = {each for each in patterns if not each.startswith((_API, *_OTHERS))}
        for title, known, used in (
            ("URL patterns", pages, self.routes),
            ("operations of the API", set(_operations()), self.routes),
            ("commands of sockets", set(_socket_commands()), self.commands),
            ("commands by mail", {verb.value for verb in Verb}, self.verbs),
        ):
            missing = sorted(known - used.keys())
            yield f"{title}: {len(known) - len(missing)} of {len(known)}; not {', '.join(missing)}"


def _patterns() -> Iterator[str]:
    from django.urls import URLPattern, get_resolver

    def below(resolver: Any, before: str) -> Iterator[str]:
        for pattern in resolver.url_patterns:
            route = before + str(pattern.pattern).removeprefix("^")
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


def _socket_commands() -> Iterator[str]:
    """Yield each command of each socket, with the first part of the socket's address."""
    from antipodes.web.api.socket_schemas import WIRES

    for wire in WIRES.values():
        schema = {} if wire.sent is None else wire.sent.json_schema()
        first = wire.address.split("/")[1]
        for part in (schema, *schema.get("$defs", {}).values()):
            name = part.get("properties", {}).get("kind" if first == "study" else "command", {})
            names = name.get("enum", [name["const"]] if "const" in name else [])
            yield from (f"{first} {command}" for command in names)


def _bare(route: str) -> str:
    """Return the pattern of an address without the names of its variables."""
    return _VARIABLE.sub("*", route)
