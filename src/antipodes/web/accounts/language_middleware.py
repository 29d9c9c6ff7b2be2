"""Language middleware: the chosen language, or that of the browser."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers

from antipodes.web.accounts.languages import set_wanted_cookie

# The same in every language, so shared caches may keep one copy.
_LANGUAGE_NEUTRAL = ("image/", "application/octet-stream", "font/")


class LanguageMiddleware(LocaleMiddleware):
    """Django's own, but with ``Vary: Cookie``, and without a language for pictures."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Set ``Content-Language`` and ``Vary``, and the cookie after signing in."""
        if not response.headers.get("Content-Type", "").startswith(_LANGUAGE_NEUTRAL):
            patch_vary_headers(response, ("Accept-Language", "Cookie"))
            response.headers.setdefault("Content-Language", translation.get_language())
        set_wanted_cookie(request, response)
        return response
