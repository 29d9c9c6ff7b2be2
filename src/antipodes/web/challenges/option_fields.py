"""The fields of a game's options, generated from the game itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from antipodes.games.options import OptionInfo, Options, in_words
from antipodes.games.position import Game
from antipodes.games.registry import closest_game, game_class
from antipodes.web.matches.fair_options import agreed_game, fair_options
from antipodes.web.matches.labels import is_size, size_choices
from antipodes.web.matches.odds import odds_of
from antipodes.web.platform.translations import option_label, translate, value_label

OPTION_PREFIX = "option-"  # of the field of an option, in forms and queries

# Options that change the game itself; forms show them first.
_FIRST_ASKED = ("ruleset", "seats", "handicap")


class GameOptionsForm(forms.Form):
    """A form with a field for each option of a game.

    Attributes:
        game_type: the class of the game.
        option_names: the field of each option.
    """

    def __init__(self, game_id: str, data: Any = None, **initial: Any) -> None:
        """Add the options to the fields of the subclass.

        Raises:
            UnknownGameError: there is no such game.
        """
        self.game_type = game_class(game_id)
        self.option_names = {
            info.name: f"{OPTION_PREFIX}{info.name}" for info in self.game_type.option_table()
        }
        fair = fair_options(game_id)
        initial = {**{self.option_names[name]: fair[name] for name in fair}, **initial}
        super().__init__(data, initial=initial)
        # Each option offers the values that are compatible with the options before it.
        source = initial if data is None else data
        chosen = {name: source.get(field) for name, field in self.option_names.items()}
        self._game = closest_game(game_id, {name: one for name, one in chosen.items() if one})
        for info in self.game_type.option_table():
            self.fields[self.option_names[info.name]] = option_field(info, self._game.options)
        for name in fair:
            self._call_classic(name)

    def _call_classic(self, name: str) -> None:
        """Say which value of an option is the inventor's, where another one is offered first."""
        field = self.fields[self.option_names[name]]
        classic = _("%(value)s (classic, the inventor’s)")
        field.choices = [  # type: ignore[attr-defined]  # a choice field
            (value, classic % {"value": label} if value == field.initial else label)
            for value, label in field.choices  # type: ignore[attr-defined]
        ]

    @property
    def odds(self) -> str:
        """A sentence with the odds of the chosen game, if it favours a colour."""
        return odds_of(self._game)

    def board_fields(self) -> Iterator[forms.BoundField]:
        """Yield the fields for rule set and board size."""
        for info in self.open_options():
            if info.name in _FIRST_ASKED or is_size(info):
                yield self[self.option_names[info.name]]

    def more_fields(self) -> Iterator[forms.BoundField]:
        for info in self.open_options():
            if info.name not in _FIRST_ASKED and not is_size(info):
                yield self[self.option_names[info.name]]

    def open_options(self) -> Iterator[OptionInfo]:
        """Yield the options that have more than one value given the options before them."""
        for info in self.game_type.option_table():
            if len(self._game.options.offered(info.name)) > 1:
                yield info

    @property
    def has_dependent_options(self) -> bool:
        """Whether the choices of some options depend on others."""
        return self.game_type.options_type.are_dependent()

    def chosen_game(self, cleaned: Mapping[str, Any]) -> Game:
        """Return the game with the options of the form.

        Raises:
            InputError: the options do not fit together.
        """
        values = {name: cleaned.get(field) for name, field in self.option_names.items()}
        chosen = {name: value for name, value in values.items() if value not in {None, ""}}
        return agreed_game(self.game_type.id, chosen)


class _OptionField(forms.ChoiceField):
    """A choice field for an option; incompatible values are reported by the game itself."""

    def valid_value(self, value: Any) -> bool:  # noqa: ARG002
        """Accept every value; the game checks it."""
        return True


def option_field(info: OptionInfo, options: Options) -> forms.ChoiceField | forms.IntegerField:
    """Return the field of an option that offers the values compatible with the ones before it."""
    label, offered = option_label(info.name), options.offered(info.name)
    if info.values or is_size(info):
        choices: list[tuple[Any, Any]] = [(value, value_label(value)) for value in offered]
        if info.default is None:
            # If left empty, the value follows from the other options.
            choices.insert(0, ("", _("default")))
        return _OptionField(
            label=label,
            help_text=translate(info.help),
            initial=info.default,
            required=False,
            choices=choices if info.values else size_choices(info, options),
        )
    help_text = {"help": translate(info.help), "allowed": in_words(offered)}
    return forms.IntegerField(
        label=label,
        help_text=_("%(help)s; %(allowed)s") % help_text,
        initial=info.default,
        required=False,
        widget=forms.NumberInput({"min": offered[0], "max": offered[-1]}),
    )
