"""Board themes of pictures have the light colours of the site's style sheet."""

import re
from pathlib import Path

from antipodes.core import Color
from antipodes.games.registry import make_game
from antipodes.notation.svg.style import CELL, CELL_EDGE, CHAIN, LAST, PAINTS, SHADED_CELL
from antipodes.notation.svg.themes import THEMES, in_theme

STATIC = Path("src/antipodes/web/static/antipodes")
SHEET = (STATIC / "themes.css").read_text(encoding="utf-8")
SETTINGS = (STATIC / "board/settings.js").read_text(encoding="utf-8")
TOKENS = {
    "board-open": CELL,
    "board-shaded": SHADED_CELL,
    "board-edge": CELL_EDGE,
    "board-accent": LAST,
    "board-chain": CHAIN,
    **{color.value: PAINTS[color].fill for color in list(Color)[2:]},
}


def light(theme):
    """Return the light colours of a theme in the style sheet."""
    rules = re.findall(rf'\[data-board="{theme}"\] {{(.*?)}}', SHEET, re.DOTALL)
    pairs = re.findall(r"--([\w-]+): (?:light-dark\()?(#[0-9a-f]{6})", "".join(rules))
    return {TOKENS[name]: color for name, color in pairs if name in TOKENS}


def test_every_theme_has_the_colours_of_the_site():
    for theme, colors in list(THEMES.items())[1:]:
        assert light(theme).items() <= colors.items(), theme
        assert light(theme).keys() >= {CELL, SHADED_CELL, CELL_EDGE, LAST}, theme


def test_style_sheet_settings_and_pictures_have_the_same_themes():
    offered = SETTINGS.partition("const THEMES = [")[2].partition("\n];")[0]
    assert re.findall(r'\["(\w+)",', offered) == list(THEMES)
    assert set(re.findall(r'data-board="(\w+)"', SHEET)) == set(list(THEMES)[1:])


def test_a_picture_in_a_theme_differs_in_colours_only():
    svg = make_game("antipod", {"side": 3}).initial().to_svg()
    assert in_theme(svg, "sand") == svg
    shapes = re.sub("#[0-9a-f]{6}", "", svg)
    found = {theme: in_theme(svg, theme) for theme in THEMES}
    assert len(set(found.values())) == len(THEMES)
    assert {re.sub("#[0-9a-f]{6}", "", text) for text in found.values()} == {shapes}
