"""Views of notifications."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from antipodes.core.numbers import read_number
from antipodes.web.accounts.services import current_user
from antipodes.web.notifications import selectors, services
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.notifications.preferences import preference_of
from antipodes.web.notifications.schedule import zone_of
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
