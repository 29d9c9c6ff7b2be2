"""Due times of e-mails in the recipient's time zone, with daylight saving time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from antipodes.clocks import HOUR, MINUTE
from antipodes.web.notifications.kinds import PUNCTUAL, URGENT, Frequency, NotificationKind

# All in milliseconds.

# Time to see a notification on the site before an e-mail about it is sent.
GRACE = MINUTE

# Mail players wait for the board; this delay collects simultaneous events in one e-mail.
BOARD_DELAY = 2_000


def zone_of(name: str) -> ZoneInfo:
    """Return a time zone by its name; UTC if it is unknown."""
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def mail_due(
    kind: NotificationKind, frequency: Frequency, now: int, hour: int, zone: str
) -> int | None:
    """Return when a notification is due by e-mail; ``None`` for never.

    Args:
        kind: kind of the notification.
        frequency: chosen by the recipient.
        now: time of the notification, in milliseconds since 1970.
        hour: hour of the daily e-mail.
        zone: name of the time zone of that hour.
    """
    if frequency is Frequency.NEVER:
        return None
    if kind in PUNCTUAL:
        return None if frequency is Frequency.REMINDERS else now
    if kind in URGENT or frequency is Frequency.EACH:
        return now if kind in URGENT else now + GRACE
    if frequency is Frequency.HOURLY:
        return next_full_hour(now)
    if frequency is Frequency.DAILY:
        return next_daily(now, hour, zone)
    return None


def next_full_hour(now: int) -> int:
    """Return when the next hour begins."""
    return (now // HOUR + 1) * HOUR


def next_daily(now: int, hour: int, zone: str) -> int:
    """Return the next instant of an hour of the day in a time zone.

    If daylight saving time skips the hour, it is the instant of the change; if the hour occurs
    twice, it is the first one.
    """
    local = zone_of(zone)
    today = datetime.fromtimestamp(now / 1000, local).date()
    for days in (0, 1, 2):
        day = today + timedelta(days=days)
        there = datetime(day.year, day.month, day.day, hour, tzinfo=local)
        at = int(there.astimezone(UTC).timestamp()) * 1000
        if at > now:
            return at
    raise AssertionError("every day has its hours")
