"""Form fields of options of games."""

import pytest

from antipodes.games.registry import game_class, game_ids
from antipodes.web.challenges.option_fields import option_field


@pytest.mark.parametrize("game_id", game_ids())
def test_only_an_option_whose_default_depends_on_others_can_be_left_empty(game_id):
    options = game_class(game_id).options_type()
    for info in options.describe():
        choices = getattr(option_field(info, options), "choices", [])
        assert ("" in [value for value, _ in choices]) == (info.default is None and bool(choices))
