"""The form of a seek."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django import forms
from django.utils.translation import gettext_lazy as _

from antipodes.games.registry import game_class, game_ids
from antipodes.web.accounts.models import User
from antipodes.web.matches.labels import CONTROLS
from antipodes.web.matchmaking.presets import CLOCKS, DEFAULT_CLOCK
from antipodes.web.platform.translations import translate
from antipodes.web.ratings.classes import BoardClass, board_classes

COOKIE = "pairing"  # the latest seek


class SeekForm(forms.Form):
    """Game, board, clock and whether the game is rated."""

    game = forms.ChoiceField(label=_("Game"))
    board = forms.ChoiceField(
        label=_("Board"),
        choices=[(one, one.label) for one in BoardClass],
        initial=BoardClass.STANDARD,
    )
    control = forms.ChoiceField(label=_("Clock"), initial=DEFAULT_CLOCK)
    rated = forms.BooleanField(label=_("Rated"), required=False)
    is_flexible = forms.BooleanField(
        label=_("Also accept other boards and clocks, and a casual game"),
        required=False,
    )

    def __init__(self, user: User | None, data: Any = None, **more: Any) -> None:
        """Offer the games and clocks of the presets; guests play no rated games."""
        super().__init__(data, auto_id="pair-%s", **more)
        games = [(one, translate(game_class(one).title)) for one in game_ids()]
        self.fields["game"].choices = games  # type: ignore[attr-defined]
        clocks = [
            (group, [pair for pair in some.items() if pair[0] in CLOCKS])
            for group, some in CONTROLS.items()
        ]
        offered = [(group, some) for group, some in clocks if some]
        self.fields["control"].choices = offered  # type: ignore[attr-defined]
        if user is None or user.is_guest:
            self.fields["rated"].disabled = True
            self.fields["rated"].help_text = _("Requires an account; guests play casual games.")

    def clean(self) -> dict[str, Any]:
        """Fill in the board of games that have only one."""
        cleaned = super().clean() or {}
        classes = board_classes(cleaned["game"]) if "game" in cleaned else ()
        if cleaned.get("board") not in classes and len(classes) == 1:
            cleaned["board"] = classes[0].value
        return cleaned

    @property
    def seek_options(self) -> dict[str, Any]:
        """The cleaned data as arguments of `services.seek`."""
        data = self.cleaned_data
        return {
            "game_id": data["game"],
            "board": data["board"],
            "control": data["control"],
            "rated": data["rated"],
            "is_flexible": data["is_flexible"],
        }

    @property
    def text(self) -> str:
        """The cleaned data as text for the cookie."""
        return urlencode({name: value for name, value in self.cleaned_data.items() if value})

    @property
    def shown(self) -> tuple[object, ...]:
        """All that the HTML of a form depends on that was not submitted."""
        values = (field.value() for field in self)
        return (*values, self.fields["rated"].disabled)

    @staticmethod
    def remembered(cookies: Mapping[str, str]) -> dict[str, Any]:
        """Return the values of the cookie that are still valid."""
        stored = dict(parse_qsl(cookies.get(COOKIE, "")[:200]))
        allowed = {"game": game_ids(), "board": list(BoardClass), "control": CLOCKS}
        valid: dict[str, Any] = {
            name: stored[name] for name, values in allowed.items() if stored.get(name) in values
        }
        return {**valid, "rated": "rated" in stored, "is_flexible": "is_flexible" in stored}
