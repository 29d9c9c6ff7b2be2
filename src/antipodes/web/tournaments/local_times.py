"""Times of events as hosts type and read them: in the time zone of their preferences."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from django import forms
from django.utils.timezone import get_default_timezone
from django.utils.translation import gettext_lazy as _

from antipodes.web.accounts.models import User
from antipodes.web.notifications.preferences import preference_of
from antipodes.web.notifications.schedule import zone_of

_FORMAT = "%Y-%m-%dT%H:%M"
ZONE_HELP = _("In the time zone %(zone)s. If left empty, you start it yourself.")


class _Instant(forms.DateTimeInput):
    """The browser's field for a day and a time."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format=_FORMAT)


def instant_field(**more: object) -> forms.DateTimeField:
    """Return a field for a day and a time, which may be left empty."""
    formats = [_FORMAT, "%Y-%m-%d %H:%M"]
    return forms.DateTimeField(required=False, widget=_Instant, input_formats=formats, **more)  # type: ignore[arg-type]  # label and help


def zone_for(user: User | None) -> ZoneInfo:
    """Return the time zone of a user; the site's if they have chosen none."""
    name = "" if user is None else preference_of(user).zone
    return zone_of(name or str(get_default_timezone()))


def to_milliseconds(at: datetime | None, zone: ZoneInfo) -> int | None:
    """Return an instant that a user has typed in a time zone, in milliseconds since 1970."""
    return None if at is None else int(at.replace(tzinfo=zone).timestamp() * 1_000)


def from_milliseconds(instant: int, zone: ZoneInfo) -> datetime:
    """Return an instant as the user's clock shows it, without a zone."""
    return datetime.fromtimestamp(instant / 1_000, zone).replace(tzinfo=None)
