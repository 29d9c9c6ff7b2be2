"""Changes of title, description and start by the host, before an event begins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from antipodes.clocks import MINUTE
from antipodes.errors import Fault, InputError
from antipodes.web.accounts.masking import passed_on
from antipodes.web.accounts.models import User
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import take
from antipodes.web.tournaments import services
from antipodes.web.tournaments.access import check_director
from antipodes.web.tournaments.directing import ACTIONS, wrong_state
from antipodes.web.tournaments.local_times import (
    ZONE_HELP,
    from_milliseconds,
    instant_field,
    to_milliseconds,
    zone_for,
)
from antipodes.web.tournaments.log import Step, locked, record
from antipodes.web.tournaments.models import TournamentRow
from antipodes.web.tournaments.plans import LONGEST_DESCRIPTION, LONGEST_TITLE, plan_of

CHANGEABLE = ("title", "description", "starts_at")
_CODES = {
    "title": "tournament/title",
    "description": "tournament/title",
    "starts": "tournament/time",
}


class ChangeForm(forms.Form):
    """The form of title, description and start of an event."""

    title = forms.CharField(label=gettext_lazy("Title"), max_length=LONGEST_TITLE)
    description = forms.CharField(
        label=gettext_lazy("Description"),
        required=False,
        max_length=LONGEST_DESCRIPTION,
        widget=forms.Textarea({"rows": 3}),
    )
    starts = instant_field(label=gettext_lazy("Starts at"))


def form_of(row: TournamentRow, user: User) -> ChangeForm:
    """Return the form with what the event has now; times are in the user's zone."""
    zone = zone_for(user)
    starts = None if row.starts_at is None else from_milliseconds(row.starts_at, zone)
    initial = {"title": row.title, "description": row.description, "starts": starts}
    form = ChangeForm(initial=initial, prefix="change")
    form.fields["starts"].help_text = ZONE_HELP % {"zone": zone}
    return form


def read_form(data: Any, row: TournamentRow, user: User) -> dict[str, Any]:
    """Return the changes of a posted form; the start keeps its seconds, which it does not show.

    Raises:
        InputError: a field cannot be read.
    """
    form = ChangeForm(data, prefix="change")
    if not form.is_valid():
        faults = [
            Fault(_CODES[name], f"{form[name].label}: {message}", name)
            for name, messages in form.errors.items()
            for message in messages
        ]
        raise InputError(faults)
    cleaned, zone = form.cleaned_data, zone_for(user)
    starts_at = to_milliseconds(cleaned["starts"], zone)
    if starts_at is not None and row.starts_at is not None:
        starts_at += row.starts_at % MINUTE
    return {**{name: cleaned[name] for name in CHANGEABLE[:2]}, "starts_at": starts_at}


def change(key: int, user: User, wanted: Mapping[str, Any]) -> None:
    """Change an event that has not begun; players are notified.

    Args:
        key: the event.
        user: a director.
        wanted: new values by the names of `CHANGEABLE`; others stay.

    Raises:
        InputError: the user may not, it has begun, or the new rules are refused.
    """
    take(ACTIONS, str(user.pk))
    with locked(key) as row:
        check_director(row, user)
        if not row.is_before_start:
            raise wrong_state(row)
        plan = replace(plan_of(row), **wanted)
        plan.check(now())
        changed = {
            "title": passed_on(user, plan.clean_title, before=row.title),
            "description": passed_on(user, plan.description, before=row.description).strip(),
            "starts_at": plan.starts_at,
        }
        changed = {name: new for name, new in changed.items() if new != getattr(row, name)}
        if not changed:
            return
        for name, value in changed.items():
            setattr(row, name, value)
        row.due_at = services.next_due(row)
        record(row, Step.CHANGED, user, changed=changed)


def changed_text(changed: Mapping[str, Any]) -> str:
    """Return what was changed as a sentence, for the log."""
    names = {"title": _("title"), "description": _("description"), "starts_at": _("start")}
    # Not in the order of the row, which PostgreSQL does not keep.
    parts = [name for key, name in names.items() if key in changed]
    return _("Changed: %(parts)s.") % {"parts": ", ".join(parts)}
