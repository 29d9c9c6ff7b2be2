"""Languages of users: chosen in the footer, stored in a cookie and with the account."""

from __future__ import annotations

from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation

from antipodes.errors import Fault, InputError
from antipodes.web.accounts.models import LanguageRow, User
from antipodes.web.accounts.services import current_user
from antipodes.web.platform.cookies import set_preference

_COOKIE_WANTED = "_language_of_account"


def is_available(code: str) -> bool:
    """Return whether the site has a language."""
    return code in dict(settings.LANGUAGES)


def choose(request: HttpRequest, response: HttpResponseBase, code: str) -> None:
    """Set the language of this browser, and of the account if there is one.

    Raises:
        InputError: the site does not have it.
    """
    if not is_available(code):
        available = ", ".join(dict(settings.LANGUAGES))
        message = f"the site has no language {code[:20]!r}; it has {available}"
        raise InputError([Fault("language/unknown", message)])
    set_preference(response, settings.LANGUAGE_COOKIE_NAME, code)
    user = current_user(request)
    if user is not None and not user.is_guest:
        LanguageRow.objects.update_or_create(user=user, defaults={"code": code, "is_chosen": True})


def keep_on_sign_in(request: HttpRequest, user: User, **_: object) -> None:
    """Use the account's chosen language in a browser that signs in; else store the browser's."""
    row = LanguageRow.objects.filter(user=user).first()
    if row is not None and row.is_chosen and is_available(row.code):
        setattr(request, _COOKIE_WANTED, row.code)
        return
    has_chosen = settings.LANGUAGE_COOKIE_NAME in request.COOKIES
    LanguageRow.objects.update_or_create(
        user=user, defaults={"code": translation.get_language(), "is_chosen": has_chosen}
    )


def set_wanted_cookie(request: HttpRequest, response: HttpResponseBase) -> None:
    """Set the cookie of an account that has just signed in."""
    code = getattr(request, _COOKIE_WANTED, None)
    if code is not None:
        set_preference(response, settings.LANGUAGE_COOKIE_NAME, code)


def language_of(user: User) -> str:
    """Return the language of a user for mail and notifications."""
    code = LanguageRow.objects.filter(user=user).values_list("code", flat=True).first()
    return code if code is not None and is_available(code) else settings.LANGUAGE_CODE


def language_of_scope(scope: Mapping[str, Any]) -> str:
    """Return the language of a WebSocket: that of its page, which names it, or of the browser."""
    query: bytes = scope.get("query_string", b"")
    named = parse_qs(query.decode("latin-1")).get("language", [""])[0]
    if is_available(named):
        return named
    headers: dict[bytes, bytes] = dict(scope.get("headers", ()))
    request = HttpRequest()
    try:
        cookies = SimpleCookie(headers.get(b"cookie", b"").decode("latin-1"))
    except CookieError:
        cookies = SimpleCookie()
    request.COOKIES = {name: one.value for name, one in cookies.items()}
    accepted = headers.get(b"accept-language", b"").decode("latin-1")
    request.META["HTTP_ACCEPT_LANGUAGE"] = accepted
    return translation.get_language_from_request(request)
