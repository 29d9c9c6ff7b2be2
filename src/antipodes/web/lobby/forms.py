"""What somebody wants to play, as a form made from the options of a game."""

from __future__ import annotations

from typing import Any

from django import forms

from antipodes.clocks import read_control
from antipodes.errors import InputError
from antipodes.games.base import BoardGame
from antipodes.games.options import OptionInfo
from antipodes.games.registry import game_class, make_game
from antipodes.search.levels import DEFAULT_LEVEL, levels

CONTROLS = (
    ("unlimited", "no clock"),
    ("5m+5s", "5 minutes and 5 seconds a move"),
    ("15m+10s", "15 minutes and 10 seconds a move"),
    ("1m/move", "1 minute a move"),
    ("1d/move+5d", "1 day a move and 5 in the bank"),
    ("3d/move+10d", "3 days a move and 10 in the bank"),
    ("7d/move+21d", "7 days a move and 21 in the bank"),
)
_OPPONENTS = (
    ("computer", "the computer"),
    ("anybody", "anybody in the lobby"),
    ("link", "somebody I send a link"),
)


class GameForm(forms.Form):
    """Options of a game, opponent, colour and clock."""

    opponent = forms.ChoiceField(choices=_OPPONENTS)
    level = forms.ChoiceField(
        label="computer's level",
        choices=[(str(level.number), f"{level.number} {level.name}") for level in levels()],
        initial=str(DEFAULT_LEVEL),
    )
    seat = forms.ChoiceField(label="I am", required=False)
    control = forms.ChoiceField(label="clock", choices=CONTROLS)

    def __init__(self, game_id: str, data: Any = None) -> None:
        """Add a field for each option of the game."""
        super().__init__(data)
        self.game_type = game_class(game_id)
        standard = self.game_type()
        self.fields["seat"].choices = [  # type: ignore[attr-defined]  # it is a choice field
            ("", "drawn by lot"),
            *((str(seat), _seat_name(standard, seat)) for seat in range(standard.seats)),
        ]
        self.option_names = [info.name for info in standard.option_table()]
        for info in standard.option_table():
            self.fields[f"option-{info.name}"] = _option_field(info)
        self.game: BoardGame[Any, Any] = standard

    def clean(self) -> dict[str, Any]:
        """Make the game; options that do not go together are told at the form."""
        cleaned = super().clean() or {}
        values = {name: cleaned.get(f"option-{name}") for name in self.option_names}
        chosen = {name: value for name, value in values.items() if value not in (None, "")}
        try:
            self.game = make_game(self.game_type.id, chosen)
        except InputError as error:
            raise forms.ValidationError([fault.message for fault in error.faults]) from None
        cleaned["time_control"] = read_control(cleaned.get("control") or "unlimited")
        seat = cleaned.get("seat")
        cleaned["wanted_seat"] = int(seat) if seat else None
        return cleaned


def _seat_name(game: BoardGame[Any, Any], seat: int) -> str:
    color = game.colors[seat % len(game.colors)]
    order = "begins" if seat == 0 else "second" if game.seats == 2 else f"number {seat + 1}"
    return f"{color.title} ({order})"


def _option_field(info: OptionInfo) -> forms.Field:
    """Return a field for an option; one that follows from others stays empty unless it is set."""
    label = info.name.replace("_", " ")
    if info.values:
        follows = [("", "as usual")] if info.default is None else []
        return forms.ChoiceField(
            label=label,
            help_text=info.help,
            initial=info.default,
            required=False,
            choices=[*follows, *((value, value) for value in info.values)],
        )
    return forms.IntegerField(
        label=label,
        help_text=f"{info.help}; {info.allowed}",
        initial=info.default,
        required=False,
        min_value=info.low,
        max_value=info.high,
    )
