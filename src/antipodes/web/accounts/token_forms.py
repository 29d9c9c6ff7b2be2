"""The form of a new API token."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from antipodes.web.accounts.api_tokens import DAYS, Scope, scope_description
from antipodes.web.accounts.tokens import LONGEST_NAME

_NO_EXPIRY = "0"
_DEFAULT_SCOPES = (Scope.READ, Scope.PLAY, Scope.CHALLENGE)


class TokenForm(forms.Form):
    """Name, scopes and lifetime of a new token."""

    name = forms.CharField(
        label=_("Name"),
        max_length=LONGEST_NAME,
        help_text=_("To recognise the token, such as “my bot at home”."),
    )
    scopes = forms.MultipleChoiceField(
        label=_("Scopes"),
        widget=forms.CheckboxSelectMultiple,
        initial=[scope.value for scope in _DEFAULT_SCOPES],
        error_messages={"required": _("Choose at least one scope.")},
    )
    days = forms.TypedChoiceField(
        label=_("Expires after"),
        coerce=int,
        initial=str(DAYS[1]),
        help_text=_("You can revoke it at any time."),
    )

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """Set the choices, in the active language."""
        super().__init__(*arguments, **named)
        days = [(str(count), gettext("%(count)s days") % {"count": count}) for count in DAYS]
        self._set_choices("scopes", [(scope.value, scope_description(scope)) for scope in Scope])
        self._set_choices("days", [*days, (_NO_EXPIRY, gettext("No expiry"))])

    def _set_choices(self, name: str, choices: list[Any]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]  # it is a choice field
