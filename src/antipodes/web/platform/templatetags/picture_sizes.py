"""Template filters for the sizes of pictures of boards, so that pages do not move as they load."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from antipodes.games.position import Game, Position
from antipodes.games.registry import make_game
from antipodes.notation.scene import Scene
from antipodes.notation.svg import picture_size
from antipodes.web.platform.translations import caption_text

register = template.Library()


@register.filter
def board_size(game: Game | str) -> SafeString:
    """Return the attributes for the size of a picture of a game's board without a caption."""
    return _board_size(make_game(game) if isinstance(game, str) else game)


@register.filter
def captioned_size(position: Position) -> SafeString:
    """Return the attributes for the size of a picture of a position with its caption."""
    return scene_size(replace(position.scene(), title=caption_text(position)))


def scene_size(scene: Scene, *, bare: bool = False, view: str = "flat") -> SafeString:
    """Return the attributes ``width`` and ``height`` for an image of a scene."""
    width, height = picture_size(scene, bare=bare, view=view)
    return format_html('width="{}" height="{}"', width, height)


@lru_cache(maxsize=128)
def _board_size(game: Game) -> SafeString:
    return scene_size(game.initial().scene(), bare=True)
