"""One's own page."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from antipodes.web.people.services import known_user


@require_GET
def account(request: HttpRequest) -> HttpResponse:
    """Show name and address, and what can be done with them."""
    user = known_user(request)
    if user is None:
        return redirect("account_login")
    address = EmailAddress.objects.filter(user=user).order_by("-primary", "-pk").first()
    context = {"person": user, "address": address, "games": user.seats.count()}
    return render(request, "account/account.html", context)
