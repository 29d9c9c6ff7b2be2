"""Views of notifications, their preferences, vacations, and web push."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.core.signing import BadSignature
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from antipodes.core.numbers import read_number
from antipodes.errors import InputError
from antipodes.web.accounts.decorators import user_required
from antipodes.web.accounts.models import User
from antipodes.web.accounts.redirects import return_url
from antipodes.web.accounts.services import current_user
from antipodes.web.notifications import (
    preferences,
    push,
    selectors,
    services,
    undeliverable,
    vacations,
)
from antipodes.web.notifications.forms import PreferencesForm, VacationForm
from antipodes.web.notifications.kinds import Channel, Frequency
from antipodes.web.notifications.messages import format_instant
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.notifications.preferences import preference_of, read_token
from antipodes.web.notifications.push import subscribe
from antipodes.web.notifications.schedule import zone_of
from antipodes.web.platform.client_json import read_body
from antipodes.web.platform.clock import now
from antipodes.web.platform.error_views import json_error
from antipodes.web.platform.outages import optional_write

_PAGE_SIZE = 30


@login_required
@require_GET
def notifications_page(request: HttpRequest) -> HttpResponse:
    """List the user's notifications."""
    user = current_user(request)
    assert user is not None
    rows = selectors.notifications_of(user)
    is_unread_only = "new" in request.GET
    if is_unread_only:
        rows = rows.filter(seen_at=None)
    page = Paginator(rows, _PAGE_SIZE).get_page(request.GET.get("page"))
    with timezone.override(zone_of(preference_of(user).zone)):
        lines = [selectors.line_of(row) for row in page]
        context = {"lines": lines, "page": page, "is_unread_only": is_unread_only}
        return render(request, "notifications/notifications.html", context)


@login_required
@require_GET
def open_notification(request: HttpRequest, key: int) -> HttpResponse:
    """Mark a notification as seen, and redirect to what it is about."""
    user = current_user(request)
    assert user is not None
    row = get_object_or_404(NotificationRow.objects.select_related("match"), pk=key, user=user)
    with optional_write("which notifications were seen"):
        services.mark_seen(user, [row.pk])
    return redirect(selectors.target_of(row) or "notifications")


@login_required
@require_POST
def mark_seen(request: HttpRequest) -> HttpResponse:
    """Mark one notification, or all, as seen."""
    user = current_user(request)
    assert user is not None
    key = request.POST.get("notice", "")
    if key == "all":
        services.mark_all_seen(user)
    elif (number := read_number(key)) is not None:
        services.mark_seen(user, [number])
    return redirect("notifications")


@require_http_methods(["GET", "POST"])
@user_required
def preferences_page(request: HttpRequest, user: User) -> HttpResponse:
    """Show and save notification preferences."""
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
        "push_key": push.public_key(),
        "browsers": user.subscriptions.order_by("made_at"),
    }
    return render(request, "notifications/preferences.html", context)


@require_POST
@user_required
def resume_mail(request: HttpRequest, user: User) -> HttpResponse:
    """Resume mail to addresses from which it bounced."""
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
@user_required
def vacation_page(request: HttpRequest, user: User) -> HttpResponse:
    """Start, change or end a vacation."""
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


_LONGEST = 4_000  # bytes of a subscription

# Browsers by marks in their user agent; the first match counts.
_BROWSERS = {
    "Edg/": "Edge",
    "OPR/": "Opera",
    "SamsungBrowser/": "Samsung Internet",
    "Firefox/": "Firefox",
    "Chrome/": "Chrome",
    "Safari/": "Safari",
}
_SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Mac OS": "Mac",
    "Linux": "Linux",
}


@require_POST
def subscribe_browser(request: HttpRequest) -> JsonResponse:
    user = current_user(request)
    if user is None:
        return JsonResponse({"message": "sign in first"}, status=403)
    try:
        data = read_body(request, "push/subscription", most=_LONGEST)
        agent = request.headers.get("User-Agent", "")
        subscribe(user, data, browser_name(agent))
    except InputError as error:
        return json_error(error)
    return JsonResponse({})


@require_POST
def unsubscribe_browser(request: HttpRequest) -> HttpResponse:
    """Unsubscribe a browser, given by its key or its endpoint."""
    user = current_user(request)
    if user is not None:
        key, endpoint = request.POST.get("browser", ""), request.POST.get("endpoint", "")
        number = read_number(key)
        if number is not None:
            user.subscriptions.filter(pk=number).delete()
        elif endpoint:
            user.subscriptions.filter(endpoint=endpoint).delete()
    return redirect("notification-preferences")


def browser_name(agent: str) -> str:
    """Return a browser's name, such as ``Firefox, Linux``."""
    browser = next((name for mark, name in _BROWSERS.items() if mark in agent), "?")
    system = next((name for mark, name in _SYSTEMS.items() if mark in agent), "")
    return f"{browser}, {system}" if system else browser
