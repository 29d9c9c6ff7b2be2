"""The interface for programs as a whole: all operations, the document of them, their addresses."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from inspect import iscoroutinefunction
from threading import Lock
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern
from django.utils.translation import gettext as _
from ninja import NinjaAPI

import antipodes
from antipodes.errors import Fault
from antipodes.web.api import problems
from antipodes.web.api.endpoints import (
    account,
    analysis,
    archive,
    challenges,
    club_admin,
    commands,
    games,
    matches,
    notifications,
    people,
    seeks,
    streams,
)

PREFIX = "/api/v1/"

_TOKEN = {
    "type": "http",
    "scheme": "bearer",
    "description": "A token of an account, made at /accounts/tokens/. It has scopes.",
}

api = NinjaAPI(
    title="Antipodes",
    version=antipodes.__version__,
    description=(
        "Play antipodal connection games by program. Every error is a `Problem`, with codes that"
        " are listed in the documentation. Times are milliseconds."
    ),
    urls_namespace="api-v1",
    openapi_url=None,
    docs_url=None,
)
for _module in (
    games,
    account,
    challenges,
    seeks,
    matches,
    commands,
    streams,
    people,
    club_admin,
    notifications,
    archive,
    analysis,
):
    api.add_router("", _module.router)
problems.listen_for(api)


_making = Lock()


def document() -> dict[str, Any]:
    """Return the document of OpenAPI 3.1: every operation with its scope and all its answers.

    It takes a second to make, so several that ask for it at first wait for the same one.
    """
    with _making:
        return _document()


@cache
def _document() -> dict[str, Any]:
    found: dict[str, Any] = dict(api.get_openapi_schema(path_prefix=PREFIX))
    found["components"]["securitySchemes"] = {"token": _TOKEN}
    for path in found["paths"].values():
        for operation in path.values():
            _complete(operation)
    return found


def _complete(operation: dict[str, Any]) -> None:
    """Say which token an operation needs, and of which type its answers are."""
    scope, media = operation.get("x-scope"), operation.pop("x-media", None)
    # For tokens the list names what the standard calls roles; without a scope none is needed.
    operation["security"] = [{"token": [scope]}] if scope else [{}, {"token": []}]
    if scope is None:
        operation.pop("x-scope", None)
    for status, answer in operation["responses"].items():
        if media is not None and int(status) < 300:
            content = answer.get("content", {}).pop("application/json", {"schema": {}})
            answer["content"] = {media: content}


def addresses() -> list[URLPattern]:
    """Return the addresses of all operations; what is wrong with a request is told as JSON."""
    patterns, *_names = api.urls
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            pattern.callback = _with_problems(pattern.callback)
    # The last one is Ninja's own root, which has nothing to say.
    return [pattern for pattern in patterns if isinstance(pattern, URLPattern)][:-1]


def _with_problems(view: Callable[..., Any]) -> Callable[..., Any]:
    """Let a method that an address does not know be told as every other problem is."""
    if iscoroutinefunction(view):

        @wraps(view)
        async def waiting(request: HttpRequest, *given: Any, **named: Any) -> HttpResponseBase:
            return _retold(await view(request, *given, **named), request)

        return waiting

    @wraps(view)
    def answering(request: HttpRequest, *given: Any, **named: Any) -> HttpResponseBase:
        return _retold(view(request, *given, **named), request)

    return answering


def _retold(answer: HttpResponseBase, request: HttpRequest) -> HttpResponseBase:
    if answer.status_code != 405:
        return answer
    allowed = answer.headers["Allow"]
    message = _("%(method)s is not possible here; there are %(allowed)s.")
    told = message % {"method": request.method, "allowed": allowed}
    retold = problems.problem([Fault("api/method", told)], 405)
    retold.headers["Allow"] = allowed
    return retold


def nothing_here(request: HttpRequest, rest: str) -> HttpResponse:  # noqa: ARG001
    """Answer where there is no operation."""
    message = _("There is no operation at this address; /api/ lists all of them.")
    return problems.answer_to(problems.not_found(message))
