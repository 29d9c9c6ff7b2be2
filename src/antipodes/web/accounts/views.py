"""One's own page, one's own data, and the way out."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from allauth.account.models import EmailAddress
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from antipodes.web.accounts.account_deletion import delete_account
from antipodes.web.accounts.data_export import export_data as pieces_of
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import known_user
from antipodes.web.platform.limits import rate_limit, take

_OWN_DATA = rate_limit("own-data", "10/hour", per="user", what="exports of one's own data")


@require_GET
def account(request: HttpRequest) -> HttpResponse:
    """Show name and address, and what can be done with them."""
    user = known_user(request)
    if user is None:
        return redirect("account_login")
    address = EmailAddress.objects.filter(user=user).order_by("-primary", "-pk").first()
    context = {"person": user, "address": address, "games": user.seats.count()}
    return render(request, "account/account.html", context)


@require_GET
@never_cache
def own_data(request: HttpRequest) -> HttpResponse:
    """Return everything that is kept of whoever asks, as a file."""
    user = known_user(request)
    if user is None:
        return redirect("account_login")
    take(_OWN_DATA, str(user.pk))

    pieces = pieces_of(user, request.build_absolute_uri)
    answer = HttpResponse(pieces, content_type="application/json")
    name = user.username.replace(" ", "-")
    answer.headers["Content-Disposition"] = f'attachment; filename="antipodes-{name}.json"'
    return answer


@require_http_methods(["GET", "POST"])
def farewell(request: HttpRequest) -> HttpResponse:
    """Ask whether somebody wants to leave for good, and let them."""
    user = known_user(request)
    if user is None:
        return redirect("account_login")
    return _leave(request, user) if user.is_guest else _leave_surely(request, user)


def _leave(request: HttpRequest, user: User) -> HttpResponse:
    context: dict[str, object] = {"person": user}
    if request.method == "POST":
        typed = request.POST.get("name", "").strip()
        if typed.lower() == user.username.lower():
            delete_account(user)
            logout(request)
            messages.info(request, _("You are deleted. Fare well!"))
            return redirect("home")
        context["typed"] = typed
    return render(request, "account/farewell.html", context)


@reauthentication_required  # type: ignore[untyped-decorator]  # allauth has no types
def _leave_surely(request: HttpRequest, user: User) -> HttpResponse:
    return _leave(request, user)


@require_GET
def privacy(request: HttpRequest) -> HttpResponse:
    """Tell what is stored, and for how long."""
    return render(request, "account/privacy.html")
