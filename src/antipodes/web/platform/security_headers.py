"""Security headers: Content-Security-Policy and Permissions-Policy."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse

# Styles may be set on elements by our own scripts; scripts come from files only. Some browsers do
# not take a socket of the same host for "self", so it is named. The engine in the page is a file
# with WebAssembly, which may be compiled, unlike texts of JavaScript.
_POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; "
    "connect-src 'self' {socket}; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors {ancestors}"
)
_FRAMES_ALLOWED = "frames_allowed"
_PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"

View = Callable[..., HttpResponse]


def frames_allowed(view: View) -> View:
    """Let other sites show a page in a frame; nothing on it may act for a signed-in user.

    Use it together with Django's ``xframe_options_exempt``.
    """

    @wraps(view)
    def allowing(*args: Any, **kwargs: Any) -> HttpResponse:
        response = view(*args, **kwargs)
        setattr(response, _FRAMES_ALLOWED, True)
        return response

    return allowing


class ContentSecurityPolicy:
    """Adds the headers to responses that lack them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        if "Content-Security-Policy" not in response.headers:
            scheme = "wss" if request.is_secure() else "ws"
            socket = f"{scheme}://{request.get_host()}"
            ancestors = "*" if getattr(response, _FRAMES_ALLOWED, False) else "'none'"
            policy = _POLICY.format(socket=socket, ancestors=ancestors)
            response.headers["Content-Security-Policy"] = policy
        response.headers.setdefault("Permissions-Policy", _PERMISSIONS)
        return response
