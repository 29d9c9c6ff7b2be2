"""Pages on which people choose how they are told, stop mail, and say that they are away."""

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
from antipodes.web.accounts.services import known_user
from antipodes.web.notifications import preferences, undeliverable, vacations, vapid
from antipodes.web.notifications.forms import AwayForm, ChoicesForm
from antipodes.web.notifications.kinds import Channel, Frequency
from antipodes.web.notifications.messages import moment
from antipodes.web.notifications.schedule import zone_of
from antipodes.web.notifications.unsubscribe_tokens import user_of
from antipodes.web.platform.clock import now


@require_http_methods(["GET", "POST"])
def choices(request: HttpRequest) -> HttpResponse:
    """Let somebody choose by which ways they are told."""
    user = known_user(request)
    if user is None:
        return redirect("account_login")
    row = preferences.preference_of(user)
    form = ChoicesForm(request.POST or None, row=row)
    if request.method == "POST" and form.is_valid():
        chosen = form.cleaned_data
        preferences.choose(
            user,
            ways=form.ways(),
            frequency=Frequency(chosen["frequency"]),
            hour=chosen["hour"],
            zone=chosen["zone"],
            language=chosen["language"],
            reminders=chosen["reminders"],
        )
        messages.success(request, _("Your choices are kept."))
        return redirect("notice-choices")
    address = EmailAddress.objects.filter(user=user).order_by("-verified", "-primary").first()
    context = {
        "form": form,
        "channels": Channel,
        "address": address,
        "stopped": undeliverable.stopped(user),
        "has_zone": bool(row.zone),
        "person": user,
        "push_key": vapid.public_key(),
        "browsers": user.subscriptions.order_by("made_at"),
    }
    return render(request, "notifications/choices.html", context)


@require_POST
def mail_again(request: HttpRequest) -> HttpResponse:
    """Let mail go again to an address from which it came back."""
    user = known_user(request)
    if user is None:
        return redirect("account_login")
    if undeliverable.try_anew(user):
        messages.success(request, _("Mail goes to your address again."))
    return redirect(return_url(request, reverse("notice-choices")))


# Programs that read mail send this POST by themselves (RFC 8058), without cookies. The token in the
# address is the proof that it is meant.
@csrf_exempt
@require_http_methods(["GET", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Stop all mail to whoever a token belongs to; a page with one button asks first."""
    try:
        user = user_of(token)
    except (BadSignature, ValueError):
        return render(request, "notifications/stop.html", {"is_unknown": True}, status=404)
    if request.method == "POST" and user is not None:
        preferences.mail_never(user)
    is_done = request.method == "POST" or user is None
    return render(request, "notifications/stop.html", {"person": user, "is_done": is_done})


@require_POST
def browser(request: HttpRequest) -> HttpResponse:
    """Note the time zone of somebody's browser, unless another was chosen."""
    user = known_user(request)
    if user is None:
        return HttpResponseBadRequest()
    zone = request.POST.get("zone", "")[:64]
    preferences.note_zone(user, zone)
    return HttpResponse(status=204)


@require_http_methods(["GET", "POST"])
def away(request: HttpRequest) -> HttpResponse:
    """Let somebody say until when they are away, or that they are back."""
    user = known_user(request)
    if user is None:
        return redirect("account_login")
    row = preferences.preference_of(user)
    with timezone.override(zone_of(row.zone)):
        form = AwayForm(request.POST if "until" in request.POST else None)
        if request.method == "POST" and "back" in request.POST:
            vacations.come_back(user)
            messages.success(request, _("Welcome back. Your clocks run again."))
            return redirect("away")
        if request.method == "POST" and form.is_valid():
            until = vacations.end_of(form.cleaned_data["until"], row.zone)
            vacations.go_away(user, until)
            messages.success(request, _("You are away. Your clocks stand still."))
            return redirect("away")
        is_away = row.away_until is not None and row.away_until > now()
        context = {
            "form": form,
            "until": moment(row.away_until) if is_away and row.away_until else "",
            "budgets": vacations.budgets(user),
            "zone": zone_of(row.zone).key,
        }
        return render(request, "notifications/away.html", context)
