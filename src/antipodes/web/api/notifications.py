"""Notices for programs: their shape, and how somebody wants to be told of them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils import timezone

from antipodes.errors import Fault, InputError
from antipodes.web.accounts.models import User
from antipodes.web.api.schemas.community import NoticeShape
from antipodes.web.api.schemas.preferences import AwayShape, ChoicesChange, ChoicesShape
from antipodes.web.notifications import preferences, selectors, vacations
from antipodes.web.notifications.forms import PreferencesForm, VacationForm
from antipodes.web.notifications.kinds import Channel, Frequency, Kind
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.notifications.schedule import zone_of
from antipodes.web.platform.clock import now


def notice_shape(row: NotificationRow) -> NoticeShape:
    """Return the shape of a notice, in the language that is spoken now."""
    line = selectors.line_of(row)
    return NoticeShape(
        id=row.pk,
        kind=row.kind,
        words=line.words,
        path=line.target,
        at=row.made_at,
        seen=row.seen_at is not None,
    )


def choices_of(user: User) -> ChoicesShape:
    """Return how somebody wants to be told."""
    row = preferences.preference_of(user)
    return ChoicesShape.model_validate(
        {
            "ways": {kind.value: sorted(row.channels_for(kind)) for kind in Kind},
            "frequency": row.frequency,
            "hour": row.hour,
            "zone": row.zone or "UTC",
            "language": row.language,
            "reminders": list(preferences.reminders_of(row)),
        }
    )


def choose(user: User, wanted: ChoicesChange) -> None:
    """Change how somebody wants to be told; what is not named stays.

    Raises:
        InputError: something cannot be chosen.
    """
    row = preferences.preference_of(user)
    named = wanted.model_dump(exclude_none=True)
    ways = {kind: set(row.channels_for(kind)) for kind in Kind}
    ways |= {Kind(kind): set(map(Channel, some)) for kind, some in named.pop("ways", {}).items()}
    kept = {
        "frequency": row.frequency,
        "hour": row.hour,
        "zone": "UTC",
        "language": row.language,
        "reminders": list(preferences.reminders_of(row)),
    }
    boxes = {f"{kind}-{channel}": "on" for kind, some in ways.items() for channel in some}
    form = PreferencesForm({**kept, **named, **boxes}, row=row)
    chosen = _checked(form, "notices/choice")
    preferences.save_preferences(
        user,
        channels=form.channels(),
        frequency=Frequency(chosen["frequency"]),
        hour=chosen["hour"],
        # A zone that nobody chose stays that of the browser.
        zone=row.zone if wanted.zone is None else chosen["zone"],
        language=chosen["language"],
        reminders=chosen["reminders"],
    )


def away_of(user: User) -> AwayShape:
    """Return until when somebody is away."""
    until = preferences.preference_of(user).away_until
    return AwayShape(until=until if until is not None and until > now() else None)


def go_away(user: User, day: str) -> None:
    """Let somebody be away until a day ends where they are.

    Raises:
        InputError: it is no day, or has passed, or is more than a year away.
    """
    zone = preferences.preference_of(user).zone
    with timezone.override(zone_of(zone)):
        until = _checked(VacationForm({"until": day}), "notices/away")["until"]
    vacations.start_vacation(user, vacations.end_of(until, zone))


def _checked(form: forms.Form, code: str) -> dict[str, Any]:
    if not form.is_valid():
        told = form.errors.items()
        raise InputError([Fault(code, str(one), name) for name, some in told for one in some])
    return form.cleaned_data
