"""Profiles: their form, and services that change them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from antipodes.errors import Fault, InputError
from antipodes.records.texts import clean_line, clean_text
from antipodes.web.accounts.masking import passed_on_parts
from antipodes.web.accounts.models import ProfileRow, User
from antipodes.web.platform.clock import now

_MAX_LENGTH = 1_000  # characters of the text about the user
_MAX_LINES = 30


class ProfileForm(forms.ModelForm):  # type: ignore[type-arg]  # it has none when it runs
    """The form of a profile; all fields are optional."""

    about = forms.CharField(
        label=_("About you"),
        required=False,
        max_length=_MAX_LENGTH,
        widget=forms.Textarea({"rows": 8}),
        help_text=_("Plain text, at most 1000 characters. Everyone can read it."),
    )

    class Meta:
        """The fields in their order."""

        model = ProfileRow
        fields = ("availability", "about", "country", "languages", "own_side")
        labels = {
            "availability": _("Availability"),
            "country": _("Country"),
            "languages": _("Languages"),
            "own_side": _("Show Antipalos from my own side"),
        }
        help_texts = {
            "own_side": _(
                "A1 is at your lower left, on pages, in notifications and by mail. Otherwise you"
                " read and write moves as the first player does. Only you see this setting."
            ),
        }

    def clean_about(self) -> str:
        """Return the text without invisible characters.

        Raises:
            ValidationError: it has more than thirty lines.
        """
        lines = clean_text(self.cleaned_data["about"]).strip().split("\n")
        if len(lines) > _MAX_LINES:
            message = _("Use at most %(most)s lines, not %(lines)s.")
            values = {"lines": len(lines), "most": _MAX_LINES}
            raise forms.ValidationError(message, code="profile-lines", params=values)
        return "\n".join(line.rstrip() for line in lines)

    def clean(self) -> dict[str, Any]:
        """Return the values, with line breaks removed from single-line fields."""
        cleaned = super().clean() or self.cleaned_data
        for name in ("country", "languages"):
            if name in cleaned:
                cleaned[name] = clean_line(cleaned[name])
        return cleaned

    def save(self, commit: bool = True) -> ProfileRow:
        """Save the profile, with its texts as others may read them.

        Raises:
            MatchError: the user is muted, and says something new.
        """
        row: ProfileRow = self.instance
        row.about, row.country, row.languages = passed_on_parts(
            row.user,
            [row.about, row.country, row.languages],
            before=[self.initial[name] for name in ("about", "country", "languages")],
        )
        saved: ProfileRow = super().save(commit)
        return saved


def profile_of(user: User) -> ProfileRow:
    """Return the profile of a user, or an empty unsaved one."""
    return ProfileRow.objects.filter(user=user).first() or ProfileRow(user=user)


def change_profile(user: User, changes: Mapping[str, str]) -> ProfileRow:
    """Change some fields of a profile.

    Args:
        user: the owner.
        changes: by the names of the fields of ``ProfileForm``.

    Raises:
        InputError: a value is invalid, or the user is muted and says something new; nothing has
            changed.
    """
    with transaction.atomic():
        # Serialised, so that concurrent changes of other fields are not lost.
        User.objects.select_for_update().get(pk=user.pk)
        row = profile_of(user)
        current = {name: getattr(row, name) for name in ProfileForm.Meta.fields}
        form = ProfileForm({**current, **changes}, instance=row)
        if not form.is_valid():
            raise InputError(
                [
                    Fault("profile/text", str(message), name)
                    for name, messages in form.errors.items()
                    for message in messages
                ]
            )
        form.instance.changed_at = now()
        stored: ProfileRow = form.save()
    return stored
