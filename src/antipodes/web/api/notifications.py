"""Notifications: conversion to responses, settings, absence."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils import timezone

from antipodes.errors import Fault, InputError
from antipodes.web.accounts.models import User
from antipodes.web.api.schemas.notifications import (
    AbsenceOut,
    NotificationOut,
    NotificationSettingsOut,
    NotificationSettingsPatch,
)
from antipodes.web.notifications import preferences, selectors, vacations
from antipodes.web.notifications.forms import PreferencesForm, VacationForm
from antipodes.web.notifications.kinds import Frequency, NotificationKind
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.notifications.schedule import zone_of
from antipodes.web.platform.clock import now


def notification_out(row: NotificationRow) -> NotificationOut:
    """Return a notification as response data, in the active language."""
    line = selectors.line_of(row)
    return NotificationOut(
        id=row.pk,
        kind=row.kind,
        words=line.words,
        path=line.target,
        at=row.made_at,
        seen=row.seen_at is not None,
    )


def settings_of(user: User) -> NotificationSettingsOut:
    row = preferences.preference_of(user)
    return NotificationSettingsOut.model_validate(
        {
            "ways": {kind: sorted(row.channels_for(kind)) for kind in NotificationKind},
            "frequency": row.frequency,
            "hour": row.hour,
            "zone": row.zone or "UTC",
            "language": row.language,
            "reminders": list(preferences.reminders_of(row)),
        }
    )


def change_settings(user: User, patch: NotificationSettingsPatch) -> None:
    """Change a user's notification settings; omitted fields do not change.

    Raises:
        InputError: a value is invalid.
    """
    row = preferences.preference_of(user)
    changes = patch.model_dump(exclude_none=True)
    channels = {kind: set(row.channels_for(kind)) for kind in NotificationKind}
    for kind, names in changes.pop("ways", {}).items():
        channels[kind] = set(names)
    current = {
        "frequency": row.frequency,
        "hour": row.hour,
        "zone": "UTC",
        "language": row.language,
        "reminders": list(preferences.reminders_of(row)),
    }
    boxes = {f"{kind}-{channel}": "on" for kind, some in channels.items() for channel in some}
    form = PreferencesForm({**current, **changes, **boxes}, row=row)
    cleaned = _cleaned(form, "notices/choice")
    preferences.save_preferences(
        user,
        channels=form.channels(),
        frequency=Frequency(cleaned["frequency"]),
        hour=cleaned["hour"],
        # Unless the user chose a zone, it follows their browser.
        zone=row.zone if patch.zone is None else cleaned["zone"],
        language=cleaned["language"],
        reminders=cleaned["reminders"],
    )


def absence_of(user: User) -> AbsenceOut:
    """Return until when a user is away."""
    until = preferences.preference_of(user).away_until
    return AbsenceOut(until=until if until is not None and until > now() else None)


def start_absence(user: User, day: str) -> None:
    """Set a user away until the end of a day in their time zone.

    Raises:
        InputError: the day is invalid, in the past, or more than a year away.
    """
    zone = preferences.preference_of(user).zone
    with timezone.override(zone_of(zone)):
        until = _cleaned(VacationForm({"until": day}), "notices/away")["until"]
    vacations.start_vacation(user, vacations.end_of(until, zone))


def _cleaned(form: forms.Form, code: str) -> dict[str, Any]:
    if not form.is_valid():
        errors = form.errors.items()
        raise InputError(
            [Fault(code, str(message), name) for name, messages in errors for message in messages]
        )
    return form.cleaned_data
