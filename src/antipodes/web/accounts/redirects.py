"""Where a form leads back to, once what it asks for is done."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def return_url(request: HttpRequest, otherwise: str = "/") -> str:
    """Return the page from which a form was sent, as its field ``next`` says.

    Args:
        request: what was sent.
        otherwise: where to go if it says nothing, or leads away from this site.
    """
    back = request.POST.get("next", "")
    here = {request.get_host()}
    if back.startswith("/") and url_has_allowed_host_and_scheme(back, allowed_hosts=here):
        return back
    return otherwise
