"""Forms of studies and their chapters."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from antipodes.errors import InputError
from antipodes.games.registry import game_class, game_ids, make_game
from antipodes.records import Record
from antipodes.web.accounts.models import User
from antipodes.web.analysis.imports import Imported, read_import
from antipodes.web.platform.translations import error_message, translate
from antipodes.web.studies.models import Visibility


class ChapterForm(forms.Form):
    """Title and beginning of a chapter: an imported game, or the start of a game."""

    chapter = forms.CharField(label=_("Title of the chapter"), max_length=100, required=False)
    game = forms.ChoiceField(label=_("Game"), required=False)
    text = forms.CharField(
        label=_("Begin with a game"),
        required=False,
        widget=forms.Textarea({"rows": 4, "spellcheck": "false"}),
        help_text=_("SGF, JSON, a HexWorld link or a picture; empty for the start of the game."),
    )

    def __init__(self, data: Any = None, **initial: Any) -> None:
        """Offer all games."""
        super().__init__(data, initial=initial)
        games = [(one, translate(game_class(one).title)) for one in game_ids()]
        self.fields["game"].choices = games  # type: ignore[attr-defined]  # it is a choice field
        self.imported: Imported | None = None

    def clean_text(self) -> str:
        """Read the game, so that its faults are shown here."""
        text: str = self.cleaned_data["text"]
        if text.strip():
            try:
                self.imported = read_import(text)
            except InputError as error:
                raise forms.ValidationError(error_message(error)) from None
        return text

    def record(self) -> Record:
        """Return the record with which the chapter begins."""
        found = self.imported
        if found is None:
            return Record(make_game(self.cleaned_data.get("game") or game_ids()[0]))
        return found.record or Record(found.game, found.line.setup)


class StudyForm(ChapterForm):
    """Title and visibility of a new study, and its first chapter."""

    title = forms.CharField(label=_("Title"), max_length=100)
    visibility = forms.ChoiceField(label=_("Visible to"), initial=Visibility.UNLISTED)
    field_order = ("title", "visibility", "game", "chapter", "text")

    def __init__(self, user: User | None, data: Any = None, **initial: Any) -> None:
        """Offer public studies to accounts only."""
        super().__init__(data, **initial)
        set_visibilities(self, user)


class SettingsForm(forms.Form):
    """Title and visibility of a study."""

    title = forms.CharField(label=_("Title"), max_length=100)
    visibility = forms.ChoiceField(label=_("Visible to"))

    def __init__(self, user: User, data: Any = None, **initial: Any) -> None:
        """Offer public studies to accounts only."""
        super().__init__(data, initial=initial)
        set_visibilities(self, user)


def set_visibilities(form: forms.Form, user: User | None) -> None:
    """Offer the visibilities that a user may choose."""
    is_guest = user is None or user.is_guest
    form.fields["visibility"].choices = [  # type: ignore[attr-defined]  # it is a choice field
        choice for choice in Visibility.choices if not (is_guest and choice[0] == Visibility.PUBLIC)
    ]
