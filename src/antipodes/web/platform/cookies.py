"""Cookies that keep what somebody has chosen."""

from __future__ import annotations

from django.conf import settings
from django.http.response import HttpResponseBase

_YEAR = 365 * 24 * 3_600  # seconds


def remember(response: HttpResponseBase, name: str, value: str) -> None:
    """Let a browser keep a choice for a year; under HTTPS it travels no other way."""
    response.set_cookie(
        name, value, max_age=_YEAR, samesite="Lax", httponly=True, secure=settings.HTTPS
    )
