"""Session middleware: overlapping requests of a browser, and a full disk.

Signing in, and the first game of a guest, change the session and CSRF cookies. The response to an
overlapping request, such as a poll of the lobby, must not restore the old ones: otherwise the next
form would be refused, or the user signed out.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse

from antipodes.web.platform.outages import optional_write

_SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


class SiteSessionMiddleware(SessionMiddleware):
    """Django's own, but on a full disk pages are served without storing the session."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Store the session if it has changed, and drop cookies that are not new."""
        csrf = response.cookies.get(settings.CSRF_COOKIE_NAME)
        if csrf is not None and csrf.value == request.COOKIES.get(settings.CSRF_COOKIE_NAME):
            del response.cookies[settings.CSRF_COOKIE_NAME]
        if request.method not in _SAFE_METHODS:
            return super().process_response(request, response)
        # A transaction takes the write lock, which most pages do not need.
        if not request.session.modified:
            super().process_response(request, response)
            # The browser may have a newer cookie by now.
            response.cookies.pop(settings.SESSION_COOKIE_NAME, None)
            return response
        with optional_write("the session of a page"):
            super().process_response(request, response)  # returns the same response
        return response
