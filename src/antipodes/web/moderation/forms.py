"""Forms of reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from antipodes.web.accounts.models import User
from antipodes.web.moderation.models import ReportRow
from antipodes.web.moderation.reports import LONGEST
from antipodes.web.studies.removals import Place


class ReportForm(forms.Form):
    """Reason and description of a report, and the player where there are several."""

    reason = forms.ChoiceField(
        label=_("Reason"),
        choices=[(value, capfirst(label)) for value, label in ReportRow.Reason.choices],
        widget=forms.RadioSelect,
    )
    text = forms.CharField(
        label=_("Description"),
        help_text=_("What happened, and when? Required for “something else”."),
        required=False,
        max_length=LONGEST,
        widget=forms.Textarea({"rows": 5}),
    )

    def __init__(self, people: Sequence[User], data: Any = None) -> None:
        """Offer the players who may be reported.

        Args:
            people: players to choose from; with only one there is no choice.
            data: submitted data.
        """
        super().__init__(data)
        self._people = {str(user.pk): user for user in people}
        if len(people) > 1:
            choices = [(key, user.name) for key, user in self._people.items()]
            self.fields["about"] = forms.ChoiceField(
                label=_("Player"), choices=choices, widget=forms.RadioSelect
            )
            self.order_fields(["about"])

    def person(self) -> User:
        """Return the reported player."""
        only = next(iter(self._people))
        return self._people[self.cleaned_data.get("about", only)]


class StudyReportForm(ReportForm):
    """A report with the part of a study that it is about."""

    def __init__(self, places: Sequence[Place], data: Any = None) -> None:
        """Offer the parts that may be reported.

        Args:
            places: parts to choose from.
            data: submitted data.
        """
        super().__init__([], data)
        self._places = {place.part.value: place for place in places}
        choices = [(place.part.value, capfirst(place.part.label)) for place in places]
        self.fields["part"] = forms.ChoiceField(
            label=_("Reported part"), choices=choices, widget=forms.RadioSelect
        )
        self.order_fields(["part"])

    def place(self) -> Place:
        """Return the reported part."""
        return self._places[self.cleaned_data["part"]]
