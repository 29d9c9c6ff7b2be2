"""HEAD requests: pages answer them as GET; the server leaves the body out."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

_API = "/api/v1/"  # its streams do not end


class HeadRequests:
    """Innermost middleware that answers HEAD as GET where a view accepts GET alone."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        """Keep the views."""
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Call the view, again as GET if it refuses HEAD."""
        response = self._get_response(request)
        is_refused = request.method == "HEAD" and response.status_code == 405
        if not is_refused or request.path.startswith(_API):
            return response
        if "GET" not in response.headers.get("Allow", ""):
            return response
        request.method = "GET"
        try:
            return self._get_response(request)
        finally:
            request.method = "HEAD"
