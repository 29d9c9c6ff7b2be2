"""Declaration of operations, with their scope and all possible responses."""

from __future__ import annotations

from collections.abc import Callable
from inspect import iscoroutinefunction
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse
from ninja import Router

from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.api.auth import AsyncTokenAuth, TokenAuth, caller

Response = TypeVar("Response")
View = TypeVar("View", bound=Callable[..., Any])

PUBLIC = None  # instead of a scope: no token is needed

# Any request may have a bad token or an invalid parameter, or exceed a rate limit.
_ALWAYS = (401, 422, 429)


def operation(  # noqa: PLR0913 - one argument for each part of the documentation
    router: Router,
    method: str,
    path: str,
    scope: Scope | None,
    response: Any,
    *,
    status: int = 200,
    errors: tuple[int, ...] = (),
    media_type: str | None = None,
    is_private: bool = False,
) -> Callable[[View], View]:
    """Declare an operation.

    Args:
        router: the router to add it to.
        method: the HTTP method.
        path: the path with its parameters.
        scope: the scope that a token needs; ``PUBLIC`` for none.
        response: the schema of the response; ``None`` for no content, so status 204.
        status: the status of success with content.
        errors: further statuses of errors.
        media_type: the type of a response that is not JSON.
        is_private: whether the response shows data for which a token needs the scope ``read``;
            without it the response is 204, by :func:`private_response`.
    """
    all_errors = {*_ALWAYS, *errors, *(() if scope is None else (403,))}
    extra: dict[str, Any] = {"x-scope": scope and scope.value, "x-errors": sorted(all_errors)}
    if media_type is not None:
        extra["x-media"] = media_type
    responses = {} if response is None else {status: response}
    if response is None or is_private:
        responses[204] = None

    def declare(view: View) -> View:
        auth = AsyncTokenAuth(scope) if iscoroutinefunction(view) else TokenAuth(scope)
        declared: View = router.api_operation(
            [method],
            path,
            auth=auth,
            response=responses,
            by_alias=True,
            operation_id=view.__name__,
            summary=(view.__doc__ or "").split("\n", maxsplit=1)[0].rstrip("."),
            openapi_extra=extra,
        )(view)
        return declared

    return declare


def private_response(request: HttpRequest, make: Callable[[], Response]) -> Response | HttpResponse:
    """Return the response to a change if the token has the scope ``read``, else status 204."""
    return HttpResponse(status=204) if caller(request).viewer is None else make()
