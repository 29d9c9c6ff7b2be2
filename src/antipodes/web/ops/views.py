"""What people see when something does not work."""

from __future__ import annotations

import sys

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from antipodes.web.outages import OUTAGES

_LATER = "5"  # seconds after which it is worth another try


def trouble(request: HttpRequest) -> HttpResponse:
    """Answer when an answer could not be made: 503 if something is away, 500 if we are wrong."""
    is_outage = isinstance(sys.exc_info()[1], OUTAGES)
    status = 503 if is_outage else 500
    if _wants_data(request):
        code = "site/away" if is_outage else "site/failed"
        away = _("The site has lost its database for a moment. Try again in a few seconds.")
        failed = _("Something went wrong; it is our fault, and it has been noted.")
        told = {"code": code, "message": away if is_outage else failed}
        response: HttpResponse = JsonResponse(told, status=status)
    else:
        # Neither the user nor the session are asked for: they are where the trouble may be.
        response = HttpResponse(render_to_string(f"{status}.html"), status=status)
    if is_outage:
        response.headers["Retry-After"] = _LATER
    return response


def _wants_data(request: HttpRequest) -> bool:
    is_data = request.path.endswith(".json") or request.path.startswith("/api/")
    return is_data or (request.accepts("application/json") and not request.accepts("text/html"))
