"""How people want to be told: read and changed here."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.conf import settings
from django.db import transaction

from antipodes.web.accounts import languages
from antipodes.web.accounts.models import User
from antipodes.web.notifications import mail_play, schedule
from antipodes.web.notifications.kinds import Channel, Frequency, Kind
from antipodes.web.notifications.models import NotificationRow, PreferenceRow
from antipodes.web.platform.clock import now

# Hours before the end of one's time; ``TENTH`` is a tenth of the time that the turn had.
TENTH = 0
USUAL_REMINDERS = (24, 3)
REMINDERS = (72, 48, 24, 12, 6, 3, 1, TENTH)


def preference_of(user: User) -> PreferenceRow:
    """Return how somebody wants to be told: the usual, not stored, where nothing was chosen."""
    found = PreferenceRow.objects.filter(user=user).first()
    return found or PreferenceRow(user=user)


def reminders_of(preference: PreferenceRow) -> tuple[int, ...]:
    """Return how many hours before the end of their time somebody is reminded."""
    chosen = preference.reminders
    return USUAL_REMINDERS if chosen is None else tuple(chosen)


def mail_due(
    preference: PreferenceRow, kind: Kind, at: int, *, is_called: bool = False
) -> int | None:
    """Return when something that is told at an instant is to be mailed; ``None``: not at all.

    Nobody is mailed while they are away: what is still unseen then comes after their return.
    Whoever is called, because they play by mail, need not have chosen mail for this.
    """
    if Channel.MAIL not in preference.ways(kind) and not is_called:
        return None
    since = max(at, preference.away_until or 0)
    frequency = Frequency(preference.frequency)
    if is_called and frequency is Frequency.EACH and kind is not Kind.CHAT:
        return since + schedule.PROMPTLY
    return schedule.mail_due(kind, frequency, since, preference.hour, preference.zone)


def choose(
    user: User,
    *,
    ways: Mapping[Kind, Collection[Channel]],
    frequency: Frequency,
    hour: int,
    zone: str,
    language: str,
    reminders: Collection[int],
) -> None:
    """Note how somebody wants to be told; it holds for what waits to be mailed, too."""
    with transaction.atomic():
        row, _ = PreferenceRow.objects.select_for_update().get_or_create(user=user)
        row.choices = {kind.value: sorted(chosen) for kind, chosen in ways.items()}
        row.frequency = frequency
        row.hour, row.zone, row.language = hour, zone, language
        row.reminders = sorted(set(reminders), reverse=True)
        row.save()
        reschedule(row)


def change(
    user: User,
    *,
    frequency: Frequency | None = None,
    hour: int | None = None,
    reminders: Collection[int] | None = None,
) -> None:
    """Change how often somebody is mailed, or when they are reminded; what is left out stays."""
    with transaction.atomic():
        row, _ = PreferenceRow.objects.select_for_update().get_or_create(user=user)
        row.frequency = frequency or row.frequency
        row.hour = row.hour if hour is None else hour
        if reminders is not None:
            row.reminders = sorted(set(reminders), reverse=True)
        row.save()
        reschedule(row)


def mail_never(user: User) -> None:
    """Send somebody no more mail about anything."""
    change(user, frequency=Frequency.NEVER)


def reschedule(row: PreferenceRow) -> None:
    """Let mail that waits be due as the preferences say now."""
    waiting = NotificationRow.objects.filter(user=row.user, seen_at=None).exclude(mail_due=None)
    at = now()
    for notice in waiting.only("kind", "match", "arguments").select_related("match"):
        kind = Kind(notice.kind)
        is_called = mail_play.is_called(row.user, kind, notice.match, notice.arguments.get("act"))
        due = mail_due(row, kind, at, is_called=is_called)
        NotificationRow.objects.filter(pk=notice.pk).exclude(mail_due=None).update(mail_due=due)


def note_zone(user: User, zone: str) -> None:
    """Note in which time zone somebody's browser is, unless a zone was chosen."""
    if schedule.zone_of(zone).key == zone and not preference_of(user).zone:
        PreferenceRow.objects.update_or_create(user=user, defaults={"zone": zone})


def language_of(preference: PreferenceRow) -> str:
    """Return the language in which somebody is written to: chosen here, or that of the site."""
    if preference.language in dict(settings.LANGUAGES):
        return preference.language
    return languages.language_of(preference.user)
