"""The form of a new simul."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from antipodes.web.matchmaking.forms import SeekForm


class SimulForm(SeekForm):
    """Game, board and clock as in a seek, and the host's seat."""

    host_seat = forms.TypedChoiceField(
        label=_("Who begins"),
        required=False,
        coerce=int,
        empty_value=None,
        choices=(
            ("", _("in turn: me on boards 1, 3, 5 …")),
            ("0", _("me")),
            ("1", _("my opponents")),
        ),
    )

    def __init__(self, data: Any = None) -> None:
        """Leave out what only seeks have: simuls are casual."""
        super().__init__(None, data)
        del self.fields["rated"]

    @property
    def terms(self) -> dict[str, Any]:
        """The cleaned data as arguments of `services.make_simul`."""
        data = self.cleaned_data
        return {
            "game_id": data["game"],
            "board": data["board"],
            "control": data["control"],
            "host_seat": data["host_seat"],
        }
