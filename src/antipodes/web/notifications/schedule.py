"""When mail is due: in somebody's own time zone, summer time included; nothing here is stored."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from antipodes.web.notifications.kinds import URGENT, Frequency, Kind

# All in milliseconds.
MINUTE = 60_000
HOUR = 60 * MINUTE

# So long somebody has to see the news on the site before a mail about it goes out.
PATIENCE = MINUTE

# Whoever plays by mail waits for the board; in this time all that happens at once is together.
PROMPTLY = 2_000


def zone_of(name: str) -> ZoneInfo:
    """Return a time zone by its name; UTC for one that is not known."""
    try:
        return ZoneInfo(name or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def mail_due(kind: Kind, frequency: Frequency, now: int, hour: int, zone: str) -> int | None:
    """Return when something told at an instant is to be mailed; ``None`` for not at all.

    Args:
        kind: what it is.
        frequency: how often somebody wants mail.
        now: the instant, in milliseconds since 1970.
        hour: of the daily mail.
        zone: name of the time zone in which that hour counts.
    """
    if frequency is Frequency.NEVER:
        return None
    if kind in URGENT or frequency is Frequency.EACH:
        return now if kind in URGENT else now + PATIENCE
    if frequency is Frequency.HOURLY:
        return next_full_hour(now)
    if frequency is Frequency.DAILY:
        return next_daily(now, hour, zone)
    return None


def next_full_hour(now: int) -> int:
    """Return when the next hour begins."""
    return (now // HOUR + 1) * HOUR


def next_daily(now: int, hour: int, zone: str) -> int:
    """Return when it is next that hour of the day in a time zone.

    Where the clock jumps over the hour it is the instant of the jump; where the hour comes twice it
    is the first time.
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
