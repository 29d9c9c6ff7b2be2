"""Labels of the options of games."""

from antipodes.games.registry import game_class, game_ids
from antipodes.web.platform.translations import option_label


def test_options_are_labelled_with_their_names():
    names = {info.name for game_id in game_ids() for info in game_class(game_id).option_table()}
    others = {name for name in names if option_label(name).lower() != name.replace("_", " ")}
    assert others == {"first"}
    assert option_label("first") == "Colour that begins"
    assert option_label("side") == "Side"
