"""NUL characters in addresses and forms: PostgreSQL stores none and answers with an error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse

from antipodes.errors import Fault, InputError
from antipodes.notation.text import shorten
from antipodes.web.platform.error_views import refused, wants_data
from antipodes.web.platform.translations import error_message

_NUL = "\0"


class RefuseNul:
    """Middleware that refuses a NUL in path, query or form before a view reads them.

    Halves of characters cannot come this way: Django decodes bytes that are not UTF-8 to U+FFFD.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        """Keep the next handler."""
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Call the next handler."""
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
        found = next((text for text in _texts(request, has_form=has_form) if _NUL in text), None)
        if found is None:
            return None
        message = "{text} has a character that cannot be stored: {character}"
        error = InputError(
            [Fault.of("site/character", message, text=shorten(found), character="U+0000")]
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
