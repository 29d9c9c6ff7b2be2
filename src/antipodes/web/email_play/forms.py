"""Form for a new mail token."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from antipodes.web.accounts.tokens import LONGEST_NAME


class TokenForm(forms.Form):
    """The name of a new mail token."""

    name = forms.CharField(
        label=_("Name"),
        max_length=LONGEST_NAME,
        help_text=_("Where you use it, such as “mail program at home”."),
    )
