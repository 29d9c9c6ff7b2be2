"""Middleware around every request: its id, metrics and log line, and the health endpoints."""

from __future__ import annotations

import logging
import re
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from django.http import HttpRequest, HttpResponse

from antipodes.web.platform import health, metrics
from antipodes.web.platform.logs import request_id

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
        """Keep the next handler."""
        self._get_response = get_response
        self._is_async = iscoroutinefunction(get_response)
        if self._is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponse | Awaitable[HttpResponse]:
        """Answer a request."""
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
