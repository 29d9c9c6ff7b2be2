"""Cookies that keep preferences of a browser."""

from __future__ import annotations

from django.conf import settings
from django.http.response import HttpResponseBase

_YEAR = 365 * 24 * 3_600  # seconds


def set_preference(response: HttpResponseBase, name: str, value: str) -> None:
    """Set a cookie that lasts a year; with HTTPS it is secure."""
    response.set_cookie(
        name, value, max_age=_YEAR, samesite="Lax", httponly=True, secure=settings.HTTPS
    )
