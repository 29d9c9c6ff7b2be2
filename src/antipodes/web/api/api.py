"""The API as a whole: all operations, their URL patterns and the OpenAPI document."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from http import HTTPStatus
from inspect import iscoroutinefunction
from threading import Lock
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern
from django.utils.translation import gettext as _

import antipodes
from antipodes.errors import Fault
from antipodes.web.api import problems
from antipodes.web.api.endpoints import (
    account,
    analysis,
    archive,
    challenges,
    clubs,
    commands,
    courses,
    engines,
    games,
    lobby,
    matches,
    notifications,
    people,
    puzzles,
    seeks,
    simuls,
    streams,
    studies,
    tournaments,
)
from antipodes.web.platform.schemas import Problem

PREFIX = "/api/v1/"

_TOKEN_SCHEME = {
    "type": "http",
    "scheme": "bearer",
    "description": "An API token with scopes, made at /accounts/tokens/.",
}

api = problems.Api(
    title="Antipodes",
    version=antipodes.__version__,
    description=(
        "Play antipodal connection games by program. Every error response is a `Problem`, with a"
        " code that the documentation lists. Times are in milliseconds."
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
    lobby,
    people,
    clubs,
    notifications,
    archive,
    analysis,
    puzzles,
    studies,
    tournaments,
    simuls,
    courses,
    engines,
):
    api.add_router("", _module.router)
problems.add_exception_handlers(api)


_lock = Lock()


def openapi_document() -> dict[str, Any]:
    """Return the OpenAPI 3.1 document, with the scope and all responses of each operation.

    Making it takes a second; concurrent first requests wait for the same one.
    """
    with _lock:
        return _openapi_document()


@cache
def _openapi_document() -> dict[str, Any]:
    document: dict[str, Any] = dict(api.get_openapi_schema(path_prefix=PREFIX))
    problem = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    document["components"]["schemas"] |= {**problem.pop("$defs"), "Problem": problem}
    document["components"]["securitySchemes"] = {"token": _TOKEN_SCHEME}
    for path in document["paths"].values():
        for operation in path.values():
            _complete(operation)
    return document


def _complete(operation: dict[str, Any]) -> None:
    """Add the required scope, all errors, and the media type of responses to an operation."""
    scope, media_type = operation.get("x-scope"), operation.pop("x-media", None)
    for status in operation.pop("x-errors"):
        operation["responses"][status] = {
            "description": HTTPStatus(status).phrase,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
    # For bearer tokens the list holds what OpenAPI calls roles.
    operation["security"] = [{"token": [scope]}] if scope else [{}, {"token": []}]
    if scope is None:
        operation.pop("x-scope", None)
    for status, response in operation["responses"].items():
        if media_type is not None and int(status) < 300:
            content = response.get("content", {}).pop("application/json", {"schema": {}})
            response["content"] = {media_type: content}


def url_patterns() -> list[URLPattern]:
    patterns, *_names = api.urls
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            pattern.callback = _completed(pattern.callback)
    # The last one is Ninja's own root, which has no content.
    return [pattern for pattern in patterns if isinstance(pattern, URLPattern)][:-1]


def _completed(view: Callable[..., Any]) -> Callable[..., Any]:
    """Return a view without Django's page for a wrong method, and without a type of no content."""
    if iscoroutinefunction(view):

        @wraps(view)
        async def async_view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            return _response(await view(request, *args, **kwargs), request)

        return async_view

    @wraps(view)
    def sync_view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return _response(view(request, *args, **kwargs), request)

    return sync_view


def _response(response: HttpResponseBase, request: HttpRequest) -> HttpResponseBase:
    if response.status_code == 204:
        del response.headers["Content-Type"]
    if response.status_code != 405:
        return response
    allowed = response.headers["Allow"]
    message = _("%(method)s is not allowed here; the allowed methods are %(allowed)s.") % {
        "method": request.method,
        "allowed": allowed,
    }
    replaced = problems.problem([Fault("api/method", message)], 405)
    replaced.headers["Allow"] = allowed
    return replaced


def no_such_operation(request: HttpRequest, rest: str) -> HttpResponse:  # noqa: ARG001
    """Respond to a request for an unknown address."""
    message = _("There is no operation at this address; /api/ lists all of them.")
    return problems.error_response(problems.not_found(message))
