"""Views that need a user, and what other visitors get."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse

from antipodes.web.accounts.redirects import return_url
from antipodes.web.accounts.services import current_user

View = Callable[..., HttpResponseBase]


def user_required(view: View) -> View:
    """Pass the user to a view; redirect other visitors to the sign-in page."""

    @wraps(view)
    def with_user(request: HttpRequest, **where: Any) -> HttpResponseBase:
        user = current_user(request)
        return redirect_to_sign_in(request) if user is None else view(request, user, **where)

    return with_user


def redirect_to_sign_in(request: HttpRequest) -> HttpResponse:
    """Redirect guests to the sign-up page, and other visitors to the sign-in page.

    Who signs in comes back to the page; after a form, to the page that it names, or to the page of
    followed players, whose forms name none.
    """
    if current_user(request) is not None:
        return redirect("account_signup")
    page = request.get_full_path()
    back = page if request.method == "GET" else return_url(request, reverse("following"))
    return redirect_to_login(back)
