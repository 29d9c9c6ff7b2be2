"""Views for notification preferences, unsubscribing and vacations."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.contrib import messages
from django.core.signing import BadSignature
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from antipodes.web.accounts.redirects import return_url
from antipodes.web.accounts.services import current_user
from antipodes.web.notifications import preferences, undeliverable, vacations, vapid
from antipodes.web.notifications.forms import PreferencesForm, VacationForm
from antipodes.web.notifications.kinds import Channel, Frequency
from antipodes.web.notifications.messages import format_instant
from antipodes.web.notifications.schedule import zone_of
from antipodes.web.notifications.unsubscribe_tokens import read_token
from antipodes.web.platform.clock import now


@require_http_methods(["GET", "POST"])
def preferences_page(request: HttpRequest) -> HttpResponse:
    """Show and save notification preferences."""
    user = current_user(request)
    if user is None:
        return redirect("account_login")
    row = preferences.preference_of(user)
    form = PreferencesForm(request.POST or None, row=row)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        preferences.save_preferences(
            user,
            channels=form.channels(),
            frequency=Frequency(values["frequency"]),
            hour=values["hour"],
            zone=values["zone"],
            language=values["language"],
            reminders=values["reminders"],
        )
        messages.success(request, _("Your settings are saved."))
        return redirect("notification-preferences")
    address = EmailAddress.objects.filter(user=user).order_by("-verified", "-primary").first()
    context = {
        "form": form,
        "channels": Channel,
        "address": address,
        "stopped": undeliverable.stopped_address(user),
        "has_zone": bool(row.zone),
        "person": user,
        "push_key": vapid.public_key(),
        "browsers": user.subscriptions.order_by("made_at"),
    }
    return render(request, "notifications/preferences.html", context)


@require_POST
def resume_mail(request: HttpRequest) -> HttpResponse:
    """Resume mail to addresses from which it bounced."""
    user = current_user(request)
    if user is None:
        return redirect("account_login")
    if undeliverable.resume_delivery(user):
        messages.success(request, _("E-mails to your address are sent again."))
    return redirect(return_url(request, reverse("notification-preferences")))


# Mail clients send this POST without cookies (RFC 8058), so it has no CSRF token. The signed token
# in the URL authorises it.
@csrf_exempt
@require_http_methods(["GET", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Stop all mail, or mail of one kind, to the owner of a token, after a confirmation page."""
    try:
        user, kind = read_token(token)
    except (BadSignature, ValueError):
        return render(request, "notifications/unsubscribe.html", {"is_unknown": True}, status=404)
    if request.method == "POST" and user is not None:
        if kind is None:
            preferences.stop_mail(user)
        else:
            preferences.stop_mail_of(user, kind)
    is_done = request.method == "POST" or user is None
    context = {"person": user, "kind": kind, "is_done": is_done}
    return render(request, "notifications/unsubscribe.html", context)


@require_POST
def browser_zone(request: HttpRequest) -> HttpResponse:
    """Store the browser's time zone, unless the user chose one."""
    user = current_user(request)
    if user is None:
        return HttpResponseBadRequest()
    zone = request.POST.get("zone", "")[:64]
    preferences.store_browser_zone(user, zone)
    return HttpResponse(status=204)


@require_http_methods(["GET", "POST"])
def vacation_page(request: HttpRequest) -> HttpResponse:
    """Start, change or end a vacation."""
    user = current_user(request)
    if user is None:
        return redirect("account_login")
    row = preferences.preference_of(user)
    with timezone.override(zone_of(row.zone)):
        form = VacationForm(request.POST if "until" in request.POST else None)
        if request.method == "POST" and "back" in request.POST:
            vacations.end_vacation(user)
            messages.success(request, _("Welcome back. Your clocks are running again."))
            return redirect("vacation")
        if request.method == "POST" and form.is_valid():
            until = vacations.end_of(form.cleaned_data["until"], row.zone)
            vacations.start_vacation(user, until)
            messages.success(request, _("You are on vacation. Your clocks are stopped."))
            return redirect("vacation")
        is_away = row.away_until is not None and row.away_until > now()
        context = {
            "form": form,
            "until": format_instant(row.away_until) if is_away and row.away_until else "",
            "budgets": vacations.budgets(user),
            "zone": zone_of(row.zone).key,
        }
        return render(request, "notifications/vacation.html", context)
