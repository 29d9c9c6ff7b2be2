"""Pages of notices."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from antipodes.web.accounts.services import known_user
from antipodes.web.notifications import selectors, services
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.notifications.preferences import preference_of
from antipodes.web.notifications.schedule import zone_of
from antipodes.web.platform.outages import optional_write

_ON_A_PAGE = 30


@login_required
@require_GET
def notices(request: HttpRequest) -> HttpResponse:
    """List what somebody was told."""
    user = known_user(request)
    assert user is not None
    rows = selectors.notices_of(user)
    is_new_alone = "new" in request.GET
    if is_new_alone:
        rows = rows.filter(seen_at=None)
    page = Paginator(rows, _ON_A_PAGE).get_page(request.GET.get("page"))
    with timezone.override(zone_of(preference_of(user).zone)):
        lines = [selectors.line(row) for row in page]
        context = {"lines": lines, "page": page, "is_new_alone": is_new_alone}
        return render(request, "notifications/notices.html", context)


@login_required
@require_GET
def go(request: HttpRequest, key: int) -> HttpResponse:
    """Lead to what a notice is about; it is seen by that."""
    user = known_user(request)
    assert user is not None
    row = get_object_or_404(NotificationRow.objects.select_related("match"), pk=key, user=user)
    with optional_write("which notices were seen"):
        services.see(user, [row.pk])
    return redirect(selectors.target_of(row) or "notices")


@login_required
@require_POST
def see(request: HttpRequest) -> HttpResponse:
    """Mark a notice, or all of them, as seen."""
    user = known_user(request)
    assert user is not None
    key = request.POST.get("notice", "")
    if key == "all":
        services.see_all(user)
    elif key.isascii() and key.isdigit() and len(key) <= 18:
        services.see(user, [int(key)])
    return redirect("notices")
