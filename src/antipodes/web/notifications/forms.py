"""The forms in which people choose how they are told."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from antipodes.web.notifications.kinds import ALWAYS_SHOWN, NEVER_MAILED, Channel, Frequency, Kind
from antipodes.web.notifications.models import PreferenceRow
from antipodes.web.notifications.preferences import REMINDERS, TENTH, reminders_of
from antipodes.web.platform.clock import now

LONGEST_ABSENCE = 366  # days

# Continents first, as people look for them; what is left are old names of the same zones.
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
    """Return the names of all time zones that somebody can choose."""
    return ["UTC", *sorted(zone for zone in available_timezones() if zone.startswith(_AREAS))]


def _hours() -> list[tuple[int, str]]:
    return [(hour, f"{hour:02}:00") for hour in range(24)]


def _reminder_words(hours: int) -> str:
    if hours == TENTH:
        return str(_("when a tenth of the time for the move is left"))
    if hours % 24 == 0:
        days = hours // 24
        return ngettext("%(count)d day before", "%(count)d days before", days) % {"count": days}
    return ngettext("%(count)d hour before", "%(count)d hours before", hours) % {"count": hours}


def _is_fixed(kind: Kind, channel: Channel) -> bool:
    if channel is Channel.MAIL:
        return kind in NEVER_MAILED
    return channel is Channel.PAGE and kind in ALWAYS_SHOWN


class ChoicesForm(forms.Form):
    """By which ways somebody is told, and how often by mail."""

    frequency = forms.ChoiceField(
        label=_("How often I get mail"), choices=Frequency.choices, widget=forms.RadioSelect
    )
    hour = forms.TypedChoiceField(label=_("Time of the daily mail"), choices=_hours, coerce=int)
    zone = forms.ChoiceField(label=_("My time zone"))
    language = forms.ChoiceField(label=_("Language of mail"), required=False)
    reminders = forms.TypedMultipleChoiceField(
        label=_("Remind me before my time runs out"),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *arguments: Any, row: PreferenceRow, **more: Any) -> None:
        """Show what is chosen now."""
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
            ("", _("the one in which I read the site")),
            *settings.LANGUAGES,
        ]
        self._field("reminders").choices = [(one, _reminder_words(one)) for one in REMINDERS]
        for kind in Kind:
            for channel in Channel:
                box = forms.BooleanField(
                    required=False,
                    initial=channel in row.ways(kind),
                    disabled=_is_fixed(kind, channel),
                    label=_("%(kind)s: %(way)s") % {"kind": kind.label, "way": channel.label},
                )
                self.fields[f"{kind.value}-{channel.value}"] = box

    def _field(self, name: str) -> Any:
        return self.fields[name]

    def table(self) -> list[tuple[str, list[forms.BoundField]]]:
        """Return the kinds in words, each with its boxes, one for each way."""
        return [
            (str(kind.label), [self[f"{kind.value}-{channel.value}"] for channel in Channel])
            for kind in Kind
        ]

    def ways(self) -> dict[Kind, list[Channel]]:
        """Return what was chosen."""
        return {
            kind: [
                channel for channel in Channel if self.cleaned_data[f"{kind.value}-{channel.value}"]
            ]
            for kind in Kind
        }


class AwayForm(forms.Form):
    """Until when somebody is away."""

    until = forms.DateField(
        label=_("The last day on which I am away"), widget=forms.DateInput({"type": "date"})
    )

    def clean_until(self) -> date:
        """Refuse days that have passed, and absences that are no vacation any more."""
        until: date = self.cleaned_data["until"]
        today = datetime.fromtimestamp(now() / 1000, timezone.get_current_timezone()).date()
        if until < today:
            raise forms.ValidationError(_("%(day)s has passed."), params={"day": until.isoformat()})
        if until > today + timedelta(days=LONGEST_ABSENCE):
            raise forms.ValidationError(
                _("%(day)s is more than a year away."), params={"day": until.isoformat()}
            )
        return until
