"""The view that stores the chosen language."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from antipodes.errors import InputError
from antipodes.web.accounts import languages
from antipodes.web.accounts.redirects import return_url


@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Store the chosen language and redirect back."""
    response = redirect(return_url(request))
    try:
        languages.choose(request, response, request.POST.get("language", ""))
    except InputError as error:
        raise Http404(str(error)) from None
    return response
