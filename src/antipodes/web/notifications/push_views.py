"""Views to subscribe browsers to web push and to unsubscribe them."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from antipodes.core.numbers import read_number
from antipodes.errors import InputError
from antipodes.web.accounts.services import current_user
from antipodes.web.notifications.push import subscribe
from antipodes.web.platform.client_json import read_body
from antipodes.web.platform.error_views import json_error

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
    """Subscribe this browser."""
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
