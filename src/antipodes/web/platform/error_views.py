"""Responses to errors: pages for 400, 500 and 503, and errors of users as JSON."""

from __future__ import annotations

import sys

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from antipodes.errors import InputError
from antipodes.web.platform import write_probe
from antipodes.web.platform.limits import TooManyError, status_of
from antipodes.web.platform.outages import outage_of
from antipodes.web.platform.translations import error_message

_LATER = "5"  # seconds


def server_error(request: HttpRequest) -> HttpResponse:
    """Respond to an unhandled exception: 503 for an outage, else 500."""
    error = sys.exc_info()[1]
    outage = outage_of(error)
    if outage and outage.is_of_disk and isinstance(error, Exception):
        write_probe.note(error)
    status = 503 if outage else 500
    if wants_data(request):
        failed = _("Something went wrong; it is our fault, and it has been noted.")
        fault = {"code": outage or "site/failed", "message": outage.message if outage else failed}
        response: HttpResponse = JsonResponse(fault, status=status)
    else:
        # Without user and session: loading them may be what failed.
        shown = {"disk_trouble": outage.message} if outage and outage.is_of_disk else {}
        response = HttpResponse(render_to_string(f"{status}.html", shown), status=status)
    if outage:
        response.headers["Retry-After"] = _LATER
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001
    """Respond to a request that Django refuses: too many fields, or an invalid host."""
    if wants_data(request):
        fault = {"code": "api/refused", "message": _("The request cannot be read.")}
        return JsonResponse({**fault, "faults": [{**fault, "where": ""}]}, status=400)
    return HttpResponse(render_to_string("400.html"), status=400)


def refused(
    request: HttpRequest, error: InputError, *, status: int = 400, back: str = ""
) -> HttpResponse:
    """Return a page with the reason why an action was refused.

    Args:
        request: that of the action.
        error: why it was refused.
        status: of the response.
        back: the URL of the page with the action, for a link.

    Raises:
        TooManyError: the error is one; the middleware responds with Retry-After.
    """
    if isinstance(error, TooManyError):
        raise error
    context = {"reason": error_message(error), "back": back}
    return render(request, "refused.html", context, status=status)


def json_error(error: InputError) -> JsonResponse:
    """Return an error as JSON, with ``Retry-After`` where it helps to wait."""
    data = {"code": error.code, "message": error_message(error)}
    response = JsonResponse(data, status=status_of(error))
    if isinstance(error, TooManyError):
        response.headers["Retry-After"] = str(error.seconds)
    return response


def wants_data(request: HttpRequest) -> bool:
    """Return whether the client of a request reads JSON."""
    is_data = request.path.endswith(".json") or request.path.startswith("/api/")
    return is_data or (request.accepts("application/json") and not request.accepts("text/html"))
