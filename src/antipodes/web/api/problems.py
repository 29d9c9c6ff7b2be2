"""Error responses: one JSON schema for all, with a status for each code."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError, ValidationErrorContext
from ninja.parser import Parser

from antipodes.errors import Fault, IllegalMoveError, InputError, MatchError
from antipodes.web.platform.client_json import read_json
from antipodes.web.platform.schemas import fault_of

# Codes whose status does not follow from the class of the error.
_STATUS = {
    "api/no-token": 401,
    "api/bad-token": 401,
    "api/scope": 403,
    "api/not-found": 404,
    "api/method": 405,
    "match/not-your-seat": 403,
    "match/not-invited": 403,
    "match/message": 422,
    "match/conditional-moves": 422,
    "match/seats": 422,
    "match/too-fast": 429,
    "chat/room": 403,
    "chat/text": 422,
    "chat/too-fast": 429,
    "notes/too-long": 422,
    "work/too-many-games": 429,
    "study/busy": 429,
    "puzzle/busy": 429,
    "limits/busy": 503,
    "limits/too-many": 429,
    "limits/too-many-connections": 429,
    "bot/has-played": 409,
    "community/suspended": 403,
    "community/not-together": 403,
    "lobby/members-only": 403,
    "lobby/accounts-only": 403,
    "lobby/rating": 403,
    "lobby/provisional": 403,
    "chat/account": 403,
    "chat/muted": 403,
    "simuls/account": 403,
    "simuls/not-the-host": 403,
    "simuls/removed": 403,
    "clubs/account": 403,
    "clubs/not-allowed": 403,
    "clubs/not-open": 403,
    "clubs/closed": 409,
    "clubs/full": 409,
    "clubs/member": 409,
    "clubs/no-request": 409,
    "clubs/not-member": 409,
    "clubs/owner": 409,
    "clubs/taken": 409,
    "clubs/too-many": 409,
    "tournament/account": 403,
    "tournament/bots": 403,
    "tournament/club": 403,
    "tournament/games": 403,
    "tournament/rating": 403,
    "tournament/not-director": 403,
    "tournament/challenge": 409,
    "tournament/closed": 409,
    "tournament/full": 409,
    "tournament/not-in": 409,
    "tournament/state": 409,
    "tournament/too-many": 409,
}
_RETRY_AFTER = 10  # seconds, if the error does not say how long


class ApiError(InputError):
    """An error of the API itself, such as a missing token."""


def api_error(code: str, message: str, where: str = "") -> ApiError:
    """Return an error of the API with one fault."""
    return ApiError([Fault(code, message, where)])


def not_found(message: str) -> ApiError:
    """Return the error for an object that does not exist or is private to others."""
    return api_error("api/not-found", message)


def status_of(error: InputError) -> int:
    if error.code in _STATUS:
        return _STATUS[error.code]
    # Possible at another time: conflict. Never possible: unprocessable.
    return 409 if isinstance(error, MatchError | IllegalMoveError) else 422


def problem(faults: Sequence[Fault], status: int, *, wait: int | None = None) -> HttpResponse:
    """Return an error response.

    Args:
        faults: all faults of the request.
        status: the HTTP status.
        wait: seconds until a repeated request may succeed.
    """
    first = faults[0]
    data = {
        "code": first.code,
        "message": first.message,
        "faults": [
            {"code": fault.code, "message": fault.message, "where": fault.where} for fault in faults
        ],
    }
    response = HttpResponse(json.dumps(data), status=status, content_type="application/json")
    if status == 401:
        response.headers["WWW-Authenticate"] = 'Bearer realm="Antipodes"'
    if status in (429, 503):
        response.headers["Retry-After"] = str(wait or _RETRY_AFTER)
    return response


def error_response(error: InputError) -> HttpResponse:
    faults = error.faults or (Fault(error.code, str(error)),)
    wait: object = getattr(error, "seconds", None)
    return problem(faults, status_of(error), wait=wait if isinstance(wait, int) else None)


class _Bodies(Parser):
    """Ninja's parser, with the site's reader of JSON."""

    def parse_body(self, request: HttpRequest) -> Any:
        return read_json(request.body, "api/body")


class Api(NinjaAPI):
    """Ninja's API, whose validation errors keep the wrong values."""

    def __init__(self, **named: Any) -> None:
        """Keep what Ninja needs."""
        super().__init__(parser=_Bodies(), **named)

    def validation_error_from_error_contexts(
        self, error_contexts: list[ValidationErrorContext[Any]]
    ) -> ValidationError:
        """Return all errors of a request, each with the wrong value as ``input``."""
        error = super().validation_error_from_error_contexts(error_contexts)
        found = [one.pydantic_validation_error.errors() for one in error_contexts]
        for one, same in zip(error.errors, chain(*found), strict=True):
            one["input"] = same["input"]
        return error


def add_exception_handlers(api: NinjaAPI) -> None:
    """Turn all expected exceptions of operations into error responses."""
    for kind in (InputError, Http404, ObjectDoesNotExist, ValidationError, HttpError):
        api.add_exception_handler(kind, _handle)


def _handle(_request: HttpRequest, error: object) -> HttpResponse:
    if isinstance(error, ValidationError):
        return problem([_fault_of(one) for one in error.errors], 422)
    if isinstance(error, HttpError):
        return _handle_http_error(error)
    if isinstance(error, InputError):
        return error_response(error)
    return error_response(not_found(_("Not found.")))


def _fault_of(error: dict[str, Any]) -> Fault:
    source, *path = error["loc"]
    # The first step in a body is the name of the view's argument.
    path = path[1:] if source == "body" else path
    code = "api/body" if source == "body" else "api/parameter"
    return fault_of(error, path or (source,), code)


def _handle_http_error(error: HttpError) -> HttpResponse:
    """Return the response to an error of Ninja, such as a body that is not JSON."""
    if isinstance(error.__cause__, InputError):
        faults = error.__cause__.faults
        return problem([replace(one, where=one.where or "body") for one in faults], 422)
    if error.status_code == 400:
        return problem([Fault("api/body", _("The body is not JSON."), "body")], 422)
    return problem([Fault("api/refused", str(error))], error.status_code)
