"""Security headers: Content-Security-Policy and Permissions-Policy."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

# Styles may be set on elements by our own scripts; scripts come from files only. Some browsers do
# not take a socket of the same host for "self", so it is named.
_POLICY = (
    "default-src 'self'; img-src 'self' data:; connect-src 'self' {socket}; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"


class ContentSecurityPolicy:
    """Adds the headers to responses that lack them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        """Keep the next handler."""
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Respond with the headers."""
        response = self._get_response(request)
        if "Content-Security-Policy" not in response.headers:
            scheme = "wss" if request.is_secure() else "ws"
            socket = f"{scheme}://{request.get_host()}"
            response.headers["Content-Security-Policy"] = _POLICY.format(socket=socket)
        response.headers.setdefault("Permissions-Policy", _PERMISSIONS)
        return response
