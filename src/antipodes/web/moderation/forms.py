"""Forms of reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from antipodes.web.accounts.models import User
from antipodes.web.moderation.models import ReportRow
from antipodes.web.moderation.reports import LONGEST


class ReportForm(forms.Form):
    """What is wrong, in a word and in one's own words; of whom, where there are several."""

    reason = forms.ChoiceField(
        label=_("What is wrong?"), choices=ReportRow.Reason.choices, widget=forms.RadioSelect
    )
    text = forms.CharField(
        label=_("In your words"),
        help_text=_("What happened, and when? Needed if you chose “something else”."),
        required=False,
        max_length=LONGEST,
        widget=forms.Textarea({"rows": 5}),
    )

    def __init__(self, people: Sequence[User], data: Any = None) -> None:
        """Prepare the form.

        Args:
            people: who may be reported; nobody is asked where there is one person alone.
            data: what was sent.
        """
        super().__init__(data)
        self._people = {str(user.pk): user for user in people}
        if len(people) > 1:
            choices = [(key, user.name) for key, user in self._people.items()]
            self.fields["about"] = forms.ChoiceField(
                label=_("Who is it about?"), choices=choices, widget=forms.RadioSelect
            )
            self.order_fields(["about"])

    def person(self) -> User:
        """Return the person that was chosen."""
        only = next(iter(self._people))
        return self._people[self.cleaned_data.get("about", only)]
