"""Forms of the pages on which tokens are made."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from antipodes.web.accounts.api_tokens import DAYS, Scope, scope_words
from antipodes.web.accounts.tokens import LONGEST_NAME

_FOR_EVER = "0"
_USUAL = (Scope.READ, Scope.PLAY, Scope.CHALLENGE)


class TokenForm(forms.Form):
    """Name, scopes and days of a new token."""

    name = forms.CharField(
        label=_("What is it for?"),
        max_length=LONGEST_NAME,
        help_text=_("A name by which you will know it, such as “my bot at home”."),
    )
    scopes = forms.MultipleChoiceField(
        label=_("What may it be used for?"),
        widget=forms.CheckboxSelectMultiple,
        initial=[scope.value for scope in _USUAL],
        error_messages={"required": _("Choose what the token may be used for.")},
    )
    days = forms.TypedChoiceField(
        label=_("For how long?"),
        coerce=int,
        initial=str(DAYS[1]),
        help_text=_("You can revoke it at any time."),
    )

    def __init__(self, *arguments: Any, **named: Any) -> None:
        """Fill in the choices, in the language of the page."""
        super().__init__(*arguments, **named)
        days = [(str(count), gettext("%(count)s days") % {"count": count}) for count in DAYS]
        self._set_choices("scopes", [(scope.value, scope_words(scope)) for scope in Scope])
        self._set_choices("days", [*days, (_FOR_EVER, gettext("for ever"))])

    def _set_choices(self, name: str, choices: list[Any]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]  # it is a choice field
