"""Sessions that do not keep a page from being read when they cannot be written."""

from __future__ import annotations

from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse

from antipodes.web.outages import optional_write

_READING = ("GET", "HEAD", "OPTIONS")


class Sessions(SessionMiddleware):
    """Django's own; on a full disk pages are answered without storing the session."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Store the session if it has changed."""
        # A transaction takes the write lock, for which most pages have no need.
        is_changed = getattr(getattr(request, "session", None), "modified", False)
        if request.method not in _READING or not is_changed:
            return super().process_response(request, response)
        with optional_write("the session of a page that was read"):
            super().process_response(request, response)  # returns the response that it is given
        return response
