"""Middleware: request ids, metrics, log lines and health; NUL characters; HEAD requests."""

from __future__ import annotations

import logging
import re
import secrets
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from django.http import HttpRequest, HttpResponse, JsonResponse

from antipodes.errors import Fault, InputError
from antipodes.notation.text import shorten
from antipodes.web.platform import health, metrics
from antipodes.web.platform.error_views import refused, wants_data
from antipodes.web.platform.logs import request_id
from antipodes.web.platform.translations import error_message

logger = logging.getLogger("antipodes.requests")

_NAME = re.compile(r"[A-Za-z0-9_-]{8,64}")

Handler = Callable[[HttpRequest], Any]


class RequestMiddleware:
    """The outermost middleware.

    It answers health endpoints itself, since probes may use a host name that ``ALLOWED_HOSTS`` does
    not have.
    """

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: Handler) -> None:
        self._get_response = get_response
        self._is_async = iscoroutinefunction(get_response)
        if self._is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponse | Awaitable[HttpResponse]:
        if self._is_async:
            return self._answer(request)
        begun = self._begin(request)
        probe = health.PROBES.get(request.path_info)
        response = probe(request) if probe else self._get_response(request)
        return self._end(request, response, begun)

    async def _answer(self, request: HttpRequest) -> HttpResponse:
        begun = self._begin(request)
        probe = health.PROBES.get(request.path_info)
        response = await (sync_to_async(probe)(request) if probe else self._get_response(request))
        return self._end(request, response, begun)

    @staticmethod
    def _begin(request: HttpRequest) -> float:
        given = request.headers.get("X-Request-ID", "")
        request_id.set(given if _NAME.fullmatch(given) else secrets.token_hex(8))
        return time.perf_counter()

    @staticmethod
    def _end(request: HttpRequest, response: HttpResponse, begun: float) -> HttpResponse:
        seconds = time.perf_counter() - begun
        match = request.resolver_match
        view = (match.view_name if match else None) or "none"
        method = request.method if request.method in metrics.METHODS else "other"
        metrics.note_request(view, str(method), response.status_code, seconds)
        response.headers["X-Request-ID"] = request_id.get()
        if logger.isEnabledFor(logging.INFO):
            # Without address and query, for privacy.
            details = {
                "view": view,
                "method": method,
                "status": response.status_code,
                "milliseconds": round(1_000 * seconds, 1),
            }
            logger.info("%s %s %s", method, view, response.status_code, extra=details)
        return response


_NUL = "\0"


class RefuseNul:
    """Middleware that refuses a NUL in path, query or form before a view reads them.

    Halves of characters cannot come this way: Django decodes bytes that are not UTF-8 to U+FFFD.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_view(
        self,
        request: HttpRequest,
        view: Callable[..., HttpResponse],
        *_arguments: Any,
    ) -> HttpResponse | None:
        """Respond in place of the view if a text cannot be stored."""
        # Views without CSRF protection read what other programs send, such as raw mails.
        has_form = not getattr(view, "csrf_exempt", False)
        unstorable = next(
            (text for text in _texts(request, has_form=has_form) if _NUL in text), None
        )
        if unstorable is None:
            return None
        message = "{text} has a character that cannot be stored: {character}"
        error = InputError(
            [Fault.of("site/character", message, text=shorten(unstorable), character="U+0000")]
        )
        if wants_data(request):
            fault = {"code": error.code, "message": error_message(error)}
            return JsonResponse({**fault, "faults": [{**fault, "where": ""}]}, status=400)
        return refused(request, error)


def _texts(request: HttpRequest, *, has_form: bool) -> Iterator[str]:
    """Yield the path, and names and values of the query and of a form."""
    yield request.path_info
    for fields in (request.GET, request.POST) if has_form else (request.GET,):
        for name, values in fields.lists():
            yield name
            yield from map(str, values)


_API = "/api/v1/"  # its streams do not end


class HeadRequests:
    """Innermost middleware that answers HEAD as GET where a view accepts GET alone."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
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
