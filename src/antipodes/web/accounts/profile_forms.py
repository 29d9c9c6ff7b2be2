"""The form in which people tell about themselves."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from antipodes.records.texts import clean_line, clean_text
from antipodes.web.accounts.models import ProfileRow

LONGEST = 1_000  # characters of what somebody writes about themselves
_MOST_LINES = 30


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]  # it has none when it runs
    """What somebody tells about themselves; nothing of it need be told."""

    about = forms.CharField(
        label=_("About you"),
        required=False,
        max_length=LONGEST,
        widget=forms.Textarea({"rows": 8}),
        help_text=_("Plain text, at most 1000 characters. Everybody can read it."),
    )

    class Meta:
        """The fields in their order."""

        model = ProfileRow
        fields = ("availability", "about", "country", "languages", "own_side")
        labels = {
            "availability": _("Would you like to play?"),
            "country": _("Country"),
            "languages": _("Languages that you speak"),
            "own_side": _("Antipalos from my own side"),
        }
        help_texts = {
            "own_side": _(
                "A1 is at your own lower left, on pages, in notices and by mail. Without this you"
                " read and write moves as the first player does. Nobody else sees this choice."
            ),
        }

    def clean_about(self) -> str:
        """Return the text without what cannot be seen, and with at most thirty lines.

        Raises:
            ValidationError: there are more lines.
        """
        lines = clean_text(self.cleaned_data["about"]).strip().split("\n")
        if len(lines) > _MOST_LINES:
            message = _("There are %(lines)s lines, but at most %(most)s can be shown.")
            values = {"lines": len(lines), "most": _MOST_LINES}
            raise forms.ValidationError(message, code="profile-lines", params=values)
        return "\n".join(line.rstrip() for line in lines)

    def clean(self) -> dict[str, Any]:
        """Return all values, each text of one line as one."""
        cleaned = super().clean() or self.cleaned_data
        for name in ("country", "languages"):
            if name in cleaned:
                cleaned[name] = clean_line(cleaned[name])
        return cleaned
