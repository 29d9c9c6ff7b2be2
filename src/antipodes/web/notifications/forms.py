"""Forms for notification preferences and vacations."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from antipodes.web.notifications.kinds import (
    ALWAYS_SHOWN,
    NEVER_MAILED,
    Channel,
    Frequency,
    NotificationKind,
)
from antipodes.web.notifications.models import PreferenceRow
from antipodes.web.notifications.preferences import REMINDERS, TENTH, reminders_of
from antipodes.web.platform.clock import now

LONGEST_VACATION = 366  # days

# Names by continent; the others are old aliases of the same zones.
_AREAS = (
    "Africa/",
    "America/",
    "Antarctica/",
    "Arctic/",
    "Asia/",
    "Atlantic/",
    "Australia/",
    "Europe/",
    "Indian/",
    "Pacific/",
)


def zones() -> list[str]:
    """Return the names of all time zones to choose from."""
    return ["UTC", *sorted(zone for zone in available_timezones() if zone.startswith(_AREAS))]


def _hours() -> list[tuple[int, str]]:
    return [(hour, f"{hour:02}:00") for hour in range(24)]


def _reminder_label(hours: int) -> str:
    if hours == TENTH:
        return str(_("when a tenth of the time for the move is left"))
    if hours % 24 == 0:
        days = hours // 24
        return ngettext("%(count)d day before", "%(count)d days before", days) % {"count": days}
    return ngettext("%(count)d hour before", "%(count)d hours before", hours) % {"count": hours}


def _is_fixed(kind: NotificationKind, channel: Channel) -> bool:
    if channel is Channel.MAIL:
        return kind in NEVER_MAILED
    return channel is Channel.PAGE and kind in ALWAYS_SHOWN


class PreferencesForm(forms.Form):
    """Channels for each kind of notification, and how often mail is sent."""

    frequency = forms.ChoiceField(
        label=_("E-mail frequency"), choices=Frequency.choices, widget=forms.RadioSelect
    )
    hour = forms.TypedChoiceField(label=_("Time of the daily e-mail"), choices=_hours, coerce=int)
    zone = forms.ChoiceField(label=_("Time zone"))
    language = forms.ChoiceField(label=_("Language of e-mails"), required=False)
    reminders = forms.TypedMultipleChoiceField(
        label=_("Remind me before my time runs out"),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *arguments: Any, row: PreferenceRow, **more: Any) -> None:
        """Show the current preferences."""
        more["initial"] = {
            "frequency": row.frequency,
            "hour": row.hour,
            "zone": row.zone or "UTC",
            "language": row.language,
            "reminders": list(reminders_of(row)),
        }
        super().__init__(*arguments, **more)
        self._row = row
        self._field("zone").choices = [(zone, zone.replace("_", " ")) for zone in zones()]
        self._field("language").choices = [
            ("", _("Same as the site")),
            *settings.LANGUAGES,
        ]
        self._field("reminders").choices = [(one, _reminder_label(one)) for one in REMINDERS]
        for kind in NotificationKind:
            for channel in Channel:
                box = forms.BooleanField(
                    required=False,
                    initial=channel in row.channels_for(kind),
                    disabled=_is_fixed(kind, channel),
                    label=_("%(kind)s: %(channel)s")
                    % {"kind": kind.label, "channel": channel.label},
                )
                self.fields[f"{kind.value}-{channel.value}"] = box

    def _field(self, name: str) -> Any:
        return self.fields[name]

    def table(self) -> list[tuple[str, list[forms.BoundField]]]:
        """Return the label of each kind with its checkboxes, one for each channel."""
        return [
            (str(kind.label), [self[f"{kind.value}-{channel.value}"] for channel in Channel])
            for kind in NotificationKind
        ]

    def channels(self) -> dict[NotificationKind, list[Channel]]:
        return {
            kind: [
                channel for channel in Channel if self.cleaned_data[f"{kind.value}-{channel.value}"]
            ]
            for kind in NotificationKind
        }


class VacationForm(forms.Form):
    """The last day of a vacation."""

    until = forms.DateField(
        label=_("Last day of your vacation"), widget=forms.DateInput({"type": "date"})
    )

    def clean_until(self) -> date:
        """Reject days in the past, and vacations of more than a year."""
        until: date = self.cleaned_data["until"]
        today = datetime.fromtimestamp(now() / 1000, timezone.get_current_timezone()).date()
        if until < today:
            raise forms.ValidationError(
                _("%(day)s is in the past."), params={"day": until.isoformat()}
            )
        if until > today + timedelta(days=LONGEST_VACATION):
            raise forms.ValidationError(
                _("%(day)s is more than a year away."), params={"day": until.isoformat()}
            )
        return until
