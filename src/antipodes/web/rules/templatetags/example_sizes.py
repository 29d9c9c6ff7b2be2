"""Template tags for the sizes of pictures in the rules."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString

from antipodes.games.figures import Drawing
from antipodes.games.registry import make_game
from antipodes.web.platform.templatetags.picture_sizes import board_size, scene_size
from antipodes.web.rules.examples import shown_example

register = template.Library()


@register.simple_tag
def example_size(game_id: str, number: int | None = None) -> SafeString:
    """Return the attributes for the size of an example, or of the picture of a whole game."""
    return board_size(make_game(game_id, shown_example(game_id, number).options))


@register.filter
def drawing_size(drawing: Drawing) -> SafeString:
    """Return the attributes for the size of a drawing of a figure."""
    scene = make_game(drawing.game_id, drawing.options).initial().scene()
    return scene_size(scene, bare=True, view=drawing.view)
