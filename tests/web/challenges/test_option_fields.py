"""Form fields of options of games."""

from typing import Any

import pytest
from django import forms

from antipodes.games.registry import game_class, game_ids
from antipodes.web.challenges.option_fields import GameOptionsForm, option_field


@pytest.mark.parametrize("game_id", game_ids())
def test_only_an_option_whose_default_depends_on_others_can_be_left_empty(game_id):
    options = game_class(game_id).options_type()
    for info in options.describe():
        choices = getattr(option_field(info, options), "choices", [])
        values = [value for value, _ in choices]
        assert ("" in values) == (info.default is None and bool(choices))
        assert "" not in values[1:]
        assert len(values) == len(set(values))


def test_the_default_is_offered_before_all_values():
    options = game_class("antipalos").options_type.read({"ruleset": "mail"})
    [swap] = [info for info in options.describe() if info.name == "swap"]
    field = option_field(swap, options)
    assert isinstance(field, forms.ChoiceField)
    choices: Any = field.choices
    assert [value for value, _ in choices] == ["", *options.offered("swap")]
    assert len(options.offered("swap")) > 1


def test_a_number_is_asked_for_with_its_limits():
    options = game_class("antipalos").options_type()
    fields = {info.name: option_field(info, options) for info in options.describe()}
    rods = fields["rods"]
    assert isinstance(rods, forms.IntegerField)
    assert (rods.widget.attrs["min"], rods.widget.attrs["max"], rods.required) == (1, 24, False)
    assert str(rods.help_text).endswith("or fewer; 1..24")


def test_rules_size_and_seats_are_asked_before_other_options():
    form = GameOptionsForm("antipalos")
    first, more = (
        [field.name.removeprefix("option-") for field in fields]
        for fields in (form.board_fields(), form.more_fields())
    )
    assert (first, more) == (["ruleset", "size", "seats"], ["rods", "phase_two_limit"])
