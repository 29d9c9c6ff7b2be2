"""Declaring what programs can ask: with scope, shape, and every answer that there may be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse
from ninja import Router

from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.api.auth import AsyncDoor, Door, caller
from antipodes.web.api.schemas.base import Problem

Answer = TypeVar("Answer")
View = TypeVar("View", bound=Callable[..., Any])

PUBLIC = None  # in place of a scope: no token is needed

# Anybody may bring a bad token or come too often, and send what cannot be read.
_ALWAYS = (401, 422, 429)


def operation(  # noqa: PLR0913 - one argument for each thing that the documentation says
    router: Router,
    method: str,
    path: str,
    scope: Scope | None,
    answer: Any,
    *,
    status: int = 200,
    errors: tuple[int, ...] = (),
    media: str | None = None,
    waits: bool = False,
    tells_own: bool = False,
) -> Callable[[View], View]:
    """Declare an operation.

    Args:
        router: of its kind.
        method: of HTTP.
        path: with its parameters.
        scope: which a token needs; ``PUBLIC`` for everybody.
        answer: the shape of what is answered; ``None`` for nothing.
        status: of the wanted answer.
        errors: further statuses that there may be.
        media: the type of an answer that is not JSON.
        waits: whether it goes on answering for as long as something happens.
        tells_own: whether the answer tells what only the user may see, and so is for tokens with
            the scope read alone; others are answered 204, by :func:`to_readers`.
    """
    refusals = {*_ALWAYS, *errors, *(() if scope is None else (403,))}
    extra: dict[str, Any] = {"x-scope": scope and scope.value}
    if media is not None:
        extra["x-media"] = media
    answers = {status: answer, 204: None} if tells_own else {status: answer}
    door = AsyncDoor(scope) if waits else Door(scope)

    def declare(view: View) -> View:
        declared: View = router.api_operation(
            [method],
            path,
            auth=door,
            response={**answers, **dict.fromkeys(sorted(refusals), Problem)},
            by_alias=True,
            operation_id=view.__name__,
            summary=(view.__doc__ or "").split("\n", maxsplit=1)[0].rstrip("."),
            openapi_extra=extra,
        )(view)
        return declared

    return declare


def to_readers(request: HttpRequest, answer: Callable[[], Answer]) -> Answer | HttpResponse:
    """Return the answer of an operation that has changed something, if the token may read it.

    A token that may change things and lacks the scope read is answered that it is done.
    """
    return HttpResponse(status=204) if caller(request).viewer is None else answer()
