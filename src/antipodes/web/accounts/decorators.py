"""Decorator of views that need a user."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from antipodes.web.accounts.redirects import return_url
from antipodes.web.accounts.services import current_user

View = Callable[..., HttpResponse]


def user_required(view: Callable[..., HttpResponse]) -> View:
    """Pass the user to a view; redirect other visitors to the sign-in page."""

    @wraps(view)
    def with_user(request: HttpRequest, **where: Any) -> HttpResponse:
        user = current_user(request)
        if user is None:
            page = request.get_full_path()
            back = page if request.method == "GET" else return_url(request, reverse("following"))
            return redirect_to_login(back)
        return view(request, user, **where)

    return with_user
