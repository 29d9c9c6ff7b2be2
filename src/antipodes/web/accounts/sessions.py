"""Session and CSRF cookies when two requests of a browser overlap, and on a full disk.

Signing in, and the first game of a guest, change both cookies. A page that the browser requested
before and receives after, such as a poll of the lobby, must not bring the old ones back: the next
form would be refused, or the user signed out again.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse

from antipodes.web.platform.outages import optional_write

_READING = ("GET", "HEAD", "OPTIONS")


class SiteSessionMiddleware(SessionMiddleware):
    """Django's own; on a full disk pages are answered without storing the session."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Store the session if it has changed, and send no cookie that the browser has or had."""
        csrf = response.cookies.get(settings.CSRF_COOKIE_NAME)
        if csrf is not None and csrf.value == request.COOKIES.get(settings.CSRF_COOKIE_NAME):
            del response.cookies[settings.CSRF_COOKIE_NAME]
        if request.method not in _READING:
            return super().process_response(request, response)
        # A transaction takes the write lock, for which most pages have no need.
        if not getattr(getattr(request, "session", None), "modified", False):
            super().process_response(request, response)
            # The cookie of an unknown session may be a newer one by now.
            response.cookies.pop(settings.SESSION_COOKIE_NAME, None)
            return response
        with optional_write("the session of a page that was read"):
            super().process_response(request, response)  # returns the response that it is given
        return response
