"""Answers to what cannot be done: one shape of JSON for all of them, and an honest status."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from antipodes.errors import Fault, IllegalMoveError, InputError, MatchError

# Codes whose status does not follow from the kind of the error. Ends with a slash stand for all.
_STATUS = {
    "api/no-token": 401,
    "api/bad-token": 401,
    "api/scope": 403,
    "api/not-found": 404,
    "api/method": 405,
    "match/not-your-seat": 403,
    "match/not-invited": 403,
    "match/message": 422,
    "match/plan": 422,
    "match/seats": 422,
    "match/too-fast": 429,
    "chat/room": 403,
    "chat/text": 422,
    "chat/too-fast": 429,
    "notes/too-long": 422,
    "work/too-many-games": 429,
    "study/busy": 429,
    "limits/too-many": 429,
    "limits/too-many-connections": 429,
    "bot/has-played": 409,
    "community/suspended": 403,
    "community/not-together": 403,
    "lobby/members-only": 403,
    "lobby/accounts-only": 403,
    "lobby/rating": 403,
    "lobby/provisional": 403,
    "chat/muted": 403,
    "clubs/account": 403,
    "clubs/not-allowed": 403,
    "clubs/not-open": 403,
    "clubs/closed": 409,
    "clubs/full": 409,
    "clubs/member": 409,
    "clubs/not-at-door": 409,
    "clubs/not-member": 409,
    "clubs/owner": 409,
    "clubs/taken": 409,
    "clubs/too-many": 409,
}
_WAIT = 10  # seconds to wait where nobody says how long


class InterfaceError(InputError):
    """What the interface itself refuses, before anything of the site is asked."""


def refused(code: str, message: str, where: str = "") -> InterfaceError:
    """Return the error for one thing that the interface refuses."""
    return InterfaceError([Fault(code, message, where)])


def not_found(what: str) -> InterfaceError:
    """Return the error for something that is not there, or not for the one who asks."""
    return refused("api/not-found", what)


def status_of(error: InputError) -> int:
    """Return the status of HTTP that says of what kind an error is."""
    if error.code in _STATUS:
        return _STATUS[error.code]
    # What could be done at another time is a conflict; what never could be cannot be processed.
    return 409 if isinstance(error, MatchError | IllegalMoveError) else 422


def problem(faults: Sequence[Fault], status: int, *, wait: int | None = None) -> HttpResponse:
    """Return the answer that tells what is wrong."""
    first = faults[0]
    data = {
        "code": first.code,
        "message": first.message,
        "faults": [
            {"code": one.code, "message": one.message, "where": one.where} for one in faults
        ],
    }
    answer = HttpResponse(json.dumps(data), status=status, content_type="application/json")
    if status == 401:
        answer.headers["WWW-Authenticate"] = 'Bearer realm="Antipodes"'
    if status == 429:
        answer.headers["Retry-After"] = str(wait or _WAIT)
    return answer


def answer_to(error: InputError) -> HttpResponse:
    """Return the answer to an error of the site."""
    faults = error.faults or (Fault(error.code, str(error)),)
    wait: object = getattr(error, "seconds", None)
    return problem(faults, status_of(error), wait=wait if isinstance(wait, int) else None)


def listen_for(api: NinjaAPI) -> None:
    """Let every error of an interface end in such an answer."""
    for kind in (InputError, Http404, ObjectDoesNotExist, ValidationError, HttpError):
        api.add_exception_handler(kind, _answer)


def _answer(_request: HttpRequest, error: object) -> HttpResponse:
    """Answer to an error, whichever of these it is."""
    if isinstance(error, ValidationError):
        return problem([_fault_of(one) for one in error.errors], 422)
    if isinstance(error, HttpError):
        return _answer_http(error)
    if isinstance(error, InputError):
        return answer_to(error)
    return answer_to(not_found(_("There is nothing here.")))


def _fault_of(told: dict[str, Any]) -> Fault:
    source, *path = told["loc"]
    # A body has one argument, whose name in the program is nobody's business.
    path = path[1:] if source == "body" else path
    where = ".".join(str(step) for step in path)
    code = "api/body" if source == "body" else "api/parameter"
    return Fault(code, told["msg"], where or str(source))


def _answer_http(error: HttpError) -> HttpResponse:
    """Tell what Ninja refuses: above all bodies that are no JSON."""
    if error.status_code == 400:
        return problem([Fault("api/body", _("The body is not JSON."), "body")], 422)
    return problem([Fault("api/refused", str(error))], error.status_code)
