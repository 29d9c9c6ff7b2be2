"""Account pages: settings, language, data export, deletion, privacy."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from allauth.account.models import EmailAddress
from django.contrib import messages
from django.contrib.auth import logout
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from antipodes.errors import InputError
from antipodes.web.accounts import languages
from antipodes.web.accounts.account_deletion import delete_account
from antipodes.web.accounts.data_export import export_data
from antipodes.web.accounts.decorators import user_required
from antipodes.web.accounts.models import User
from antipodes.web.accounts.redirects import return_url
from antipodes.web.platform.limits import rate_limit, take
from antipodes.web.platform.streams import streamed

_EXPORTS = rate_limit("data-exports", "10/hour", per="user", what="data exports")


@require_GET
@user_required
def account(request: HttpRequest, user: User) -> HttpResponse:
    """Show the account with links to its settings."""
    address = EmailAddress.objects.filter(user=user).order_by("-primary", "-pk").first()
    context = {"person": user, "address": address, "games": user.seats.count()}
    return render(request, "account/account.html", context)


@require_GET
@never_cache
@user_required
def data_export(request: HttpRequest, user: User) -> HttpResponseBase:
    """Return all data of the user as a file."""
    take(_EXPORTS, str(user.pk))

    parts = (part.encode() for part in export_data(user, request.build_absolute_uri))
    response = streamed(request, parts, "application/json")
    name = user.username.replace(" ", "-")
    response.headers["Content-Disposition"] = f'attachment; filename="antipodes-{name}.json"'
    return response


@require_http_methods(["GET", "POST"])
@user_required
def delete(request: HttpRequest, user: User) -> HttpResponse:
    """Delete the account after confirmation and reauthentication; guests have no password."""
    return _delete(request, user) if user.is_guest else _delete_reauthenticated(request, user)


def _delete(request: HttpRequest, user: User) -> HttpResponse:
    context: dict[str, object] = {"person": user}
    if request.method == "POST":
        typed = request.POST.get("name", "").strip()
        if typed.lower() == user.username.lower():
            delete_account(user)
            logout(request)
            messages.info(request, _("Your account has been deleted."))
            return redirect("home")
        context["typed"] = typed
    return render(request, "account/delete_account.html", context)


@reauthentication_required  # type: ignore[untyped-decorator]  # allauth has no types
def _delete_reauthenticated(request: HttpRequest, user: User) -> HttpResponse:
    return _delete(request, user)


@require_GET
def privacy(request: HttpRequest) -> HttpResponse:
    """Show the privacy page: which data is stored, and how long."""
    return render(request, "account/privacy.html")


@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Store the chosen language and redirect back."""
    response = redirect(return_url(request))
    try:
        languages.choose(request, response, request.POST.get("language", ""))
    except InputError as error:
        raise Http404(str(error)) from None
    return response
