"""Redirects back to the page of a form."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def return_url(request: HttpRequest, otherwise: str = "/") -> str:
    """Return the page from which a form was sent, as its field ``next`` says.

    Args:
        request: the submitted form.
        otherwise: the default, also for URLs of other sites.
    """
    back = request.POST.get("next", "")
    here = {request.get_host()}
    if back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=here):
        return back
    return otherwise
