"""Choosing a language."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from antipodes.errors import InputError
from antipodes.web.languages import services


@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Keep the language that somebody chose, and lead back to where they were."""
    back = request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts=None):
        back = "/"
    answer = redirect(back)
    try:
        services.choose(request, answer, request.POST.get("language", ""))
    except InputError as error:
        raise Http404(str(error)) from None
    return answer
