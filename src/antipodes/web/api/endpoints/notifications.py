"""Operations on notifications, their settings, and absence."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from antipodes.web.accounts.api_tokens import Scope
from antipodes.web.accounts.models import User
from antipodes.web.api.auth import caller
from antipodes.web.api.notifications import (
    absence_of,
    change_settings,
    notification_out,
    settings_of,
    start_absence,
)
from antipodes.web.api.operations import operation, private_response
from antipodes.web.api.schemas.notifications import (
    AbsenceIn,
    AbsenceOut,
    MarkSeenIn,
    NotificationSettingsOut,
    NotificationSettingsPatch,
    NotificationsOut,
)
from antipodes.web.notifications import selectors, services, vacations

router = Router(tags=["notices"])


def _notifications_out(user: User, count: int) -> NotificationsOut:
    return NotificationsOut(
        unseen=selectors.unread_count(user),
        notices=[notification_out(row) for row in selectors.notifications_of(user)[:count]],
    )


@operation(router, "GET", "/notices", Scope.READ, NotificationsOut)
def list_notifications(
    request: HttpRequest,
    count: Annotated[int, Query(ge=1, le=100, description="the maximum number")] = 50,
) -> NotificationsOut:
    """List your notifications, the latest first."""
    return _notifications_out(caller(request).account, count)


@operation(router, "POST", "/notices/seen", Scope.PROFILE, NotificationsOut, is_private=True)
def mark_notifications_seen(
    request: HttpRequest, data: MarkSeenIn
) -> NotificationsOut | HttpResponse:
    """Mark some or all of your notifications as read."""
    user = caller(request).account
    if data.ids is None:
        services.mark_all_seen(user)
    else:
        services.mark_seen(user, data.ids)
    return private_response(request, lambda: _notifications_out(user, 50))


@operation(router, "GET", "/account/notices", Scope.READ, NotificationSettingsOut)
def get_notification_settings(request: HttpRequest) -> NotificationSettingsOut:
    """Return your notification settings."""
    return settings_of(caller(request).account)


@operation(
    router, "PATCH", "/account/notices", Scope.PROFILE, NotificationSettingsOut, is_private=True
)
def change_notification_settings(
    request: HttpRequest, data: NotificationSettingsPatch
) -> NotificationSettingsOut | HttpResponse:
    """Change your notification settings; omitted fields do not change."""
    user = caller(request).account
    change_settings(user, data)
    return private_response(request, lambda: settings_of(user))


@operation(router, "GET", "/account/away", Scope.READ, AbsenceOut)
def get_away(request: HttpRequest) -> AbsenceOut:
    """Return whether you are away, and until when."""
    return absence_of(caller(request).account)


@operation(router, "PUT", "/account/away", Scope.PLAY, AbsenceOut)
def be_away(request: HttpRequest, data: AbsenceIn) -> AbsenceOut:
    """Set yourself away: start a vacation in all your correspondence matches, also new ones."""
    user = caller(request).account
    start_absence(user, data.until)
    return absence_of(user)


@operation(router, "DELETE", "/account/away", Scope.PLAY, AbsenceOut)
def be_back(request: HttpRequest) -> AbsenceOut:
    """End your absence: your clocks run again."""
    user = caller(request).account
    vacations.end_vacation(user)
    return absence_of(user)
